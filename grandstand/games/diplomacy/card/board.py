"""The map of a moment as shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grandstand.games.base import SeatId
from grandstand.games.cards import BOARD_HEIGHT, BOARD_WIDTH, Area, Disc, Point, Scene, Shape, Trace, Words
from grandstand.games.diplomacy.card.arrows import arrows
from grandstand.games.diplomacy.card.colours import (
    BORDER,
    CLASH,
    COAST,
    INK,
    LAND,
    NEUTRAL,
    SEA,
    SEA_BORDER,
    STRONG,
    WASH,
)
from grandstand.games.diplomacy.card.moment import MapMoment, moment
from grandstand.games.diplomacy.card.sheet import Sheet, sheet

UNIT = 0.92
"""The size of a unit, in pixels of the board for each unit of its outline."""
SHIELD = ((-10.5, -11.5), (10.5, -11.5), (10.5, -0.5), (9.3, 5.0), (5.6, 9.7), (0, 13.5), (-5.6, 9.7), (-9.3, 5.0),
          (-10.5, -0.5))  # fmt: skip
SAIL = ((-8.5, -12.5), (8.5, -12.5), (10.2, -8.6), (10.6, -4.5), (10, 0), (8.5, 3.5), (-8.5, 3.5), (-10, 0),
        (-10.6, -4.5), (-10.2, -8.6))  # fmt: skip
HULL = ((-15.5, 2.5), (-9, 4.5), (0, 5.2), (9, 4.5), (15.5, 2.5), (14, 7.5), (8.8, 11.5), (0, 13), (-8.8, 11.5),
        (-14, 7.5))  # fmt: skip


def picture(scene: Scene) -> Sequence[Shape]:
    """Return the map at `scene`: owners, orders of the season, units."""
    now, drawing = moment(scene), sheet()
    orders = [shape for _, each in now.season for shape in arrows(each)]
    return [*_land(drawing, now.owners), *_centers(drawing, now), *orders, *_units(drawing, now)]


def _land(drawing: Sheet, owners: dict[str, SeatId]) -> Iterator[Shape]:
    sea = [(0, 0), (BOARD_WIDTH, 0), (BOARD_WIDTH, BOARD_HEIGHT), (0, BOARD_HEIGHT)]
    yield Area([sea], SEA)
    yield Trace(drawing.sea_borders, SEA_BORDER + "80", 1.0)
    yield Area(drawing.neutral, NEUTRAL)
    for code, province in drawing.provinces.items():
        if province.kind != "sea":
            yield Area(province.rings, WASH.get(owners.get(code, ""), LAND))
    yield Area(drawing.straits, SEA)
    yield Trace(drawing.land_borders, BORDER + "70", 1.1)
    yield Trace(drawing.coast, COAST, 1.2)


def _centers(drawing: Sheet, now: MapMoment) -> Iterator[Shape]:
    for code, province in drawing.provinces.items():
        if province.center is not None:
            seat = next((seat for seat, owned in now.state["centers"].items() if code in owned), None)
            yield Disc(province.center, 3.6, STRONG[seat] if seat else LAND, INK, 1.0)


def _units(drawing: Sheet, now: MapMoment) -> Iterator[Shape]:
    for seat, retreats in now.state["retreats"].items():
        for unit in retreats:
            x, y = drawing.dislodged(unit[2:])
            yield Disc((x, y), 15.5, LAND + "c0", CLASH, 2.4)
            yield from _unit(unit[0], seat, (x, y))
    for seat, units in now.state["units"].items():
        for unit in units:
            yield from _unit(unit[0], seat, drawing.unit(unit[2:]))


def _unit(kind: str, seat: SeatId, at: Point) -> Iterator[Shape]:
    outlines = (SHIELD,) if kind == "A" else (SAIL, HULL)
    placed = [[(at[0] + UNIT * x, at[1] + UNIT * y) for x, y in outline] for outline in outlines]
    for outline in placed:
        yield Trace([[*outline, outline[0], outline[1]]], LAND, 4.0)
    for outline in placed:
        yield Area([outline], STRONG[seat])
    yield Words(seat[0], (at[0], at[1] - (0.0 if kind == "A" else 4.2 * UNIT)), 13, LAND, "bold", "middle")
