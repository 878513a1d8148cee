"""The orders of a phase as shapes: arrows for moves, dashed lines for supports, dotted ones for convoys."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from math import hypot

from grandstand.games.base import SeatId
from grandstand.games.cards import Area, Disc, Point, Shape, Trace
from grandstand.games.diplomacy.card.colours import CLASH, LAND, STRONG
from grandstand.games.diplomacy.card.sheet import sheet
from grandstand.games.diplomacy.types import ResolvedOrder

BEND = 0.055
"""Share of its length by which a line bends, so that opposite moves do not overlap."""
STEPS = 14
SHAFT = 5.0
HEAD = 8.0
TIP = 14.0
CLEAR = 11.0
"""Radius around a unit that lines leave free."""
FAILED = 0.78
"""Share of its way that the arrow of a failed move covers."""


def arrows(orders: Mapping[SeatId, Sequence[ResolvedOrder]]) -> Iterator[Shape]:
    """Yield the shapes of `orders`: first the lines of supports and convoys, then the arrows of moves."""
    every = [(seat, order) for seat, each in orders.items() for order in each]
    moves = {order["from"][:3]: order for _, order in every if order["kind"] == "move" and "to" in order}
    for seat, order in every:
        if order["kind"] in ("support", "convoy"):
            yield from _support(seat, order, moves)
    for seat, order in every:
        if order["kind"] in ("move", "retreat") and "to" in order:
            yield from _move(seat, order)


def _move(seat: SeatId, order: ResolvedOrder) -> Iterator[Shape]:
    done = not order["results"]
    origin = sheet().dislodged(order["from"]) if order["kind"] == "retreat" else sheet().unit(order["from"])
    way = _curve(origin, sheet().unit(order["to"]))
    drawn = _between(way, CLEAR * 0.6, CLEAR) if done else _between(way, CLEAR * 0.6, (1 - FAILED) * _length(way) + 4)
    if len(drawn) < 2:
        return
    colour = STRONG[seat]
    shaft, head = _arrow(drawn)
    yield Trace([shaft], LAND, SHAFT + 3.2)
    yield Area([_grown(head, 2.4)], LAND)
    yield Trace([shaft], colour, SHAFT) if done else Trace([shaft], colour, SHAFT - 1, dash=6)
    yield Area([head], colour)
    if not done:
        x, y = drawn[-1]
        yield Disc((x, y), 5.5, LAND)
        yield Trace([[(x - 3.6, y - 3.6), (x + 3.6, y + 3.6)], [(x - 3.6, y + 3.6), (x + 3.6, y - 3.6)]], CLASH, 2.6)


def _support(seat: SeatId, order: ResolvedOrder, moves: Mapping[str, ResolvedOrder]) -> Iterator[Shape]:
    """Yield the line to the unit that is helped, or to the middle of its move."""
    if "target" not in order:
        return
    start, helped = sheet().unit(order["from"]), sheet().unit(order["target"][2:])
    end = helped
    if "to" in order:
        move = moves.get(order["target"][2:5])
        aim = move["to"] if move and move["to"][:3] == order["to"][:3] else order["to"]
        way = _curve(helped, sheet().unit(aim))
        end = way[len(way) // 2]
    line = _between(_curve(start, end), CLEAR, 2.0 if "to" in order else CLEAR)
    if len(line) < 2:
        return
    dash = 2.6 if order["kind"] == "convoy" else 5.0
    yield Trace([line], LAND, 4.6)
    yield Trace([line], STRONG[seat] if not order["results"] else STRONG[seat] + "99", 2.4, dash)


def _curve(start: Point, end: Point) -> list[Point]:
    """Return a line from `start` to `end`, bent to the left."""
    x = (start[0] + end[0]) / 2 + (end[1] - start[1]) * BEND * 2
    y = (start[1] + end[1]) / 2 - (end[0] - start[0]) * BEND * 2

    def at(share: float) -> Point:
        a, b, c = (1 - share) ** 2, 2 * share * (1 - share), share**2
        return (a * start[0] + b * x + c * end[0], a * start[1] + b * y + c * end[1])

    return [at(step / STEPS) for step in range(STEPS + 1)]


def _length(points: Sequence[Point]) -> float:
    return sum(hypot(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(points))


def _between(points: Sequence[Point], before: float, after: float) -> list[Point]:
    """Return the part of a line without its first `before` and its last `after` units of length."""
    return _without(_without(points, before)[::-1], after)[::-1]


def _without(points: Sequence[Point], length: float) -> list[Point]:
    rest = list(points)
    while len(rest) > 1:
        (ax, ay), (bx, by) = rest[0], rest[1]
        step = hypot(bx - ax, by - ay)
        if step > length:
            share = length / step
            return [(ax + (bx - ax) * share, ay + (by - ay) * share), *rest[1:]]
        length -= step
        rest.pop(0)
    return []


def _arrow(points: Sequence[Point]) -> tuple[list[Point], list[Point]]:
    """Return the shaft and the head of an arrow along `points`."""
    tip = min(TIP, _length(points) * 0.6)
    shaft = _between(points, 0.0, tip * 0.8)
    neck = _between(points, 0.0, tip)[-1]
    end = points[-1]
    dx, dy = end[0] - neck[0], end[1] - neck[1]
    length = hypot(dx, dy) or 1.0
    aside = (-dy / length * HEAD * tip / TIP, dx / length * HEAD * tip / TIP)
    return shaft, [end, (neck[0] + aside[0], neck[1] + aside[1]), (neck[0] - aside[0], neck[1] - aside[1])]


def _grown(points: Sequence[Point], by: float) -> list[Point]:
    """Return a small figure, enlarged by about `by` on every side."""
    x = sum(point[0] for point in points) / len(points)
    y = sum(point[1] for point in points) / len(points)
    return [
        (
            px + (px - x) * by * 1.6 / (hypot(px - x, py - y) or 1),
            py + (py - y) * by * 1.6 / (hypot(px - x, py - y) or 1),
        )
        for px, py in points
    ]
