"""Ratings: the same as a reference's, true on planted leagues, and honest where little is known."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.ratings import League, measure
from grandstand.play.ratings.models import DEFAULT
from grandstand.play.ratings.plackett_luce import rate
from grandstand.play.ratings.table import MIDDLE, POINTS, RatingError, ScoredMatch, holm, ranking

ORDERS = (
    "0231 4312 2340 3201 4302 3210 1340 4320 4021 4230 4210 2430 2041 2430 4231 2340 3201 4201 3210 4021"
    " 4231 2310 3021 4230 1432 4302 2430 0241 4031 3401 4201 4012 3201 2340 3021 3401 4203 4231 3210 2310"
)
"""Rankings of four of five players, the best first."""
STRENGTHS = (-0.787782, -1.408239, 0.327902, 0.617271, 1.250847)
"""Of choix 0.4.1: `opt_rankings(5, orders, alpha=1 / (2 * PRIOR_PLAYER**2) / 4, tol=1e-12)`, less their mean.

Its penalty is divided by 4 because every ranking is rated four times below.
"""


def rotated(order: Sequence[str]) -> list[ScoredMatch]:
    """Return the result in all rotations of the seats, so that no seat has an effect."""
    return [
        ScoredMatch(
            {f"seat {(place + turn) % len(order)}": player for place, player in enumerate(order)},
            {f"seat {(place + turn) % len(order)}": -place for place in range(len(order))},
        )
        for turn in range(len(order))
    ]


def duel(first: str, second: str, score: float) -> ScoredMatch:
    return ScoredMatch({"home": first, "away": second}, {"home": score, "away": 1 - score})


def test_strengths_are_those_of_a_reference() -> None:
    table = rate(result for order in ORDERS.split() for result in rotated(order))
    strengths = {int(rating.player): (rating.mean - MIDDLE) / POINTS for rating in table.ratings}
    assert [strengths[player] for player in range(5)] == pytest.approx(STRENGTHS, abs=2e-6)
    assert [effect.mean for effect in table.seats] == pytest.approx([0] * 4, abs=1e-6)


def test_davidson_s_estimate_of_wins_and_draws() -> None:
    """Of two players, the strengths fit the mean score, whatever the number of draws is; the prior is weak."""
    results = [duel("a", "b", score) for score in (1.0,) * 300 + (0.5,) * 200 + (0.0,) * 100]
    results += [duel("b", "a", score) for score in (0.0,) * 300 + (0.5,) * 200 + (1.0,) * 100]
    a, b = rate(results).ratings
    assert (a.player, b.player) == ("a", "b")
    assert a.mean - b.mean == pytest.approx(POINTS * np.log(300 / 100), rel=0.01)


@pytest.mark.long
@pytest.mark.parametrize("league", [League("two", 6, 80, 2, draws=0.4, forfeits=0.05), League("four", 6, 40, 4)])
def test_planted_truth_is_in_the_intervals_and_equals_are_not_called_different(league: League) -> None:
    """The bounds are four standard errors of what is aimed at, as players of one league are not independent.

    Of 200 leagues of each shape the table is in docs/evaluation.md.
    """
    leagues = 40
    counts = measure(league, leagues)
    independent = leagues * (league.players - 1)
    assert counts[f"{DEFAULT} covered"] / counts[DEFAULT] > 0.95 - 4 * np.sqrt(0.95 * 0.05 / independent)
    assert counts["called different"] / leagues < 0.05 + 4 * np.sqrt(0.05 * 0.95 / leagues)


def test_a_large_gap_is_noticed() -> None:
    random = np.random.default_rng(1)
    better = 10**0.5 / (1 + 10**0.5)
    pairs = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a")] * 75
    results = [duel(*pair, float(random.random() < (better if pair[0] == "a" else 1 - better))) for pair in pairs]
    table = rate(results)
    assert [pair.differ for pair in table.pairs if pair.a == "a"] == [True, True]
    (equals,) = [pair for pair in table.pairs if pair.a != "a"]
    assert not equals.differ
    assert 0.01 < equals.probability < 0.99


def test_a_player_without_a_loss_has_a_wide_interval() -> None:
    few, many = (rate([duel("a", "b", 1.0)] * count).ratings[0] for count in (3, 30))
    for rating in (few, many):
        assert rating.player == "a"
        assert rating.high - rating.low > 300
    assert few.low < MIDDLE < few.mean
    assert many.low > MIDDLE


def test_the_advantage_of_a_seat_is_not_the_player_s() -> None:
    """Both win three of four at home: neither is better, home is."""
    results = [duel(*pair, score) for pair in (("a", "b"), ("b", "a")) for score in (1.0,) * 75 + (0.0,) * 25]
    table = rate(results)
    assert [rating.mean for rating in table.ratings] == pytest.approx([MIDDLE, MIDDLE], abs=0.01)
    home = {effect.seat: effect for effect in table.seats}["home"]
    assert home.low > 50


def test_references_hold_the_scale() -> None:
    results = [duel("bot", "a", 0.0)] * 30 + [duel("bot", "a", 1.0)] * 20 + [duel("a", "c", 1.0), duel("a", "c", 0.0)]
    ratings = {rating.player: rating for rating in rate(results, {"bot": 1000.0}).ratings}
    assert (ratings["bot"].low, ratings["bot"].mean, ratings["bot"].high) == pytest.approx((1000.0,) * 3)
    assert 1000 < ratings["a"].mean < 1200
    with pytest.raises(RatingError, match="anchor: 'nobody' has played no match; there are a, b"):
        rate([duel("a", "b", 1.0)], {"nobody": 1.0})


def test_the_eliminated_are_not_compared_with_one_another() -> None:
    """c and d are always last together: that says nothing of which of them is the stronger, d's win does."""
    players = dict(zip("WXYZ", "abcd", strict=True))
    shared = [ScoredMatch(players, {"W": 4.0, "X": 3.0, "Y": 0.0, "Z": 0.0})] * 10
    level = {rating.player: rating.mean for rating in rate(shared).ratings}
    assert level["a"] > level["b"] > level["c"] == pytest.approx(level["d"])
    decided = rate([*shared, ScoredMatch({"W": "c", "X": "d"}, {"W": 0.0, "X": 1.0})])
    assert [rating.player for rating in decided.ratings][2:] == ["d", "c"]


