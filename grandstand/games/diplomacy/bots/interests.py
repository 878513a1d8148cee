"""The interest of a power in the fate of the others, and the price of orders that betray trust or bounced before."""

from __future__ import annotations

from collections.abc import Iterator

from grandstand.games.diplomacy.bots.stance import TRUSTED, Plan, Stance
from grandstand.games.diplomacy.rules.map import POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import CONVOY, HOLD, MOVE, NONE, SUPPORT, SUPPORT_MOVE, VIA, Order
from grandstand.games.diplomacy.rules.state import SOLO_CENTERS, State

LEADER = 9
"""The number of centres from which all powers try to stop a leader."""
NEARLY = 15
"""The number of centres from which a solo is in reach: such a power is nobody's ally and has none."""
BETRAYAL = 2.5
"""The gain in centres that justifies an attack on a fully trusted power."""
REPEAT = 0.25
"""The gain in centres that justifies a repetition of a move that bounced."""


class Interests:
    """The interests of `power` in one phase, in units of a centre."""

    def __init__(self, state: State, power: int, stance: Stance) -> None:
        self.state, self.power = state, power
        self.bounced = stance.bounced
        self.agreed_only = stance.agreed_only
        legal = state.legal_orders()
        self.pledged: Plan = {
            at: order
            for at, order in stance.pledged.items()
            if state.units.get(at, (NONE,))[0] == power and order in legal[at]
        }
        """The pledges that can be kept."""
        self.expected: Plan = {
            at: order
            for at, order in stance.expected.items()
            if state.units.get(at, (power,))[0] != power and order in legal[at]
        }
        """The expectations of units that are there."""
        counts = state.center_counts()
        self.leader = _leader(counts, power)
        """The other power that has to be stopped, if any."""
        self.trust = tuple(
            min(stance.trust[other], 0.0) if other == self.leader and counts[other] >= NEARLY else stance.trust[other]
            for other in range(len(POWERS))
        )
        self.free = counts[power] >= NEARLY
        """True if nothing but the solo counts."""
        self.regard = [self._regard(other, counts) for other in range(len(POWERS))]
        """For each power, the worth to us of a centre that it wins."""

    def is_ally(self, other: int) -> bool:
        """Return whether the other power is treated as an ally in this phase."""
        return other != self.power and self.trust[other] >= TRUSTED and not self.free

    def price(self, order: Order) -> float:
        """Return the price of an order in centres: for a betrayal of trust, and for repeating a move that bounced."""
        kind, _, a, b = order
        if kind not in (MOVE, VIA, SUPPORT_MOVE, CONVOY):
            return 0.0
        bounced = self.bounced.get(order, 0) if kind in (MOVE, VIA) else 0
        harmed = self._holders(UNIT_PROVINCE[a if kind in (MOVE, VIA) else b])
        if kind in (SUPPORT_MOVE, CONVOY):
            harmed.discard(self.state.units[UNIT_PROVINCE[a]][0])
        broken = 0.0 if self.free else max((max(self.trust[other], 0.0) for other in harmed), default=0.0)
        return REPEAT * bounced + BETRAYAL * broken

    def believed(self, guess: Plan) -> Plan:
        """Return the guess with the orders that the stance expects, and without attacks of allies on us."""
        mended = dict(guess)
        for province, order in guess.items():
            if order[0] in (MOVE, VIA) and self.is_ally(self.state.units[province][0]):
                target = UNIT_PROVINCE[order[2]]
                if self._is_ours(target):
                    mended[province] = (HOLD, order[1], NONE, NONE)
        mended.update(self.expected)
        return mended

    def helpful(self, unit: int, reach: frozenset[int], guess: Plan) -> Iterator[Order]:
        """Yield the supports that `unit` could give to units of powers it is not hostile to, as `guess` has them."""
        for province, (kind, other, there, _) in guess.items():
            owner = self.state.units[province][0]
            if self.trust[owner] < 0 or self.regard[owner] < 0 or province == UNIT_PROVINCE[unit]:
                continue
            if self.agreed_only and province not in self.expected:
                continue
            if kind in (MOVE, VIA):
                target = UNIT_PROVINCE[there]
                if target in reach and not self._is_ours(target):
                    yield SUPPORT_MOVE, unit, other, there
            elif province in reach:
                yield SUPPORT, unit, other, NONE

    def _regard(self, other: int, counts: list[int]) -> float:
        if other == self.power:
            return 1.0
        if other == self.leader:
            return -0.1 * (counts[other] - LEADER + 1)
        return 0.5 * self.trust[other]

    def _holders(self, province: int) -> set[int]:
        """Return the other powers that own the centre or have a unit there."""
        holders = {self.state.centers.get(province, self.power)}
        if province in self.state.units:
            holders.add(self.state.units[province][0])
        return holders - {self.power}

    def _is_ours(self, province: int) -> bool:
        standing = self.state.units.get(province)
        return self.state.centers.get(province) == self.power or (standing is not None and standing[0] == self.power)


def _leader(counts: list[int], power: int) -> int | None:
    """Return the other power with most centres, if it has LEADER or more and no fewer than `power`."""
    others = [other for other in range(len(POWERS)) if other != power]
    first = max(others, key=counts.__getitem__)
    return first if LEADER <= counts[first] < SOLO_CENTERS and counts[first] >= counts[power] else None
