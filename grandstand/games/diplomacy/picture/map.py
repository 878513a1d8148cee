"""The places of the map, with their outlines. docs/map.md describes the file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, pairwise
from math import hypot
from pathlib import Path
from typing import Any, Final

from grandstand.games.picture import Place, Point

_FILE: Final = Path(__file__).parents[1] / "data" / "map.gen.json"

BESIDE: Final = 37.0
"""The least distance of a dislodged unit from the unit that dislodged it."""
UNIT: Final = 40.0
"""The size of the place of a unit."""
CENTRE: Final = 18.0
"""The size of the place of a supply centre."""


@cache
def drawing() -> dict[str, Any]:
    """Return the drawing of the map."""
    data: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return data


@cache
def places() -> Sequence[Place]:
    """Return all places: the regions, the coasts, and the supply centres (`PAR*`)."""
    data = drawing()
    arcs = [_points(steps) for steps in data["arcs"]]
    seas, lands, spots = [], [], []
    for code, raw in data["provinces"].items():
        outline, (x, y) = _outline(arcs, raw["rings"]), raw["unit"]
        if raw["kind"] == "sea":
            seas.append(Place(code, x, y, UNIT, UNIT, outline, name=raw["name"], tone="water"))
        else:
            lands.append(Place(code, x, y, UNIT, UNIT, outline, name=raw["name"], tone="land"))
        for coast, own in raw["coasts"].items():
            x, y = own["unit"]
            spots.append(Place(f"{code}/{coast}", x, y, UNIT, UNIT, "none"))
        if raw["center"]:
            x, y = raw["center"]
            spots.append(Place(f"{code}*", x, y, CENTRE, CENTRE, "none"))
    outside = _outline(arcs, [*data["neutral"], *data["impassable"]])
    neutral = Place("neutral", 0, 0, outline=outside, tone="muted")
    straits = Place("straits", 0, 0, outline=_outline(arcs, data["straits"]), tone="water")
    return [*seas, neutral, *lands, straits, *spots]


def spot(place: str) -> str:
    """Return the id of the place of a unit at `STP/SC`."""
    return place if place[4:] in drawing()["provinces"][place[:3]]["coasts"] else place[:3]


def beside(place: str) -> Point:
    """Return the point of a unit that was dislodged at `STP/SC`: beside the unit that took its place."""
    raw = drawing()["provinces"][place[:3]]
    raw = raw["coasts"].get(place[4:], raw)
    (x, y), (to_x, to_y) = raw["unit"], raw["dislodged"]
    far = max(1.0, BESIDE / (hypot(to_x - x, to_y - y) or 1.0))
    return (x + far * (to_x - x), y + far * (to_y - y))


def _points(steps: Sequence[int]) -> list[tuple[int, int]]:
    """Return the points of an arc, which is stored as steps of tenths, in whole units: a page loads all outlines."""
    arc = zip(accumulate(steps[::2]), accumulate(steps[1::2]), strict=True)
    return [(round(x / 10), round(y / 10)) for x, y in arc]


def _outline(arcs: Sequence[Sequence[tuple[int, int]]], rings: Iterable[Sequence[int]]) -> str:
    """Return rings of arcs as a path. The number of an arc that runs backwards is its complement."""
    path = ""
    for ring in rings:
        points: list[tuple[int, int]] = []
        for number in ring:
            arc = arcs[~number][::-1] if number < 0 else arcs[number]
            points.extend(arc[1:] if points else arc)
        steps = [(to_x - x, to_y - y) for (x, y), (to_x, to_y) in pairwise(points[:-1]) if (x, y) != (to_x, to_y)]
        path += f"M{points[0][0]} {points[0][1]}l{' '.join(f'{x} {y}' for x, y in steps)}Z".replace(" -", "-")
    return path
