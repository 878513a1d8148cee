"""DumbBot, the usual reference for Diplomacy programs (D. Norman, 2002). It uses neither press nor convoys."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from grandstand.games.diplomacy.bots.adjust import by_value
from grandstand.games.diplomacy.bots.values import Assessment, assess
from grandstand.games.diplomacy.rules.map import REACH, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, NONE, SUPPORT, SUPPORT_MOVE, Order
from grandstand.games.diplomacy.rules.state import FALL, SPRING, State

ALTERNATIVE = 0.5
"""Probability of considering the next best place."""
DIFFERENCE = 5
"""Factor by which the relative loss of value reduces that probability."""


def play(state: State, power: int, rng: Random) -> dict[int, Order]:
    """DumbBot: units head for where the map is worth most, near great powers' centres, or help one another there."""
    assessment = assess(state, power)
    if state.phase in (SPRING, FALL):
        return _Movement(state, power, assessment, rng).orders
    return by_value(state, power, assessment.value, rng, draw)


def draw(places: Sequence[int], value: Sequence[float], rng: Random) -> int:
    """Draw one of `places`, best first: a place may give way to the next one if that is worth nearly as much."""
    choice = places[0]
    for place in places[1:]:
        if rng.random() >= ALTERNATIVE:
            break
        best = value[choice]
        if best and rng.random() < DIFFERENCE * abs((best - value[place]) / best):
            break
        choice = place
    return choice


class _Movement:
    """One movement phase. The units take turns in random order; one that wants the place of a friend without orders
    waits for that friend."""

    def __init__(self, state: State, power: int, assessment: Assessment, rng: Random) -> None:
        self.value, _, self.competition = assessment
        self.rng = rng
        self.own = {province: unit for province, (owner, unit) in state.units.items() if owner == power}
        self.orders: dict[int, Order] = {}
        self.mover_to: dict[int, Order] = {}
        """Province -> the move that goes there."""
        self.waits_for: dict[int, int] = {}
        queue = list(self.own)
        rng.shuffle(queue)
        while queue:
            province = queue.pop(0)
            order = self._choose(province)
            if order is None:
                queue.insert(queue.index(self.waits_for[province]) + 1, province)
            else:
                self.orders[province] = order
                if order[0] == MOVE:
                    self.mover_to[UNIT_PROVINCE[order[2]]] = order
        for province, order in self.orders.items():
            if order[0] == HOLD:
                self.orders[province] = self._instead_of_holding(order)

    def _choose(self, province: int) -> Order | None:
        """Return the unit's order; None if it waits for another unit."""
        unit, value = self.own[province], self.value
        places = [there for there in REACH[unit] if not self._is_behind(UNIT_PROVINCE[there], province)]
        stay = value[unit] + 1
        places = sorted([unit, *places], key=lambda place: stay if place == unit else value[place], reverse=True)
        while True:
            there = draw(places, value, self.rng)
            to = UNIT_PROVINCE[there]
            if there == unit:
                return HOLD, unit, NONE, NONE
            if to in self.own and to not in self.orders:
                self.waits_for[province] = to
                return None
            if to in self.own and self.orders[to][0] != MOVE:
                if self.competition[to] > 1:
                    return SUPPORT, unit, self.own[to], NONE
            elif to in self.mover_to:
                if self.competition[to] > 0:
                    return SUPPORT_MOVE, unit, self.mover_to[to][1], self.mover_to[to][2]
            else:
                return MOVE, unit, there, NONE
            places.remove(there)

    def _is_behind(self, other: int, province: int) -> bool:
        """Return whether the unit in `other` waits, directly or indirectly, for the unit in `province`."""
        while other in self.waits_for and other not in self.orders:
            other = self.waits_for[other]
            if other == province:
                return True
        return False

    def _instead_of_holding(self, hold: Order) -> Order:
        """Return a support of the most valuable contested move or holding unit nearby, if any, instead of `hold`."""
        unit = hold[1]
        best, most = hold, 0.0
        for there in REACH[unit]:
            to = UNIT_PROVINCE[there]
            if to in self.mover_to:
                _, mover, destination, _ = self.mover_to[to]
                needed, worth = self.competition[to] > 0, self.value[destination]
                support: Order = (SUPPORT_MOVE, unit, mover, destination)
            elif to in self.own and self.orders[to][0] != MOVE:
                needed, worth = self.competition[to] > 1, self.value[self.own[to]]
                support = (SUPPORT, unit, self.own[to], NONE)
            else:
                continue
            if needed and worth > most:
                best, most = support, worth
        return best
