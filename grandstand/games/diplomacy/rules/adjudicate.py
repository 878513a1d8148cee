"""Adjudication of the movement phase: successful moves, dislodged units, and the reasons. Then of their retreats.

Two kinds of question decide a phase: *does this unit's move succeed?* and *is this army's convoy intact?* The rules
answer each from the answers to others, which may depend on each other. They are resolved by the method of L.
Kruijswijk, "The Math of Adjudication" (2009): guess, follow the consequences, and where exactly one guess is
consistent, it is the answer. Where both or neither are, the questions form a ring: with convoys in it (a paradox: by
Szykman's rule those convoys fail), or of moves only (a circular movement: it succeeds).

The strengths compared are those of the DATC, chapter 5. `docs/diplomacy-rules.md` lists the choices that the rules
leave open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from grandstand.games.diplomacy.rules.convoys import chain_fleets, has_chain, mask_of, provinces_of
from grandstand.games.diplomacy.rules.map import ANY_COAST, REACH, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import (
    CONVOY,
    MOVE,
    NONE,
    RETREAT,
    SUPPORT,
    SUPPORT_MOVE,
    VIA,
    Order,
    Units,
)


class Movement:
    """A resolved movement phase. Units are named by their provinces.

    `orders` gives a legal order per province; a unit without one holds. An order that helps another unit is void unless
    that unit does what the order says.
    """

    def __init__(self, units: Units, orders: Mapping[int, Order]) -> None:
        self.units = units
        self.target: dict[int, int] = {}
        """Mover -> where it goes."""
        self.attackers: dict[int, list[int]] = {}
        """Province -> the movers that go there."""
        self.convoys: dict[int, int] = {}
        """Army that goes by sea -> mask of the fleets that can carry it; 0 where they make no chain."""
        self.may_walk: set[int] = set()
        """Armies that go by sea without an order to do so; they go by land if their convoy breaks."""
        self.void: set[int] = set()
        """Helpers whose order does not match the unit they help."""
        self.idle: set[int] = set()
        """Fleets with an order to convoy a move that does not use them."""
        self.paradoxical: set[int] = set()
        """Armies that Szykman's rule stops."""
        self._backers: dict[int, list[int]] = {}
        self._cut: set[int] = set()
        self._threats: dict[int, list[tuple[int, bool]]] = {}
        self._answers: dict[int, bool] = {}
        self._guesses: dict[int, bool] = {}
        self._used: list[int] = []
        self._read_moves(orders)
        self._read_supports(orders)
        self.moved = {mover for mover in self.target if self._answer(mover)}
        self.dislodged_by = {
            province: attacker
            for attacker in self.moved
            if (province := self.target[attacker]) in units and province not in self.moved
        }
        """Dislodged unit -> the attacker that did it."""

    def by_sea(self, mover: int) -> bool:
        """Return whether a mover goes by sea, successfully or not."""
        return mover in self.convoys and (mover not in self.may_walk or self._answer(~mover))

    def stranded(self, mover: int) -> bool:
        """Return whether a mover goes by sea without an intact chain of fleets: it stays, and has no effect."""
        return mover in self.convoys and mover not in self.may_walk and not self._answer(~mover)

    def is_cut(self, supporter: int) -> bool:
        """Return whether a support that is not void is cut."""
        return supporter in self._cut or self._cut_by_threat(supporter)

    def contested(self) -> set[int]:
        """Return the provinces that a standoff closes to retreats, occupied or not."""
        return {self.target[mover] for mover in self.target if mover not in self.moved and self._prevents(mover)}

    # Orders

    def _read_moves(self, orders: Mapping[int, Order]) -> None:
        carriers: dict[tuple[int, int], list[int]] = {}
        for province in self.units:
            order = orders.get(province)
            if order is None:
                continue
            kind, _, a, b = order
            if kind in (MOVE, VIA):
                self.target[province] = there = UNIT_PROVINCE[a]
                self.attackers.setdefault(there, []).append(province)
                if kind == VIA:
                    self.convoys[province] = 0
            elif kind == CONVOY:
                carriers.setdefault((a, b), []).append(province)
        for (army, there), fleets in carriers.items():
            self._read_convoy(orders, army, there, fleets)

    def _read_convoy(self, orders: Mapping[int, Order], army: int, there: int, fleets: list[int]) -> None:
        """Note that an army goes by sea, by its order or because a fleet of its own power carries it in a chain."""
        origin = UNIT_PROVINCE[army]
        order = orders.get(origin)
        if order is None or order[0] not in (MOVE, VIA) or order[2] != there:
            self.void.update(fleets)
            return
        chain = chain_fleets(origin, UNIT_PROVINCE[there], mask_of(fleets))
        power = self.units[origin][0]
        if order[0] == MOVE and all(self.units[fleet][0] != power for fleet in fleets):
            chain = 0
        if chain or order[0] == VIA:
            self.convoys[origin] = chain
            if order[0] == MOVE:
                self.may_walk.add(origin)
        self.idle.update(fleet for fleet in fleets if not chain >> fleet & 1)

    def _read_supports(self, orders: Mapping[int, Order]) -> None:
        for province in self.units:
            order = orders.get(province)
            if order is None:
                continue
            kind, _, a, b = order
            if kind == SUPPORT:
                backed = toward = UNIT_PROVINCE[a]
                valid = backed not in self.target
            elif kind == SUPPORT_MOVE:
                backed, toward = UNIT_PROVINCE[a], UNIT_PROVINCE[b]
                valid = (
                    self.target.get(backed) == toward
                    and (b >= ANY_COAST or orders[backed][2] == b)
                    and self.convoys.get(backed) != 0
                )
            else:
                continue
            if not valid:
                self.void.add(province)
            elif not self._surely_cut(province, toward):
                self._backers.setdefault(backed, []).append(province)

    def _surely_cut(self, supporter: int, toward: int) -> bool:
        """Return whether a direct attack certainly cuts the support; attacks that may cut it are stored as threats.

        A unit's own power never cuts its support. An attack from the province that the support goes into cuts it only
        by dislodging the supporter, and an attack by sea only with its convoy intact.
        """
        power = self.units[supporter][0]
        for attacker in self.attackers.get(supporter, ()):
            if self.units[attacker][0] == power:
                continue
            if attacker == toward or (attacker in self.convoys and attacker not in self.may_walk):
                self._threats.setdefault(supporter, []).append((attacker, attacker == toward))
            else:
                self._cut.add(supporter)
                return True
        return False

    # Answers that may depend on each other. Question p: does p's move succeed? Question ~p: is p's convoy intact?

    def _answer(self, question: int) -> bool:
        answer = self._answers.get(question)
        if answer is not None:
            return answer
        if question in self._guesses:
            if question not in self._used:
                self._used.append(question)
            return self._guesses[question]
        mark = len(self._used)
        self._guesses[question] = False
        first = self._judge(question)
        if question in self._answers:
            return self._answers[question]
        if len(self._used) == mark:
            return self._settle(question, first, mark)
        if self._used[mark] != question:
            self._used.append(question)
            self._guesses[question] = first
            return first
        self._forget(mark)
        self._guesses[question] = True
        if self._judge(question) == first:
            return self._settle(question, first, mark)
        self._break_ring(mark)
        return self._answer(question)

    def _settle(self, question: int, answer: bool, mark: int) -> bool:
        self._forget(mark)
        self._guesses.pop(question, None)
        self._answers[question] = answer
        return answer

    def _forget(self, mark: int) -> None:
        for question in self._used[mark:]:
            self._guesses.pop(question, None)
        del self._used[mark:]

    def _break_ring(self, mark: int) -> None:
        ring = self._used[mark:]
        self._forget(mark)
        armies = [~question for question in ring if question < 0]
        if armies:
            self.paradoxical.update(armies)
            self._answers.update((~army, False) for army in armies)
        else:
            self._answers.update((mover, True) for mover in ring)

    def _judge(self, question: int) -> bool:
        return self._move_succeeds(question) if question >= 0 else self._chain_survives(~question)

    def _move_succeeds(self, mover: int) -> bool:
        if self.stranded(mover):
            return False
        there = self.target[mover]
        if there not in self.units:
            strength = 1 + self._support(mover)
        else:
            holder, beyond = self.units[there][0], self.target.get(there)
            head_on = beyond == mover and not self.by_sea(mover) and not self.by_sea(there)
            if not head_on and beyond is not None and self._answer(there):
                strength, resistance = 1 + self._support(mover), 0
            elif holder == self.units[mover][0]:
                return False
            else:
                strength = 1 + self._support(mover, holder)
                resistance = 1 if beyond is not None and not head_on else 1 + self._support(there)
            if strength <= resistance:
                return False
        return all(rival == mover or self._prevents(rival) < strength for rival in self.attackers[there])

    def _chain_survives(self, army: int) -> bool:
        fleets, there = self.convoys[army], self.target[army]
        attacked = [fleet for fleet in provinces_of(fleets) if fleet in self.attackers]
        safe = fleets & ~mask_of(attacked)
        for fleet in attacked:
            if has_chain(army, there, safe):
                return True
            if any(self._answer(attacker) for attacker in self.attackers[fleet]):
                fleets &= ~(1 << fleet)
                if not has_chain(army, there, fleets):
                    return False
            else:
                safe |= 1 << fleet
        return has_chain(army, there, safe)

    def _prevents(self, mover: int) -> int:
        """Return the strength with which a move prevents other moves into its target."""
        there = self.target[mover]
        if self.stranded(mover):
            return 0
        if (
            self.target.get(there) == mover
            and not self.by_sea(mover)
            and not self.by_sea(there)
            and self._answer(there)
        ):
            return 0
        return 1 + self._support(mover)

    def _support(self, backed: int, against: int = NONE) -> int:
        """Return the number of effective supports for the unit, without those by the power `against`."""
        backers = self._backers.get(backed)
        if backers is None:
            return 0
        units = self.units
        return sum(units[backer][0] != against and not self._cut_by_threat(backer) for backer in backers)

    def _cut_by_threat(self, supporter: int) -> bool:
        threats = self._threats.get(supporter)
        return threats is not None and any(
            self._answer(attacker if must_dislodge else ~attacker) for attacker, must_dislodge in threats
        )


