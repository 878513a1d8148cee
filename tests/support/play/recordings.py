"""Recorded matches of both games, as the page's tests use them."""

from __future__ import annotations

import json
from functools import cache

from grandstand.games.picture import Scene
from grandstand.models import Event
from tests.support.source import ROOT

FOLDER = ROOT / "frontend" / "src" / "boards"


@cache
def recorded(game: str, name: str = "match") -> tuple[Event, ...]:
    """Return the events of a recording, renumbered from 0 without the withheld ones."""
    lines = (FOLDER / game / "fixtures" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    events = [Event.model_validate(row) for row in rows if "type" in row]
    return tuple(event.model_copy(update={"seq": number}) for number, event in enumerate(events))


def scene_until(events: tuple[Event, ...], kind: str, count: int = 1) -> Scene:
    """Return the public events up to the event number `count` of that type."""
    scene: list[tuple[str, dict[str, object]]] = []
    for event in events:
        if event.audience == "public":
            scene.append((event.type, event.data))
            count -= event.type == kind
            if not count:
                return scene
    raise AssertionError(f"there are fewer events of type {kind}")
