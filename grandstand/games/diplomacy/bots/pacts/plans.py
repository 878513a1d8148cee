"""Joint plans of two powers for one movement phase, and what each is worth to both.

A plan is a move or a hold of one with a support of the other, or two of them, one in each direction. Rollouts against
guesses of the others' orders tell its worth to both. The best plan has the largest product of gains (Nash's bargain).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

import numpy as np

from grandstand.games.diplomacy.bots.coordinated import guessed
from grandstand.games.diplomacy.bots.search.boards import Floats
from grandstand.games.diplomacy.bots.search.rollouts import results
from grandstand.games.diplomacy.bots.stance import Plan
from grandstand.games.diplomacy.bots.talking.board import strength_at, units_of
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.rules.map import CENTERS, POWERS, REACH, REACH_PROVINCES, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import HOLD, MOVE, NONE, SUPPORT, SUPPORT_MOVE, Order
from grandstand.games.diplomacy.rules.state import State

DRAWS = 2
"""Guesses of all powers' orders against which plans are tried."""
PUSHES, GUARDS, SWAPS = 5, 2, 8
"""The most plans of each kind in each direction, and of both together: some 20 in all."""
ALTRUISM = 0.25
"""The worth to us of a fully trusted power's expected score, as a share of our own."""
ENVY = 0.1
"""The worth to all of a leader's losses, for each of its centres beyond SMALLEST."""
SMALLEST, FEARED = 6, 9
"""Centres from which the leader's losses are everybody's gain."""
SMALL = 0.002
"""A gain in expected score that is too small for a letter."""


@dataclass(frozen=True)
class JointPlan:
    """Orders of two powers for one phase, and what they gain by them in expected score."""

    orders: Plan
    """Province -> order, of both."""
    help_to: tuple[int, ...]
    """The powers whose units are helped."""
    ours: float = 0.0
    theirs: float = 0.0

    @property
    def product(self) -> float:
        """Return the product of gains; a gain of next to nothing counts as a small one."""
        least = min(self.ours, self.theirs)
        return (self.ours + SMALL) * (self.theirs + SMALL) if least > -SMALL else least


def joint_plans(mind: Mind, other: int, taken: Mapping[int, Order]) -> list[JointPlan]:
    """Return some 20 joint plans with another power, best first. Units in `taken` keep the orders that they have."""
    plans = [*_candidates(mind, other, taken)]
    return sorted(worth(mind, other, plans), key=lambda plan: -plan.product)


def worth(mind: Mind, other: int, plans: Sequence[JointPlan]) -> list[JointPlan]:
    """Return the plans with both powers' gains, compared with the seat's draft."""
    if not plans:
        return []
    gains = _gains(mind.state, mind.draft, [plan.orders for plan in plans])
    ours, theirs = gains @ _weights(mind, mind.power, other), gains @ _weights(mind, other, mind.power)
    return [
        JointPlan(plan.orders, plan.help_to, float(own), float(their))
        for plan, own, their in zip(plans, ours, theirs, strict=True)
    ]


def _gains(state: State, draft: Plan, plans: Sequence[Plan]) -> Floats:
    """Return [plans, powers]: the change of expected scores by each plan, on average over the guesses."""
    guesses = foreseen(state)
    profiles = [guess | draft | plan for guess in guesses for plan in ({}, *plans)]
    noise = np.random.default_rng(state.year)
    scores = results(state, profiles, noise, len(guesses)).reshape(len(guesses), len(plans) + 1, -1)
    gains: Floats = (scores[:, 1:] - scores[:, :1]).mean(axis=0)
    return gains


@lru_cache(maxsize=4)
def foreseen(state: State) -> tuple[Plan, ...]:
    """Return guesses of all powers' orders, from public information."""
    return tuple(guessed(state, NONE, Random(state.digest()), DRAWS))


def _weights(mind: Mind, power: int, partner: int) -> Floats:
    """Return the worth of each power's expected score to `power` in a bargain with `partner`."""
    weights = np.zeros(len(POWERS))
    leader = max(range(len(POWERS)), key=mind.centers.__getitem__)
    if mind.centers[leader] >= FEARED and leader != power:
        weights[leader] = -ENVY * (mind.centers[leader] - SMALLEST)
    trust = mind.trust[partner if power == mind.power else power]
    if partner != leader or mind.centers[leader] < FEARED:
        weights[partner] += ALTRUISM * max(0.2, trust)
    weights[power] = 1.0
    return weights


