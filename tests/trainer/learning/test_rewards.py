"""Rewards, by hand: which decision brought what, what it is credited with, and where its variance comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from grandstand.games.training import Component, Entry, Rewards
from grandstand.trainer.config.objective_settings import ELO, AdvantageSettings, RewardSettings, resolve
from grandstand.trainer.learning.advantages import peer_sets
from grandstand.trainer.learning.rewards import (
    EloRatings,
    contributions,
    judge,
    returns,
    surprise,
    totals,
    variance_shares,
)
from grandstand.trainer.rollout.trajectories import PolicyDecision, Trajectory, TrajectoryGroup

COMPONENTS = {
    "centers": Component("centres gained"),
    "units": Component("units gained"),
    "win": Component("a win", final=True),
}
REWARDS = Rewards(COMPONENTS, {"bonus": 50.0, "threshold": 5.0}, lambda events, seat, settings: [])


def decision(seq: int, index: int = 0, **rewards: float) -> PolicyDecision:
    return PolicyDecision(seq, index, 0, 1.0, (), (), (), (), {}, rewards)


def trajectory(
    decisions: Sequence[PolicyDecision], final: Mapping[str, float] | None = None, **changed: Any
) -> Trajectory:
    made: dict[str, Any] = {"opponents": {}, "scores": {}, "final": final or {}, **changed}
    return Trajectory("match", "ENGLAND", "policy", decisions=decisions, **made)


def settings(**fields: Any) -> RewardSettings:
    return RewardSettings.model_validate({"weights": {"centers": 2.0, "units": 0.5, "win": 10.0}} | fields)


JUDGED = trajectory(
    [
        decision(10, 0, centers=1, units=0),
        decision(20, 1, centers=0, units=-2),
        decision(30, 2, centers=3, units=2),
    ],
    {"win": 1.0},
)
"""Steps are worth 2, -1 and 7, the end 10."""


def test_entries_go_to_the_turn_they_follow() -> None:
    entries = [
        Entry(9, "centers", 100),
        Entry(10, "centers", 1),
        Entry(19, "units", 2),
        Entry(20, "units", 3),
        Entry(29, "units", 4),
        Entry(31, "centers", 5),
        Entry(3, "win", 0.25),
        Entry(99, "win", 0.5),
    ]
    judged = judge(trajectory([decision(10), decision(20), decision(30)]), entries, COMPONENTS)
    assert [item.rewards for item in judged.decisions] == [
        {"centers": 1, "units": 2},
        {"centers": 0, "units": 7},
        {"centers": 5, "units": 0},
    ]
    assert judged.final == {"win": 0.75}


def test_no_turns() -> None:
    judged = judge(trajectory([]), [Entry(5, "centers", 1), Entry(6, "win", 1)], COMPONENTS)
    assert (judged.decisions, judged.final) == ([], {"win": 1.0})
    assert returns(judged, settings()) == []


def test_a_component_that_the_game_does_not_have() -> None:
    with pytest.raises(ValueError, match="the ledger has solo, which is none of centers, units, win"):
        judge(trajectory([decision(1)]), [Entry(2, "solo", 1)], COMPONENTS)


def test_turns_out_of_order() -> None:
    with pytest.raises(ValueError, match=r"not in order: \[20, 10\]"):
        judge(trajectory([decision(20), decision(10)]), [], COMPONENTS)


@given(
    entries=st.lists(
        st.builds(Entry, st.integers(0, 50), st.sampled_from(sorted(COMPONENTS)), st.integers(-5, 5).map(float))
    )
)
def test_nothing_is_lost_and_nothing_is_paid_twice(entries: list[Entry]) -> None:
    judged = judge(trajectory([decision(0), decision(10), decision(40)]), entries, COMPONENTS)
    paid = sum(sum(item.rewards.values()) for item in judged.decisions) + sum(judged.final.values())
    assert paid == sum(entry.amount for entry in entries)


@pytest.mark.parametrize(
    ("gamma", "expected"),
    [
        (1.0, [18, 16, 17]),
        (0.5, [2 + 0.5 * (-1 + 0.5 * 17), -1 + 0.5 * 17, 17]),
        (0.0, [2, -1, 17]),
    ],
)
def test_dense(gamma: float, expected: list[float]) -> None:
    assert returns(JUDGED, settings(gamma=gamma)) == pytest.approx(expected)


def test_sparse() -> None:
    assert returns(JUDGED, settings(mode="sparse", gamma=0.5)) == [18, 18, 18]
    assert totals(JUDGED, settings()) == {"centers": 8, "units": 0, "win": 10}


def test_contributions_are_the_returns_in_parts() -> None:
    parts = contributions(JUDGED, settings(gamma=0.5))
    assert parts[0] == pytest.approx({"centers": 2 + 0.25 * 6, "units": 0.5 * (-1) + 0.25 * 1, "win": 2.5})
    assert parts[2] == {"centers": 6, "units": 1, "win": 10}


def test_a_component_without_a_weight_counts_nothing() -> None:
    assert returns(JUDGED, settings(weights={"units": 1, "win": 0})) == [0, 0, 2]


def test_a_component_that_was_not_judged() -> None:
    with pytest.raises(ValueError, match="solo has a weight but was never judged; judged are centers, units, win"):
        returns(JUDGED, settings(weights={"solo": 1}))


def test_defaults_of_the_game_are_filled_in() -> None:
    assert resolve(settings(settings={"bonus": 9}), REWARDS).settings == {"bonus": 9, "threshold": 5}


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"weights": {"centres": 1}}, "reward.weights: centres unknown; there are centers, units, win"),
        ({"settings": {"bonsu": 1}}, "reward.settings: bonsu unknown; there are bonus, threshold"),
        ({"weights": {}}, "reward.weights: nothing counts; give a weight to one of centers, units, win"),
        ({"weights": {"win": 0}}, "nothing counts"),
    ],
)
def test_what_the_game_does_not_know(fields: dict[str, Any], refusal: str) -> None:
    with pytest.raises(ValueError, match=refusal):
        resolve(settings(**fields), REWARDS)


def test_names_that_a_component_cannot_have() -> None:
    with pytest.raises(ValueError, match="cannot be called step: rename it"):
        resolve(settings(weights={"step": 1}), Rewards({"step": Component("")}, {}, REWARDS.ledger))


@pytest.mark.parametrize(
    "fields", [{"gamma": 1.1}, {"mode": "shaped"}, {"weight": {}}, {"weights": {"a": float("nan")}}, {"elo_scale": -1}]
)
def test_settings_that_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match=next(iter(fields))):
        settings(**fields)


POINTS = EloRatings({"policy": 1200, "even": 1200, "weak": 1000, "strong": 1600})
RATED = trajectory(
    JUDGED.decisions,
    JUDGED.final,
    opponents={"FRANCE": "weak", "ITALY": "strong"},
    scores={"ENGLAND": 8, "FRANCE": 8, "ITALY": 3},
)


def test_expected_scores_by_hand() -> None:
    """200 points are 0.7597, 400 are odds of ten to one."""
    assert POINTS.expected("policy", "even") == 0.5
    assert POINTS.expected("policy", "weak") == pytest.approx(0.759747)
    assert POINTS.expected("policy", "strong") == pytest.approx(1 / 11)
    assert POINTS.expected("strong", "policy") == pytest.approx(10 / 11)


def test_surprise_by_hand() -> None:
    """A draw with the weak one and a win over the strong one: 0.75 where (0.759747 + 0.090909) / 2 was expected."""
    assert surprise(RATED, POINTS) == pytest.approx(0.75 - 0.425328, abs=1e-6)


def test_elo_conditioned_returns() -> None:
    judged = judge(RATED, [], COMPONENTS, POINTS)
    assert judged.final[ELO] == pytest.approx(0.324672, abs=1e-6)
    assert returns(judged, settings(elo_scale=100)) == pytest.approx([32.4672] * 3, abs=1e-4)
    assert returns(judged, settings(elo_scale=100, gamma=0.5)) == pytest.approx([8.1168, 16.2336, 32.4672], abs=1e-4)
    assert returns(judged, settings()) == [0, 0, 0]


def test_elo_without_ratings_is_refused() -> None:
    with pytest.raises(ValueError, match="elo has a weight but was never judged; judge with ratings"):
        returns(JUDGED, settings(elo_scale=1))


@pytest.mark.parametrize("points", [25.0, 50.0, 0.0, -1.5, float("nan"), 1e5])
def test_ratings_in_other_units_are_refused(points: float) -> None:
    """With skills of 0 to 50 in a formula of 400 points everybody would be everybody's equal."""
    with pytest.raises(ValueError, match=r"the rating of bot, .*, is not in Elo points .*convert it"):
        EloRatings({"policy": 1200, "bot": points})


