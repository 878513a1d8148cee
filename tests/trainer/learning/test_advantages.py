"""Advantages, by hand, and what must hold of any baseline."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from grandstand.trainer.config.objective_settings import AdvantageSettings, CreditMode
from grandstand.trainer.learning.advantages import Advantages, advantages, peer_sets, stratum
from grandstand.trainer.rollout.trajectories import PolicyDecision, Trajectory, TrajectoryGroup

STRATA = {"centers": [3, 5], "year": [1902]}
Returns = list[list[list[float]]]


def decision(index: int = 0, **features: float) -> PolicyDecision:
    return PolicyDecision(index + 1, index, 0, 1.0, (), (), (), (), features)


def group(name: str, forks: Sequence[Sequence[PolicyDecision | int]], seat: str = "ENGLAND") -> TrajectoryGroup:
    """Siblings, each in an episode of its own. A decision may be given as its index."""
    made = []
    for fork, decisions in enumerate(forks):
        played = [item if isinstance(item, PolicyDecision) else decision(item) for item in decisions]
        made.append(Trajectory(f"{name}/{fork}", seat, "policy", {}, played, {}, {}))
    return TrajectoryGroup(f"{name}/{seat}", made)


def settings(**fields: Any) -> AdvantageSettings:
    return AdvantageSettings.model_validate({"normalize": "none"} | fields)


def flat(computed: Advantages) -> list[float | None]:
    return [value for of_group in computed.values for of_trajectory in of_group for value in of_trajectory]


ONE_EACH = group("a", [[0], [0], [0], [0]])
FOUR: Returns = [[[1.0], [2.0], [3.0], [6.0]]]


def test_group() -> None:
    result = advantages([ONE_EACH], FOUR, settings(), "sparse")
    assert result.values == [[[-2], [-1], [0], [3]]]


def test_normalized_by_the_population_standard_deviation() -> None:
    """sqrt((4 + 1 + 0 + 9) / 4)."""
    result = advantages([ONE_EACH], FOUR, settings(normalize="group"), "sparse")
    assert flat(result) == pytest.approx([value / math.sqrt(3.5) for value in (-2, -1, 0, 3)])
    assert result.metrics["advantage/std"] == pytest.approx(1)


def test_leave_one_out() -> None:
    result = advantages([ONE_EACH], FOUR, settings(baseline="leave_one_out"), "sparse")
    assert flat(result) == pytest.approx([1 - 11 / 3, 2 - 10 / 3, 3 - 3, 6 - 2])


def test_dense_turns_are_compared_at_the_same_time() -> None:
    """Three forks from turn 4 on; the last one has no choice at turn 5, and the first alone has one at turn 7."""
    forks = group("a", [[4, 5, 7], [4, 5], [4]])
    returns: Returns = [[[1.0, 10.0, 99.0], [2.0, 20.0], [6.0]]]
    result = advantages([forks], returns, settings(), "dense")
    assert result.values == [[[-2, -5, None], [-1, 5], [3]]]
    assert result.metrics["processing/skipped_single_sample"] == 1


def test_sparse_ones_with_the_whole_trajectory_whatever_its_length() -> None:
    forks = group("a", [[4, 5, 7], [4, 5], [4]])
    returns: Returns = [[[1.0] * 3, [2.0] * 2, [6.0]]]
    result = advantages([forks], returns, settings(), "sparse")
    assert result.values == [[[-2, -2, -2], [-1, -1], [3]]]


def test_a_groups_turns_have_one_scale() -> None:
    """The first decisions spread by 4, the last by 0.02: divided by each time's own they would weigh the same."""
    forks = group("a", [[0, 1], [0, 1]])
    returns: Returns = [[[4.0, 0.02], [-4.0, -0.02]]]
    result = advantages([forks], returns, settings(normalize="group"), "dense")
    scale = math.sqrt((2 * 16 + 2 * 0.0004) / 4)
    assert flat(result) == pytest.approx([4 / scale, 0.02 / scale, -4 / scale, -0.02 / scale])


def test_time_is_counted_from_where_a_group_begins() -> None:
    """Two groups of one seat, forked after 3 and 30 turns; one sibling's first choice in the second is masked."""
    groups = [group("a", [[3, 4], [3, 4]]), group("b", [[31], [30, 31]])]
    returns: Returns = [[[1.0, 5.0], [1.0, 5.0]], [[8.0], [4.0, 5.0]]]
    result = advantages(groups, returns, settings(baseline="seat"), "dense")
    assert result.values == [
        [[1 - 5 / 2, 5 - 18 / 3], [1 - 5 / 2, 5 - 18 / 3]],
        [[8 - 15 / 3], [4 - 2 / 2, 5 - 18 / 3]],
    ]


