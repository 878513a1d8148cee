"""The payoff matrix begins even and follows the results."""

from __future__ import annotations

import pytest

from grandstand.trainer.league.payoffs import expected_scores, points_and_games


def test_expected_scores_begin_even_and_follow_the_results() -> None:
    results = points_and_games([("a", "b", 3, 2, 6), ("a", "b", 1, 0, 2), ("b", "a", 2, 2, 8)])
    assert results["a", "b"] == (5.0, 8.0)
    scores = expected_scores(["a", "b", "c"], results, prior=4.0)
    assert scores[0][1] == pytest.approx((2 + 5) / 12)
    assert scores[1][0] == pytest.approx((2 + 3) / 12)
    assert [row[2] for row in scores] == [0.5] * 3
    assert expected_scores(["a", "c"], results, prior=0.0) == [[0.5, 0.5], [0.5, 0.5]]
