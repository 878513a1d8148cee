"""A forecast of a movement phase: candidate plans of every power, and how likely each is among players who think.

The likelihoods come from regret matching over rollouts, for all powers at once. A forecast follows from the position
alone, so that every seat of a match that asks for it in the same process shares one computation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

import numpy as np

from grandstand.games.diplomacy.bots import coordinated, defensive, dumbbot
from grandstand.games.diplomacy.bots.search.boards import SEATS, Floats
from grandstand.games.diplomacy.bots.search.rollouts import results
from grandstand.games.diplomacy.bots.stance import NEUTRAL, Plan
from grandstand.games.diplomacy.orders import Order
from grandstand.games.diplomacy.state import State

REPLIES = 1
"""Candidates of each power that `coordinated` finds, each against one guess of the rest."""
DOUBT = 0.5
"""The share of doubt in a forecast: of it, all plans are equally likely, since not everybody thinks that far."""
DRAWS = 2
"""Candidates of each power that DumbBot draws."""

Proposals = tuple[tuple[tuple[tuple[int, Order], ...], ...], ...]
"""Per power, plans that somebody proposes, as the items of each in order, and as often as they are proposed; () where
nobody proposes any."""


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


@lru_cache(maxsize=32)
def forecast(state: State, iterations: int, proposals: Proposals = ()) -> Forecast:
    """Return the forecast of a movement phase after so many rounds of regret matching; with 0 all plans are equal.

    Proposals are candidates beside the others, and the share of doubt goes to them, as often as each is proposed.
    """
    digest = state.digest()
    rng = Random(digest)
    candidates = [_candidates(state, power, rng) for power in range(SEATS)]
    proposed = [[dict(plan) for plan in own] for own in proposals or ((),) * SEATS]
    plans = tuple(distinct([*own, *more]) for own, more in zip(candidates, proposed, strict=True))
    doubts = [_shares(own, more or own) for own, more in zip(plans, proposed, strict=True)]
    matching = Matching(plans, rng, np.random.default_rng(int(digest[:16], 16)), doubts)
    for _ in range(iterations):
        matching.step(state)
    return Forecast(plans, matching.average())


def proposals_of(plans: Iterable[Iterable[Plan]]) -> Proposals:
    """Return the plans proposed for each power, in the form in which `forecast` takes them."""
    return tuple(tuple(tuple(sorted(plan.items())) for plan in own) for own in plans)


def distinct(plans: Sequence[Plan]) -> tuple[Plan, ...]:
    """Return the plans without repetitions."""
    kept: list[Plan] = []
    for plan in plans:
        if plan not in kept:
            kept.append(plan)
    return tuple(kept)


def _shares(plans: Sequence[Plan], proposed: Sequence[Plan]) -> Floats:
    """Return how often each of the plans is proposed, as shares."""
    counts = np.array([proposed.count(plan) for plan in plans], dtype=np.float64)
    shares: Floats = counts / max(1.0, counts.sum())
    return shares


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

    def __init__(
        self,
        plans: Sequence[Sequence[Plan]],
        rng: Random,
        noise: np.random.Generator,
        doubts: Sequence[Floats] | None = None,
    ) -> None:
        """`doubts` are the shares of each power's plans in the share of doubt; by default all alike."""
        self.plans, self.rng, self.noise = plans, rng, noise
        self.doubts = doubts or [_shares(own, own) for own in plans]
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
        """Return the average strategies, later rounds counting more, with a share of doubt."""
        if not self.rounds:
            return tuple(tuple(doubt.tolist()) for doubt in self.doubts)
        return tuple(
            tuple(((1 - DOUBT) * played / played.sum() + DOUBT * doubt).tolist()) if len(played) else ()
            for played, doubt in zip(self.played, self.doubts, strict=True)
        )


def _strategy(regret: Floats) -> Floats:
    total = regret.sum()
    return regret / total if total > 0 else np.full(len(regret), 1 / max(1, len(regret)))
