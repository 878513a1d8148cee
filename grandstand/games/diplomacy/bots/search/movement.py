"""Movement and retreats in many positions at once.

It differs from the rules in three rare cases: an attack from the province that a support is directed against never cuts
it, a unit that is dislodged head-on still keeps others out, and a power's support can help dislodge its own unit.
`rollouts` resolves convoys by the rules instead.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grandstand.games.diplomacy.bots.search.boards import (
    NOBODY,
    OPTIONS,
    PADDED,
    PLACES,
    PROVINCE_OF,
    BoardRows,
    Boards,
    Bools,
    Floats,
    Ints,
)
from grandstand.games.diplomacy.rules.map import ANY_COAST

NONE = -1


@dataclass
class Moves:
    """The orders of a batch, unit by unit."""

    rows: BoardRows
    there: Ints
    """The unit after its move; NONE for one that stays."""
    backed: Ints
    """The number of the unit whose order it supports; NONE for none."""


def moved(boards: Boards, moves: Moves, value: Floats) -> None:
    """Resolve the orders on the boards, with retreats to the most valuable places.

    `value` is [positions, powers, units], as of `Field`.
    """
    battle = _Battle(boards, moves)
    unit, power = boards.unit.reshape(-1), boards.power.reshape(-1)
    rows = moves.rows
    unit[rows.at], power[rows.at] = NOBODY, NOBODY
    stays = np.flatnonzero(~battle.moved & ~battle.dislodged)
    unit[rows.at[stays]], power[rows.at[stays]] = rows.unit[stays], rows.power[stays]
    goes = np.flatnonzero(battle.moved)
    unit[battle.to[goes]], power[battle.to[goes]] = moves.there[goes], rows.power[goes]
    leaving = np.flatnonzero(battle.dislodged)
    if len(leaving):
        beaten = BoardRows(rows.at[leaving], rows.power[leaving], rows.unit[leaving])
        retreat(boards, beaten, battle.beaten_from[leaving], battle.contested, value)


def retreat(boards: Boards, beaten: BoardRows, closed: Ints, contested: Bools, value: Floats) -> None:
    """Move each dislodged unit to the most valuable free place in its reach except `closed`. Units without such a
    place, and units that meet, are removed."""
    unit, power = boards.unit.reshape(-1), boards.power.reshape(-1)
    options = OPTIONS[beaten.unit]
    at = beaten.at[:, None] // PLACES * PLACES + PROVINCE_OF[options]
    free = (unit[at] == NOBODY) & ~contested[at] & (at != closed[:, None]) & ~PADDED[beaten.unit]
    free[:, 0] = False
    worth = np.where(free, value.reshape(-1, ANY_COAST)[beaten.owner[:, None], options], -np.inf)
    best = worth.argmax(axis=1)
    numbers = np.arange(len(best))
    place = at[numbers, best]
    crowd = np.bincount(place, minlength=unit.size)
    safe = np.flatnonzero(free[numbers, best] & (crowd[place] == 1))
    unit[place[safe]] = options[safe, best[safe]]
    power[place[safe]] = beaten.power[safe]


class _Battle:
    """The outcome of the orders, unit by unit."""

    def __init__(self, boards: Boards, moves: Moves) -> None:
        rows = moves.rows
        count, size = len(rows.at), boards.unit.size
        movers = np.flatnonzero(moves.there >= 0)
        self.to = np.full(count, NONE)
        self.to[movers] = rows.at[movers] // PLACES * PLACES + PROVINCE_OF[moves.there[movers]]
        row_at = np.full(size + 1, NONE)
        row_at[rows.at] = np.arange(count)
        occupant = row_at[self.to]
        strength = _strength(rows, moves, self.to, occupant, movers)
        front = _front(self.to, strength, movers, size)
        self.moved = self._decided(rows, occupant, strength, movers[front])
        self.dislodged = np.zeros(count, dtype=np.bool_)
        self.beaten_from = np.full(count, NONE)
        winners = np.flatnonzero(self.moved & (occupant >= 0))
        hit = winners[~self.moved[occupant[winners]]]
        self.dislodged[occupant[hit]] = True
        self.beaten_from[occupant[hit]] = rows.at[hit]
        self.contested = np.zeros(size, dtype=np.bool_)
        """Places that units bounced over."""
        self.contested[self.to[movers[~self.moved[movers]]]] = True

    def _decided(self, rows: BoardRows, occupant: Ints, strength: Ints, front: Ints) -> Bools:
        """Return which units move. A unit that follows another is taken to succeed until the other fails."""
        moved = np.zeros(len(rows.at), dtype=np.bool_)
        moved[front] = True
        met = front[occupant[front] >= 0]
        holder = occupant[met]
        foreign = rows.power[met] != rows.power[holder]
        beats = foreign & (strength[met] > strength[holder])
        facing = (self.to[holder] == NONE) | (self.to[holder] == rows.at[met])
        moved[met[facing & ~beats]] = False
        follows, leader = met[~facing], holder[~facing]
        strong = foreign[~facing] & (strength[follows] > 1)
        while True:
            stuck = moved[follows] & ~moved[leader] & ~strong
            if not stuck.any():
                return moved
            moved[follows[stuck]] = False


def _strength(rows: BoardRows, moves: Moves, to: Ints, occupant: Ints, movers: Ints) -> Ints:
    """Return the strength of each unit at its destination: 1, and 1 more for each support that is not cut."""
    backers = moves.backed >= 0
    aim = np.where(backers, np.where(to[moves.backed] >= 0, to[moves.backed], rows.at[moves.backed]), NONE)
    attacked = movers[occupant[movers] >= 0]
    victim = occupant[attacked]
    cuts = (rows.power[attacked] != rows.power[victim]) & (aim[victim] != rows.at[attacked])
    backers[victim[cuts]] = False
    strength: Ints = 1 + np.bincount(moves.backed[backers], minlength=len(rows.at))
    return strength


def _front(to: Ints, strength: Ints, movers: Ints, size: int) -> Bools:
    """Return which movers are stronger than every rival for the same place."""
    places, force = to[movers], strength[movers]
    best = np.zeros(size, dtype=force.dtype)
    np.maximum.at(best, places, force)
    first = force == best[places]
    number = np.bincount(places[first], minlength=size)
    front: Bools = first & (number[places] == 1)
    return front
