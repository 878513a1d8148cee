"""Places of the nine fielders, the fielding restrictions, and the share of each sector that a field covers.

Coordinates are batter-relative: degrees from straight past the bowler, leg side positive, metres from the striker's
middle stump; a left-hander's field is the mirror image.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property, lru_cache
from itertools import combinations
from math import cos, hypot, radians, sin, sqrt
from pathlib import Path
from typing import Final, NamedTuple

from grandstand.games.cricket.laws.rules import FormatRules

CIRCLE_M: Final = 27.43
"""Radius of the two semicircles of the fielding restriction (30 yards), centred on each middle stump."""
PITCH_M: Final = 20.12
BEHIND_SQUARE_M: Final = -1.0
"""The y below which a place is behind square; square itself, y = 0, is not."""
BOUNDARY_M: Final = 69.0
MAX_LEG_SIDE: Final = 5
MAX_BEHIND_SQUARE_LEG: Final = 2
REACH_DEGREES: Final = 14.0
"""Half the arc that one fielder on the boundary covers (an assumption of ours; so is the same arc for the ring)."""


class FieldPosition(NamedTuple):
    """A named place. `depth` is keeper, bowler, close, ring or deep."""

    name: str
    angle: float
    distance: float
    depth: str

    @property
    def x_leg(self) -> float:
        return self.distance * sin(radians(self.angle))

    @property
    def y_bowler(self) -> float:
        return self.distance * cos(radians(self.angle))

    @property
    def outside_circle(self) -> bool:
        beyond = self.y_bowler - min(max(self.y_bowler, 0.0), PITCH_M)
        return hypot(self.x_leg, beyond) > CIRCLE_M

    @property
    def leg_side(self) -> bool:
        return self.x_leg > 0.5

    @property
    def behind_square_leg(self) -> bool:
        return self.leg_side and self.y_bowler < BEHIND_SQUARE_M


_DATA: Final = json.loads((Path(__file__).parents[1] / "data" / "fielding.json").read_text())
POSITIONS: Final = {name: FieldPosition(name, row[0], row[1], row[2]) for name, row in _DATA["positions"].items()}
ALIASES: Final[dict[str, str]] = {alias: name for name, row in _DATA["positions"].items() for alias in row[3]}
PRESETS: Final[dict[str, tuple[str, ...]]] = {name: tuple(places) for name, places in _DATA["presets"].items()}
KEEPER_UP: Final = frozenset(_DATA["keeper_up"])
"""The presets in which the wicket-keeper stands up to the stumps for a bowler of medium pace, as always for spin."""
PLACES: Final = tuple(name for name, place in POSITIONS.items() if place.depth not in ("keeper", "bowler"))


class Field:
    """Nine places beside the bowler and the wicket-keeper, in the order they are named. Built by `field_of`.

    `keeper_up` is whether the wicket-keeper stands up to the stumps for a bowler of medium pace.
    """

    def __init__(self, places: tuple[str, ...], keeper_up: bool = False) -> None:
        self.places, self.keeper_up = places, keeper_up

    @cached_property
    def positions(self) -> tuple[FieldPosition, ...]:
        return tuple(POSITIONS[place] for place in self.places)

    @cached_property
    def outside(self) -> int:
        return sum(position.outside_circle for position in self.positions)

    @cached_property
    def deep_cover(self) -> tuple[float, ...]:
        return _cover([p for p in self.positions if p.depth == "deep"])

    @cached_property
    def ring_cover(self) -> tuple[float, ...]:
        return _cover([p for p in self.positions if p.depth == "ring"])

    @cached_property
    def close(self) -> int:
        return sum(position.depth == "close" for position in self.positions)

    @cached_property
    def leg_side_breach(self) -> str | None:
        """Return the breach of Law 28.4 or of the leg-side limit, which hold in every over; None for a legal field."""
        leg = sum(p.leg_side for p in self.positions)
        behind = sum(p.behind_square_leg for p in self.positions)
        if leg > MAX_LEG_SIDE:
            return f"{leg} fielders on the leg side, at most {MAX_LEG_SIDE}"
        if behind > MAX_BEHIND_SQUARE_LEG:
            return f"{behind} fielders behind square leg, at most {MAX_BEHIND_SQUARE_LEG}"
        return None

    def breach(self, max_outside: int) -> str | None:
        """Return the restriction for whose breach the umpire calls a no-ball, if any."""
        if self.outside > max_outside:
            return f"{self.outside} fielders outside the circle, at most {max_outside}"
        return self.leg_side_breach


def _cover(positions: Sequence[FieldPosition]) -> tuple[float, ...]:
    """Return the share of each 45-degree sector in a fielder's reach. A part in reach of two counts twice."""
    cover = [0.0] * 8
    for position in positions:
        low = position.angle % 360 - REACH_DEGREES
        for sector in range(-1, 9):
            overlap = min(low + 2 * REACH_DEGREES, 45 * sector + 45) - max(low, 45 * sector)
            if overlap > 0:
                cover[sector % 8] += overlap / 45
    return tuple(cover)


