"""The values of places for all powers in many positions at once: `values.assess` as arrays, made for rollouts.

They differ from DumbBot's own in one thing: of a province's two coasts the mean spreads, where there the better one
does. So a place's value is linear in the worth of the centres, and one matrix product gives it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from grandstand.games.diplomacy.bots.values import SHARE, Weights, weights_of
from grandstand.games.diplomacy.map import (
    ANY_COAST,
    CENTERS,
    POWERS,
    PROVINCES,
    REACH,
    REACH_PROVINCES,
    UNIT_PROVINCE,
)
from grandstand.games.diplomacy.state import State

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SEATS = len(POWERS)
PLACES = len(PROVINCES)
PROVINCE_OF: Ints = np.array(UNIT_PROVINCE[:ANY_COAST])


class Field(NamedTuple):
    """A batch of positions as each power sees them."""

    value: Floats
    """[positions, powers, units]: the value of being that unit, in millions of DumbBot's points."""
    competition: Ints
    """[positions, powers, provinces]: the units of the other power that has most there or within a move."""


def field_of(states: Sequence[State]) -> Field:
    """Return the values of positions, all of the same phase."""
    weights = weights_of(states[0].phase)
    board, owners = position_arrays(states)
    sizes = _sizes(owners)
    owned = owners[:, None, :] == np.arange(SEATS)[:, None]
    near = board @ _MOVES_IN > 0
    threats = np.where(near & ~owned, sizes[:, :SEATS, None], 0.0).max(axis=1)
    attack = np.take_along_axis(sizes, owners, axis=1)[:, None, :]
    defence = np.where(owned, threats[:, None, :], 0.0)
    worth = np.where(owned, weights.defence * defence, weights.attack * attack)
    value = worth @ _spread(weights).T
    present = board @ _PRESENT
    competition = most_of_others(present)
    extra = weights.units * (present - competition)
    if weights.guard:
        extra[:, :, _CENTERS] += weights.guard * defence
    return Field((value + extra[:, :, PROVINCE_OF]) * 1e-6, competition.astype(np.int64))


def position_arrays(states: Sequence[State]) -> tuple[Floats, Ints]:
    """Return [positions, powers, units], 1 for each unit on the board, and [positions, centres], their owners."""
    board = np.zeros((len(states), SEATS, ANY_COAST))
    flat: list[int] = []
    owners: list[list[int]] = []
    for number, state in enumerate(states):
        start = number * SEATS * ANY_COAST
        flat += [start + power * ANY_COAST + unit for power, unit in state.units.values()]
        owner = state.centers.get
        owners.append([owner(center, SEATS) for center in CENTERS])
    board.reshape(-1)[flat] = 1.0
    return board, np.array(owners)


def _sizes(owners: Ints) -> Floats:
    """Return [positions, powers and the neutral one]: n² + 4n + 16 of n centres."""
    counts = (owners[:, :, None] == np.arange(SEATS + 1)).sum(axis=1)
    sizes: Floats = (counts * counts + 4 * counts + 16).astype(np.float64)
    return sizes


def most_of_others(present: Floats) -> Floats:
    """Return, for each power, the largest entry of the others."""
    top = np.sort(present, axis=1)[:, -2:]
    first = top[:, 1:]
    return np.where(present == first, top[:, :1], first)


def centers_in_reach(board: Floats) -> Floats:
    """Return [positions, powers, centres]: the units there or within a move."""
    return board @ _PRESENT_AT_CENTERS


@cache
def _spread(weights: Weights) -> Floats:
    """Return [units, centres]: what a point of a centre's worth adds to each unit's value."""
    near = np.zeros((ANY_COAST, ANY_COAST))
    for unit in range(ANY_COAST):
        near[unit, unit] = 1.0
        for there in REACH[unit]:
            twins = sum(UNIT_PROVINCE[other] == UNIT_PROVINCE[there] for other in REACH[unit])
            near[unit, there] = 1.0 / twins
    current = (PROVINCE_OF[:, None] == _CENTERS).astype(np.float64)
    total: Floats = np.zeros_like(current)
    for depth, weight in enumerate(weights.proximity):
        if depth:
            current = near @ current / SHARE
        total += weight * current
    return total


_CENTERS: Ints = np.array(CENTERS)
_MOVES_IN: Floats = np.array(
    [[float(center in REACH_PROVINCES[unit]) for center in CENTERS] for unit in range(ANY_COAST)]
)
_PRESENT: Floats = np.array(
    [
        [float(place in REACH_PROVINCES[unit] or place == UNIT_PROVINCE[unit]) for place in range(PLACES)]
        for unit in range(ANY_COAST)
    ]
)
_PRESENT_AT_CENTERS: Floats = np.ascontiguousarray(_PRESENT[:, _CENTERS])
