"""The games of people and the real T20s among the reference matches, from documents that the project can read."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.progress import track

from grandstand.play.exchange.importing import read_import
from scripts.reference_past.play import RECORDS, keep

HUMANS = "facebookresearch/diplomacy_cicero, MIT licence, (c) Meta Platforms, Inc. and affiliates"
CRICSHEET = "Cricsheet (cricsheet.org), Open Data Commons Attribution License v1.0"

CLOSE_RUNS, CLOSE_WICKETS = 2, 2
"""A real T20 is imported if it was tied, or won by so few runs or wickets."""


def keep_humans(folder: Path, games: Path) -> None:
    """Import the games of people in `games`, one saved game a line."""
    with gzip.open(games, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(track(list(lines), "human games"), 1):
            _keep(folder, f"reference-people-{number:04}", line, f"Diplomacy between people, game {number}", HUMANS)


def keep_cricsheet(folder: Path, matches: Path) -> None:
    """Import the closest of the matches in `matches`, one file of Cricsheet each."""
    close = [file for file in sorted(matches.glob("*.json")) if _is_close(json.loads(file.read_bytes())["info"])]
    for file in track(close, "real T20s"):
        info = json.loads(file.read_bytes())["info"]
        played = datetime.fromisoformat(info["dates"][0]).replace(tzinfo=UTC)
        title = f"{' v '.join(info['teams'])}, {played:%d %B %Y}".replace(" 0", " ").replace(", 0", ", ")
        _keep(folder, f"reference-t20-{file.stem}", file.read_text("utf-8"), title, CRICSHEET, played.timestamp())


def _is_close(info: Mapping[str, Any]) -> bool:
    outcome = info.get("outcome", {})
    by = outcome.get("by", {})
    if "method" in outcome or info.get("overs") != 20:
        return False
    close = by.get("runs", CLOSE_RUNS + 1) <= CLOSE_RUNS or by.get("wickets", CLOSE_WICKETS + 1) <= CLOSE_WICKETS
    return bool(close) or outcome.get("result") == "tie"


def _keep(folder: Path, episode_id: str, text: str, title: str, source: str, at: float | None = None) -> None:
    if (folder / RECORDS / f"{episode_id}.jsonl.gz").is_file():
        return
    (folder / RECORDS).mkdir(parents=True, exist_ok=True)
    events = read_import(episode_id, text.encode(), title, source).events
    moved = {"episode_id": episode_id, "epoch": 0} | ({} if at is None else {"at": at})
    keep(folder, [event.model_copy(update=moved) for event in events])
