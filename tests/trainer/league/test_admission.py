"""Versions join the league, most of them leave it in time, and those that matter stay."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from grandstand.play.ratings.plackett_luce import rate
from grandstand.play.ratings.table import ScoredMatch
from grandstand.trainer.league.admission import elite, is_landmark, is_recent, members


def test_the_newest_are_members_and_older_ones_ever_more_sparsely() -> None:
    assert members(3, 5, 4, 0) == []
    assert members(24, 1, 4, 0) == [8, 12, 16, 18, 20, 21, 22, 23, 24]
    inside = members(5000, 5, 4, 0)
    assert inside[-4:] == [4985, 4990, 4995, 5000]
    assert inside[0] < 5000 / 2
    gaps = [later - earlier for earlier, later in pairwise(inside)]
    assert gaps == sorted(gaps, reverse=True)
    assert len(inside) <= 4 + 3 * 10, "their number grows with the logarithm of the steps"


def test_a_version_that_has_left_never_returns() -> None:
    before: set[int] = set()
    for now in range(1, 600):
        inside = set(members(now, 3, 4, 0))
        assert inside <= before | {now}
        before = inside


@pytest.mark.parametrize("recent", [1, 2, 7])
def test_the_number_of_recent_ones_is_as_set(recent: int) -> None:
    for now in range(60, 90):
        last = range(now - recent + 1, now + 1)
        assert all(is_recent(version, now, 1, recent) for version in last)


def test_landmarks_and_elites_stay_for_ever() -> None:
    for now in range(100, 4000, 37):
        inside = members(now, 5, 2, 50, elites=(35, 85))
        assert set(range(50, now + 1, 50)) <= set(inside)
        assert {35, 85} <= set(inside)
    assert 35 not in members(4000, 5, 2, 50)
    assert not is_landmark(0, 50)
    assert not is_landmark(50, 0)


def test_what_is_yet_to_come_is_no_member() -> None:
    assert members(10, 5, 4, 5, elites=(15,)) == [5, 10]


# --- the best version -------------------------------------------------------------------------------------------------


def duels(strength: dict[str, float], matches: int, seed: int) -> list[ScoredMatch]:
    """Matches of two between players of planted Elo ratings, each pair as often as any other."""
    rng = Random(seed)
    names = sorted(strength)
    pairs = [(a, b) for a in names for b in names if a < b]
    results = []
    for number in range(matches):
        a, b = pairs[number % len(pairs)]
        won = rng.random() < 1 / (1 + 10 ** ((strength[b] - strength[a]) / 400))
        seats = ("x", "y") if number % 4 < 2 else ("y", "x")
        results.append(
            ScoredMatch(dict(zip(seats, (a, b), strict=True)), dict(zip(seats, (won, not won), strict=True)))
        )
    return results


def test_a_version_that_is_stronger_by_far_becomes_the_best() -> None:
    table = rate(duels({"r@v000000": 1500, "r@v000005": 1520, "r@v000010": 1800}, 600, seed=1))
    assert elite(table, {"r@v000005": 5, "r@v000010": 10}, "r@v000000") == 10


def test_of_several_that_are_better_it_is_the_strongest() -> None:
    table = rate(duels({"r@v000000": 1300, "r@v000005": 1600, "r@v000010": 1900}, 900, seed=2))
    assert elite(table, {"r@v000005": 5, "r@v000010": 10}, "r@v000000") == 10
    assert elite(table, {"r@v000005": 5}, "r@v000000") == 5
    assert elite(table, {"r@v000005": 5}, "r@v000010") is None


def test_versions_of_equal_strength_rarely_become_the_best() -> None:
    """With three candidates none of which is better, the error is held at about 2.5 % for all of them together."""
    names = {"r@v000005": 5, "r@v000010": 10, "r@v000015": 15}
    strength = dict.fromkeys(["r@v000000", *names], 1500.0)
    chosen = [elite(rate(duels(strength, 120, seed)), names, "r@v000000") for seed in range(200)]
    assert sum(version is not None for version in chosen) <= 12  # 200 at 2.5 %: 5 expected, 12 at one in 300


def test_nobody_is_better_than_who_has_not_played() -> None:
    table = rate(duels({"r@v000005": 1500, "r@v000010": 1900}, 100, seed=3))
    assert elite(table, {"r@v000005": 5, "r@v000010": 10}, "r@v000000") is None
