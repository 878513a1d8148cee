"""Results by opponent and their intervals: by hand, and against simulated leagues whose truth is known."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from random import Random
from statistics import fmean

import pytest

from grandstand.play.ratings.intervals import Interval, bounded_interval
from grandstand.trainer.league.rows import LeagueMatch
from grandstand.trainer.league.tables import (
    MOST_ELO,
    Outcomes,
    elo_points,
    exploitation,
    forgetting,
    interval_metrics,
    outcomes,
    score_metrics,
)

SEATS = "abcdefg"
SIBLINGS = 6


def match(lot: str, fork: int, *scores: tuple[str, float]) -> LeagueMatch:
    """Return a match in seats `a`, `b`, …, of (player, score)."""
    seats = dict(zip(SEATS, scores, strict=False))
    players = {seat: player for seat, (player, _) in seats.items()}
    points = {seat: score for seat, (_, score) in seats.items()}
    return LeagueMatch(f"{lot}-{fork}", "training", 1, "diplomacy", "{}", lot, players, points)


def policy(match: LeagueMatch) -> str:
    return "me"


# --- by hand ----------------------------------------------------------------------------------------------------------


def test_each_pair_of_seats_is_one_comparison_of_its_lot() -> None:
    matches = [
        match("g1", 0, ("me", 5), ("x", 3), ("x", 5), ("y", 9), ("me", 4)),
        match("g1", 1, ("me", 1), ("x", 2), ("y", 0)),
        match("g2", 0, ("x", 2), ("y", 1)),
    ]
    assert {name: dict(lots) for name, lots in outcomes(matches, policy).items()} == {
        "x": {"g1": [1.0, 0.5, 1.0, 0.0, 0.0]},
        "y": {"g1": [0.0, 0.0, 1.0]},
    }


def test_scores_are_by_opponent_and_by_every_category_that_it_has() -> None:
    results: Outcomes = {"x": {"g1": [1.0, 0.5], "g2": [0.0]}, "run@v000003": {"g1": [1.0]}}
    categories = {"x": {"baseline", "exploitable"}, "run@v000003": {"past", "exploitable"}}
    labels = {"run@v000003": "v3"}
    metrics = score_metrics(
        results, lambda name: labels.get(name, name), categories, ["baseline", "past", "exploitable"]
    )
    assert metrics == pytest.approx(
        {
            "league/score/v3": 1.0,
            "league/score/x": 0.5,
            "league/score_category/baseline": 0.5,
            "league/score_category/past": 1.0,
            "league/score_category/exploitable": 2.5 / 4,
        }
    )
    assert score_metrics({}, str, {}, ["past"]) == {}


def test_fewer_than_five_lots_say_nothing_however_many_matches_they_have() -> None:
    results: Outcomes = {"x": {f"g{lot}": [1.0, 0.0] * 500 for lot in range(4)}}
    assert exploitation(results, ["x", "y"]) == {}
    assert forgetting(results, ["x"]) == {}


def test_a_bot_that_always_loses_is_at_the_limit_and_never_at_infinity() -> None:
    results: Outcomes = {"x": {f"g{lot}": [1.0] * 8 for lot in range(6)}}
    interval = exploitation(results, ["x"])["x"]
    assert (interval.mean, interval.high, interval.n) == (MOST_ELO, MOST_ELO, 6)
    assert interval.low is not None
    assert 0 < interval.low < MOST_ELO


def test_metrics_have_both_ends() -> None:
    metrics = interval_metrics(
        "forgetting", {"v20": Interval(0.1, -0.05, 0.25, 9), "v40": Interval(0.1, None, None, 9)}
    )
    assert metrics == {
        "forgetting/v20": 0.1,
        "forgetting/v20/low": -0.05,
        "forgetting/v20/high": 0.25,
        "forgetting/v40": 0.1,
    }


# --- planted truth ----------------------------------------------------------------------------------------------------


class PlantedLeague:
    """A league in which seats score by strength and luck; most of the luck is the situation's, which siblings share."""

    def __init__(self, strengths: dict[str, float], shared: float = 1.5, own: float = 0.7) -> None:
        self.strengths, self.shared, self.own = strengths, shared, own

    def matches(self, draw: Random, lots: int) -> list[LeagueMatch]:
        """Return the siblings of `lots` situations: the policy in one seat, and the others drawn for each seat."""
        made = []
        for lot in range(lots):
            seats = ["me", *draw.choices([name for name in self.strengths if name != "me"], k=4)]
            luck = [draw.gauss(0, self.shared) for _ in seats]
            for fork in range(SIBLINGS):
                scores = [
                    (name, self.strengths[name] + common + draw.gauss(0, self.own))
                    for name, common in zip(seats, luck, strict=True)
                ]
                made.append(match(f"g{lot}", fork, *scores))
        return made

    def share(self, opponent: str) -> float:
        """Return the true share of comparisons that the policy wins, from many independent ones."""
        draw = Random(99)
        spread = (2 * (self.shared**2 + self.own**2)) ** 0.5
        gap = self.strengths["me"] - self.strengths[opponent]
        return fmean(draw.gauss(gap, spread) > 0 for _ in range(200_000))