def test_seat_over_the_batch() -> None:
    """England's three decisions are compared with each other, each without itself; France's two likewise."""
    groups = [group("a", [[0], [0]]), group("b", [[0]]), group("a", [[0], [0]], "FRANCE")]
    returns: Returns = [[[1.0], [2.0]], [[6.0]], [[-1.0], [-3.0]]]
    result = advantages(groups, returns, settings(baseline="seat"), "sparse")
    assert flat(result) == pytest.approx([1 - 4, 2 - 3.5, 6 - 1.5, 2, -2])


def test_an_episode_counts_once_however_many_turns_it_has() -> None:
    groups = [group("a", [[0, 1, 2, 3], [0]]), group("b", [[0]])]
    returns: Returns = [[[10.0] * 4, [0.0]], [[2.0]]]
    result = advantages(groups, returns, settings(baseline="seat"), "sparse")
    assert result.values == [[[9, 9, 9, 9], [-6]], [[-3]]]


def test_stratified() -> None:
    """Small and large positions apart; the middle one is alone in its stratum."""
    sizes = [[decision(centers=c, year=1901)] for c in (1, 3, 4, 6, 7)]
    returns: Returns = [[[1.0], [3.0], [50.0], [10.0], [18.0]]]
    result = advantages([group("a", sizes)], returns, settings(baseline="stratified", strata=STRATA), "sparse")
    assert flat(result) == [-2, 2, None, -8, 8]


def test_stratum() -> None:
    assert stratum({"centers": 3, "year": 1903}, STRATA) == (0, 1)
    assert stratum({"centers": 3.5, "year": 1902, "units": 9}, STRATA) == (1, 0)
    with pytest.raises(ValueError, match=r"advantage\.strata: year unknown; the game's features are centers, units"):
        stratum({"centers": 3, "units": 4}, STRATA)


def random_groups(draw: np.random.Generator) -> tuple[list[TrajectoryGroup], Returns]:
    groups, returns = [], []
    for number in range(6):
        lengths = draw.integers(1, 4, size=4)
        forks = [
            [decision(index, centers=float(draw.integers(1, 8)), year=1901.0 + index) for index in range(length)]
            for length in lengths
        ]
        groups.append(group(str(number), forks, ("ENGLAND", "FRANCE")[number % 2]))
        returns.append([draw.normal(size=length).tolist() for length in lengths])
    return groups, returns


EVERY: list[dict[str, Any]] = [{"baseline": "group"}, {"baseline": "leave_one_out"}, {"baseline": "seat"}]
EVERY += [{"baseline": "stratified", "strata": STRATA}]


@pytest.mark.parametrize("fields", EVERY, ids=lambda fields: fields["baseline"])
@pytest.mark.parametrize("mode", ["dense", "sparse"])
def test_peers_do_not_depend_on_what_came_of_it(fields: dict[str, Any], mode: CreditMode) -> None:
    """Outcomes cannot leak: whatever a match brought and however it ended, its decisions have the same peers."""
    draw = np.random.default_rng(0)
    groups, _ = random_groups(draw)
    others = [
        replace(
            item,
            trajectories=[
                replace(
                    trajectory,
                    final={"win": draw.normal()},
                    scores={trajectory.seat: draw.normal()},
                    decisions=[
                        replace(decision, rewards={"centers": draw.normal()}) for decision in trajectory.decisions
                    ],
                )
                for trajectory in item.trajectories
            ],
        )
        for item in groups
    ]
    assert peer_sets(groups, settings(**fields), mode) == peer_sets(others, settings(**fields), mode)


@pytest.mark.parametrize("fields", EVERY[1:], ids=lambda fields: fields["baseline"])
def test_a_baseline_does_not_depend_on_the_turns_own_return(fields: dict[str, Any]) -> None:
    """A return that is 5 more is an advantage that is 5 more: nothing of it is in the baseline."""
    groups, returns = random_groups(np.random.default_rng(1))
    before = advantages(groups, returns, settings(clip=1e9, **fields), "dense")
    for at, fork in ((0, 0), (3, 2), (5, 1)):
        more = [[list(decisions) for decisions in of_group] for of_group in returns]
        more[at][fork][0] += 5
        after = advantages(groups, more, settings(clip=1e9, **fields), "dense").values[at][fork][0]
        known = before.values[at][fork][0]
        assert known is not None
        assert after == pytest.approx(known + 5)


def test_the_groups_own_mean_only_scales() -> None:
    """1 - 1/n of leave-one-out."""
    whole = flat(advantages([ONE_EACH], FOUR, settings(), "sparse"))
    without = flat(advantages([ONE_EACH], FOUR, settings(baseline="leave_one_out"), "sparse"))
    assert whole == pytest.approx([0.75 * value for value in without if value is not None])


