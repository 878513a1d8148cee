"""A bot that searches for joint orders: the strongest of the built-in bots, and the slowest."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from grandstand.games.diplomacy.adjudicate import Movement
from grandstand.games.diplomacy.bots import defensive, dumbbot, territorial
from grandstand.games.diplomacy.bots.adjust import by_value
from grandstand.games.diplomacy.bots.interests import Interests
from grandstand.games.diplomacy.bots.policy import Policy
from grandstand.games.diplomacy.bots.stance import NEUTRAL, Plan, Stance
from grandstand.games.diplomacy.bots.values import Assessment, assess
from grandstand.games.diplomacy.convoys import SEA_NEIGHBOURS, connected, mask_of, routes
from grandstand.games.diplomacy.map import CENTERS, IS_FLEET, REACH, REACH_PROVINCES, SEAS, UNIT_PROVINCE
from grandstand.games.diplomacy.orders import CONVOY, HOLD, MOVE, NONE, SUPPORT, SUPPORT_MOVE, VIA, Order
from grandstand.games.diplomacy.state import FALL, SPRING, State

SCHOOLS: tuple[Policy, ...] = (dumbbot.play, territorial.play, defensive.play)
"""Policies from which the guesses of other powers' orders and the first plan are drawn."""
GUESSES = 3
"""Number of guesses of the others' joint orders against which a plan is tried."""
SUPPORTS = 2
"""Maximum number of supports for one unit."""
CENTER = 1e8
"""The worth of a centre that changes hands, as `values.assess` counts; to stand on one is worth about as much."""
FORTUNE = CENTER / 2
"""The worth of a centre that changes hands between others, times our regard for them."""


def play(state: State, power: int, rng: Random) -> Plan:
    """Return the orders of a power that is a stranger to all."""
    return plan(state, power, rng, NEUTRAL)


def plan(state: State, power: int, rng: Random, stance: Stance) -> Plan:
    """Coordinated: searches for joint orders, with supports and convoys, that do best against guesses of the rest."""
    assessment = assess(state, power)
    if state.phase in (SPRING, FALL):
        return _Search(state, power, assessment, rng, stance).plan
    return by_value(state, power, assessment.value, rng)


class _Search:
    """One movement phase: from the best plan of the schools, every idea in random order, kept if it does better.

    A plan is tried by adjudicating it against each guess. It is worth the places where its units then stand and the
    centres that change hands.
    """

    def __init__(self, state: State, power: int, assessment: Assessment, rng: Random, stance: Stance) -> None:
        self.interests = Interests(state, power, stance)
        self.pledged = dict(stance.pledged)
        self.centers = state.centers
        self.units = state.units
        self.value, _, self.competition = assessment
        self.own = {province: unit for province, (owner, unit) in state.units.items() if owner == power}
        self.gain = {center: CENTER for center in CENTERS if state.phase == FALL and state.centers.get(center) != power}
        """Foreign centre -> what it is worth to end the phase there."""
        loss = CENTER if state.phase == FALL else CENTER / 2
        self.loss = {center: loss for center, owner in state.centers.items() if owner == power}
        """Own centre -> what it costs if an enemy ends the phase there."""
        self.foreign = frozenset(center for center in CENTERS if state.centers.get(center) != power)
        others = sorted({owner for owner, _ in state.units.values()} - {power})
        self.guesses: list[Plan] = []
        for _ in range(GUESSES):
            guess: Plan = {}
            for other in others:
                guess.update(rng.choice(SCHOOLS)(state, other, rng))
            self.guesses.append(self.interests.believed(guess))
        schools = [school(state, power, rng) | self.pledged for school in SCHOOLS]
        self.plan = max(map(self._mended, schools), key=self._score)
        self._improve(rng)

    def _improve(self, rng: Random) -> None:
        best = self._score(self.plan)
        ideas = [*self._marches(), *self._convoys(), *self._aid()]
        rng.shuffle(ideas)
        for idea in ideas:
            if idea.items() <= self.plan.items() or any(at in self.pledged for at in idea):
                continue
            trial = self._mended(self.plan | idea)
            score = self._score(trial)
            if score > best:
                self.plan, best = trial, score

    def _marches(self) -> Iterator[Plan]:
        """Each unit holding and moving anywhere, with no support up to as much as could be needed."""
        for province, unit in self.own.items():
            yield from self._backed((HOLD, unit, NONE, NONE), province)
            for there in REACH[unit]:
                yield from self._backed((MOVE, unit, there, NONE), UNIT_PROVINCE[there])

    def _convoys(self) -> Iterator[Plan]:
        """Each army by sea wherever its own power's fleets can carry it, all that can help doing so."""
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
        """Each support of another power's unit that a guess has use for."""
        aid: set[Order] = set()
        for guess in self.guesses:
            for unit in self.own.values():
                aid.update(self.interests.helpful(unit, REACH_PROVINCES[unit], guess))
        for order in sorted(aid):
            yield {UNIT_PROVINCE[order[1]]: order}

    def _backed(self, order: Order, to: int) -> Iterator[Plan]:
        """The order alone, then with ever more supports into `to`, the units in the least valuable places first."""
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

    def _mended(self, plan: Plan) -> Plan:
        """The plan, with helpers whose unit does something else now supporting that, or holding."""
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

    def _score(self, plan: Plan) -> float:
        price = sum(self.interests.price(order) for order in plan.values())
        return sum(self._outcome(plan, guess) for guess in self.guesses) - GUESSES * CENTER * price

    def _outcome(self, plan: Plan, guess: Plan) -> float:
        """Return the value of the plan if the others play the guessed orders."""
        movement = Movement(self.units, guess | plan)
        total = 0.0
        for province, unit in self.own.items():
            if province in movement.moved:
                there = plan[province][2]
                total += self.value[there] + self.gain.get(UNIT_PROVINCE[there], 0)
            elif province not in movement.dislodged_by:
                total += self.value[unit] + self.gain.get(province, 0)
        for province in self.units:
            if province not in self.own and province not in movement.dislodged_by:
                ends = movement.target[province] if province in movement.moved else province
                total -= self.loss.get(ends, 0)
                if ends in self.foreign:
                    total += self._fortune(self.units[province][0], ends)
        return total

    def _fortune(self, other: int, center: int) -> float:
        """Return the worth to us of another power's unit on a foreign centre at the end of the phase."""
        owner = self.centers.get(center)
        if owner == other:
            return 0.0
        regard = self.interests.regard
        return FORTUNE * (regard[other] - (0.0 if owner is None else regard[owner]))
