"""Tournaments against planted truth, on a small scale: coverage, and the errors of leagues of equal players."""

from __future__ import annotations

from math import sqrt

import pytest

from benchmarks.tournaments import Shape, measure

pytestmark = pytest.mark.long

SMALL = (
    Shape("round-robin", 3, {"matches": 60}),
    Shape("Swiss", 6, {"matches": 36, "format": "swiss"}),
    Shape("one against all", 2, {"matches": 84, "game": "diplomacy", "format": "one-against-all"}),
    Shape("until scores are precise", 2, {"until": 0.15, "max_matches": 240}),
    Shape("until the lead is certain", 3, {"until": 0.02, "goal": "lead", "max_matches": 180}),
)
LEAGUES = 30


@pytest.mark.long
@pytest.mark.parametrize("shape", SMALL, ids=lambda shape: shape.name)
def test_intervals_contain_the_truth_and_equals_are_not_told_apart(shape: Shape) -> None:
    counts = measure(shape, LEAGUES, seed=5)
    for sort in ("scores", "ratings", "seats"):
        total = counts[sort]
        if total:
            # The players of a league are not independent: as few as its leagues may be.
            error = sqrt(0.05 * 0.95 / min(total, LEAGUES))
            assert counts[f"{sort} covered"] / total >= 0.95 - 3 * error, f"{sort}: {counts}"
    for mistake in ("called different", "wrong winners"):
        assert counts[mistake] / LEAGUES <= 0.05 + 3 * sqrt(0.05 * 0.95 / LEAGUES), f"{mistake}: {counts}"


def test_a_great_gap_is_noticed_early() -> None:
    shape = Shape("until the lead is certain", 2, {"until": 0.02, "goal": "lead", "max_matches": 480})
    counts = measure(shape, 10, seed=6)
    assert counts["gaps noticed"] >= 8
    assert counts["matches"] / counts["gaps"] < 300
