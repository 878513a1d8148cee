"""Expectations of every power's orders, learned from its earlier orders.

A power is modelled as a mixture of policies: the bots that answer at once, and a player who searches. A policy that
predicted the power's orders of the last movement phases well has a large share (Bayes' rule). An expectation follows
from the positions and the public record alone, so that every seat that asks for it in the same process shares one
computation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from math import exp, log
from random import Random

from grandstand.games.diplomacy.bots import coordinated, defensive, dumbbot, hold, territorial
from grandstand.games.diplomacy.bots.search import planner
from grandstand.games.diplomacy.bots.search.boards import SEATS
from grandstand.games.diplomacy.bots.search.forecast import DOUBT, Forecast, matched
from grandstand.games.diplomacy.bots.stance import Plan, Planner, Policy, Stance, public_stance
from grandstand.games.diplomacy.press.relations import Relations
from grandstand.games.diplomacy.record.history import PlayedMovement
from grandstand.games.diplomacy.rules.orders import HOLD, NONE
from grandstand.games.diplomacy.rules.state import State

Chances = Sequence[tuple[Plan, float]]
"""Plans of one power with the probability of each."""
Ways = Mapping[str, Chances]
"""Plans of one power in one position, by the name of the policy; empty for a power without units."""


def _impartial(policy: Policy) -> Planner:
    """Return a policy as a planner that ignores its stance."""
    return lambda state, power, rng, stance: policy(state, power, rng)


SIMPLE: Mapping[str, tuple[Planner, int]] = {
    "coordinated": (coordinated.plan, 2),
    "dumbbot": (_impartial(dumbbot.play), 8),
    "defensive": (_impartial(defensive.play), 2),
    "territorial": (_impartial(territorial.play), 2),
    "hold": (_impartial(hold.play), 1),
}
"""The quick bots, and the number of draws from each: more for a bot with more randomness."""
SEARCH = "search"
"""The name of a searching player's policy: results of searches, or the strategy of regret matching."""
SEARCHES = 2
"""The number of searches of each power, with different draws."""
PRIOR = 0.5
"""The prior share of the policy SEARCH; the bots share the rest equally."""
NOISE = 0.2
"""The probability that a unit's order is a random legal one instead of the predicted one."""
EVIDENCE = 0.5
"""Weight of each order as evidence: less than 1, since the orders of one power depend on each other."""


def expected(state: State, relations: Relations, mixtures: Sequence[Mapping[str, float]]) -> Forecast:
    """Return the expected orders of all powers in a movement phase, each by its mixture of policies."""
    plans: list[tuple[Plan, ...]] = []
    chances: list[tuple[float, ...]] = []
    for ways, mixture in zip(ways_of(state, relations), mixtures, strict=True):
        weighed = [(plan, mixture[name] * chance) for name, way in ways.items() for plan, chance in way]
        plans.append(tuple(plan for plan, _ in weighed))
        chances.append(tuple(chance for _, chance in weighed))
    return Forecast(tuple(plans), tuple(chances))


def mixtures_after(past: Sequence[PlayedMovement]) -> list[dict[str, float]]:
    """Return each power's mixture of policies after these movement phases."""
    return [shares(power, past) for power in range(SEATS)]


def shares(power: int, past: Sequence[PlayedMovement]) -> dict[str, float]:
    """Return the share of each policy in the power's mixture. The shares sum to 1."""
    evidence = {SEARCH: log(PRIOR)} | dict.fromkeys(SIMPLE, log((1 - PRIOR) / len(SIMPLE)))
    for movement in past:
        for name, way in ways_of(movement.state, movement.relations)[power].items():
            evidence[name] += EVIDENCE * log_likelihood(way, power, movement)
    most = max(evidence.values())
    weights = {name: exp(value - most) for name, value in evidence.items()}
    return {name: weight / sum(weights.values()) for name, weight in weights.items()}


def log_likelihood(way: Chances, power: int, movement: PlayedMovement) -> float:
    """Return the log-probability of the power's orders under a policy, with the units taken as independent."""
    state, total = movement.state, 0.0
    legal = state.legal_orders()
    for place, (owner, unit) in state.units.items():
        if owner == power:
            held = HOLD, unit, NONE, NONE
            order = movement.orders.get(place, held)
            foreseen = sum(chance for plan, chance in way if plan.get(place, held) == order)
            total += log((1 - NOISE) * foreseen + NOISE / len(legal[place]))
    return total


@lru_cache(maxsize=64)
def ways_of(state: State, relations: Relations) -> Sequence[Ways]:
    """Return the plans of each power in a movement phase under every policy."""
    ways: list[dict[str, Chances]] = [{} for _ in range(SEATS)]
    searches: list[list[Plan]] = [[] for _ in range(SEATS)]
    digest = state.digest()
    for power in state.to_act():
        draws = partial(_draws, state, power, public_stance(state, power, relations), f"{digest}/{power}")
        searches[power] = draws(SEARCH, planner.plan, SEARCHES)
        ways[power] = {name: _alike(draws(name, play, count), 1.0) for name, (play, count) in SIMPLE.items()}
    plans, chances = matched(state, planner.ITERATIONS, searches)
    for power in state.to_act():
        strategy = [(plan, (1 - DOUBT) * chance) for plan, chance in zip(plans[power], chances[power], strict=True)]
        ways[power][SEARCH] = [*strategy, *_alike(searches[power], DOUBT)]
    return ways


def _draws(state: State, power: int, stance: Stance, seed: str, name: str, play: Planner, count: int) -> list[Plan]:
    """Return `count` plans of the power under the named policy, drawn deterministically from the arguments."""
    return [play(state, power, Random(f"{seed}/{name}/{draw}"), stance) for draw in range(count)]


def _alike(plans: Sequence[Plan], share: float) -> Chances:
    """Return the plans, among which `share` is divided equally."""
    return [(plan, share / len(plans)) for plan in plans]
