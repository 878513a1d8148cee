"""Distributions beside their tables and their moments; quantiles are tested with the intervals that they make."""

from __future__ import annotations

from math import exp, lgamma, sqrt

import pytest

from grandstand.play.ratings.distributions import mean_over_spread, student, student_tails


@pytest.mark.parametrize("freedom", [1, 2, 5, 30])
def test_the_tails_are_the_rest_of_the_level(freedom: int) -> None:
    assert student_tails(freedom, student(freedom, 0.9)) == pytest.approx(0.1)
    assert student_tails(freedom, 0.0) == 1
    assert student_tails(freedom, -2.0) == student_tails(freedom, 2.0)


@pytest.mark.parametrize("freedom", [1, 2, 3, 9, 40, 99])
def test_the_spread_of_samples_has_its_moments(freedom: int) -> None:
    """E[w^2] is 1, and E[w] the constant c4 that unbiased standard deviations are divided by."""
    c4 = sqrt(2 / freedom) * exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2))
    assert mean_over_spread(freedom, lambda w: 1.0) == pytest.approx(1, abs=1e-4)
    assert mean_over_spread(freedom, lambda w: w) == pytest.approx(c4, abs=1e-4)
    assert mean_over_spread(freedom, lambda w: w * w) == pytest.approx(1, abs=1e-4)
