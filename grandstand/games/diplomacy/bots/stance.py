"""The intentions of a power towards the others, and the planners that turn them into orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from grandstand.games.diplomacy.press.relations import Relations, season_of
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.orders import Order
from grandstand.games.diplomacy.rules.state import State

Plan = dict[int, Order]
"""Province -> order."""

Policy = Callable[[State, int, Random], dict[int, Order]]
"""(position, power, random stream) -> legal orders by province, the argument of `State.resolve`.

A pure function of all three. A unit left out holds, a dislodged one is disbanded, a build is waived.
"""


@dataclass(frozen=True)
class Stance:
    """The intentions and expectations with which a power plans one phase. By default it has none."""

    trust: tuple[float, ...] = (0.0,) * len(POWERS)
    """For each power, from -1 (an enemy) to 1 (an ally), which is attacked only for a large gain."""
    pledged: Mapping[int, Order] = field(default_factory=dict)
    """Orders of a movement phase, by province, that the power has promised and means to give."""
    expected: Mapping[int, Order] = field(default_factory=dict)
    """Orders of other powers, by province, that the power expects."""
    bounced: Mapping[Order, int] = field(default_factory=dict)
    """Moves that failed in the last movement phase -> the number of successive seasons in which they failed."""
    agreed_only: bool = False
    """True if other powers' units are helped only in orders that are expected, not in those that are guessed."""


Planner = Callable[[State, int, Random, Stance], Plan]
"""(position, power, random stream, stance) -> legal orders by province; a pure function of the four."""

NEUTRAL = Stance()
TRUSTED = 0.3
"""The trust from which another power is treated as an ally."""

PEACE = 0.15
"""Trust in a power that has not attacked for YEARS."""
YEARS = 3
"""Years after which an attack or a support is forgotten."""
GRUDGE = -0.8
"""Trust in a power that attacked this season; it fades."""
GRATITUDE = 0.9
"""Trust gained from a support given this season; it fades."""


def public_stance(state: State, power: int, relations: Relations) -> Stance:
    """Return the stance that follows from the attacks and supports between `power` and the others in the last years."""
    season = season_of(state)
    trust = [0.0] * len(POWERS)
    for other in range(len(POWERS)):
        if other == power:
            trust[other] = 1.0
            continue
        hurt = max(
            _fresh(relations.since_attack(other, power, season)),
            _fresh(relations.since_attack(power, other, season)) / 2,
        )
        helped = _fresh(relations.since_support(other, power, season))
        trust[other] = max(-1.0, min(1.0, PEACE * (hurt == 0) + GRUDGE * hurt + GRATITUDE * helped))
    return Stance(tuple(trust), bounced=relations.bounced)


def _fresh(seasons: int | None) -> float:
    """Return the weight of an event: 1 in its season, falling to 0 within YEARS."""
    return 0.0 if seasons is None else max(0.0, 1 - seasons / (2 * YEARS))
