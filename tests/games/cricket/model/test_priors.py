"""The distributions of what is hidden: unbiased, and shared between the innings as far as the pitch is."""

from __future__ import annotations

import numpy as np
import pytest

from grandstand.games.cricket.model.priors import conditions, crossed, individuals, survivors


def test_the_two_innings_share_the_pitch() -> None:
    result = conditions()
    prior, nodes = np.array(result.prior), np.array([-1.0, 0.0, 1.0]) * 3**0.5
    assert prior @ nodes == pytest.approx(0, abs=1e-8)
    assert prior @ nodes**2 == pytest.approx(1, abs=1e-6)
    assert np.allclose(result.follows.sum(axis=1), 1)
    assert np.allclose(prior @ result.follows, prior, atol=2e-3)
    correlation = prior @ (nodes * (result.follows @ nodes))
    assert 0.4 < correlation < 0.65  # .0144 of .0280 of the variance is the pitch's


def test_crossing_keeps_the_means() -> None:
    other = individuals()
    first = np.array([[1.0] * 11, [3.0] * 11]), np.array([0.25, 0.75])
    factors, shares = crossed(first, other)
    assert shares.sum() == pytest.approx(1)
    assert np.allclose(shares @ factors, 2.5 * (other[1] @ other[0]))


def test_those_still_in_are_better() -> None:
    sixes = [survivors(0.05, faced)[5] for faced in (0, 10, 40)]
    assert 1 == sixes[0] < sixes[1] < sixes[2] < 1.2
