"""The Nash average and the alpha-rank of small games that are solved on paper, and of planted ones from results."""

from __future__ import annotations

from math import exp, log
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.trainer.league.equilibrium import (
    alpha_rank,
    nash_average,
    scores_against,
)
from grandstand.trainer.league.payoffs import PayoffMatrix


def exploitability(scores: list[list[float]], shares: list[float]) -> float:
    """Return by how much the best player's expected score against the mixture exceeds 0.5."""
    return max(scores_against(scores, shares)) - 0.5


ROCK_PAPER_SCISSORS = [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]]
BIASED = [[0.5, 0.25, 1.0], [0.75, 0.5, 0.45], [0.0, 0.55, 0.5]]
"""Rock, paper and scissors with unequal wins: half of the payoffs (-0.5, 1, -0.1), plus a half."""


def test_each_of_rock_paper_and_scissors_has_a_third() -> None:
    assert nash_average(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)
    assert alpha_rank(ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3)


def test_a_biased_cycle_is_not_even_in_nash_but_is_in_alpha_rank() -> None:
    """The null vector of the payoffs, and the published example of alpha-rank, in which only who wins counts."""
    assert nash_average(BIASED) == pytest.approx([1 / 16, 10 / 16, 5 / 16], abs=1e-5)
    assert alpha_rank(BIASED, intensity=100) == pytest.approx([1 / 3] * 3, abs=1e-3)


def test_a_dominated_player_has_nothing() -> None:
    scores = [[*row, 0.8] for row in ROCK_PAPER_SCISSORS] + [[0.2, 0.2, 0.2, 0.5]]
    assert nash_average(scores) == pytest.approx([1 / 3] * 3 + [0.0], abs=1e-5)
    assert nash_average(scores)[3] == 0.0
    assert alpha_rank(scores)[3] < 1e-6


def test_the_best_of_a_ladder_has_everything() -> None:
    strengths = [0, 100, 250, 255, 400]
    scores = [[1 / (1 + 10 ** ((other - own) / 400)) for other in strengths] for own in strengths]
    assert nash_average(scores) == pytest.approx([0, 0, 0, 0, 1], abs=1e-5)
    assert alpha_rank(scores) == pytest.approx([0, 0, 0, 0, 1], abs=1e-5)


def test_copies_of_a_player_share_its_part() -> None:
    order = [0, 0, 0, 1, 2]
    scores = [[ROCK_PAPER_SCISSORS[row][column] for column in order] for row in order]
    assert nash_average(scores) == pytest.approx([1 / 9] * 3 + [1 / 3] * 2, abs=1e-5)


