"""The rules of movement as equations (DATC, chapter 5), solved by trying every answer: slow, and written on its own.

An assignment says which moves succeed. It is consistent if the strengths that follow from it give the same answers.
Where exactly one assignment is consistent, it is the outcome, however it was found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product

from grandstand.games.diplomacy.rules.convoys import has_chain, mask_of
from grandstand.games.diplomacy.rules.map import UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import CONVOY, MOVE, SUPPORT, SUPPORT_MOVE, VIA, Order

Units = Mapping[int, tuple[int, int]]


class Equations:
    """All moves by convoy must say so: a move without VIA goes by land here. `stopped` armies have no convoy."""

    def __init__(self, units: Units, orders: Mapping[int, Order], stopped: Collection[int] = ()) -> None:
        self.units = units
        self.stopped = stopped
        self.orders = {province: orders[province] for province in units if province in orders}
        self.target = {at: UNIT_PROVINCE[order[2]] for at, order in self.orders.items() if order[0] in (MOVE, VIA)}

    def outcomes(self) -> Iterator[set[int]]:
        """Every consistent set of successful moves."""
        movers = list(self.target)
        for answers in product((False, True), repeat=len(movers)):
            moved = {mover for mover, answer in zip(movers, answers, strict=True) if answer}
            if all((mover in moved) == self._succeeds(mover, moved) for mover in movers):
                yield moved

    def _path(self, mover: int, moved: set[int]) -> bool:
        order = self.orders[mover]
        if order[0] == MOVE:
            return True
        if mover in self.stopped:
            return False
        fleets = mask_of(
            at
            for at, report in self.orders.items()
            if report[0] == CONVOY and report[2:] == order[1:3] and not any(self.target[by] == at for by in moved)
        )
        return has_chain(mover, self.target[mover], fleets)

    def _supporters(self, at: int, moved: set[int]) -> list[int]:
        """Provinces of the uncut supports of the unit in `at`."""
        kind, wanted = (SUPPORT_MOVE, self.target[at]) if at in self.target else (SUPPORT, at)
        return [
            by
            for by, order in self.orders.items()
            if order[0] == kind
            and UNIT_PROVINCE[order[2]] == at
            and (kind == SUPPORT or order[3] == self.orders[at][2])
            and not self._cut(by, wanted, moved)
        ]

    def _cut(self, supporter: int, toward: int, moved: set[int]) -> bool:
        return any(
            self.target[by] == supporter
            and self.units[by][0] != self.units[supporter][0]
            and self._path(by, moved)
            and (by != toward or by in moved)
            for by in self.target
        )

    def _head_on(self, mover: int) -> int | None:
        """The unit that comes the other way, neither by sea."""
        there = self.target[mover]
        swapping = self.target.get(there) == mover and self.orders[mover][0] == self.orders[there][0] == MOVE
        return there if swapping else None

    def _attack(self, mover: int, moved: set[int]) -> int:
        if not self._path(mover, moved):
            return 0
        there = self.target[mover]
        supporters = self._supporters(mover, moved)
        leaves = there in moved and self._head_on(mover) is None
        if there not in self.units or leaves:
            return 1 + len(supporters)
        defender = self.units[there][0]
        if defender == self.units[mover][0]:
            return 0
        return 1 + sum(self.units[by][0] != defender for by in supporters)

    def _hold(self, province: int, moved: set[int]) -> int:
        if province not in self.units or province in moved:
            return 0
        return 1 if province in self.target else 1 + len(self._supporters(province, moved))

    def _prevent(self, mover: int, moved: set[int]) -> int:
        if not self._path(mover, moved) or self._head_on(mover) in moved:
            return 0
        return 1 + len(self._supporters(mover, moved))

    def _succeeds(self, mover: int, moved: set[int]) -> bool:
        there = self.target[mover]
        attack = self._attack(mover, moved)
        opposite = self._head_on(mover)
        resistance = self._hold(there, moved) if opposite is None else 1 + len(self._supporters(opposite, moved))
        rivals = [by for by in self.target if self.target[by] == there and by != mover]
        return attack > resistance and all(attack > self._prevent(by, moved) for by in rivals)
