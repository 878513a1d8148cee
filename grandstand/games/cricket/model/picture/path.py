"""The path of a ball off the bat: its direction, its length, and the fielder who stops, chases or catches it.

Batter-relative: degrees from straight past the bowler, leg side positive, metres from the striker's middle stump. The
reach of fielders is OURS.
"""

from __future__ import annotations

from math import atan2, cos, degrees, hypot, radians, sin, sqrt
from random import Random
from typing import Final, NamedTuple

from grandstand.games.cricket.laws.field import PITCH_M, POSITIONS, Field
from grandstand.games.cricket.model.picture.strokes import (
    COVER,
    LOFTED,
    LONG_OFF,
    LONG_ON,
    POINT,
    STROKES,
    THIRD,
)
from grandstand.games.cricket.vocab import ZONES

ROPE_M: Final = 72.0
"""Radius of the boundary around the middle of the pitch."""
LONGEST_M: Final = 105.0
_INSIDE: Final = 2.0
"""Metres inside the rope of the deepest place where a ball is stopped or caught."""


class Hit(NamedTuple):
    """A ball off the bat: degrees, metres, sector, and the place of the fielder who handled it, if any."""

    angle: int
    distance: int
    zone: str
    place: str | None


class Start(NamedTuple):
    """A fielder's place before the ball: its name, degrees, metres and depth."""

    name: str
    angle: float
    distance: float
    depth: str


def rope_at(angle: float) -> float:
    """Return the metres from the striker's stumps to the rope: 82 straight past the bowler, 62 behind the keeper."""
    along = PITCH_M / 2 * cos(radians(angle))
    return along + sqrt(along * along + ROPE_M**2 - (PITCH_M / 2) ** 2)


def starts(field: Field) -> list[Start]:
    """Return the places of the nine fielders and the bowler; the wicket-keeper stops only balls that go to him."""
    bowler = POSITIONS["bowler"]
    nine = [Start(p.name, p.angle, p.distance, p.depth) for p in field.positions]
    return [*nine, Start("bowler", 0.0, bowler.distance, "bowler")]


def metres_off(start: Start, angle: float, distance: float) -> float:
    """Return how far a fielder stands from a point."""
    turn = radians(start.angle - angle)
    return sqrt(max(0.0, start.distance**2 + distance**2 - 2 * start.distance * distance * cos(turn)))


def direction(stroke: str, contact: str, zone: int, rng: Random) -> float:
    """Return degrees in [0, 360) within a sector: straight strokes stay straight, edges stay fine."""
    share = rng.random()
    if stroke in ("straight_drive", "loft_straight") and contact == "hit":
        share = 1 - share * 0.5 if zone == LONG_OFF else share * 0.5
    elif stroke == "pull" and zone == LONG_ON and contact == "hit":
        share = 0.55 + 0.45 * share
    elif stroke == "inside_out_loft" and zone == COVER:
        share = 0.4 + 0.6 * share
    elif stroke in ("cover_drive", "square_drive") and zone == POINT and contact == "hit":
        share = 0.5 + 0.5 * share
    elif zone == THIRD:
        share = 0.8 * share if contact != "hit" else _SQUARER.get(stroke, 0.3) * (1 - share) + share
    return (45 * zone + 45 * min(share, 0.999)) % 360


_SQUARER: Final = {"cut": 0.5, "upper_cut": 0.2, "ramp": 0.0, "scoop": 0.0}
"""Stroke -> the share of the sector behind point that it leaves to finer strokes."""


def fielded(
    runs: int, stroke: str, contact: str, zone: int, field: Field, rng: Random, sure: bool = False
) -> Hit | None:
    """Return a path with `runs` runs, and the fielder who picks the ball up; None if no path fits. With `sure` the
    nearest fielder then runs as far as necessary."""
    angle = direction(stroke, contact, zone, rng)
    hard = rng.random()
    best: tuple[float, float, str] | None = None
    over_the_ring = stroke in LOFTED and contact == "hit" and runs <= 1
    for start in starts(field):
        if over_the_ring and start.depth != "deep":
            continue  # he would have caught it
        turn = _turn(start.angle, angle)
        if turn >= 75:
            continue
        across, along = start.distance * sin(radians(turn)), start.distance * cos(radians(turn))
        distance = _picked_up(runs, start.depth, across, along, rope_at(angle), hard)
        if distance is None:
            continue
        away = metres_off(start, angle, distance)
        if best is None or away < best[0]:
            best = away, distance, start.name
    if best is None and sure and runs == 0:
        return _hit(angle, 6.0, None)
    if best is None and sure:
        distance = min(_USUAL_M[runs], rope_at(angle) - _INSIDE)
        nearest = min(starts(field), key=lambda start: metres_off(start, angle, distance))
        best = 0.0, distance, nearest.name
    return None if best is None else _hit(angle, best[1], best[2])


