"""The projection of the ground, seen from high behind the bowler: metres to the points of a card's board."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import asin, cos, pi, sin, sqrt
from typing import Final

from grandstand.games.cards import Point
from grandstand.games.cricket.laws.field import CIRCLE_M, PITCH_M

ROPE: Final = 72.0
"""Radius of the rope around the middle of the pitch; it contains all positions."""
MIDDLE: Final = PITCH_M / 2
AROUND: Final = ROPE + 5
DISTANCE: Final = 300.0
STRIPE: Final = 9.0

Camera = Callable[[float, float], Point]
"""(metres to the right as the bowler looks, metres up the pitch from the striker) -> a point."""


def camera(left: float, top: float, width: float, height: float) -> Camera:
    """Return the camera that shows the whole ground in a frame."""
    tilt = asin(min(0.93, max(0.36, height / width * 1.02)))
    high, flat = sin(tilt), cos(tilt)

    def bare(right: float, up: float) -> Point:
        away = MIDDLE - up
        k = DISTANCE / (DISTANCE + away * flat)
        return (right * k, -away * high * k)

    rim = [bare(AROUND * sin(n * pi / 36), MIDDLE + AROUND * cos(n * pi / 36)) for n in range(72)]
    xs, ys = [x for x, _ in rim], [y for _, y in rim]
    zoom = min(width / (max(xs) - min(xs)), height / (max(ys) - min(ys)))
    x0 = left + width / 2 - zoom * (max(xs) + min(xs)) / 2
    y0 = top + height / 2 - zoom * (max(ys) + min(ys)) / 2

    def at(right: float, up: float) -> Point:
        x, y = bare(right, up)
        return (x0 + zoom * x, y0 + zoom * y)

    return at


def round_line(at: Camera, radius: float) -> list[Point]:
    """Return a circle around the middle of the pitch."""
    return [at(radius * sin(n * pi / 48), MIDDLE + radius * cos(n * pi / 48)) for n in range(97)]


def circle(at: Camera) -> list[Point]:
    """Return the line of the fielding restriction: two semicircles joined by straight lines."""
    points = [
        at(CIRCLE_M * cos(start + n * pi / 32), centre + CIRCLE_M * sin(start + n * pi / 32))
        for centre, start in ((PITCH_M, 0.0), (0.0, pi))
        for n in range(33)
    ]
    return [*points, points[0]]


def stripes(at: Camera) -> Sequence[Sequence[Point]]:
    """Return every second stripe of mown grass."""
    bands = []
    for number in range(int(ROPE // STRIPE)):
        start = -ROPE + 2 * STRIPE * number
        edge = [min(ROPE, start + STRIPE * n / 8) for n in range(9)]
        reach = [sqrt(max(0.0, ROPE**2 - right**2)) for right in edge]
        near = [at(right, MIDDLE + far) for right, far in zip(edge, reach, strict=True)]
        back = [at(right, MIDDLE - far) for right, far in zip(edge, reach, strict=True)]
        bands.append([*near, *reversed(back)])
    return bands


def box(at: Camera, half: float, start: float, stop: float) -> list[Point]:
    """Return a rectangle along the pitch."""
    return [at(-half, start), at(half, start), at(half, stop), at(-half, stop)]
