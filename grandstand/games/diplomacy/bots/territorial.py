"""A bot that sends its units to as many foreign centres as possible."""

from __future__ import annotations

from random import Random

from grandstand.games.diplomacy.bots.adjust import by_value
from grandstand.games.diplomacy.bots.steps import NEVER, steps
from grandstand.games.diplomacy.rules.map import ANY_COAST, CENTERS, REACH, REACH_PROVINCES, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, NONE, SUPPORT_MOVE, Order
from grandstand.games.diplomacy.rules.state import FALL, SPRING, State


def play(state: State, power: int, rng: Random) -> dict[int, Order]:
    """Territorial: spreads out, each unit marching on the nearest foreign centre that no friend is closer to."""
    goals = [center for center in CENTERS if state.centers.get(center) != power]
    if state.phase in (SPRING, FALL):
        return _march(state, power, goals, rng)
    value = [-min((steps(unit)[goal] for goal in goals), default=0) for unit in range(ANY_COAST)]
    return by_value(state, power, value, rng)


def _march(state: State, power: int, goals: list[int], rng: Random) -> dict[int, Order]:
    """Order a step for each pair of unit and goal, the nearest first and vacant goals before occupied ones, to a place
    that no other unit of the power takes. The other units support a neighbour's step or hold."""
    own = {province: unit for province, (owner, unit) in state.units.items() if owner == power}
    units = list(own.values())
    rng.shuffle(units)
    pairs = sorted(
        ((steps(unit)[goal], goal in state.units, unit, goal) for unit in units for goal in goals),
        key=lambda pair: pair[:2],
    )
    orders: dict[int, Order] = {}
    assigned: set[int] = set()
    targets: dict[int, Order] = {}
    for far, _, unit, goal in pairs:
        here = UNIT_PROVINCE[unit]
        if here in orders or goal in assigned or far == NEVER:
            continue
        there = unit if far == 0 else _step(unit, goal, far, targets)
        if there is None:
            continue
        assigned.add(goal)
        orders[here] = (HOLD, unit, NONE, NONE) if far == 0 else (MOVE, unit, there, NONE)
        targets[UNIT_PROVINCE[there]] = orders[here]
    for here, unit in own.items():
        if here not in orders:
            orders[here] = _help(unit, targets)
    return orders


def _step(unit: int, goal: int, far: int, targets: dict[int, Order]) -> int | None:
    """Return a neighbour that is nearer to the goal and not the target of another unit of the power."""
    for there in REACH[unit]:
        if UNIT_PROVINCE[there] not in targets and steps(there)[goal] == far - 1:
            return there
    return None


def _help(unit: int, targets: dict[int, Order]) -> Order:
    for there in sorted(REACH_PROVINCES[unit]):
        if there in targets and targets[there][0] == MOVE:
            return SUPPORT_MOVE, unit, targets[there][1], targets[there][2]
    return HOLD, unit, NONE, NONE