def _candidates(mind: Mind, other: int, taken: Mapping[int, Order]) -> Iterator[JointPlan]:
    ours = [*pushes(mind, mind.power, other, taken), *_guards(mind, mind.power, other, taken)]
    theirs = [*pushes(mind, other, mind.power, taken), *_guards(mind, other, mind.power, taken)]
    yield from ours
    yield from theirs
    swaps = 0
    for one in ours:
        for two in theirs:
            if one.orders.keys().isdisjoint(two.orders) and swaps < SWAPS and not same_aim(one, two):
                swaps += 1
                yield JointPlan(one.orders | two.orders, (*one.help_to, *two.help_to))


def same_aim(one: JointPlan, two: JointPlan) -> bool:
    """Return whether two plans bring units to the same place."""
    return bool(_aims(one) & _aims(two))


def _aims(plan: JointPlan) -> set[int]:
    """Return the places where the helped units are to stand."""
    return {UNIT_PROVINCE[there if kind == MOVE else unit] for kind, unit, there, _ in plan.orders.values()
            if kind in (MOVE, HOLD)}  # fmt: skip


def pushes(mind: Mind, mover: int, helper: int, taken: Mapping[int, Order]) -> list[JointPlan]:
    """Return the moves of one power into a centre, or against a unit, that a unit of the other can support."""
    state = mind.state
    expected = mind.draft if mover == mind.power else foreseen(state)[0]
    helpers = [(at, unit) for at, unit in units_of(state, helper) if at not in taken]
    found: list[tuple[float, Plan]] = []
    for at, unit in units_of(state, mover):
        for there in REACH[unit]:
            move: Order = (MOVE, unit, there, NONE)
            target = UNIT_PROVINCE[there]
            if taken.get(at, move) != move or not _is_open(mind, target, mover, helper):
                continue
            value = 2.0 * (target in CENTERS) + (expected.get(at) == move) + 1.5 * _is_close(mind, target, mover)
            for near, backer in helpers:
                if target in REACH_PROVINCES[backer] and near not in (at, target):
                    idle = (mind.draft if helper == mind.power else foreseen(state)[0]).get(near, move)[0] != MOVE
                    found.append((value + 0.5 * idle, {at: move, near: (SUPPORT_MOVE, backer, unit, there)}))
    return [JointPlan(plan, (mover,)) for _, plan in sorted(found, key=lambda item: -item[0])[:PUSHES]]


def _is_open(mind: Mind, target: int, mover: int, helper: int) -> bool:
    """Return whether two powers may plan a move into a place: it belongs to neither, nor to a friend of ours."""
    state = mind.state
    owners = {state.centers.get(target, NONE), state.units.get(target, (NONE,))[0]} - {NONE}
    if {mover, helper} & owners or (target not in CENTERS and target not in state.units):
        return False
    return not any(mind.attitudes.get(owner) == "ally" for owner in owners)


def _is_close(mind: Mind, target: int, mover: int) -> bool:
    """Return whether one more support into a place could decide over it."""
    others = [power for power in range(len(POWERS)) if power != mover]
    theirs = max(strength_at(mind.state, power, target) for power in others)
    return 0 <= theirs - strength_at(mind.state, mover, target) <= 1


def _guards(mind: Mind, holder: int, helper: int, taken: Mapping[int, Order]) -> list[JointPlan]:
    """Return the holds of one power's threatened units that a unit of the other can support."""
    state = mind.state
    plans: list[tuple[int, Plan]] = []
    for at, unit in units_of(state, holder):
        hold: Order = (HOLD, unit, NONE, NONE)
        if state.centers.get(at) != holder or taken.get(at, hold) != hold:
            continue
        hostile = [power for power in range(len(POWERS)) if power not in (holder, helper)]
        danger = max(strength_at(state, power, at) for power in hostile)
        if danger < 2 or danger < strength_at(state, holder, at):
            continue
        for near, backer in units_of(state, helper):
            if near not in taken and at in REACH_PROVINCES[backer]:
                plans.append((danger, {at: hold, near: (SUPPORT, backer, unit, NONE)}))
                break
    return [JointPlan(plan, (holder,)) for _, plan in sorted(plans, key=lambda item: -item[0])[:GUARDS]]
