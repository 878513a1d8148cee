"""Turn the lines of ``borders.txt`` into curves of the drawing that look as if one hand had drawn them all."""

import hashlib
import math
from itertools import pairwise

from shapely import LineString, MultiPoint, Point

from frontend.map.geography import Line
from frontend.map.projection import project

OVERSHOOT = 4.0  # how far a line is prolonged at both ends, to cross the one it ends on
SPANS = 4  # pieces of curve between two points
STEP = 2.5  # distance between the vertices of an uneven line
WAVES = ((29.0, 0.8), (13.0, 0.6), (7.0, 0.4))  # lengths and heights of its unevenness
CALM = 7.0  # it fades out this close to a junction

Vertex = tuple[float, float]


def smooth(points: list[Vertex]) -> list[Vertex]:
    """Return a Catmull-Rom curve through the points."""
    padded = [points[0], *points, points[-1]]
    curve = []
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        for step in range(SPANS):
            t = step / SPANS
            x, y = (
                0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t**2 + (3 * q - p - 3 * r + s) * t**3)
                for p, q, r, s in zip(a, b, c, d, strict=True)
            )
            curve.append((x, y))
    return [*curve, points[-1]]


def roughen(points: list[Vertex], firm: set[Vertex], seed: str) -> list[Vertex]:
    """Return the curve with small deviations to either side, none at ``firm`` points or at the ends.

    A border drawn by hand has a point every 60 km; beside Natural Earth's it would look like wire. The deviations are
    those of three waves whose lengths and phases come from ``seed``.
    """
    *stretch, first, second, third = (byte / 256 for byte in hashlib.sha256(seed.encode()).digest()[:6])
    waves = [
        (length * (0.8 + 0.4 * change), height, phase)
        for (length, height), change, phase in zip(WAVES, stretch, (first, second, third), strict=True)
    ]
    curve = LineString(points)
    held = MultiPoint([points[0], points[-1], *(point for point in points if point in firm)])
    rough = []
    for number in range(int(curve.length / STEP) + 1):
        far = number * STEP
        here, behind, ahead = (curve.interpolate(max(0.0, far + shift)) for shift in (0.0, -STEP / 2, STEP / 2))
        run = ahead.distance(behind) or 1.0
        wave = sum(height * math.sin(math.tau * (far / length + phase)) for length, height, phase in waves)
        wave *= min(1.0, here.distance(held) / CALM)
        rough.append((here.x - (ahead.y - behind.y) / run * wave, here.y + (ahead.x - behind.x) / run * wave))
    return [*rough, points[-1]]


def prolong(points: list[Vertex]) -> list[Vertex]:
    """Return the line with ``OVERSHOOT`` more at both ends; what hangs loose bounds no face and so disappears."""

    def beyond(near: Vertex, end: Vertex) -> Vertex:
        scale = OVERSHOOT / (Point(near).distance(Point(end)) or 1.0)
        return end[0] + (end[0] - near[0]) * scale, end[1] + (end[1] - near[1]) * scale

    return [beyond(points[1], points[0]), *points, beyond(points[-2], points[-1])]


def draw(line: Line, junctions: set[Vertex] | None = None) -> LineString:
    """Return a line as a curve in drawing units, uneven between ``junctions`` if these are given."""
    points = [project(*point) for point in line.points]
    if not line.natural:
        points = smooth(points)
        if junctions is not None:
            points = roughen(points, junctions, line.name)
    points = [points[0], *(b for a, b in pairwise(points) if a != b)]
    return LineString(prolong(points))
