"""Estimates of ability by a season: unbiased, shrunk towards what is usual, and better than nothing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from grandstand.games.cricket.model.ball_model import DATA, PHASE_SD
from grandstand.games.cricket.model.estimates import estimate
from grandstand.games.cricket.model.teams import Team, invented_teams


@cache
def teams() -> Sequence[Team]:
    return [team for seed in range(400) for team in invented_teams(seed)]


def abilities(kind: str) -> np.ndarray:
    """[player, (estimated, actual)] along the direction of ability: `bat`, `front` or `part` for those who bowl."""
    out = []
    for team in teams():
        for player, known in zip(team.players, team.estimates, strict=True):
            if kind == "bat":
                out.append((known.batting, DATA["ability"]["sd_batter"] * player.batting))
            elif player.style is not None and player.front_line == (kind == "front"):
                actual = DATA["ability"]["sd_bowler"] * player.bowling + PHASE_SD * player.liking[2]
                out.append((known.bowling[2], actual))
    return np.array(out)


@pytest.mark.parametrize(("kind", "explained"), [("bat", 0.4), ("front", 0.3), ("part", 0.02)])
def test_what_is_estimated_is_the_mean_of_what_is_there(kind: str, explained: float) -> None:
    estimated, actual = abilities(kind).T
    slope, start = np.polyfit(estimated, actual, 1)
    assert slope == pytest.approx(1, abs=0.1 if kind != "part" else 0.35)
    assert np.mean(actual - estimated) == pytest.approx(0, abs=0.01)
    assert np.var(actual - estimated) < (1 - explained) * np.var(actual)
    assert abs(start) < 0.1


def test_a_part_timer_bowls_and_aims_worse() -> None:
    season = {"inns": 12, "runs": 300, "avg": 30.0, "sr": 145, "overs": 30, "wkts": 9, "econ": [9.0, 8.6, 10.7]}
    bowler, batter = estimate(8, "bowler", season), estimate(2, "batter", season)
    assert bowler.bowling[0] == pytest.approx(0, abs=0.01)
    assert batter.bowling[0] < -0.1
    assert batter.accuracy > bowler.accuracy == pytest.approx(1.08)


def test_a_keeper_has_no_figures_with_the_ball() -> None:
    keeper = estimate(4, "keeper", {"inns": 12, "runs": 0, "avg": 0.0, "sr": 0})
    assert keeper.bowling == (-0.24, -0.24, -0.24)
    assert keeper.batting < 0
