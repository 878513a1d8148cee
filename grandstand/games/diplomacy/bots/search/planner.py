"""The strongest of the built-in bots: it forecasts everybody's plans, and tests its own in rollouts."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from grandstand.games.diplomacy.bots import coordinated
from grandstand.games.diplomacy.bots.ideas import Ideas
from grandstand.games.diplomacy.bots.interests import Interests
from grandstand.games.diplomacy.bots.openings import opening
from grandstand.games.diplomacy.bots.search.boards import Floats
from grandstand.games.diplomacy.bots.search.forecast import Forecast, distinct, forecast
from grandstand.games.diplomacy.bots.search.rollouts import results
from grandstand.games.diplomacy.bots.stance import Plan, Stance
from grandstand.games.diplomacy.rules.state import FALL, SPRING, State

ITERATIONS = 16
"""Rounds of regret matching in live play."""
FAST_ITERATIONS = 4
"""Rounds of regret matching in long series of matches."""
REPLIES = 2
"""The number of plans that are searched for, besides the plans of the forecast itself."""
GUESSES = 3
"""The number of draws from the forecast against which each of them is searched for."""
SAMPLES = 16
"""Number of draws of the others' plans for the final choice."""
POLISH = 2
"""The number of times that the best plan is improved by changes, tried in rollouts."""
IDEAS = 64
"""The most changes that are tried each time."""
FEW = 4
"""The number of draws on which changes are tried first; the best are then tried on all draws."""
FINALISTS = 4
"""The number of changes that are tried on all draws."""
TIDY = 0.002
"""The worth that a tidy plan may lose."""
CENTER = 0.05
"""The price of a centre, as a share of the score."""
OTHERS = 0.1
"""Weight of the others' scores, times our regard for them."""


def plan(state: State, power: int, rng: Random, stance: Stance) -> Plan:
    """Search: forecasts everybody's orders by regret matching, and rolls its own plans out against them."""
    return searched(state, power, rng, stance, ITERATIONS)


def fast_plan(state: State, power: int, rng: Random, stance: Stance) -> Plan:
    """Search-fast: the same as search with fewer iterations, for training and long series."""
    return searched(state, power, rng, stance, FAST_ITERATIONS)


def searched(
    state: State, power: int, rng: Random, stance: Stance, iterations: int, outlook: Forecast | None = None
) -> Plan:
    """Return the orders of `power` after `iterations` rounds of regret matching; with 0, those of `coordinated` with
    better guesses.

    `outlook` is the forecast of all powers' orders, by default that of `forecast`. The power's own plans in it are
    candidates.
    """
    if state.phase not in (SPRING, FALL):
        return coordinated.plan(state, power, rng, stance)
    book = opening(state, power, rng, stance)
    if book is not None:
        return book
    outlook = outlook or forecast(state, iterations)
    return _Choice(state, Interests(state, power, stance), stance, outlook, rng).plan(iterations)


class _Choice:
    """The choice of one power's orders in a movement phase."""

    def __init__(self, state: State, interests: Interests, stance: Stance, outlook: Forecast, rng: Random) -> None:
        self.state, self.power, self.interests, self.rng = state, interests.power, interests, rng
        replies = [
            coordinated.best_reply(state, self.power, self._guesses(outlook), rng, stance) for _ in range(REPLIES)
        ]
        self.plans = [*replies, *(own | interests.pledged for own in outlook.plans[self.power])]
        self.draws = [interests.believed(outlook.sample(rng)) for _ in range(SAMPLES)]
        self.noise = np.random.default_rng(rng.getrandbits(64))
        self.weights = OTHERS * np.array(interests.regard)
        self.weights[self.power] = 1.0

    def plan(self, iterations: int) -> Plan:
        """Return the best plan found; without iterations, the first reply to the forecast."""
        if not iterations:
            return self.plans[0]
        best = self._best(distinct(self.plans))
        ideas = Ideas(self.interests, self.draws[:GUESSES])
        for _ in range(POLISH):
            trials = [ideas.mended(best | idea) for idea in ideas.shuffled(self.rng)[:IDEAS]]
            trials = list(distinct([best, *trials]))
            worth = self._worth(trials, self.draws[:FEW])
            finalists = [trials[at] for at in np.argsort(-worth)[:FINALISTS]]
            improved = self._best(distinct([best, *finalists]))
            if improved == best:
                break
            best = improved
        tidy = ideas.tidied(best)
        worth = self._worth([best, tidy], self.draws)
        return tidy if worth[0] - worth[1] < TIDY else best

    def _best(self, plans: Sequence[Plan]) -> Plan:
        return plans[int(self._worth(plans, self.draws).argmax())]

    def _worth(self, plans: Sequence[Plan], draws: Sequence[Plan]) -> Floats:
        """Return the mean worth of each plan over draws of the others' plans."""
        joint = [draw | own for draw in draws for own in plans]
        scores = results(self.state, joint, self.noise, len(draws)) @ self.weights
        price = np.array([sum(self.interests.price(order) for order in own.values()) for own in plans])
        worth: Floats = scores.reshape(len(draws), -1).mean(axis=0) - CENTER * price
        return worth

    def _guesses(self, outlook: Forecast) -> list[Plan]:
        """Return draws from the forecast, of the others' orders alone."""
        return [
            {at: order for at, order in outlook.sample(self.rng).items() if self.state.units[at][0] != self.power}
            for _ in range(GUESSES)
        ]
