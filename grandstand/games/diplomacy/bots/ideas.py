"""Changes to a power's plan: each move, with supports and convoys for it, and each support of a foreign unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from grandstand.games.diplomacy.bots.interests import Interests
from grandstand.games.diplomacy.bots.stance import Plan
from grandstand.games.diplomacy.bots.values import assess
from grandstand.games.diplomacy.rules.convoys import SEA_NEIGHBOURS, connected, mask_of, routes
from grandstand.games.diplomacy.rules.map import IS_FLEET, REACH, REACH_PROVINCES, SEAS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import CONVOY, HOLD, MOVE, NONE, SUPPORT, SUPPORT_MOVE, VIA, Order

SUPPORTS = 2
"""Maximum number of supports for one unit."""


class Ideas:
    """The changes that a power can make to a plan of a movement phase, against guesses of the others' orders."""

    def __init__(self, interests: Interests, guesses: Sequence[Plan]) -> None:
        self.interests, self.guesses = interests, guesses
        state, power = interests.state, interests.power
        self.value, _, self.competition = assess(state, power)
        self.own = {province: unit for province, (owner, unit) in state.units.items() if owner == power}
        self.pledged = interests.pledged

    def shuffled(self, rng: Random) -> list[Plan]:
        """Return all changes that leave the pledged orders alone, in random order."""
        ideas = [*self._marches(), *self._convoys(), *self._aid()]
        rng.shuffle(ideas)
        return [idea for idea in ideas if self.pledged.keys().isdisjoint(idea)]

    def _marches(self) -> Iterator[Plan]:
        """Yield each unit holding and each of its moves, with no support up to as much as it could need."""
        for province, unit in self.own.items():
            yield from self._backed((HOLD, unit, NONE, NONE), province)
            for there in REACH[unit]:
                yield from self._backed((MOVE, unit, there, NONE), UNIT_PROVINCE[there])

    def _convoys(self) -> Iterator[Plan]:
        """Yield each army going by sea wherever its own power's fleets can carry it, with all fleets that can help."""
        fleets = mask_of(province for province in self.own if province in SEAS)
        for province, army in self.own.items():
            beside = SEA_NEIGHBOURS[province] & fleets
            if not beside or IS_FLEET[army]:
                continue
            for there, carriers, _ in routes(province, connected(beside, fleets)):
                convoys: Plan = {carrier: (CONVOY, self.own[carrier], army, there) for carrier in carriers}
                for idea in self._backed((VIA, army, there, NONE), UNIT_PROVINCE[there]):
                    yield idea | convoys

    def _aid(self) -> Iterator[Plan]:
        """Yield each support of another power's unit that is useful in a guess."""
        aid: set[Order] = set()
        for guess in self.guesses:
            for unit in self.own.values():
                aid.update(self.interests.helpful(unit, REACH_PROVINCES[unit], guess))
        for order in sorted(aid):
            yield {UNIT_PROVINCE[order[1]]: order}

    def _backed(self, order: Order, to: int) -> Iterator[Plan]:
        """Yield the order alone, and then with more and more supports, from the least valuable places first."""
        kind, unit, there, _ = order
        origin = UNIT_PROVINCE[unit]
        idea: Plan = {origin: order}
        yield idea
        near = [at for at, other in self.own.items() if at not in (origin, to) and to in REACH_PROVINCES[other]]
        near.sort(key=lambda at: self.value[self.own[at]])
        for at in near[: min(SUPPORTS, self.competition[to])]:
            support = SUPPORT if kind == HOLD else SUPPORT_MOVE
            idea = {**idea, at: (support, self.own[at], unit, there)}
            yield idea

    def tidied(self, plan: Plan) -> Plan:
        """Return the plan with at most one unit moving to each place. Units that would hold support friends instead."""
        single = dict(plan)
        targets: set[int] = set()
        for province, (kind, unit, there, _) in plan.items():
            if kind != MOVE or province in self.pledged:
                continue
            if UNIT_PROVINCE[there] in targets:
                single[province] = (HOLD, unit, NONE, NONE)
            targets.add(UNIT_PROVINCE[there])
        return self._helping(self.mended(single))

    def _helping(self, plan: Plan) -> Plan:
        """Return the plan in which units that would hold support a friend's order in a contested place nearby."""
        tidy = dict(plan)
        movers = {UNIT_PROVINCE[order[2]]: order for order in plan.values() if order[0] == MOVE}
        for province, (kind, unit, _, _) in plan.items():
            if kind != HOLD or province in self.pledged:
                continue
            needs: list[tuple[float, Order]] = []
            for near in REACH_PROVINCES[unit]:
                if near in movers and movers[near][1] != unit and self.competition[near] > 0:
                    _, mover, there, _ = movers[near]
                    needs.append((self.value[there], (SUPPORT_MOVE, unit, mover, there)))
                elif near in self.own and plan[near][0] not in (MOVE, VIA) and self.competition[near] > 1:
                    needs.append((self.value[self.own[near]], (SUPPORT, unit, self.own[near], NONE)))
            support = max(needs)[1] if needs else self._neighbourly(unit)
            if support is not None:
                tidy[province] = support
        return tidy

    def _neighbourly(self, unit: int) -> Order | None:
        """Return a support of a threatened unit of the most trusted power that moves in no guess, if any."""
        offers: set[Order] = set()
        for number, guess in enumerate(self.guesses):
            holds = {
                order for order in self.interests.helpful(unit, REACH_PROVINCES[unit], guess) if order[0] == SUPPORT
            }
            offers = offers & holds if number else holds
        holders = self.interests.state.units
        threatened: list[tuple[float, Order]] = []
        for order in offers:
            place = UNIT_PROVINCE[order[2]]
            owner = holders[place][0]
            if self._threatened(place, owner):
                threatened.append((self.interests.trust[owner], order))
        return max(threatened)[1] if threatened else None

    def _threatened(self, place: int, owner: int) -> bool:
        """Return whether a third power can move to the place of a unit of `owner`."""
        return any(
            power not in (owner, self.interests.power) and place in REACH_PROVINCES[unit]
            for power, unit in self.interests.state.units.values()
        )

    def mended(self, plan: Plan) -> Plan:
        """Return the plan with each support adapted to the order of the supported unit, or replaced by a hold."""
        for province, (kind, unit, helped, there) in plan.items():
            if kind not in (SUPPORT, SUPPORT_MOVE, CONVOY):
                continue
            if UNIT_PROVINCE[helped] not in plan or province in self.pledged:
                continue
            doing, _, going, _ = plan[UNIT_PROVINCE[helped]]
            destination = going if doing in (MOVE, VIA) else NONE
            if destination == there:
                continue
            to = UNIT_PROVINCE[helped if destination == NONE else destination]
            if doing == VIA or to == province or to not in REACH_PROVINCES[unit]:
                plan[province] = (HOLD, unit, NONE, NONE)
            else:
                plan[province] = (SUPPORT if destination == NONE else SUPPORT_MOVE, unit, helped, destination)
        return plan
