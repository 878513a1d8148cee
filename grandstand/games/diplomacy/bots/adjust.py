"""Retreats, builds and removals by the worth of places, for every bot that rates places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from grandstand.games.diplomacy.rules.legal import build_orders
from grandstand.games.diplomacy.rules.map import UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import BUILD, DISBAND, NONE, RETREAT, Order
from grandstand.games.diplomacy.rules.state import WINTER, State

Pick = Callable[[Sequence[int], Sequence[float], Random], int]
"""(units, the best first, never empty; value per unit; random stream) -> one of the units."""


def first(units: Sequence[int], value: Sequence[float], rng: Random) -> int:
    """Return the best unit."""
    return units[0]


def by_value(state: State, power: int, value: Sequence[float], rng: Random, pick: Pick = first) -> dict[int, Order]:
    """Return retreats and builds to the most valuable places, or removals from the least valuable."""
    return (
        _adjustments(state, power, value, rng, pick)
        if state.phase == WINTER
        else _retreats(state, power, value, rng, pick)
    )


def best_first(units: Sequence[int], value: Sequence[float]) -> list[int]:
    """Return `units` by falling value; equal ones keep their order."""
    return sorted(units, key=value.__getitem__, reverse=True)


def _retreats(state: State, power: int, value: Sequence[float], rng: Random, pick: Pick) -> dict[int, Order]:
    """Return retreats, drawn in random order, each to a place to which no other unit of the power retreats."""
    orders: dict[int, Order] = {}
    targets: set[int] = set()
    dislodged = [(unit, options) for owner, unit, options in state.dislodged.values() if owner == power]
    rng.shuffle(dislodged)
    for unit, options in dislodged:
        places = best_first([there for there in options if UNIT_PROVINCE[there] not in targets], value)
        if places:
            there = pick(places, value, rng)
            targets.add(UNIT_PROVINCE[there])
            orders[UNIT_PROVINCE[unit]] = (RETREAT, unit, there, NONE)
        else:
            orders[UNIT_PROVINCE[unit]] = (DISBAND, unit, NONE, NONE)
    return orders


def _adjustments(state: State, power: int, value: Sequence[float], rng: Random, pick: Pick) -> dict[int, Order]:
    orders: dict[int, Order] = {}
    count, sites = state.counts.get(power, 0), state.orderable(power)
    if count > 0:
        kind, units = BUILD, best_first([unit for site in sites for _, unit, _, _ in build_orders(site)], value)
    else:
        kind, units = DISBAND, best_first([state.units[site][1] for site in sites], value)[::-1]
    for _ in range(abs(count)):
        unit = pick(units, value, rng)
        orders[UNIT_PROVINCE[unit]] = (kind, unit, NONE, NONE)
        units = [other for other in units if UNIT_PROVINCE[other] != UNIT_PROVINCE[unit]]
    return orders
