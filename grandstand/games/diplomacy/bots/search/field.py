"""The values of places for all powers in many positions at once: `values.assess` as arrays, made for rollouts.

They differ from DumbBot's own in one thing: a province with two coasts spreads the mean of their values, not the better
one. So a place's value is linear in the worth of the centres, and one matrix product gives it.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from grandstand.games.diplomacy.bots.search.boards import (
    CENTER_AT,
    PLACES,
    PROVINCE_OF,
    SEATS,
    Boards,
    Floats,
    Ints,
)
from grandstand.games.diplomacy.bots.values import SHARE, Weights
from grandstand.games.diplomacy.rules.map import ANY_COAST, CENTERS, REACH, REACH_PROVINCES, UNIT_PROVINCE


class Field(NamedTuple):
    """The values of a batch of positions for each power."""

    value: Floats
    """[positions, powers, units]: the value of being that unit, in millions of DumbBot's points."""
    competition: Ints
    """[positions, powers, provinces]: the units of the other power that has most there or within a move."""


def field_of(boards: Boards, weights: Weights) -> Field:
    """Return the values of positions with the weights of a season."""
    board, owners = boards.presence(), boards.owner
    counts = boards.counts()
    sizes = (counts * counts + 4 * counts + 16).astype(np.float64)
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
        extra[:, :, CENTER_AT] += weights.guard * defence
    return Field((value + extra[:, :, PROVINCE_OF]) * 1e-6, competition.astype(np.int64))


def most_of_others(present: Floats) -> Floats:
    """Return, for each power, the largest entry of the others."""
    top = np.sort(present, axis=1)[:, -2:]
    first = top[:, 1:]
    return np.where(present == first, top[:, :1], first)


def centers_in_reach(board: Floats) -> Floats:
    """Return [positions, powers, centres]: the units there or within a move."""
    return board @ _PRESENT_ATCENTER_AT


@cache
def _spread(weights: Weights) -> Floats:
    """Return [units, centres]: the share of each centre's worth in the value of each unit."""
    near = np.zeros((ANY_COAST, ANY_COAST))
    for unit in range(ANY_COAST):
        near[unit, unit] = 1.0
        for there in REACH[unit]:
            twins = sum(UNIT_PROVINCE[other] == UNIT_PROVINCE[there] for other in REACH[unit])
            near[unit, there] = 1.0 / twins
    current = (PROVINCE_OF[:, None] == CENTER_AT).astype(np.float64)
    total: Floats = np.zeros_like(current)
    for depth, weight in enumerate(weights.proximity):
        if depth:
            current = near @ current / SHARE
        total += weight * current
    return total


_MOVES_IN: Floats = np.array(
    [[float(center in REACH_PROVINCES[unit]) for center in CENTERS] for unit in range(ANY_COAST)]
)
_PRESENT: Floats = np.array(
    [
        [float(place in REACH_PROVINCES[unit] or place == UNIT_PROVINCE[unit]) for place in range(PLACES)]
        for unit in range(ANY_COAST)
    ]
)
_PRESENT_ATCENTER_AT: Floats = np.ascontiguousarray(_PRESENT[:, CENTER_AT])