def test_who_is_not_rated() -> None:
    with pytest.raises(ValueError, match="no rating of weak; there are policy"):
        surprise(RATED, EloRatings({"policy": 1200}))
    with pytest.raises(ValueError, match="ENGLAND in match has no opponents"):
        surprise(JUDGED, POINTS)


def test_shares_by_hand() -> None:
    """Sums 0, 4, 8: variance 32/3. Covariances with it: centers (0, 1, 2) a quarter, win the rest."""
    credited = [{"centers": 0.0, "win": 0.0}, {"centers": 1.0, "win": 3.0}, {"centers": 2.0, "win": 6.0}]
    assert variance_shares(credited, COMPONENTS) == pytest.approx(
        {
            "reward/centers_share": 0.25,
            "reward/win_share": 0.75,
            "reward/step_share": 0.25,
            "reward/final_share": 0.75,
        }
    )


def test_a_component_that_evens_out_has_a_negative_share() -> None:
    credited = [{"centers": 0.0, "units": 0.0}, {"centers": 2.0, "units": -1.0}]
    shares = variance_shares(credited, COMPONENTS)
    assert (shares["reward/centers_share"], shares["reward/units_share"]) == (2, -1)


def test_elo_is_a_final_component() -> None:
    shares = variance_shares([{"centers": 1.0, ELO: 0.0}, {"centers": 1.0, ELO: 1.0}], COMPONENTS)
    assert (shares["reward/elo_share"], shares["reward/final_share"], shares["reward/step_share"]) == (1, 1, 0)


