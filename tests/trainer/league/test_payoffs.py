"""The payoff matrix begins even, or with the ratings, and follows the results."""

from __future__ import annotations

import pytest

from grandstand.trainer.league.payoffs import PayoffMatrix, points_and_games


def test_expected_scores_begin_even_and_follow_the_results() -> None:
    results = points_and_games([("a", "b", 3, 2, 6), ("a", "b", 1, 0, 2), ("b", "a", 2, 2, 8)])
    assert results["a", "b"] == (5.0, 8.0)
    scores = PayoffMatrix(results, 4.0).among(["a", "b", "c"])
    assert scores[0][1] == pytest.approx((2 + 5) / 12)
    assert scores[1][0] == pytest.approx((2 + 3) / 12)
    assert [row[2] for row in scores] == [0.5] * 3


def test_players_that_never_met_are_expected_to_score_by_their_ratings() -> None:
    """A weak player is not even with a strong one only because they have not met."""
    ratings = {"strong": 1900.0, "weak": 1500.0}
    matrix = PayoffMatrix({("weak", "strong"): (3.0, 9.0), ("strong", "weak"): (6.0, 9.0)}, 2.0, ratings)
    assert matrix.among(["weak", "strong"])[0][1] == pytest.approx((2 / 11 + 3) / 11)
    unmet = PayoffMatrix({}, 2.0, ratings).among(["weak", "strong", "new"])
    assert unmet[0] == pytest.approx([0.5, 1 / 11, 0.5])
    assert unmet[1] == pytest.approx([10 / 11, 0.5, 0.5])
