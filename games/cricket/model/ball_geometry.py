"""The geometry of a delivery: the pitch of the ball, its path and the fielder. It changes nothing that counts."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from grandstand.games.cricket.laws.field import BOUNDARY_M, POSITIONS, Field
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.ball_model import DATA, cumulative, pick
from grandstand.games.cricket.model.keyed_random import DrawChannel, Row
from grandstand.games.cricket.vocab import GROUPS, LENGTHS, SHOT_FAMILY, ZONES

_QUANTILES: Final = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)
_SPEED_QUANTILES: Final = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
_KMH_PER_MPH: Final = 1.609
_SLOWER: Final = {"slower_ball": 0.82, "cutter": 0.9, "quick": 1.04, "quicker": 1.1}


class Hit(NamedTuple):
    """A ball off the bat: degrees from straight past the bowler, leg side positive; metres, sector, nearest fielder."""

    angle: float
    distance: float
    zone: str
    place: str


def _quantile(knots: tuple[float, ...], values: list[float], u: float) -> float:
    for i in range(1, len(knots)):
        if u <= knots[i]:
            return values[i - 1] + (values[i] - values[i - 1]) * (u - knots[i - 1]) / (knots[i] - knots[i - 1])
    return values[-1]


@lru_cache
def _radii(runs: str) -> list[float]:
    inner = DATA["zones"]["radius"][runs]
    return [max(0.05, 2 * inner[0] - inner[1]), *inner, 2 * inner[-1] - inner[-2]]


@lru_cache
def _speeds(group: int) -> list[float]:
    inner = DATA["speed_mph"][GROUPS[group]]
    return [2 * inner[0] - inner[1], *inner, 2 * inner[-1] - inner[-2]]


def speed_kmh(group: int, variation: str, row: Row) -> int:
    mph = _quantile(_SPEED_QUANTILES, _speeds(group), row[DrawChannel.SPEED])
    return round(mph * _KMH_PER_MPH * _SLOWER.get(variation, 1.0))


def pitched(group: int, length: int, line: int, row: Row) -> list[float]:
    """Return [off-side metres from middle stump, metres from the striker's stumps], inside the landed bins."""
    edges = tactics.LENGTH_EDGES[GROUPS[group]]
    y = edges[length] + (edges[length + 1] - edges[length]) * row[DrawChannel.LENGTH_MISS]
    x = (
        tactics.LINE_EDGES[line + 1]
        + (tactics.LINE_EDGES[line] - tactics.LINE_EDGES[line + 1]) * row[DrawChannel.LINE_MISS]
    )
    return [round(x, 2), round(max(y, 0.0), 1)]


@lru_cache(maxsize=8192)
def _zone_running(group: int, length: int, line: int, family: str | None, runs: str) -> list[float]:
    return cumulative(tactics.zone_shares(group, length, line, family, runs))


def struck(group: int, length: int, line: int, shot: str, runs: int, boundary: bool, field: Field, row: Row) -> Hit:
    """Return where a ball off the bat went, by what it scored."""
    key = str(runs) if runs in (0, 1, 2, 3, 4, 6) else "4"
    zone = pick(_zone_running(group, length, line, SHOT_FAMILY.get(shot), key), row[DrawChannel.ZONE])
    angle = 45 * zone + 45 * row[DrawChannel.ANGLE]
    distance = BOUNDARY_M * _quantile(_QUANTILES, _radii(key), row[DrawChannel.DISTANCE])
    if not boundary:
        distance = min(distance, BOUNDARY_M - 2)
    nearest = _nearest(5 * round(angle / 5), 4 * round(distance / 4), field)
    return Hit(round(angle if angle <= 180 else angle - 360), round(distance), ZONES[zone], nearest)


@lru_cache(maxsize=65536)
def _nearest(angle: int, distance: int, field: Field) -> str:
    """Return the place whose fielder is nearest, in degrees and half-metres together."""

    def away(place: str) -> float:
        position = POSITIONS[place]
        turn = abs((position.angle - angle + 180) % 360 - 180)
        return turn + 0.5 * abs(position.distance - distance)

    return min((*field.places, "bowler", "wicketkeeper"), key=away)


@lru_cache(maxsize=8192)
def _catchers(field: Field, group: int, length: int, line: int, family: str | None) -> list[float]:
    """Return running sums over the nine places: sectors where catches go, the deep men taking more."""
    where, caught = DATA["delivery"][GROUPS[group]], DATA["zones"]["caught"]
    tilt = tactics.SHOT_TILT[family] if family else (1.0,) * 8
    weights = []
    for position in field.positions:
        zone = int(position.angle % 360 // 45)
        share = caught[zone] * where["length_zone"][length][zone] * where["line_zone"][line][zone] * tilt[zone]
        weights.append(share * {"deep": 1.5, "ring": 0.8}.get(position.depth, 0.6) + 1e-4)
    return cumulative(weights)


def catcher(field: Field, group: int, length: int, line: int, shot: str, behind: bool, row: Row) -> tuple[str, Hit]:
    """Return the place of the catcher, and where the catch was."""
    if behind:
        return "wicketkeeper", Hit(180.0, 14.0, "third", "wicketkeeper")
    running = _catchers(field, group, length, line, SHOT_FAMILY.get(shot))
    place = field.places[pick(running, row[DrawChannel.ZONE])]
    position = POSITIONS[place]
    angle = position.angle + 8 * (row[DrawChannel.ANGLE] - 0.5)
    distance = position.distance * (0.9 + 0.15 * row[DrawChannel.DISTANCE])
    return place, Hit(round(angle), round(min(distance, BOUNDARY_M - 2)), ZONES[int(angle % 360 // 45)], place)


_NATURAL_SHOTS: Final = {
    "long_on": ("on_drive", "on_drive", "pull"), "midwicket": ("flick", "flick", "pull"),
    "square_leg": ("sweep", "flick", "pull"), "fine_leg": ("leg_glance", "leg_glance", "hook"),
    "third": ("dab", "dab", "upper_cut"), "point": ("square_drive", "cut", "cut"),
    "cover": ("cover_drive", "cover_drive", "cut"), "long_off": ("straight_drive", "straight_drive", "push"),
}  # fmt: skip
_BIG: Final = {
    "long_on": "loft_straight",
    "long_off": "inside_out_loft",
    "midwicket": "slog",
    "cover": "inside_out_loft",
}


def played(shot: str, zone: str | None, group: int, length: int, runs: int) -> str | None:
    """Return the stroke played: the one called, or the usual one for that length to that sector."""
    if shot != "natural":
        return shot
    if zone is None:
        return None
    if runs == 6 and zone in _BIG and length < LENGTHS.index("back_of_length"):
        return _BIG[zone]
    short = 0 if length <= 2 else 1 if length <= 3 else 2
    stroke = _NATURAL_SHOTS[zone][short]
    return "flick" if stroke == "sweep" and group == 0 else stroke
