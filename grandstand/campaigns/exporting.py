"""The report of a campaign as a file: Markdown, JSON, or the rows of its tables as Parquet.

pyarrow is imported when rows are written: it is in the extra `parquet`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

from grandstand.campaign_events import CAMPAIGNS
from grandstand.campaigns.markdown import markdown
from grandstand.games.base import OptionError
from grandstand.models import Event
from grandstand.play.exchange.exporting import PAGE, RECORD, EpisodeView, format_named
from grandstand.play.record_folder import EVALUATION_RECORD
from grandstand.play.record_folder import RECORD as TOURNAMENT_RECORD
from grandstand.report import Report, ReportUpdated, Row, Section, Table, after
from grandstand.spectator.record_file import read_episode

COLUMNS = ("section", "row", "column", "title", "number", "text", "low", "high", "n")
"""Columns of the rows: a line for each value of each table."""


def report_formats(game: str) -> list[str]:
    """Return the formats of an episode of a game that only campaigns have."""
    return list(_WRITERS) if game in CAMPAIGNS else []


def episode_format(game: str, name: str) -> str:
    """Return the format `name` of an episode of a match or a campaign. Raises OptionError."""
    if game not in CAMPAIGNS:
        return format_named(game, name)
    if name not in (formats := [PAGE, RECORD, *_WRITERS]):
        raise OptionError(f"format: a {game} has no {name!r}; there are {', '.join(formats)}")
    return name


def suffix_of_report(format: str) -> str:
    """Return the suffix of a file of one of the formats that only campaigns have."""
    return {"markdown": ".md", "report": ".json", "rows": ".parquet"}[format]


def report_file(view: EpisodeView, format: str) -> bytes:
    """Return the report of a campaign's episode as a file. Raises OptionError."""
    report = last_report(view.known)
    if report is None:
        raise OptionError(f"format: {view.summary.episode_id} has no report yet; ask again after its first result")
    return _WRITERS[format](report, view.summary.title)


def last_report(events: Iterable[Event]) -> Report | None:
    """Return the report after some events of a campaign; None before the first one."""
    report: Report | None = None
    for event in events:
        if event.type == ReportUpdated.__name__:
            report = after(report, ReportUpdated.model_validate(event.data))
    return report


def report_in(folder: Path) -> tuple[Report, str] | None:
    """Return the report of the tournament or evaluation whose records are in a folder, and its title; None if there is
    none. Raises RecordError."""
    for name in (TOURNAMENT_RECORD, EVALUATION_RECORD):
        if (folder / name).is_file():
            events = read_episode(folder / name).events
            report = last_report(events)
            return None if report is None else (report, str(events[0].data["title"]))
    return None


def rows(report: Report) -> list[Mapping[str, Any]]:
    """Return every value of every table, by COLUMNS."""
    return [
        dict(zip(COLUMNS, cell, strict=True))
        for section in report.sections
        if isinstance(section.body, Table)
        for row in section.body.rows
        for cell in _cells(section, section.body, row)
    ]


def _cells(section: Section, table: Table, row: Row) -> Iterator[tuple[object, ...]]:
    for column, value in zip(table.columns, row.cells, strict=True):
        text = value.value if isinstance(value.value, str) else None
        number = None if isinstance(value.value, str) else value.value
        yield section.id, row.id, column.id, column.title, number, text, value.low, value.high, value.n


def _rows_file(report: Report, title: str) -> bytes:
    if find_spec("pyarrow") is None:
        raise OptionError("format: rows need pyarrow: install grandstand[parquet]")
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {"number": pa.float64(), "low": pa.float64(), "high": pa.float64(), "n": pa.int64()}
    schema = pa.schema([pa.field(name, kinds.get(name, pa.string())) for name in COLUMNS])
    file = BytesIO()
    pq.write_table(pa.Table.from_pylist(rows(report), schema=schema), file, compression="zstd")
    return file.getvalue()


def _markdown_file(report: Report, title: str) -> bytes:
    return markdown(report, None, title).encode()


def _report_file(report: Report, title: str) -> bytes:
    return (report.model_dump_json(indent=1, exclude_none=True) + "\n").encode()


_WRITERS: Mapping[str, Callable[[Report, str], bytes]] = {
    "markdown": _markdown_file,
    "report": _report_file,
    "rows": _rows_file,
}