def test_a_last_stage_without_digits_left_keeps_what_was_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processor decides for which copies of players the equations are singular, to within rounding errors."""
    solve, calls = np.linalg.solve, iter(range(10**6))

    def failing(*arguments: Any) -> Any:
        if next(calls) >= 35:
            raise np.linalg.LinAlgError("Singular matrix")
        return solve(*arguments)

    expected = nash_average(BIASED)
    monkeypatch.setattr(np.linalg, "solve", failing)
    assert nash_average(BIASED) == pytest.approx(expected, abs=1e-3)
    assert next(calls) > 35


def test_players_that_nobody_can_tell_apart_are_even() -> None:
    assert nash_average([[0.5] * 7] * 7) == pytest.approx([1 / 7] * 7)
    assert alpha_rank([[0.5] * 7] * 7) == pytest.approx([1 / 7] * 7)
    assert (nash_average([[0.5]]), alpha_rank([[0.5]])) == ([1.0], [1.0])
    assert (nash_average([]), alpha_rank([])) == ([], [])


def test_of_several_equilibria_it_is_the_most_even_one() -> None:
    """Two separate cycles that are even with each other: every mixture of the two is an equilibrium."""
    scores = [[*row, 0.5, 0.5, 0.5] for row in ROCK_PAPER_SCISSORS]
    scores += [[0.5, 0.5, 0.5, *row] for row in BIASED]
    first = nash_average(scores)
    assert first[0] == pytest.approx(first[1]) == pytest.approx(first[2])
    cycle = [share / sum(first[3:]) for share in first[3:]]
    assert cycle == pytest.approx([1 / 16, 10 / 16, 5 / 16], abs=1e-4)
    odds = exp(log(3) + sum(share * log(share) for share in (1 / 16, 10 / 16, 5 / 16)))
    assert sum(first[:3]) / sum(first[3:]) == pytest.approx(odds, rel=1e-3)


def test_alpha_rank_of_two_is_the_ratio_of_the_chances_of_fixation() -> None:
    """Detailed balance: the ratio of the shares is exp((n - 1) a d)."""
    better = 0.52
    first, second = alpha_rank([[0.5, better], [1 - better, 0.5]], intensity=2.0, population=10)
    assert first / second == pytest.approx(exp(9 * 2.0 * (2 * better - 1)))


def test_alpha_rank_of_a_large_intensity_stays_finite() -> None:
    scores = [[0.5 + 0.5 * ((row > column) - (row < column)) for column in range(30)] for row in range(30)]
    assert alpha_rank(scores, intensity=1e4) == pytest.approx([0.0] * 29 + [1.0], abs=1e-9)


def test_scores_that_do_not_add_up_are_refused() -> None:
    for scores in ([[0.5, 0.7], [0.4, 0.5]], [[0.5, 0.7]]):
        for solve in (nash_average, alpha_rank):
            with pytest.raises(ValueError, match="the scores of any two players add up to 1"):
                solve(scores)


@pytest.mark.parametrize("seed", range(3))
def test_the_planted_equilibrium_is_recovered_from_results(seed: int) -> None:
    """A biased cycle and two players that lose to it, from 4,000 drawn comparisons of each pair."""
    planted = [[*row, 0.7, 0.9] for row in BIASED] + [[0.3] * 3 + [0.5, 0.6], [0.1] * 3 + [0.4, 0.5]]
    names, rng = ["rock", "paper", "scissors", "weak", "weaker"], Random(seed)
    results = {
        (names[row], names[column]): (float(sum(rng.random() < planted[row][column] for _ in range(4000))), 4000.0)
        for row in range(5)
        for column in range(row)
    }
    shares = nash_average(PayoffMatrix(results, 4.0).among(names))
    assert shares == pytest.approx([1 / 16, 10 / 16, 5 / 16, 0, 0], abs=0.05)
    assert exploitability(planted, shares) < 0.02
    even = [0.2] * 5
    assert exploitability(planted, even) > 0.1


SCORES = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.floats(0, 1), st.floats(0.499, 0.501))


@st.composite
def matrices(draw: st.DrawFn) -> list[list[float]]:
    count = draw(st.integers(1, 9))
    scores = [[0.5] * count for _ in range(count)]
    for row in range(count):
        for column in range(row):
            scores[row][column] = draw(SCORES)
            scores[column][row] = 1 - scores[row][column]
    return scores


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(matrices())
def test_nobody_beats_the_nash_average(scores: list[list[float]]) -> None:
    shares = nash_average(scores)
    assert sum(shares) == pytest.approx(1)
    assert min(shares) >= 0
    assert exploitability(scores, shares) < 1e-5


@pytest.mark.long
@settings(max_examples=100, deadline=None)
@given(matrices(), st.data())
def test_it_does_not_depend_on_the_order_nor_on_copies(scores: list[list[float]], data: st.DataObject) -> None:
    count = len(scores)
    order = data.draw(st.permutations(range(count)))
    shares = nash_average(scores)
    permuted = nash_average([[scores[row][column] for column in order] for row in order])
    assert permuted == pytest.approx([shares[number] for number in order], abs=2e-3)
    ranks = alpha_rank(scores)
    assert sum(ranks) == pytest.approx(1)
    assert alpha_rank([[scores[row][column] for column in order] for row in order]) == pytest.approx(
        [ranks[number] for number in order], abs=1e-6
    )
