"""Repeated looks: published boundaries, and the risk of an error over all looks together."""

from __future__ import annotations

import numpy as np
import pytest

from grandstand.campaigns.tournament.sequential import looks, spending_boundaries


def test_published_boundaries() -> None:
    """Five equal looks with the Pocock-like function of Lan and DeMets, as the package ldbounds tabulates them."""
    boundaries = spending_boundaries([0.2, 0.4, 0.6, 0.8, 1.0], 0.05)
    assert boundaries == pytest.approx([2.4380, 2.4268, 2.4101, 2.3966, 2.3859], abs=5e-4)


def test_a_single_look_is_the_usual_interval() -> None:
    assert spending_boundaries([1.0], 0.05) == pytest.approx([1.959964], abs=1e-5)
    assert looks(5, 5, 0.05).levels == pytest.approx((0.95,), abs=1e-7)


def test_looks_grow_to_the_last() -> None:
    schedule = looks(5, 200, 0.05)
    assert schedule.at[0] == 5
    assert schedule.at[-1] == 200
    assert all(a < b for a, b in zip(schedule.at, schedule.at[1:], strict=False))
    assert schedule.level(1) == schedule.levels[0]
    assert schedule.level(6) == schedule.level(7) == schedule.levels[1]
    assert schedule.level(300) == schedule.levels[-1]


@pytest.mark.long
@pytest.mark.parametrize("alpha", [0.05, 0.05 / 28])
def test_the_risk_over_all_looks_is_alpha(alpha: float) -> None:
    """Random walks without drift, the exact setting of the theory: their share beyond any boundary is alpha."""
    schedule = looks(5, 100, alpha)
    boundaries = spending_boundaries([count / 100 for count in schedule.at], alpha)
    walks = 400_000 if alpha < 0.01 else 40_000
    random = np.random.default_rng(7)
    sums, before, crossed = np.zeros(walks), 0, np.zeros(walks, bool)
    for count, boundary in zip(schedule.at, boundaries, strict=True):
        sums += random.normal(0, np.sqrt(count - before), walks)
        crossed |= np.abs(sums) > boundary * np.sqrt(count)
        before = count
    error = np.sqrt(alpha * (1 - alpha) / walks)
    assert abs(crossed.mean() - alpha) < 4 * error
