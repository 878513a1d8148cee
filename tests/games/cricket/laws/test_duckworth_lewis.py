from __future__ import annotations

import pytest

from grandstand.games.cricket.laws.duckworth_lewis import par_score, resources


def test_table_values() -> None:
    assert resources(120, 0) == 56.6
    assert resources(60, 5) == 26.1
    assert resources(0, 3) == 0
    assert resources(60, 10) == 0


def test_part_overs_lie_between_whole_ones() -> None:
    assert resources(60, 2) < resources(63, 2) < resources(66, 2)
    assert resources(63, 2) == pytest.approx((30.8 + 33.4) / 2)


def test_long_innings_continue_the_table() -> None:
    assert resources(300, 0) == pytest.approx(100, abs=0.2)
    for wickets in range(10):
        assert resources(121, wickets) == pytest.approx(resources(120, wickets), abs=0.5)


@pytest.mark.parametrize("wickets", range(10))
def test_more_balls_never_mean_fewer_resources(wickets: int) -> None:
    values = [resources(balls, wickets) for balls in range(301)]
    assert values == sorted(values)


def test_par_scales_down_and_adds_g50_upwards() -> None:
    assert par_score(160, 56.6, 32.1) == 90
    assert par_score(160, 56.6, 56.6) == 160
    assert par_score(160, 32.1, 56.6) == 220
