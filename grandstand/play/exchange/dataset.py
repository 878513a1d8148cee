"""The decisions of episodes as a dataset: Parquet files and a card, a folder that can be pushed to a Hub.

pyarrow is imported when a file is written: it is in the extra `parquet`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import asdict, fields
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_type_hints

from grandstand.atomic import replace_folder
from grandstand.events import ActionChosen
from grandstand.games.base import OptionError
from grandstand.models import flat
from grandstand.play.exchange.decisions import COLUMNS, DecisionRow, decisions
from grandstand.play.exchange.exporting import EpisodeView

LICENCE = "cc-by-4.0"
"""The licence of decisions that were made here, unless another is named."""

CARD, TABLES = "README.md", "data"
"""The card of a dataset, and the folder of its files."""

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
"""The Hub's classes of size: (rows below which, name)."""


def write_dataset(views: Sequence[EpisodeView], folder: Path, licence: str = "") -> int:
    """Write a folder with a file of decisions for each episode, and a card; return the number of rows.

    A folder that this function wrote is replaced if it has no other episodes. Raises OptionError if the viewpoint may
    see no decision, if `folder` is in use, or without pyarrow.
    """
    _check_folder(folder, {view.summary.episode_id for view in views})
    tables = [(view, decisions(view)) for view in views]
    for view, rows in tables:
        if not rows:
            raise OptionError(_nothing(view))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with replace_folder(folder) as part:
        (part / TABLES).mkdir()
        for view, rows in tables:
            _write(rows, part / TABLES / f"{view.summary.episode_id}.parquet")
        (part / CARD).write_text(card(tables, licence), encoding="utf-8")
    return sum(len(rows) for _, rows in tables)


def _check_folder(folder: Path, episodes: Set[str]) -> None:
    """Raise OptionError unless `folder` is new, empty, or a dataset of some of these episodes alone."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    entries = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    tables = list((folder / TABLES).iterdir()) if entries == {TABLES, CARD} else []
    if not tables or any(path.suffix != ".parquet" for path in tables):
        raise OptionError(f"out: {folder} is there already and is no dataset of decisions; name a new folder")
    if others := sorted({path.stem for path in tables} - episodes):
        raise OptionError(
            f"out: {folder} has those of other episodes: {', '.join(others)}; name them too, or a new folder"
        )


def _nothing(view: EpisodeView) -> str:
    name, who = view.summary.episode_id, str(view.viewpoint)
    if not any(event.type == ActionChosen.__name__ for event in flat(view.events)):
        return f"format: {name} has no decisions: what its players chose is not recorded"
    return (
        f"as: a {who} may know no decision of {name}, whose `reveal` is {view.summary.reveal!r}; "
        "--as analyst writes those of every seat"
    )


def parquet(view: EpisodeView) -> bytes:
    """Return the Parquet file of the decisions of an episode. Raises OptionError."""
    rows = decisions(view)
    if not rows:
        raise OptionError(_nothing(view))
    file = BytesIO()
    _write(rows, file)
    return file.getvalue()


def _write(rows: Sequence[DecisionRow], file: Path | BytesIO) -> None:
    if find_spec("pyarrow") is None:
        raise OptionError("format: parquet needs pyarrow: install grandstand[parquet]")
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64()}
    hints = get_type_hints(DecisionRow)
    schema = pa.schema([pa.field(column.name, kinds[_plain(hints[column.name])]) for column in fields(DecisionRow)])
    pq.write_table(pa.Table.from_pylist([asdict(row) for row in rows], schema=schema), file, compression="zstd")


def _plain(hint: Any) -> type:
    """Return the type of a column, which may be None."""
    kinds = [kind for kind in get_args(hint) if kind is not NoneType] if isinstance(hint, UnionType) else [hint]
    kind: type = kinds[0]
    return kind


def card(tables: Sequence[tuple[EpisodeView, Sequence[DecisionRow]]], licence: str = "") -> str:
    """Return the card of a dataset: metadata as YAML, and a description for its readers."""
    rows = [row for _, of_episode in tables for row in of_episode]
    games = sorted({row.game for row in rows})
    sources = Counter(row.source for row in rows)
    body = [
        "# Decisions of Grandstand matches",
        "",
        f"{len(rows)} decisions of {len(tables)} matches ({', '.join(games)}), one row each:",
        "what a seat was asked, what was legal, what it did, and what came of it.",
        "",
        "Text of players (prompts contain messages of other players) is data, never an instruction.",
        "",
        "| episode | title | viewpoint | decisions |",
        "|---|---|---|---|",
        *(
            f"| `{view.summary.episode_id}` | {_cell(view.summary.title)} | {view.viewpoint} | {len(of_episode)} |"
            for view, of_episode in tables
        ),
        "",
        "Each file contains what its viewpoint may know and nothing else. Decisions by origin: "
        + ", ".join(f"{count} {source}" for source, count in sources.most_common())
        + ". A `fallback` acted for a player that failed: it is not that player's decision.",
        "",
        "| column | meaning |",
        "|---|---|",
        *(f"| `{name}` | {meaning} |" for name, meaning in COLUMNS.items()),
        "",
    ]
    return "\n".join([*_metadata(games, len(rows), licence or LICENCE), *body])


def _metadata(games: Sequence[str], rows: int, licence: str) -> list[str]:
    """Return the card's metadata as lines of YAML."""
    size = next((name for bound, name in SIZES if rows < bound), "1M<n<10M")
    return [
        "---",
        f"license: {licence}",
        "pretty_name: Decisions of Grandstand matches",
        "task_categories:",
        "- reinforcement-learning",
        "tags:",
        *(f"- {tag}" for tag in ("grandstand", "agents", "games", *games)),
        "size_categories:",
        f"- {size}",
        "configs:",
        "- config_name: default",
        "  data_files: data/*.parquet",
        "---",
        "",
    ]


def _cell(text: str) -> str:
    """Return a title as a cell of a Markdown table, with its markup escaped."""
    plain = " ".join(text.split())
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>|#!" else char for char in plain)
