"""Rollouts: what a set of orders for all powers leads to by the end of the year's or the next year's fall."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grandstand.games.diplomacy.bots.search.crowd import blur, crowd_orders
from grandstand.games.diplomacy.bots.search.field import Floats, field_of
from grandstand.games.diplomacy.bots.search.worth import worth
from grandstand.games.diplomacy.bots.stance import Plan
from grandstand.games.diplomacy.legal import build_orders
from grandstand.games.diplomacy.map import UNIT_PROVINCE
from grandstand.games.diplomacy.orders import BUILD, DISBAND, NONE, RETREAT
from grandstand.games.diplomacy.state import FALL, RETREATS, SOLO_CENTERS, SPRING, WINTER, State


def results(state: State, profiles: Sequence[Plan], rng: np.random.Generator) -> Floats:
    """Return [profiles, powers]: each power's expected score after a rollout from the orders of each profile.

    A rollout from a spring ends with that year's fall, one from a fall with the next year's. All share their noise, so
    that differences between profiles are not those of luck.
    """
    year = state.year + (state.phase == FALL)
    states = [state.resolve(profile).after for profile in profiles]
    steps = [blur(rng) for _ in range(2)]
    while True:
        states = _settled(states, year)
        moving = [number for number, position in enumerate(states) if _goes_on(position, year)]
        if not moving:
            return worth(states)
        batch = [states[number] for number in moving]
        orders = crowd_orders(batch, field_of(batch), steps.pop())
        for number, position, plan in zip(moving, batch, orders, strict=True):
            states[number] = position.resolve(plan).after


def _goes_on(state: State, year: int) -> bool:
    return state.phase in (SPRING, FALL) and state.year <= year and max(state.center_counts()) < SOLO_CENTERS


def _settled(states: Sequence[State], year: int) -> list[State]:
    """Return the positions after retreats, builds and removals, up to the next movement or the end of the rollout."""
    states = list(states)
    while True:
        waiting: dict[int, list[int]] = {}
        for number, state in enumerate(states):
            if state.phase in RETREATS or (state.phase == WINTER and state.year < year):
                waiting.setdefault(state.phase, []).append(number)
        if not waiting:
            return states
        for numbers in waiting.values():
            values = field_of([states[number] for number in numbers]).value
            for number, value in zip(numbers, values, strict=True):
                states[number] = states[number].resolve(_adjusted(states[number], value)).after


def _adjusted(state: State, value: Floats) -> Plan:
    """Return all retreats, or all builds and removals, each to the best place by itself."""
    plan: Plan = {}
    if state.phase != WINTER:
        for province, (power, unit, options) in state.dislodged.items():
            if options:
                row = value[power]
                plan[province] = (RETREAT, unit, max(options, key=row.__getitem__), NONE)
        return plan
    for power, count in state.counts.items():
        row = value[power]
        sites = state.orderable(power)
        if count > 0:
            best = [max((order[1] for order in build_orders(site)), key=row.__getitem__) for site in sites]
            best.sort(key=row.__getitem__, reverse=True)
            plan.update((UNIT_PROVINCE[unit], (BUILD, unit, NONE, NONE)) for unit in best[:count])
        else:
            worst = sorted((state.units[site][1] for site in sites), key=row.__getitem__)
            plan.update((UNIT_PROVINCE[unit], (DISBAND, unit, NONE, NONE)) for unit in worst[:-count])
    return plan