PLANTED = {"me": 0.0, "weakest": -3.0, "weak": -1.5, "equal": 0.0, "strong": 1.2}


def covered(intervals: Sequence[Interval], truth: float) -> float:
    """Return the share of intervals that contain the truth."""
    return fmean(not interval.excludes(truth) for interval in intervals)


@pytest.mark.long
@pytest.mark.parametrize("lots", [10, 40])
def test_intervals_contain_the_planted_truth_at_least_as_often_as_they_say(lots: int) -> None:
    """95 %, less twice the standard error of 400 simulations; also near a share of 1, where few lots mislead."""
    league, repeats = PlantedLeague(PLANTED), 400
    simulated = [outcomes(league.matches(Random(seed), lots), policy) for seed in range(repeats)]
    for name in ("weakest", "weak", "equal", "strong"):
        share = league.share(name)
        ours = [table[name] for results in simulated if (table := forgetting(results, [name]))]
        elo = [table[name] for results in simulated if (table := exploitation(results, [name]))]
        assert len(ours) > repeats / 2
        assert covered(ours, share - 0.5) >= 0.928
        assert covered(elo, 400 * log10(share / (1 - share))) == covered(ours, share - 0.5)


def test_intervals_are_narrow_enough_to_be_of_use() -> None:
    simulated = [outcomes(PlantedLeague(PLANTED).matches(Random(seed), 80), policy) for seed in range(20)]
    widths = [forgetting(results, ["equal"])["equal"].half for results in simulated]
    assert all(width is not None and width < 0.15 for width in widths)


@pytest.mark.long
def test_siblings_as_independent_matches_would_be_wrong() -> None:
    """The same simulation, with every comparison as its own unit: intervals that are far too narrow."""
    league = PlantedLeague(PLANTED)
    share = league.share("equal")
    simulated = [outcomes(league.matches(Random(seed), 40), policy)["equal"] for seed in range(100)]
    naive = [bounded_interval([value for lot in lots.values() for value in lot]) for lots in simulated]
    assert covered(naive, share) < 0.75


def test_the_table_tells_the_beaten_from_the_unbeaten() -> None:
    table = exploitation(outcomes(PlantedLeague(PLANTED).matches(Random(1), 80), policy), ["weak", "equal", "strong"])

    def ends(name: str) -> tuple[float, float]:
        return table[name].ci95 or (0.0, 0.0)

    assert ends("weak")[0] > 0 > ends("strong")[1]
    assert ends("equal")[0] < 0 < ends("equal")[1]


def test_elo_points_are_the_inverse_of_the_expected_score() -> None:
    for points in (-799.0, -120.0, 0.0, 35.0, 700.0):
        assert elo_points(1 / (1 + 10 ** (-points / 400))) == pytest.approx(points)
    assert (elo_points(0.0), elo_points(1.0), elo_points(1e-9)) == (-MOST_ELO, MOST_ELO, -MOST_ELO)
