"""The strongest of the built-in bots: it forecasts everybody's plans, and rolls out its own against them."""

from __future__ import annotations

from random import Random

import numpy as np

from grandstand.games.diplomacy.bots import coordinated
from grandstand.games.diplomacy.bots.interests import Interests
from grandstand.games.diplomacy.bots.openings import opening
from grandstand.games.diplomacy.bots.search.boards import Floats
from grandstand.games.diplomacy.bots.search.forecast import distinct, forecast
from grandstand.games.diplomacy.bots.search.rollouts import results
from grandstand.games.diplomacy.bots.stance import Plan, Stance
from grandstand.games.diplomacy.state import FALL, SPRING, State

ITERATIONS = 16
"""Rounds of regret matching in live play."""
FAST_ITERATIONS = 4
"""The same where many games have to be played."""
REPLIES = 3
"""Plans that are sought against draws from the forecast, beside those of the forecast itself."""
GUESSES = 3
"""Draws from the forecast against which each of them is sought."""
SAMPLES = 16
"""Draws of the others' plans on which the final choice rests."""
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


def searched(state: State, power: int, rng: Random, stance: Stance, iterations: int) -> Plan:
    """Return the orders of `power` after so many iterations; with 0 it is `coordinated` with better guesses."""
    if state.phase not in (SPRING, FALL):
        return coordinated.plan(state, power, rng, stance)
    known = opening(state, power, rng, stance)
    if known is not None:
        return known
    seen = forecast(state, iterations)
    interests = Interests(state, power, stance)
    plans = [own | dict(stance.pledged) for own in seen.plans[power]]
    for _ in range(REPLIES):
        guesses = [_others(state, power, seen.sample(rng)) for _ in range(GUESSES)]
        plans.append(coordinated.best_reply(state, power, guesses, rng, stance))
    plans = list(distinct(plans))
    if not iterations:
        return plans[-1]
    worth = _worth(state, power, plans, [interests.believed(seen.sample(rng)) for _ in range(SAMPLES)], interests, rng)
    return plans[int(worth.argmax())]


def _others(state: State, power: int, joint: Plan) -> Plan:
    return {at: order for at, order in joint.items() if state.units[at][0] != power}


def _worth(state: State, power: int, plans: list[Plan], draws: list[Plan], interests: Interests, rng: Random) -> Floats:
    """Return the mean worth of each plan over draws of the others' plans."""
    noise = np.random.default_rng(rng.getrandbits(64))
    weights = OTHERS * np.array(interests.regard)
    weights[power] = 1.0
    total = np.zeros(len(plans))
    for draw in draws:
        total += results(state, [draw | own for own in plans], noise) @ weights
    price = np.array([sum(interests.price(order) for order in own.values()) for own in plans])
    return total / len(draws) - CENTER * price