Dislodged = Mapping[int, tuple[int, int, tuple[int, ...]]]
"""Province -> (power, unit, the units that it can become by retreating)."""


def retreat_options(movement: Movement, units: Units) -> dict[int, tuple[int, int, tuple[int, ...]]]:
    """Return the dislodged units with their retreat options. `units` are the units on the board after the movement.

    A unit cannot retreat to an occupied province, one that a standoff left vacant, or the attacker's origin, unless the
    attacker came by sea.
    """
    if not movement.dislodged_by:
        return {}
    contested = movement.contested()
    dislodged = {}
    for province in sorted(movement.dislodged_by):
        attacker = movement.dislodged_by[province]
        closed = -1 if movement.by_sea(attacker) else attacker
        power, unit = movement.units[province]
        options = tuple(
            there
            for there in REACH[unit]
            if (to := UNIT_PROVINCE[there]) not in units and to not in contested and to != closed
        )
        dislodged[province] = (power, unit, options)
    return dislodged


class Retreat:
    """A resolved retreat phase. Units that retreat to one province, like those without an order, are disbanded."""

    def __init__(self, units: Units, dislodged: Dislodged, orders: Mapping[int, Order]) -> None:
        going = {
            province: order[2]
            for province, order in orders.items()
            if province in dislodged and order[0] == RETREAT and order[2] in dislodged[province][2]
        }
        crowd = Counter(UNIT_PROVINCE[there] for there in going.values())
        self.bounced = {province for province, there in going.items() if crowd[UNIT_PROVINCE[there]] > 1}
        self.retreated = {province: there for province, there in going.items() if province not in self.bounced}
        standing = dict(units)
        for province, there in self.retreated.items():
            standing[UNIT_PROVINCE[there]] = (dislodged[province][0], there)
        self.units = dict(sorted(standing.items()))
