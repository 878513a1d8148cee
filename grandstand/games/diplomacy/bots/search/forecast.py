"""A forecast of a movement phase: candidate plans of every power, and their probabilities if the players reason about
each other.

The likelihoods come from regret matching over rollouts, for all powers at once. A forecast follows from the position
alone, so that every seat of a match that asks for it in the same process shares one computation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

import numpy as np

from grandstand.games.diplomacy.bots import coordinated, defensive, dumbbot
from grandstand.games.diplomacy.bots.search.boards import SEATS, Floats
from grandstand.games.diplomacy.bots.search.rollouts import results
from grandstand.games.diplomacy.bots.stance import NEUTRAL, Plan
from grandstand.games.diplomacy.rules.state import State

REPLIES = 1
"""The number of candidates of each power from `coordinated`, each against one guess of the others."""
DOUBT = 0.5
"""The share of a forecast in which all plans are equally likely, because not every player reasons so far."""
DRAWS = 2
"""The number of candidates of each power from DumbBot."""


class Forecast(NamedTuple):
    """The candidates of every power and the probability of each; both empty for a power without units."""

    plans: tuple[tuple[Plan, ...], ...]
    chances: tuple[tuple[float, ...], ...]

    def sample(self, rng: Random) -> Plan:
        """Return joint orders of all powers."""
        joint: Plan = {}
        for plans, chances in zip(self.plans, self.chances, strict=True):
            if plans:
                joint.update(rng.choices(plans, chances)[0])
        return joint

    def with_candidates(self, power: int, plans: Sequence[Plan]) -> Forecast:
        """Return the forecast with further plans of a power, of probability 0."""
        joint, chances = list(self.plans), list(self.chances)
        joint[power] += tuple(plans)
        chances[power] += (0.0,) * len(plans)
        return Forecast(tuple(joint), tuple(chances))


@lru_cache(maxsize=32)
def forecast(state: State, iterations: int) -> Forecast:
    """Return the forecast of a movement phase after `iterations` rounds; with 0, all plans are equally likely."""
    plans, chances = matched(state, iterations, ((),) * SEATS)
    doubted = (tuple((1 - DOUBT) * chance + DOUBT / len(own) for chance in own) for own in chances)
    return Forecast(plans, tuple(doubted))


def matched(state: State, iterations: int, further: Sequence[Sequence[Plan]]) -> Forecast:
    """Return the plans and average strategies of regret matching. `further` are additional candidates by power."""
    digest = state.digest()
    rng = Random(digest)
    plans = tuple(distinct([*_candidates(state, power, rng), *further[power]]) for power in range(SEATS))
    matching = Matching(plans, rng, np.random.default_rng(int(digest[:16], 16)))
    for _ in range(iterations):
        matching.step(state)
    return Forecast(plans, matching.average())


def distinct(plans: Sequence[Plan]) -> tuple[Plan, ...]:
    """Return the plans without repetitions."""
    kept: list[Plan] = []
    for plan in plans:
        if plan not in kept:
            kept.append(plan)
    return tuple(kept)


def _candidates(state: State, power: int, rng: Random) -> tuple[Plan, ...]:
    if not any(owner == power for owner, _ in state.units.values()):
        return ()
    plans = [dumbbot.play(state, power, rng) for _ in range(DRAWS)]
    plans.append(defensive.play(state, power, rng))
    plans += [
        coordinated.best_reply(state, power, coordinated.guessed(state, power, rng, 1), rng, NEUTRAL)
        for _ in range(REPLIES)
    ]
    return distinct(plans)


class Matching:
    """Regret matching plus (O. Tammelin, 2014): a plan is played in proportion to the regret of not having played
    it so far, which never falls below zero."""

    def __init__(self, plans: Sequence[Sequence[Plan]], rng: Random, noise: np.random.Generator) -> None:
        self.plans, self.rng, self.noise = plans, rng, noise
        self.regrets: list[Floats] = [np.zeros(len(own)) for own in plans]
        self.played: list[Floats] = [np.zeros(len(own)) for own in plans]
        self.rounds = 0

    def step(self, state: State) -> None:
        """Try every plan of every power against one draw of the others' plans."""
        chances = [_strategy(regret) for regret in self.regrets]
        drawn = [
            self.rng.choices(own, chance.tolist())[0] if own else {}
            for own, chance in zip(self.plans, chances, strict=True)
        ]
        joint: Plan = {}
        for own in drawn:
            joint.update(own)
        profiles = [joint | own for options in self.plans for own in options]
        scores = results(state, profiles, self.noise)
        self.rounds += 1
        start = 0
        for power, options in enumerate(self.plans):
            mine = scores[start : start + len(options), power]
            start += len(options)
            self.regrets[power] = np.maximum(self.regrets[power] + mine - chances[power] @ mine, 0.0)
            self.played[power] += self.rounds * chances[power]

    def average(self) -> tuple[tuple[float, ...], ...]:
        """Return the average strategies, in which later rounds have more weight."""
        return tuple(tuple(_strategy(played).tolist()) for played in self.played)


def _strategy(amounts: Floats) -> Floats:
    """Return probabilities in proportion to the amounts; all equal if the amounts are 0."""
    total = amounts.sum()
    return amounts / total if total > 0 else np.full(len(amounts), 1 / max(1, len(amounts)))
