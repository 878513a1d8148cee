"""A bot that searches for joint orders: the strongest of the built-in bots, and the slowest."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random

from grandstand.games.diplomacy.bots import defensive, dumbbot, territorial
from grandstand.games.diplomacy.bots.ideas import Ideas
from grandstand.games.diplomacy.bots.interests import Interests
from grandstand.games.diplomacy.bots.mix import adjusted
from grandstand.games.diplomacy.bots.openings import opening
from grandstand.games.diplomacy.bots.stance import Plan, Policy, Stance
from grandstand.games.diplomacy.bots.values import assess
from grandstand.games.diplomacy.rules.adjudicate import Movement
from grandstand.games.diplomacy.rules.map import CENTERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.state import FALL, SPRING, State

SCHOOLS: tuple[Policy, ...] = (dumbbot.play, territorial.play, defensive.play)
"""Policies from which the guesses of other powers' orders and the first plan are drawn."""
GUESSES = 3
"""Number of guesses of the others' joint orders against which a plan is tried."""
CENTER = 1e8
"""The worth of a centre that changes hands, in units of `values.assess`; a unit on a centre is worth about as much."""
SLACK = CENTER / 5
"""The deficit for each remaining guess at which a plan is given up."""
TIDY = CENTER / 1000
"""The worth that a tidy plan may lose."""
FORTUNE = CENTER / 2
"""The worth of a centre that changes hands between others, times our regard for the gainer."""


def plan(state: State, power: int, rng: Random, stance: Stance) -> Plan:
    """Coordinated: searches for joint orders, with supports and convoys, that do best against guesses of the rest."""
    if state.phase in (SPRING, FALL):
        book = opening(state, power, rng, stance)
        return book or best_reply(state, power, guessed(state, power, rng), rng, stance)
    return adjusted(state, power, assess(state, power).value, rng)


def guessed(state: State, power: int, rng: Random, count: int = GUESSES) -> list[Plan]:
    """Return guesses of the joint orders of all other powers."""
    others = sorted({owner for owner, _ in state.units.values()} - {power})
    guesses: list[Plan] = []
    for _ in range(count):
        guess: Plan = {}
        for other in others:
            guess.update(rng.choice(SCHOOLS)(state, other, rng))
        guesses.append(guess)
    return guesses


def best_reply(state: State, power: int, guesses: Sequence[Plan], rng: Random, stance: Stance) -> Plan:
    """Return the orders that do best on average against the guesses of the others' orders."""
    return _Search(state, power, guesses, rng, stance).plan


class _Search:
    """The search of one movement phase: it starts with the best plan of the schools and tries every idea in random
    order. An idea that does better is kept.

    A plan is tried by adjudicating it against each guess. It is worth the places where its units then stand and the
    centres that change hands.
    """

    def __init__(self, state: State, power: int, guesses: Sequence[Plan], rng: Random, stance: Stance) -> None:
        self.interests = Interests(state, power, stance)
        self.centers = state.centers
        self.units = state.units
        self.gain = {center: CENTER for center in CENTERS if state.phase == FALL and state.centers.get(center) != power}
        """Foreign centre -> the worth of a unit there at the end of the phase."""
        loss = CENTER if state.phase == FALL else CENTER / 2
        self.loss = {center: loss for center, owner in state.centers.items() if owner == power}
        """Own centre -> the loss if an enemy's unit is there at the end of the phase."""
        self.foreign = frozenset(center for center in CENTERS if state.centers.get(center) != power)
        self.guesses = [self.interests.believed(guess) for guess in guesses]
        self.ideas = Ideas(self.interests, self.guesses)
        self.value, self.own = self.ideas.value, self.ideas.own
        self.plan: Plan = {}
        self.outcomes = [-inf] * len(self.guesses)
        """The value of the plan against each guess, less its price."""
        for school in SCHOOLS:
            self._try(self.ideas.mended(school(state, power, rng) | self.interests.pledged))
        for idea in self.ideas.shuffled(rng):
            if not idea.items() <= self.plan.items():
                self._try(self.ideas.mended(self.plan | idea))
        self._try(self.ideas.tidied(self.plan), TIDY)

    def _try(self, trial: Plan, grace: float = 0.0) -> None:
        """Keep the trial if it does better than the plan, or worse by less than a grace; give up early on one that
        falls far behind."""
        price = CENTER * sum(self.interests.price(order) for order in trial.values())
        outcomes: list[float] = []
        ahead = 0.0
        for guess, best in zip(self.guesses, self.outcomes, strict=True):
            outcomes.append(self._outcome(trial, guess) - price)
            ahead += outcomes[-1] - best
            if ahead < -SLACK * (len(self.guesses) - len(outcomes)):
                return
        if ahead > -grace:
            self.plan, self.outcomes = trial, outcomes

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
