"""The orders of all powers in many positions at once, as arrays: a fast approximation of DumbBot for rollouts.

Every unit goes to the best place in its reach by noisy values. If several units of a power want the same place, one
goes; the others support it if another power could come, and otherwise choose another place. Units that hold support a
friend nearby.
"""

from __future__ import annotations

import numpy as np

from grandstand.games.diplomacy.bots.search.boards import (
    OPTIONS,
    PADDED,
    PLACES,
    PROVINCE_OF,
    SEATS,
    WIDTH,
    Boards,
    Floats,
    Ints,
)
from grandstand.games.diplomacy.bots.search.field import Field
from grandstand.games.diplomacy.bots.search.movement import NONE, Moves
from grandstand.games.diplomacy.rules.map import ANY_COAST

NOISE = 0.08
"""The standard deviation of the noise, relative to a value."""
PASSES = 3
"""The number of times that units choose another place before they hold."""


def blur(rng: np.random.Generator, blocks: int = 1) -> Floats:
    """Return the noise of one phase, [blocks, units, options]: factors of the values."""
    return np.exp(NOISE * rng.standard_normal((blocks, ANY_COAST, WIDTH)))


def crowd_moves(boards: Boards, field: Field, noise: Floats) -> Moves:
    """Return the orders of all units in a movement phase of each position. The positions are divided into as many equal
    blocks as `noise` has, and the positions of a block share its noise."""
    return _Crowd(boards, field, noise).moves()


class _Crowd:
    """The choices of all units of a batch."""

    def __init__(self, boards: Boards, field: Field, noise: Floats) -> None:
        self.rows = boards.rows()
        unit, owner = self.rows.unit, self.rows.owner
        self.options = OPTIONS[unit]
        self.keys = owner[:, None] * PLACES + PROVINCE_OF[self.options]
        """For each unit and option, the number of the pair of power and place."""
        self.slots = len(boards) * SEATS * PLACES
        self.competition = field.competition.reshape(-1)
        self.value = field.value.reshape(-1, ANY_COAST)[owner[:, None], self.options]
        block = self.rows.at // PLACES // (len(boards) // len(noise))
        self.score = np.where(PADDED[unit], -np.inf, self.value * noise[block, unit])
        self.choice = self.score.argmax(axis=1)
        self.backed = np.full(len(unit), NONE)
        """For each unit, the friend that it supports."""
        self._agree()
        self._support_instead_of_holding()

    def moves(self) -> Moves:
        """Return the orders."""
        there = self.options[np.arange(len(self.choice)), self.choice]
        return Moves(self.rows, np.where(self.choice > 0, there, NONE), self.backed)

    def _agree(self) -> None:
        """Let one unit of a power go to each place; the others support it or choose again."""
        numbers = np.arange(len(self.choice))
        for turn in range(PASSES + 1):
            key = self.keys[numbers, self.choice]
            claim = np.where(self.choice == 0, np.inf, self.score[numbers, self.choice])
            best = np.full(self.slots, -np.inf)
            np.maximum.at(best, key, claim)
            first = np.full(self.slots, NONE)
            winners = np.flatnonzero(claim == best[key])
            first[key[winners]] = winners
            losers = np.flatnonzero((first[key] != numbers) & (self.choice != 0))
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

    def _support_instead_of_holding(self) -> None:
        """Let each unit that would hold support the friend nearby in the most valuable contested place."""
        moving = self.choice > 0
        idle = np.flatnonzero(~moving & (self.backed == NONE))
        busy = np.flatnonzero(moving | (self.backed == NONE))
        goes = np.full(self.slots, NONE)
        goes[self.keys[busy, self.choice[busy]]] = busy
        keys = self.keys[idle, 1:]
        friends: Ints = goes[keys]
        needed = (friends >= 0) & (self.competition[keys] > ~moving[friends]) & ~PADDED[self.rows.unit[idle], 1:]
        worth = np.where(needed, self.value[idle, 1:], -np.inf)
        best = worth.argmax(axis=1)
        useful = np.flatnonzero(worth[np.arange(len(idle)), best] > 0)
        self.backed[idle[useful]] = friends[useful, best[useful]]
