"""The orders of all powers in many positions at once, as arrays: a quick likeness of DumbBot that rollouts play.

Every unit goes to the best place in its reach, values blurred by noise. Of friends who want the same place one goes;
the others support it where another power could come, else look elsewhere. Holders support a friend nearby.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from grandstand.games.diplomacy.bots.search.field import PLACES, PROVINCE_OF, SEATS, Field, Floats, Ints
from grandstand.games.diplomacy.bots.stance import Plan
from grandstand.games.diplomacy.map import ANY_COAST, REACH
from grandstand.games.diplomacy.orders import HOLD, MOVE, NONE, SUPPORT, SUPPORT_MOVE
from grandstand.games.diplomacy.state import State

NOISE = 0.08
"""Standard deviation of the blur, relative to a value."""
PASSES = 3
"""Times that units look elsewhere before they stay where they are."""

Bools = npt.NDArray[np.bool_]

WIDTH = max(map(len, REACH)) + 1
_OPTIONS: Ints = np.array([[unit, *REACH[unit]] + [unit] * (WIDTH - 1 - len(REACH[unit])) for unit in range(ANY_COAST)])
"""Per unit, itself and the units that it would be after a move, padded with itself."""
_PADDED: Bools = np.array([[at > len(REACH[unit]) for at in range(WIDTH)] for unit in range(ANY_COAST)])


def blur(rng: np.random.Generator) -> Floats:
    """Return the noise of one phase: a factor for each unit and option."""
    return np.exp(NOISE * rng.standard_normal((ANY_COAST, WIDTH)))


def crowd_orders(states: Sequence[State], field: Field, noise: Floats) -> list[Plan]:
    """Return everybody's orders in a movement phase of each position."""
    places = [list(state.units) for state in states]
    units = [unit for state in states for unit in state.units.values()]
    power, unit = np.array(units).T
    owner = np.repeat(np.arange(len(states)), [len(at) for at in places]) * SEATS + power
    crowd = _Crowd(owner, unit, field, noise)
    orders = list(zip(crowd.kind.tolist(), unit.tolist(), crowd.a.tolist(), crowd.b.tolist(), strict=True))
    ends = list(accumulate(map(len, places)))
    starts = [0, *ends[:-1]]
    return [dict(zip(at, orders[start:end], strict=True)) for at, start, end in zip(places, starts, ends, strict=True)]


class _Crowd:
    """The units of all positions in one row. `owner` numbers the pairs of position and power."""

    def __init__(self, owner: Ints, unit: Ints, field: Field, noise: Floats) -> None:
        self.owner, self.unit = owner, unit
        self.options = _OPTIONS[unit]
        self.keys = owner[:, None] * PLACES + PROVINCE_OF[self.options]
        """Per unit and option, the number of the place as one of its power's targets."""
        self.slots = len(field.value) * SEATS * PLACES
        self.competition = field.competition.reshape(-1)
        self.value = field.value.reshape(-1, ANY_COAST)[owner[:, None], self.options]
        self.score = np.where(_PADDED[unit], -np.inf, self.value * noise[unit])
        self.choice = self.score.argmax(axis=1)
        self.backed = np.full(len(unit), NONE)
        """Per unit, the friend that it supports."""
        self._agree()
        self._write()
        self._support_instead_of_holding()

    def _agree(self) -> None:
        """Let one friend go to each place; the others support it or choose again."""
        rows = np.arange(len(self.unit))
        for turn in range(PASSES + 1):
            key = self.keys[rows, self.choice]
            claim = np.where(self.choice == 0, np.inf, self.score[rows, self.choice])
            best = np.full(self.slots, -np.inf)
            np.maximum.at(best, key, claim)
            first = np.full(self.slots, NONE)
            winners = np.flatnonzero(claim == best[key])
            first[key[winners]] = winners
            losers = np.flatnonzero((first[key] != rows) & (self.choice != 0))
            if not len(losers):
                break
            friend = first[key[losers]]
            needed = self.competition[key[losers]] > (self.choice[friend] == 0)
            helpers = losers[needed]
            self.backed[helpers] = friend[needed]
            self.choice[helpers] = 0
            self.score[helpers, 1:] = -np.inf
            others = losers[~needed]
            if turn < PASSES:
                self.score[others, self.choice[others]] = -np.inf
                self.choice[others] = self.score[others].argmax(axis=1)
            else:
                self.choice[others] = 0

    def _write(self) -> None:
        """Set the orders as chosen: `kind`, `a` and `b` per unit."""
        rows = np.arange(len(self.unit))
        self.there = self.options[rows, self.choice]
        self.moves = self.choice > 0
        self.kind = np.where(self.moves, MOVE, HOLD)
        self.a = np.where(self.moves, self.there, NONE)
        self.b = np.full(len(self.unit), NONE)
        helpers = np.flatnonzero(self.backed >= 0)
        self._support(helpers, self.backed[helpers])

    def _support(self, helpers: Ints, friends: Ints) -> None:
        moves = self.moves[friends]
        self.kind[helpers] = np.where(moves, SUPPORT_MOVE, SUPPORT)
        self.a[helpers] = self.unit[friends]
        self.b[helpers] = np.where(moves, self.there[friends], NONE)

    def _support_instead_of_holding(self) -> None:
        """Have each unit that would hold support the friend nearby in the most valuable contested place."""
        idle = np.flatnonzero(self.kind == HOLD)
        busy = np.flatnonzero(self.kind != SUPPORT_MOVE)
        goes = np.full(self.slots, NONE)
        goes[self.owner[busy] * PLACES + PROVINCE_OF[self.there[busy]]] = busy
        keys = self.keys[idle, 1:]
        friends = goes[keys]
        needed = (friends >= 0) & (self.competition[keys] > ~self.moves[friends]) & ~_PADDED[self.unit[idle], 1:]
        worth = np.where(needed, self.value[idle, 1:], -np.inf)
        best = worth.argmax(axis=1)
        useful = np.flatnonzero(worth[np.arange(len(idle)), best] > 0)
        self._support(idle[useful], friends[useful, best[useful]])
