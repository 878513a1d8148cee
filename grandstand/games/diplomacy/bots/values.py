"""The values of places to a power, after DumbBot (D. Norman, 2002): sizes, threats, and values that spread.

The worth of attacking a supply centre of another power, or of nobody, is the owner's size. The worth of defending an
own centre is the size of the largest power that can move in. This worth spreads from neighbour to neighbour, for armies
by land and for fleets by sea, and is weighed by distance. All are whole numbers, so that every machine computes the
same.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from grandstand.games.diplomacy.rules.map import (
    ANY_COAST,
    CENTERS,
    POWERS,
    PROVINCES,
    REACH,
    REACH_PROVINCES,
    UNIT_PROVINCE,
    UNITS,
)
from grandstand.games.diplomacy.rules.state import SPRING, SPRING_RETREATS, WINTER, State

Floats = npt.NDArray[np.float64]

NEUTRAL = len(POWERS)
"""The eighth power, which owns the centres that nobody owns."""
SHARE = 5
"""The divisor of each step: the usual number of neighbours plus one."""


class Weights(NamedTuple):
    """The weights of the parts of a place's value in a season."""

    attack: int
    defence: int
    proximity: tuple[int, ...]
    """The weight of each map of proximity."""
    units: int
    """The weight of each own unit in reach beyond those of another power."""
    guard: int
    """The additional weight of defence, for builds and removals."""


_NEAR = (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1)
SPRING_WEIGHTS = Weights(700, 300, (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1), 1000, 0)
FALL_WEIGHTS = Weights(600, 400, _NEAR, 1000, 0)
WINTER_WEIGHTS = Weights(700, 300, _NEAR, 0, 1000)


def weights_of(phase: int) -> Weights:
    """Return the weights for a phase of the year."""
    if phase in (SPRING, SPRING_RETREATS):
        return SPRING_WEIGHTS
    return WINTER_WEIGHTS if phase == WINTER else FALL_WEIGHTS


class Assessment(NamedTuple):
    """The values of a position for one power."""

    value: list[float]
    """The value of each unit."""
    strength: list[int]
    """For each province, the number of the power's units that stand there or can move in."""
    competition: list[int]
    """For each province, the same number for the strongest other power."""


@lru_cache(maxsize=32)
def assess(state: State, power: int) -> Assessment:
    """Return the values of the position for `power`. They are shared: do not change them."""
    weights = weights_of(state.phase)
    board = unit_board(state.units)
    attack, defence = attack_and_defence(state.centers, board, power)
    value = proximity_value(weights.attack * attack + weights.defence * defence, weights.proximity)
    present = board @ _PRESENT
    strength = present[power].copy()
    present[power] = 0
    competition = present.max(axis=0)
    worth = weights.units * (strength - competition) + weights.guard * defence
    return Assessment(
        (value + worth[_PROVINCE_OF]).tolist(),
        strength.astype(int).tolist(),
        competition.astype(int).tolist(),
    )


def power_sizes(centers: Mapping[int, int]) -> list[int]:
    """Return the size of each power, the neutral one last: n² + 4n + 16 for n centres."""
    counts = [0] * len(POWERS)
    for owner in centers.values():
        counts[owner] += 1
    counts.append(len(CENTERS) - len(centers))
    return [n * n + 4 * n + 16 for n in counts]


def unit_board(units: Mapping[int, tuple[int, int]]) -> Floats:
    """Return [7, 120]: 1 where a power has that unit."""
    board = np.zeros((len(POWERS), ANY_COAST))
    board[[power for power, _ in units.values()], [unit for _, unit in units.values()]] = 1
    return board


def attack_and_defence(centers: Mapping[int, int], board: Floats, power: int) -> tuple[Floats, Floats]:
    """Return two arrays [75]: for foreign centres, the size of the owner; for own centres, the size of the largest
    power that can move a unit in. All other entries are 0."""
    sizes = np.array(power_sizes(centers), dtype=np.float64)
    owners = np.array([centers.get(center, NEUTRAL) for center in CENTERS])
    threats = (board @ _MOVES_IN > 0) * sizes[:NEUTRAL, None]
    threats[power] = 0
    attack, defence = np.zeros(len(PROVINCES)), np.zeros(len(PROVINCES))
    attack[_CENTERS] = np.where(owners == power, 0, sizes[owners])
    defence[_CENTERS] = np.where(owners == power, threats.max(axis=0), 0)
    return attack, defence


def proximity_value(worth: Floats, weights: tuple[int, ...]) -> Floats:
    """Return [120]: for each unit, the weighted sum of its maps of proximity.

    `worth` [75] is the first map, by province. In each further one a unit has a fifth of the sum of its own value and
    its neighbours', of a neighbour's two coasts the better one. The maps are kept times 5^k, and the sum times 5^9:
    whole numbers, exact in a float below 2^53.
    """
    maps = np.empty((len(weights), len(UNITS)))
    current = worth[_PLACE_OF]
    for depth in range(len(weights)):
        if depth:
            current = _SPREAD @ current
            np.maximum(current[_ONE_COAST], current[_OTHER_COAST], out=current[ANY_COAST:])
        maps[depth] = current
    scale = [weight * SHARE ** (len(weights) - 1 - depth) for depth, weight in enumerate(weights)]
    total = np.array(scale, dtype=np.float64) @ maps[:, :ANY_COAST]
    return np.asarray(total / SHARE ** (len(weights) - 1))


def _spread() -> Floats:
    """Return the map as a matrix: row u has a 1 for u itself and for each neighbour. A province with two coasts in
    reach is one neighbour, its fleet without a coast."""
    spread = np.zeros((len(UNITS), len(UNITS)))
    for unit in range(ANY_COAST):
        spread[unit, unit] = 1
        for there in REACH[unit]:
            twins = [other for other in REACH[unit] if UNIT_PROVINCE[other] == UNIT_PROVINCE[there]]
            spread[unit, there if len(twins) == 1 else _COASTLESS[UNIT_PROVINCE[there]]] = 1
    return spread


_COASTLESS = {UNIT_PROVINCE[unit]: unit for unit in range(ANY_COAST, len(UNITS))}
_COASTS = [
    [unit for unit in range(ANY_COAST) if "/" in UNITS[unit] and UNIT_PROVINCE[unit] == province]
    for province in _COASTLESS
]
_ONE_COAST = [coasts[0] for coasts in _COASTS]
_OTHER_COAST = [coasts[1] for coasts in _COASTS]
_SPREAD = _spread()
_CENTERS = list(CENTERS)
_PLACE_OF = np.array(UNIT_PROVINCE)
_PROVINCE_OF = _PLACE_OF[:ANY_COAST]
_MOVES_IN = np.array([[float(center in REACH_PROVINCES[unit]) for center in CENTERS] for unit in range(ANY_COAST)])
_PRESENT = np.array(
    [
        [
            float(province in REACH_PROVINCES[unit] or province == UNIT_PROVINCE[unit])
            for province in range(len(PROVINCES))
        ]
        for unit in range(ANY_COAST)
    ]
)
