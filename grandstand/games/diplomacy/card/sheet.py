"""The outlines of the map, scaled to the board of a card. docs/map.md describes the file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import hypot
from pathlib import Path
from typing import Any, Final

from grandstand.games.cards import BOARD_HEIGHT, BOARD_WIDTH, Point

_FILE: Final = Path(__file__).parents[1] / "data" / "map.gen.json"

HOME_LANDS: Final = {
    land: power
    for power, lands in {
        "AUSTRIA": "BOH GAL TYR",
        "ENGLAND": "CLY WAL YOR",
        "FRANCE": "BUR GAS PIC",
        "GERMANY": "PRU RUH SIL",
        "ITALY": "APU PIE TUS",
        "RUSSIA": "FIN LVN UKR",
        "TURKEY": "ARM SYR",
    }.items()
    for land in lands.split()
}
"""Province without a supply centre -> the power that it belongs to at the start."""

BESIDE: Final = 21.0
"""The least distance of a dislodged unit from the unit that dislodged it."""

Rings = Sequence[Sequence[Point]]


@dataclass(frozen=True, slots=True)
class Province:
    """A province: its area, and the positions of its units and its centre."""

    kind: str
    """land, coast or sea."""
    rings: Rings
    label: Point
    center: Point | None
    units: dict[str, Point]
    """Coast, '' for the province itself -> the place of a unit."""
    dislodged: dict[str, Point]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The whole map."""

    provinces: dict[str, Province]
    neutral: Rings
    """Land outside the game, and Switzerland."""
    straits: Rings
    coast: Rings
    land_borders: Rings
    sea_borders: Rings

    def unit(self, place: str) -> Point:
        """Return the place of a unit at `STP/SC`."""
        province = self.provinces[place[:3]]
        return province.units.get(place[4:], province.units[""])

    def dislodged(self, place: str) -> Point:
        """Return the place of a unit that was dislodged at `STP/SC`: beside the unit that took its place."""
        province = self.provinces[place[:3]]
        x, y = self.unit(place)
        dx, dy = (a - b for a, b in zip(province.dislodged.get(place[4:], province.dislodged[""]), (x, y), strict=True))
        far = max(1.0, BESIDE / (hypot(dx, dy) or 1.0))
        return (x + far * dx, y + far * dy)


@cache
def sheet() -> Sheet:
    """Return the map, scaled to the board's area."""
    data: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    scale = max(BOARD_WIDTH / data["viewBox"][0], BOARD_HEIGHT / data["viewBox"][1])
    arcs = [list(_arc(steps, scale / 10)) for steps in data["arcs"]]

    def at(point: Sequence[float]) -> Point:
        return (point[0] * scale, point[1] * scale)

    def rings(numbers: Iterable[Sequence[int]]) -> Rings:
        return [_ring(arcs, ring) for ring in numbers]

    def lines(*names: str) -> Rings:
        return [arcs[number] for name in names for number in data["lines"][name]]

    def province(raw: dict[str, Any]) -> Province:
        spots = {"": raw, **raw["coasts"]}
        return Province(
            kind=raw["kind"],
            rings=rings(raw["rings"]),
            label=at(raw["label"]["at"]),
            center=at(raw["center"]) if raw["center"] else None,
            units={coast: at(spot["unit"]) for coast, spot in spots.items()},
            dislodged={coast: at(spot["dislodged"]) for coast, spot in spots.items()},
        )

    return Sheet(
        provinces={code: province(raw) for code, raw in data["provinces"].items()},
        neutral=rings([*data["neutral"], *data["impassable"]]),
        straits=rings(data["straits"]),
        coast=lines("coast"),
        land_borders=lines("land", "crossing"),
        sea_borders=lines("sea", "mouth"),
    )


def _arc(steps: Sequence[int], scale: float) -> Iterator[Point]:
    x = y = 0
    for number in range(0, len(steps), 2):
        x += steps[number]
        y += steps[number + 1]
        yield (x * scale, y * scale)


def _ring(arcs: Sequence[Sequence[Point]], numbers: Sequence[int]) -> list[Point]:
    points: list[Point] = []
    for number in numbers:
        arc = arcs[~number][::-1] if number < 0 else arcs[number]
        points.extend(arc[1:] if points else arc)
    return points[:-1]