def test_a_seat_without_a_score_is_left_out_and_the_others_count() -> None:
    results = [ScoredMatch({"W": "a", "X": "b", "Y": "c"}, {"W": 1.0, "Y": 0.0})] * 5
    table = rate(results)
    assert [(rating.player, rating.games) for rating in table.ratings] == [("a", 5), ("c", 5)]


def test_what_cannot_be_rated_is_refused() -> None:
    with pytest.raises(RatingError, match="no match with two scored seats"):
        rate([ScoredMatch({"W": "a", "X": "b"}, {"W": 1.0})])
    with pytest.raises(RatingError, match="'a' is the only player"):
        rate([duel("a", "a", 1.0)])
    crowd = {f"seat {seat}": f"player {seat}" for seat in range(20)}
    tie = ScoredMatch(crowd, {seat: float(int(seat.split()[1]) < 9) for seat in crowd})
    with pytest.raises(RatingError, match="20 seats with ties of 9 are more than can be rated"):
        rate([tie])


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_any_results_are_rated_and_the_order_of_matches_does_not_matter(data: st.DataObject) -> None:
    seats = ["N", "E", "S", "W"]
    result = st.builds(
        ScoredMatch,
        st.fixed_dictionaries({seat: st.sampled_from("abc") for seat in seats}),
        st.dictionaries(st.sampled_from(seats), st.sampled_from([0.0, 0.5, 1.0]), min_size=2),
    )
    results = data.draw(st.lists(result, min_size=1, max_size=8))
    if len({player for result in results for player in map(result.players.get, result.scores)}) < 2:
        return
    table, again = rate(results), rate(list(reversed(results)))
    for rating in table.ratings:
        assert rating.low < rating.mean < rating.high
    means = {rating.player: rating.mean for rating in again.ratings}
    for rating in table.ratings:
        assert means[rating.player] == pytest.approx(rating.mean, abs=1e-3)
    for pair in table.pairs:
        assert 0 <= pair.probability <= 1
    json.dumps([rating.mean for rating in table.ratings], allow_nan=False)


def test_seats_are_grouped_by_score() -> None:
    assert ranking({"a": 1.0, "b": 3.0, "c": 1.0, "d": 2.0}) == [["b"], ["d"], ["a", "c"]]


def test_many_differences_need_more_evidence_each() -> None:
    assert holm([0.04]) == [True]
    assert holm([0.04, 0.9]) == [False, False]
    assert holm([0.03, 0.001, 0.9]) == [False, True, False]
    assert holm([0.02, 0.001, 0.03]) == [True, True, True]


def test_matches_of_a_cluster_count_together() -> None:
    """Ten copies of the same results are no more evidence than the results themselves, if they are clusters."""
    scores = (1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0)
    pairs = (("a", "b"), ("b", "a")) * 4
    once = [duel(*pair, score if pair[0] == "a" else 1 - score) for pair, score in zip(pairs, scores, strict=True)]
    copies = [ScoredMatch(match.players, match.scores, number) for number, match in enumerate(once) for _ in range(10)]
    alone = [ScoredMatch(match.players, match.scores) for match in copies]
    few, many = rate(copies), rate(alone)
    assert few.ratings[0].mean == pytest.approx(many.ratings[0].mean)
    assert few.ratings[0].high - few.ratings[0].low > 2.5 * (many.ratings[0].high - many.ratings[0].low)
    assert few.pairs[0].probability < many.pairs[0].probability
    assert many.pairs[0].differ
    assert not few.pairs[0].differ
    single = [ScoredMatch(match.players, match.scores, number) for number, match in enumerate(once)]
    assert rate(single) == rate(once), "a cluster of one match is a match"


def test_a_higher_level_has_wider_intervals() -> None:
    results = [duel("a", "b", 1.0), duel("a", "b", 0.0), duel("a", "b", 1.0)]
    usual, wide = rate(results), rate(results, level=0.999)
    assert wide.ratings[0].low < usual.ratings[0].low < usual.ratings[0].high < wide.ratings[0].high
    assert wide.ratings[0].mean == usual.ratings[0].mean
