"""What a position threatens: the centres of a power that another can enter next, by count of the units near them.

All of it is public. Each count is of one power against another; the others are taken to stand still.
"""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from grandstand.games.diplomacy.rules.map import (
    CENTERS,
    IS_FLEET,
    NEIGHBOURS,
    PROVINCES,
    REACH_PROVINCES,
    SEAS,
)
from grandstand.games.diplomacy.rules.state import State

LAND = frozenset(range(len(PROVINCES))) - SEAS


class Front(NamedTuple):
    """A centre of one power that another can enter with its own units in one move."""

    attacker: int
    owner: int
    center: int
    strength: int
    """The units of the attacker that can move there or support it."""
    defence: int
    """The unit of the owner in it, and all others of the owner that can help it, or hinder one of the attacker's."""
    beside: int
    """The other units of the owner that can move there or support it without a convoy."""
    held: bool
    """Whether a unit of the owner stands in it."""

    @property
    def forced(self) -> bool:
        """Whether the attacker enters it whatever the owner orders, if nobody else interferes."""
        return self.strength > self.defence


def fronts(state: State) -> list[Front]:
    """Return the centres of others that a power can enter: where nobody stands, or with support."""
    seas = SEAS.intersection(state.units)
    reach = {at: actions(state, at, seas) for at in state.units}
    found = []
    for center, owner in state.centers.items():
        holder = state.units.get(center)
        if holder is not None and holder[0] != owner:
            continue
        near: dict[int, list[int]] = {}
        for at, (power, unit) in state.units.items():
            if power != owner and center in REACH_PROVINCES[unit]:
                near.setdefault(power, []).append(at)
        for attacker, places in near.items():
            if holder is not None and len(places) == 1:
                continue
            # A move without support cannot be weakened; it can only be met.
            ground = {center, *places} if len(places) > 1 else {center}
            others = [at for at, (power, _) in state.units.items() if power == owner and at != center]
            defence = sum(bool(reach[at] & ground) for at in others) + (holder is not None)
            beside = sum(center in REACH_PROVINCES[state.units[at][1]] for at in others)
            found.append(Front(attacker, owner, center, len(places), defence, beside, holder is not None))
    return found


def actions(state: State, at: int, seas: Set[int]) -> Set[int]:
    """Return the provinces to which a unit can move, also by convoys of fleets in `seas`, or give support."""
    unit = state.units[at][1]
    near = REACH_PROVINCES[unit]
    return near if IS_FLEET[unit] else near | _landings(at, seas)


def _landings(at: int, seas: Set[int]) -> set[int]:
    here, crossed = {at}, set[int]()
    while here:
        here = {sea for province in here for sea in NEIGHBOURS[province] if sea in seas} - crossed
        crossed |= here
    return {there for sea in crossed for there in NEIGHBOURS[sea] if there in LAND} - {at}


def wall(state: State, leader: int) -> list[int] | None:
    """Return the places that a leader can strike and that the others can all hold, if they stand still and support each
    other; None if it can strike an empty centre of theirs, or if no such supports are found.

    A place holds if the units of the leader that can strike it, or cut its supports, are no more than its strength.
    """
    own = {at for at, (power, _) in state.units.items() if power == leader}
    reach = {at: actions(state, at, own & SEAS) for at in own}
    struck = {there for places in reach.values() for there in places}
    if any(at in struck and at not in state.units and state.centers.get(at, leader) != leader for at in CENTERS):
        return None
    front = [at for at in struck if at in state.units and state.units[at][0] != leader]
    backing: dict[int, list[int]] = {at: [] for at in front}
    free = {at for at, (power, _) in state.units.items() if power != leader}
    for at in sorted(front, key=lambda place: -_pressure(reach, {place})):
        helpers = sorted(
            (helper for helper in free if helper != at and at in REACH_PROVINCES[state.units[helper][1]]),
            key=lambda helper: (_pressure(reach, {helper}), helper),
        )
        while _pressure(reach, {at, *backing[at]}) > 1 + len(backing[at]) and helpers:
            helper = helpers.pop(0)
            backing[at].append(helper)
            free.discard(helper)
        if _pressure(reach, {at, *backing[at]}) > 1 + len(backing[at]):
            return None
    return sorted(front)


def _pressure(reach: dict[int, Set[int]], places: Set[int]) -> int:
    """Return the number of units that can strike one of these places."""
    return sum(bool(there & places) for there in reach.values())
