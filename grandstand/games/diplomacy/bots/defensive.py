"""A bot that defends its centres before it attacks."""

from __future__ import annotations

from random import Random

from grandstand.games.diplomacy.bots.adjust import best_first, by_value
from grandstand.games.diplomacy.bots.steps import steps
from grandstand.games.diplomacy.bots.values import Assessment, assess
from grandstand.games.diplomacy.rules.map import CENTERS, REACH, REACH_PROVINCES, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, NONE, SUPPORT, SUPPORT_MOVE, Order
from grandstand.games.diplomacy.rules.state import FALL, SPRING, State


def play(state: State, power: int, rng: Random) -> dict[int, Order]:
    """Defensive: holds and supports its threatened centres first, then takes only centres that nobody can defend."""
    assessment = assess(state, power)
    if state.phase in (SPRING, FALL):
        return _Watch(state, power, assessment, rng).orders
    return by_value(state, power, assessment.value, rng)


class _Watch:
    """One movement phase."""

    def __init__(self, state: State, power: int, assessment: Assessment, rng: Random) -> None:
        self.state = state
        self.competition = assessment.competition
        self.own = {province: unit for province, (owner, unit) in state.units.items() if owner == power}
        self.orders: dict[int, Order] = {}
        self.taken: set[int] = set()
        """Provinces to which one of the power's units goes, or in which it stays."""
        centers = rng.sample(CENTERS, len(CENTERS))
        threatened = [center for center in centers if state.centers.get(center) == power and self.competition[center]]
        foreign = [center for center in centers if state.centers.get(center) != power]
        for center in best_first(threatened, self.competition):
            self._guard(center)
        for center in foreign:
            self._seize(center)
        self.goals = threatened + foreign
        for province in rng.sample(list(self.own), len(self.own)):
            if province not in self.orders:
                self._advance(province)

    def _guard(self, center: int) -> None:
        """Order a unit to hold or enter the centre, with as many supports as there are units against it."""
        if center in self.orders:
            return
        near = self._idle_near(center)
        if center in self.own:
            self._order((HOLD, self.own[center], NONE, NONE))
            for unit in near[: max(0, self.competition[center] - 1)]:
                self._order((SUPPORT, unit, self.own[center], NONE))
        elif near and center not in self.taken:
            self._enter(center, near[: self.competition[center] + 1])

    def _seize(self, center: int) -> None:
        """Hold a foreign centre, or enter it if more idle units are in reach than another power can bring."""
        near = self._idle_near(center)
        if center in self.own:
            self._guard(center)
        elif len(near) > self.competition[center] and center not in self.taken:
            self._enter(center, near[: self.competition[center] + 1])

    def _advance(self, province: int) -> None:
        """Order a step towards the nearest goal through a vacant province, or to hold."""
        unit = self.own[province]
        far = steps(unit)
        ways = [
            (steps(there)[goal], goal, there)
            for there in REACH[unit]
            if (to := UNIT_PROVINCE[there]) not in self.state.units and to not in self.taken
            for goal in self.goals
            if steps(there)[goal] < far[goal]
        ]
        _, _, there = min(ways, default=(0, 0, unit))
        self._order((HOLD, unit, NONE, NONE) if there == unit else (MOVE, unit, there, NONE))

    def _enter(self, center: int, units: list[int]) -> None:
        """Order the first unit to enter, and the others to support it."""
        mover, *others = units
        there = next(there for there in REACH[mover] if UNIT_PROVINCE[there] == center)
        self._order((MOVE, mover, there, NONE))
        for unit in others:
            self._order((SUPPORT_MOVE, unit, mover, there))

    def _idle_near(self, center: int) -> list[int]:
        return [
            unit
            for province, unit in self.own.items()
            if province not in self.orders and center in REACH_PROVINCES[unit]
        ]

    def _order(self, order: Order) -> None:
        kind, unit, there, _ = order
        self.orders[UNIT_PROVINCE[unit]] = order
        self.taken.add(UNIT_PROVINCE[there if kind == MOVE else unit])
