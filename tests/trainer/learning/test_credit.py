"""Credit over several decisions: its two ends, and a planted game in which the true advantage is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from grandstand.trainer.config.objective_settings import AdvantageSettings
from grandstand.trainer.learning.advantages import advantages
from grandstand.trainer.learning.credit import generalized
from grandstand.trainer.rollout.trajectories import PolicyDecision, Trajectory, TrajectoryGroup
from tests.support.trainer.tiny import tiny

amounts = st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=8)
shares = st.floats(0, 1)


def compared(rewards_and_values: list[tuple[float, float]], gamma: float) -> list[float | None]:
    """Return minus value, decision by decision."""
    returns: list[float] = []
    for reward, _ in reversed(rewards_and_values):
        returns.append(reward + gamma * (returns[-1] if returns else 0.0))
    return [total - value for total, (_, value) in zip(reversed(returns), rewards_and_values, strict=True)]


@given(amounts, shares)
def test_lambda_1_is_the_return_minus_the_value(steps: list[tuple[float, float]], gamma: float) -> None:
    differences = compared(steps, gamma)
    assert generalized(differences, gamma, 1.0) == differences


@given(amounts, shares)
def test_lambda_0_is_the_difference_over_one_decision(steps: list[tuple[float, float]], gamma: float) -> None:
    values = [value for _, value in steps] + [0.0]
    expected = [reward + gamma * values[t + 1] - values[t] for t, (reward, _) in enumerate(steps)]
    assert generalized(compared(steps, gamma), gamma, 0.0) == pytest.approx(expected, abs=1e-9)


@given(amounts, shares, shares)
def test_it_is_the_discounted_sum_of_these(steps: list[tuple[float, float]], gamma: float, gae_lambda: float) -> None:
    differences = compared(steps, gamma)
    ones = [value or 0.0 for value in generalized(differences, gamma, 0.0)]
    expected = [
        sum((gamma * gae_lambda) ** (later - t) * ones[later] for later in range(t, len(ones)))
        for t in range(len(ones))
    ]
    assert generalized(differences, gamma, gae_lambda) == pytest.approx(expected, abs=1e-9)


def test_a_decision_without_a_value_is_passed_over() -> None:
    assert generalized([3.0, None, 2.0], 0.5, 0.0) == [3.0 - 0.25 * 2.0, None, 2.0]
    assert generalized([None, None], 0.5, 0.5) == [None, None]
    assert generalized([], 0.5, 0.5) == []


# --- a game whose truth is known --------------------------------------------------------------------------------------

TURNS, FORKS = 6, 400


def planted(seed: int) -> tuple[TrajectoryGroup, list[list[float]], NDArray[Any]]:
    """Return forks of a game, their returns, and the actions [fork, turn], of which each is 0 or 1 by a fair coin.

    An action is worth its number, at once if the turn is even and at the next turn if it is odd; every turn adds noise.
    The position tells what is still to come from the last action, so peers in the same stratum are in the same state.
    """
    draw = np.random.default_rng(seed)
    actions = draw.integers(0, 2, (FORKS, TURNS))
    owed = np.zeros((FORKS, TURNS + 1), int)
    owed[:, 2::2] = actions[:, 1::2]
    rewards = owed[:, :TURNS] + np.where(np.arange(TURNS) % 2 == 0, actions, 0) + draw.normal(0, 1, (FORKS, TURNS))
    rewards[:, -1] += owed[:, TURNS]
    returns = rewards[:, ::-1].cumsum(axis=1)[:, ::-1]
    forks = [
        Trajectory(
            f"g/{fork}",
            "A",
            "policy",
            {},
            [PolicyDecision(t + 1, t, 0, 1.0, (), (), (), (), {"owed": owed[fork, t]}) for t in range(TURNS)],
            {},
            {},
        )
        for fork in range(FORKS)
    ]
    return TrajectoryGroup("g/A", forks), returns.tolist(), actions


def estimates(gae_lambda: float) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return, by turn, the mean difference of the advantages of the actions 1 and 0, and their variance about it."""
    settings = AdvantageSettings(
        baseline="stratified", strata={"owed": (0.5,)}, normalize="none", clip=1e9, gae_lambda=gae_lambda
    )
    worth, spread = [], []
    for seed in range(10):
        group, returns, actions = planted(seed)
        values = np.array(advantages([group], [returns], settings, "dense").values[0], float)
        worth.append([np.diff([values[actions[:, t] == a, t].mean() for a in (0, 1)])[0] for t in range(TURNS)])
        spread.append([values[actions[:, t] == 1, t].var() for t in range(TURNS)])
    return np.mean(worth, axis=0), np.mean(spread, axis=0)


@pytest.mark.long
def test_less_lambda_has_less_variance_and_the_same_mean_where_peers_are_in_the_same_state() -> None:
    """Every action is worth 1; its estimate has a standard error of at most 0.09, from 2000 forks with each action."""
    results = [estimates(gae_lambda) for gae_lambda in (1.0, 0.8, 0.4, 0.0)]
    for worth, _ in results:
        assert worth == pytest.approx(np.ones(TURNS), abs=0.25)
    first = [spread[0] for _, spread in results]
    assert first == sorted(first, reverse=True)
    assert first[-1] < first[0] / 3
    assert results[0][1][-1] == pytest.approx(results[-1][1][-1]), "the last decision has no later one"


def test_sparse_rewards_have_no_lambda() -> None:
    with pytest.raises(
        ValueError, match=r"advantage\.gae_lambda: 0\.5 needs rewards by decision; set reward\.mode = dense"
    ):
        tiny(advantage={"gae_lambda": 0.5})
    assert tiny(advantage={"gae_lambda": 0.5}, reward={"mode": "dense"}).advantage.gae_lambda == 0.5
