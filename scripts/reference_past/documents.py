"""The games of people and the real T20s among the reference matches, from documents that the project can read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.progress import track

from grandstand.events import EpisodeCreated
from grandstand.models import Event
from grandstand.play.exchange.importing import read_import
from scripts.reference_past.play import keep, kept_record

CICERO = "facebookresearch/diplomacy_cicero, MIT licence, (c) Meta Platforms, Inc. and affiliates"
CRICSHEET = "Cricsheet (cricsheet.org), Open Data Commons Attribution License v1.0"

CLOSE = 2
"""A real T20 is imported if it was tied, or won by so few runs or wickets."""


def keep_people(folder: Path, games: Path) -> None:
    """Import the games in `games` of six people and the program Cicero, whose power is in the name of the file.

    They have the messages of the players who agreed to that, and state no result.
    """
    for file in track(sorted(games.glob("game_*.json")), "games of people"):
        _, number, power, *_ = file.stem.split("_")
        episode_id = f"reference-people-{number}"
        if not kept_record(folder, episode_id).is_file():
            title = f"Six people and Cicero ({power.capitalize()}), game {number}"
            events = read_import(file.name, file.read_bytes(), title, CICERO).events
            keep(folder, _named(_seated(events, power), episode_id))


def keep_cricsheet(folder: Path, matches: Path) -> None:
    """Import the closest of the matches in `matches`, one file of Cricsheet each."""
    close = [file for file in sorted(matches.glob("*.json")) if is_close(json.loads(file.read_bytes())["info"])]
    for file in track(close, "real T20s"):
        episode_id = f"reference-t20-{file.stem}"
        if not kept_record(folder, episode_id).is_file():
            info = json.loads(file.read_bytes())["info"]
            played = datetime.fromisoformat(info["dates"][0]).replace(tzinfo=UTC)
            title = f"{' v '.join(info['teams'])}, {played.day} {played:%B %Y}"
            events = read_import(file.name, file.read_bytes(), title, CRICSHEET).events
            keep(folder, _named(events, episode_id, at=played.timestamp()))


def is_close(info: Mapping[str, Any]) -> bool:
    """Return whether a match of 20 overs, by its `info`, was tied or nearly so, and no target was set again."""
    outcome = info.get("outcome", {})
    by = outcome.get("by", {})
    if "method" in outcome or info.get("overs") != 20:
        return False
    return outcome.get("result") == "tie" or any(by.get(what, CLOSE + 1) <= CLOSE for what in ("runs", "wickets"))


def _seated(events: Sequence[Event], power: str) -> list[Event]:
    """Return the events with Cicero in the seat of its power."""
    created = EpisodeCreated.model_validate(events[0].data)
    cicero = {"player": "Cicero", "kind": "remote"}
    seats = [seat.model_copy(update=cicero) if seat.seat == power else seat for seat in created.seats]
    data = created.model_copy(update={"seats": seats}).model_dump(mode="json")
    return [events[0].model_copy(update={"data": data}), *events[1:]]


def _named(events: Sequence[Event], episode_id: str, **changes: float) -> list[Event]:
    return [event.model_copy(update={"episode_id": episode_id, "epoch": 0, **changes}) for event in events]
