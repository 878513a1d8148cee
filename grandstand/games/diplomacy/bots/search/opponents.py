"""Expectations of every power's orders that learn from what the power ordered before.

A power is taken for a mixture of ways to play: those of the bots that answer at once, and that of a player who
searches. The better a way foresaw the power's orders in the last movement phases, the larger is its share (Bayes'
rule). An expectation follows from the positions and the public record alone, so that every seat that asks for it in the
same process shares one computation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from math import exp, log
from random import Random

from grandstand.games.diplomacy.bots import coordinated, defensive, dumbbot, hold, territorial
from grandstand.games.diplomacy.bots.policy import Policy
from grandstand.games.diplomacy.bots.search import planner
from grandstand.games.diplomacy.bots.search.boards import SEATS
from grandstand.games.diplomacy.bots.search.forecast import DOUBT, Forecast, matched
from grandstand.games.diplomacy.bots.stance import Plan, Planner, Stance, public_stance
from grandstand.games.diplomacy.press.relations import Relations
from grandstand.games.diplomacy.record.history import PlayedMovement
from grandstand.games.diplomacy.rules.orders import HOLD, NONE
from grandstand.games.diplomacy.rules.state import State

Chances = Sequence[tuple[Plan, float]]
"""Plans of one power with the probability of each."""
Ways = Mapping[str, Chances]
"""Orders of one power in one position, by the name of the way to play; empty for a power without units."""


def _impartial(policy: Policy) -> Planner:
    """Return a policy, which has no stance, as a planner."""
    return lambda state, power, rng, stance: policy(state, power, rng)


SIMPLE: Mapping[str, tuple[Planner, int]] = {
    "coordinated": (coordinated.plan, 2),
    "dumbbot": (_impartial(dumbbot.play), 8),
    "defensive": (_impartial(defensive.play), 2),
    "territorial": (_impartial(territorial.play), 2),
    "hold": (_impartial(hold.play), 1),
}
"""The bots that answer at once, and how often each is asked: more often where more depends on chance."""
SEARCH = "search"
"""The way of a player who searches: what searches come to, or the strategy to which regret matching leads."""
SEARCHES = 2
"""Number of searches of each power, with other draws."""
PRIOR = 0.5
"""The share of that way before anything was seen; the bots have equal parts of the rest."""
NOISE = 0.2
"""Probability that a unit's order is not the one that a way foresees, but any legal one."""
EVIDENCE = 0.5
"""Weight of each order as evidence: less than 1, since the orders of one power depend on each other."""


def expected(state: State, relations: Relations, mixtures: Sequence[Mapping[str, float]]) -> Forecast:
    """Return what all powers are expected to order in a movement phase, each playing by its mixture of ways."""
    plans: list[tuple[Plan, ...]] = []
    chances: list[tuple[float, ...]] = []
    for ways, mixture in zip(ways_of(state, relations), mixtures, strict=True):
        weighed = [(plan, mixture[name] * chance) for name, way in ways.items() for plan, chance in way]
        plans.append(tuple(plan for plan, _ in weighed))
        chances.append(tuple(chance for _, chance in weighed))
    return Forecast(tuple(plans), tuple(chances))


def mixtures_after(past: Sequence[PlayedMovement]) -> list[dict[str, float]]:
    """Return the mixture that each power is taken for after these movement phases."""
    return [shares(power, past) for power in range(SEATS)]


def shares(power: int, past: Sequence[PlayedMovement]) -> dict[str, float]:
    """Return the share of every way to play in the mixture that the power is taken for; their sum is 1."""
    evidence = {SEARCH: log(PRIOR)} | dict.fromkeys(SIMPLE, log((1 - PRIOR) / len(SIMPLE)))
    for movement in past:
        for name, way in ways_of(movement.state, movement.relations)[power].items():
            evidence[name] += EVIDENCE * log_likelihood(way, power, movement)
    most = max(evidence.values())
    weights = {name: exp(value - most) for name, value in evidence.items()}
    return {name: weight / sum(weights.values()) for name, weight in weights.items()}


def log_likelihood(way: Chances, power: int, movement: PlayedMovement) -> float:
    """Return the log-probability that a way gave to the orders of the power, each unit taken by itself."""
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
    """Return the orders of each power in a movement phase by every way to play."""
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
    """Return what the power would order by the named way, in so many draws that follow from the arguments alone."""
    return [play(state, power, Random(f"{seed}/{name}/{draw}"), stance) for draw in range(count)]


def _alike(plans: Sequence[Plan], share: float) -> Chances:
    """Return the plans with equal parts of the share."""
    return [(plan, share / len(plans)) for plan in plans]
