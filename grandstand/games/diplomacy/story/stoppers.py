"""The powers that can stop another from winning alone: those that can reach the contested places before centres are
counted.

The leader's centres and those that it can reach until the next count are contested. A power can stop it if a unit of
its own can stand in a contested centre, move there or give support there in time, with the moves that are left, its
own convoys, and the units that it may build before.
"""

from __future__ import annotations

from collections.abc import Set

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import (
    CENTERS,
    HOMES,
    IS_FLEET,
    NEIGHBOURS,
    POWERS,
    PROVINCES,
    REACH,
    SEAS,
    UNIT,
    UNIT_PROVINCE,
)
from grandstand.games.diplomacy.rules.state import FALL, FALL_RETREATS, SPRING_RETREATS, WINTER, State

ONE_MOVE = frozenset((SPRING_RETREATS, FALL))
"""Phases after which one movement phase or this one is left before the next count; in others there are two."""


def stoppers(state: State, leader: int) -> list[SeatId]:
    """Return the powers that can stop a leader until the next count."""
    reach = {power: _reach(state, power) for power in range(len(POWERS)) if state.in_play(power)}
    own = {center for center in CENTERS if state.centers.get(center) == leader}
    contested = own | reach.pop(leader, set()).intersection(CENTERS)
    return [POWERS[power] for power in sorted(reach) if contested & reach[power]]


def prey(state: State, leader: int) -> list[str]:
    """Return the centres of others that a power can reach until the next count."""
    reach = _reach(state, leader)
    return [PROVINCES[center] for center in CENTERS if center in reach and state.centers.get(center) != leader]


def _reach(state: State, power: int) -> set[int]:
    """Return the provinces where units of a power can act until the next count."""
    units = {unit for owner, unit in state.units.values() if owner == power}
    for owner, _, options in state.dislodged.values():
        if owner == power:
            units.update(options)
    units |= _builds(state, power)
    for _ in range(1 if state.phase in ONE_MOVE else 2):
        units |= {there for unit in units for there in REACH[unit]} | _landings(units)
    return {UNIT_PROVINCE[unit] for unit in units}


def _builds(state: State, power: int) -> set[int]:
    """Return the units that a power may build before the next movement phase."""
    due = state.counts.get(power, 0) > 0 if state.phase == WINTER else state.phase == FALL_RETREATS
    places = [home for home in HOMES[power] if state.centers.get(home) == power and home not in state.units]
    names = {PROVINCES[home] for home in places} if due else set()
    return {unit for name, unit in UNIT.items() if name[2:5] in names}


def _landings(units: Set[int]) -> set[int]:
    """Return the armies that `units` can become by convoys of their own fleets."""
    seas = {UNIT_PROVINCE[unit] for unit in units if IS_FLEET[unit]} & SEAS
    landed: set[int] = set()
    for unit in units:
        if IS_FLEET[unit]:
            continue
        here, crossed = {UNIT_PROVINCE[unit]}, set[int]()
        while here:
            here = {sea for province in here for sea in NEIGHBOURS[province] if sea in seas} - crossed
            crossed |= here
        shores = {province for sea in crossed for province in NEIGHBOURS[sea]}
        landed |= {_ARMIES[province] for province in shores if province in _ARMIES}
    return landed


_ARMIES = {UNIT_PROVINCE[unit]: unit for name, unit in UNIT.items() if name.startswith("A")}