@pytest.mark.parametrize("credited", [[], [{}], [{"win": 0.1}] * 7, [{"win": 1.0, "units": 0.0}, {"units": 1.0}]])
def test_no_shares_where_nothing_varies(credited: list[dict[str, float]]) -> None:
    assert variance_shares(credited, COMPONENTS) == {}


@given(
    table=st.lists(st.tuples(*[st.floats(-100, 100, width=32)] * 3), min_size=2, max_size=20), sets=st.integers(1, 4)
)
def test_shares_sum_to_1(table: list[tuple[float, ...]], sets: int) -> None:
    credited = [dict(zip(COMPONENTS, row, strict=True)) for row in table]
    shares = variance_shares(credited, COMPONENTS, [row % sets for row in range(len(table))])
    if shares:
        assert shares["reward/step_share"] + shares["reward/final_share"] == pytest.approx(1, abs=1e-6)
        assert sum(shares[f"reward/{name}_share"] for name in COMPONENTS) == pytest.approx(1, abs=1e-6)


def test_an_outcome_in_disguise_is_seen() -> None:
    """Steps tell the groups' starts apart, the end tells the answers apart: among siblings all is outcome."""
    draw = np.random.default_rng(4)
    groups = [
        TrajectoryGroup(
            f"0/{group}/ENGLAND",
            [
                trajectory(
                    [decision(1, 0, centers=10.0 * group + 0.1 * draw.normal(), units=0.0)], {"win": draw.normal()}
                )
                for _ in range(8)
            ],
        )
        for group in range(6)
    ]
    chosen = settings(weights={"centers": 1, "win": 1})
    credited = [parts for group in groups for item in group.trajectories for parts in contributions(item, chosen)]
    peers = peer_sets(groups, AdvantageSettings(), chosen.mode)
    assert variance_shares(credited, COMPONENTS)["reward/step_share"] > 0.98
    assert variance_shares(credited, COMPONENTS, peers)["reward/final_share"] > 0.95