_SINGLE_M: Final = 20.0
"""Metres from which a fielder picks up a ball that brings a single: nearer ones stop the run."""
_USUAL_M: Final = (15.0, 32.0, 55.0, 62.0)
"""Metres of a ball that nobody is near, by the runs that it brings."""


def _picked_up(runs: int, depth: str, across: float, along: float, rope: float, hard: float) -> float | None:
    """Return the metres at which a fielder `across` metres away picks up a ball; None if it would bring other runs."""
    deepest = rope - _INSIDE
    if depth == "close":
        return along if runs == 0 and across < 2 else None
    if depth == "deep":
        if runs == 1 and across < 18:
            return min(along, deepest)
        if runs == 2 and 5 <= across < 30:
            return min(along + 4 * hard, deepest)
        return min(along + 2, deepest) if runs == 3 and 14 <= across < 36 else None
    if depth == "bowler":
        return along if runs == 0 and across < 3 else None
    if runs == 0:
        return along if across < 6 else None
    if runs == 1:
        return along + 3 * hard if 3 <= across < 13 and along >= _SINGLE_M else None
    beyond = along + (12 + 12 * hard if runs == 2 else 24 + 8 * hard)
    return min(beyond, deepest) if across < 16 else None


def to_the_rope(stroke: str, contact: str, zone: int, field: Field, rng: Random, sure: bool = False) -> Hit | None:
    """Return a four that passes the ring out of reach, unless it was in the air, and beats the fielders in the deep;
    None if a fielder stands in its way. With `sure` it takes the widest gap between those in the deep."""
    angle = direction(stroke, contact, zone, rng)
    if sure:
        deep = [start.angle for start in starts(field) if start.depth == "deep"]
        angles = [angle, *(direction(stroke, contact, zone, rng) for _ in range(_GAPS))]
        angle = max(angles, key=lambda each: min((_turn(each, man) for man in deep), default=180.0))
    rope = rope_at(angle)
    in_the_air = contact == "top_edge" or (STROKES[stroke].outcomes.get("6", 0.0) >= 0.6 and rng.random() < 0.7)
    for start in () if sure else starts(field):
        turn = _turn(start.angle, angle)
        across = start.distance * sin(radians(min(turn, 90.0)))
        if start.depth == "deep" and across < 9 and turn < 90:
            return None
        if start.depth == "ring" and across < 4 and turn < 90 and not in_the_air:
            return None
    chasing = min(starts(field), key=lambda start: metres_off(start, angle, rope))
    near = metres_off(chasing, angle, rope) <= 32 and chasing.depth != "bowler"
    return _hit(angle, rope, chasing.name if near else None)


_GAPS: Final = 20
"""The number of directions that are tried for the widest gap."""


def _turn(first: float, second: float) -> float:
    """Return the degrees between two directions, 0 to 180."""
    return abs((first - second + 180) % 360 - 180)


def over_the_rope(stroke: str, contact: str, zone: int, rng: Random) -> Hit:
    """Return a six: a mishit or a deflection clears the rope by little, a slog by up to thirty metres."""
    angle = direction(stroke, contact, zone, rng)
    small = contact != "hit" or stroke in ("scoop", "ramp", "upper_cut", "hook", "cut", "reverse_sweep")
    further = rng.expovariate(1 / (3.0 if small else 8.0))
    return _hit(angle, min(rope_at(angle) + 1.0 + further, LONGEST_M), None)


def at_the_bat(zone: int, rng: Random) -> Hit:
    """Return a ball that drops near the bat, and that nobody has to stop."""
    return _hit(45 * zone + 45 * rng.random(), 1 + 7 * rng.random(), None)


def catch_by(start: Start, rng: Random) -> Hit:
    """Return the path of a catch by a fielder: a man in the deep has run further for it than one at slip."""
    spread = {"deep": 4.5, "ring": 2.5}.get(start.depth, 0.5)
    across, along = spread * (2 * rng.random() - 1), spread * (2 * rng.random() - 1)
    turn = radians(start.angle)
    leg = start.distance * sin(turn) + along * sin(turn) + across * cos(turn)
    up = start.distance * cos(turn) + along * cos(turn) - across * sin(turn)
    sector = 45 * (start.angle % 360 // 45)
    angle = min(max(degrees(atan2(leg, up)) % 360, sector), sector + 44)
    return _hit(angle, min(hypot(leg, up), rope_at(angle) - 1.5), start.name)


def back_to_the_bowler(zone: int, rng: Random) -> Hit:
    """Return the path of a catch by the bowler, a step to one side of the pitch."""
    away = 1 + 7 * rng.random()
    return _hit(away if zone == LONG_ON else -away, 15 + 4 * rng.random(), "bowler")


def _hit(angle: float, distance: float, place: str | None) -> Hit:
    whole = int(angle % 360)
    signed = whole if whole < 180 else whole - 360
    return Hit(signed, round(distance), ZONES[int(whole % 360 // 45)], place)
