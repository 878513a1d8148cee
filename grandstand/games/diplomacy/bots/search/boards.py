"""Many positions at once as arrays, for rollouts. They hold no dislodged units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from grandstand.games.diplomacy.rules.map import ANY_COAST, CENTERS, POWERS, PROVINCES, REACH, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.state import State

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

SEATS = len(POWERS)
PLACES = len(PROVINCES)
NOBODY = -1
NEUTRAL = SEATS
"""The owner of centres that nobody owns."""
PROVINCE_OF: Ints = np.array(UNIT_PROVINCE[:ANY_COAST])
CENTER_AT: Ints = np.array(CENTERS)

WIDTH = max(map(len, REACH)) + 1
OPTIONS: Ints = np.array([[unit, *REACH[unit]] + [unit] * (WIDTH - 1 - len(REACH[unit])) for unit in range(ANY_COAST)])
"""For each unit, the unit itself and the units that it becomes by a move, padded with itself."""
PADDED: Bools = np.array([[at > len(REACH[unit]) for at in range(WIDTH)] for unit in range(ANY_COAST)])


@dataclass
class Boards:
    """A batch of positions between phases."""

    unit: Ints
    """[positions, provinces]: the unit there, or NOBODY."""
    power: Ints
    """[positions, provinces]: its power, or NOBODY."""
    owner: Ints
    """[positions, centres]: the owner of each centre, or NEUTRAL."""

    @classmethod
    def of(cls, states: Sequence[State]) -> Self:
        """Return the positions; dislodged units are left out."""
        unit = np.full((len(states), PLACES), NOBODY)
        power = np.full((len(states), PLACES), NOBODY)
        owner = np.full((len(states), len(CENTERS)), NEUTRAL)
        for number, state in enumerate(states):
            places = list(state.units)
            power[number, places], unit[number, places] = np.array(list(state.units.values())).reshape(-1, 2).T
            owner[number] = [state.centers.get(center, NEUTRAL) for center in CENTERS]
        return cls(unit, power, owner)

    def repeated(self, times: int) -> Boards:
        """Return a batch with its single position `times` times."""
        return Boards(*(np.repeat(part, times, axis=0) for part in (self.unit, self.power, self.owner)))

    def __len__(self) -> int:
        return len(self.unit)

    def rows(self) -> BoardRows:
        """Return all units."""
        at = np.flatnonzero(self.unit >= 0)
        return BoardRows(at, self.power.reshape(-1)[at], self.unit.reshape(-1)[at])

    def presence(self) -> Floats:
        """Return [positions, powers, units]: 1 where a power has that unit."""
        rows = self.rows()
        board = np.zeros((len(self), SEATS, ANY_COAST))
        board.reshape(-1)[rows.owner * ANY_COAST + rows.unit] = 1.0
        return board

    def counts(self) -> Ints:
        """Return [positions, powers and NEUTRAL]: the number of centres."""
        counts: Ints = (self.owner[:, :, None] == np.arange(SEATS + 1)).sum(axis=1)
        return counts

    def capture(self) -> None:
        """Let the units on centres own them, as after a fall."""
        standing = self.power[:, CENTER_AT]
        self.owner = np.where(standing >= 0, standing, self.owner)


@dataclass
class BoardRows:
    """The units of a batch in one row. `at` is position * PLACES + province."""

    at: Ints
    power: Ints
    unit: Ints

    @property
    def owner(self) -> Ints:
        """Return the number of each unit's pair of position and power."""
        return self.at // PLACES * SEATS + self.power