@given(seed=st.integers(0, 2**31), mode=st.sampled_from(("dense", "sparse")))
def test_a_groups_first_turns_sum_to_0(seed: int, mode: CreditMode) -> None:
    groups, returns = random_groups(np.random.default_rng(seed))
    if mode == "sparse":
        returns = [[[decisions[0]] * len(decisions) for decisions in of_group] for of_group in returns]
    result = advantages(groups, returns, settings(normalize="group", clip=1e9), mode)
    for of_group in result.values:
        assert sum(decisions[0] or 0.0 for decisions in of_group) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_groups_without_spread_and_groups_of_one_are_skipped_and_counted(shift: float) -> None:
    groups = [group("a", [[0], [0]]), group("b", [[0]]), group("c", [[0], [0], [0]])]
    returns: Returns = [[[1.0 + shift], [3.0 + shift]], [[7.0]], [[2.0 + shift]] * 3]
    result = advantages(groups, returns, settings(), "sparse")
    assert result.values == [[[-1], [1]], [[None]], [[None]] * 3]
    assert result.metrics == pytest.approx(
        {
            "processing/skipped_single_sample": 1,
            "processing/skipped_zero_variance": 1,
            "processing/total_samples_skipped": 4,
            "processing/skip_rate": 4 / 6,
            "processing/effective_batch_size": 2,
            "advantage/clipped_count": 0,
            "advantage/mean": 0,
            "advantage/std": 1,
            "advantage/min": -1,
            "advantage/max": 1,
        }
    )


@pytest.mark.parametrize("batch_normalize", [False, True])
@given(returns=st.lists(st.floats(-1e3, 1e3), min_size=4, max_size=4), clip=st.floats(0.01, 3))
def test_never_beyond_the_clip(batch_normalize: bool, returns: list[float], clip: float) -> None:
    chosen = settings(batch_normalize=batch_normalize, clip=clip)
    result = advantages([ONE_EACH], [[[value] for value in returns]], chosen, "sparse")
    assert all(value is None or abs(value) <= clip for value in flat(result))


def test_clips_are_counted() -> None:
    result = advantages([ONE_EACH], FOUR, settings(clip=1.5), "sparse")
    assert flat(result) == [-1.5, -1, 0, 1.5]
    assert result.metrics["advantage/clipped_count"] == 2


def test_over_the_batch() -> None:
    """Then the clip, which is applied last."""
    groups = [group("a", [[0], [0]]), group("b", [[0], [0]])]
    returns: Returns = [[[1.0], [3.0]], [[0.0], [14.0]]]
    result = advantages(groups, returns, settings(batch_normalize=True), "sparse")
    assert flat(result) == pytest.approx([value / 5 for value in (-1, 1, -7, 7)])
    cut = advantages(groups, returns, settings(batch_normalize=True, clip=1), "sparse")
    assert flat(cut) == pytest.approx([-0.2, 0.2, -1, 1])
    assert cut.metrics["advantage/clipped_count"] == 2


def test_over_the_batch_with_a_mean_to_take_away() -> None:
    """Compared by seat, the longer trajectory's decisions outweigh the other's: 2, 2, 2 and -2."""
    groups = [group("a", [[0, 1, 2], [0]])]
    result = advantages(groups, [[[3.0] * 3, [1.0]]], settings(baseline="seat", batch_normalize=True), "sparse")
    assert flat(result) == pytest.approx([1 / math.sqrt(3)] * 3 + [-math.sqrt(3)])
    assert (result.metrics["advantage/mean"], result.metrics["advantage/std"]) == pytest.approx((0, 1))


@pytest.mark.parametrize("mode", ["dense", "sparse"])
def test_nothing_at_all(mode: CreditMode) -> None:
    result = advantages([group("a", [[], []])], [[[], []]], settings(), mode)
    assert result.values == [[[], []]]
    assert result.metrics["processing/skip_rate"] == 0
    assert "advantage/mean" not in result.metrics
    assert advantages([], [], settings(), mode).values == []


def test_returns_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="shorter"):
        advantages([ONE_EACH], [[[1.0], [2.0], [3.0]]], settings(), "sparse")
    with pytest.raises(ValueError, match="a return in a/1 is nan"):
        advantages([ONE_EACH], [[[1.0], [math.nan], [3.0], [4.0]]], settings(), "sparse")


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"baseline": "critic"}, "baseline"),
        ({"clip": 0}, "clip"),
        ({"clip": math.inf}, "clip"),
        ({"min_variance": 1}, "min_variance"),
        ({"baseline": "stratified"}, "strata has 0 features: give strata to the baseline stratified"),
        ({"strata": {"year": [1]}}, "baseline is group and strata has 1 features"),
        ({"baseline": "stratified", "strata": {"year": [5, 3]}}, r"thresholds of year must be one or more, ascending"),
        ({"baseline": "stratified", "strata": {"year": []}}, "thresholds of year"),
    ],
)
def test_settings_that_are_refused(fields: dict[str, Any], refusal: str) -> None:
    with pytest.raises(ValidationError, match=refusal):
        settings(**fields)