class FieldRestriction(NamedTuple):
    """At most `most` of `places` may be taken; more is a no-ball."""

    where: str
    most: int
    places: tuple[str, ...]


@cache
def restrictions(max_outside: int) -> tuple[FieldRestriction, ...]:
    """Return the limits that `Field.breach` checks, in its order, as data for captains."""
    return (
        FieldRestriction("outside the circle", max_outside, _where(lambda place: place.outside_circle)),
        FieldRestriction("on the leg side", MAX_LEG_SIDE, _where(lambda place: place.leg_side)),
        FieldRestriction("behind square leg", MAX_BEHIND_SQUARE_LEG, _where(lambda place: place.behind_square_leg)),
    )


def _where(holds: Callable[[FieldPosition], bool]) -> tuple[str, ...]:
    return tuple(name for name in PLACES if holds(POSITIONS[name]))


def field_of(places: tuple[str, ...], keeper_up: bool = False) -> Field:
    """Return the field of nine places. Presets, and some other fields, are cached."""
    return _PRESET_FIELDS.get((places, keeper_up)) or _field(places, keeper_up)


@lru_cache(maxsize=4096)
def _field(places: tuple[str, ...], keeper_up: bool) -> Field:
    return Field(places, keeper_up)


_PRESET_FIELDS: Final = {
    (places, up): Field(places, up)
    for name, places in PRESETS.items()
    for up in ((False, True) if name in KEEPER_UP else (False,))
}


def legal(places: Iterable[str], max_outside: int) -> bool:
    """Return whether these places, perhaps fewer than nine, break no restriction."""
    places = frozenset(places)
    return all(len(places & taken) <= most for taken, most in _limits(max_outside))


@cache
def _limits(max_outside: int) -> tuple[tuple[frozenset[str], int], ...]:
    return tuple((frozenset(limit.places), limit.most) for limit in restrictions(max_outside))


def corrected(places: tuple[str, ...], max_outside: int) -> tuple[str, ...]:
    """Return the legal field that moves the fewest of `places`, each to the nearest suitable place."""
    everyone = range(len(places))
    movers = next(
        movers
        for count in range(len(places) + 1)
        for movers in combinations(everyone, count)
        if legal([places[i] for i in everyone if i not in movers], max_outside)
    )
    now: list[str | None] = [None if i in movers else place for i, place in enumerate(places)]
    for i in movers:
        stay = [place for place in now if place is not None]
        nearest = sorted(
            (name for name in PLACES if name not in stay and name != places[i]), key=_metres_from(places[i])
        )
        now[i] = next(name for name in nearest if legal([*stay, name], max_outside))
    return tuple(place for place in now if place is not None)


def moves_to_correct(places: tuple[str, ...], max_outside: int) -> int:
    """Return how many fielders have to move for a legal field."""
    return len(set(corrected(places, max_outside)) - set(places))


def _metres_from(place: str) -> Callable[[str], float]:
    here = POSITIONS[place]

    def metres(name: str) -> float:
        there = POSITIONS[name]
        turn = radians(there.angle - here.angle)
        squared = here.distance**2 + there.distance**2 - 2 * here.distance * there.distance * cos(turn)
        return sqrt(max(squared, 0.0))

    return metres


def parse_places(names: Sequence[str]) -> tuple[str, ...]:
    """Return nine place names, aliases resolved. Raise ValueError naming the fault and the remedy."""
    places = tuple(ALIASES.get(name.strip().lower(), name.strip().lower()) for name in names)
    for place in places:
        if place not in PLACES:
            raise ValueError(f"unknown position {place!r}; there are {', '.join(PLACES)}")
    if len(places) != 9:
        raise ValueError(f"{len(places)} positions; name nine, the bowler and the wicket-keeper stand anyway")
    if len(set(places)) != 9:
        twice = next(place for place in places if places.count(place) > 1)
        raise ValueError(f"{twice!r} is named twice; one fielder stands there")
    return places


def standard_preset(rules: FormatRules, legal_balls: int, death: bool, group: str) -> str:
    """Return the preset that real sides set in this state. With it, the field does not change the ball model's odds."""
    most = rules.max_outside(legal_balls)
    if most <= 2:
        new_ball = legal_balls < rules.powerplay_balls // 3
        return "pp_attack" if new_ball and group == "pace" else "pp_defend"
    if most < 5:
        return f"four_out_{group}"
    if death and group == "pace":
        return "death_yorker"
    return f"middle_{group}"
