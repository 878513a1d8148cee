from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.games.diplomacy.rules.scoring import SCORINGS, score

START = [3, 3, 3, 3, 3, 4, 3]


def test_draw_size() -> None:
    assert score("draw-size", [10, 10, 0, 14, 0, 0, 0], {}) == pytest.approx([1 / 3, 1 / 3, 0, 1 / 3, 0, 0, 0])


def test_sum_of_squares() -> None:
    assert score("sum-of-squares", [1, 2, 3, 0, 0, 0, 0], {}) == pytest.approx([1 / 14, 4 / 14, 9 / 14, 0, 0, 0, 0])


def test_cdiplo() -> None:
    assert score("c-diplo", [12, 10, 6, 6, 0, 0, 0], {}) == [51, 25, 10.5, 10.5, 1, 1, 1]
    assert sum(score("c-diplo", [14, 9, 5, 3, 2, 1, 0], {})) == 100


def test_carnage() -> None:
    counts = [12, 12, 5, 5, 0, 0, 0]
    assert score("carnage", counts, {4: 1905, 5: 1907, 6: 1905}) == [6512, 6512, 4505, 4505, 1500, 3000, 1500]


@pytest.mark.parametrize(
    ("system", "solo"), [("sum-of-squares", 1), ("draw-size", 1), ("c-diplo", 100), ("carnage", 28_034)]
)
def test_a_solo_takes_all(system: str, solo: float) -> None:
    assert score(system, [18, 16, 0, 0, 0, 0, 0], {}) == [solo, 0, 0, 0, 0, 0, 0]


@given(st.sampled_from(sorted(SCORINGS)), st.lists(st.integers(0, 6), min_size=7, max_size=7).filter(any))
def test_more_centres_never_score_less(system: str, counts: list[int]) -> None:
    eliminated = {power: 1905 for power, count in enumerate(counts) if count == 0}
    points = score(system, counts, eliminated)
    ranked = sorted(zip(counts, points, strict=True))
    assert all(more[1] >= less[1] for less, more in itertools.pairwise(ranked))
    if system in ("sum-of-squares", "draw-size"):
        assert sum(points) == pytest.approx(1)
