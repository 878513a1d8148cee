"""Leaderboards from results alone: who is rated, direct comparisons, measures, and the ratings of the past."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from grandstand.play.ratings.leaderboard import NEEDED, costs, league, rating_history, seat_scores, shares, style
from grandstand.play.ratings.match_results import RecordedMatch
from grandstand.play.ratings.option_sets import OptionSet
from grandstand.play.ratings.seat_records import SeatRecord

OPTIONS = OptionSet.of("cricket", {}, 3)


def match(
    players: Mapping[str, str], scores: Mapping[str, float], failed: str = "", **measures: float
) -> RecordedMatch:
    """Return a match of one decision a seat; the fallback decided in the seat `failed`."""
    seats = []
    for seat, player in players.items():
        record = SeatRecord(seat, player, "bot", decisions=1, fallbacks=int(seat == failed), score=scores[seat])
        seats.append(record)
    return RecordedMatch(OPTIONS, seats, {seat: {"runs": measures.get(seat, 0.0)} for seat in players})


def duel(winner: str, loser: str, failed: str = "") -> RecordedMatch:
    return match({"A": winner, "B": loser}, {"A": 1.0, "B": 0.0}, failed)


def test_players_with_too_few_matches_have_no_rating_but_count_for_the_others() -> None:
    table = league([*[duel("a", "b") for _ in range(NEEDED)], duel("c", "a"), duel("c", "b", failed="A")])
    assert [rating.player for rating in table.ratings] == ["a", "b"]
    assert table.games == {"a": NEEDED + 1, "b": NEEDED, "c": 1}
    assert [(pair.a, pair.b) for pair in table.pairs] == [("a", "b")]
    assert league([duel("a", "b")] * (NEEDED - 1)).ratings == []
    assert league([]).matches == 0


def test_matches_of_a_player_with_itself_compare_nobody() -> None:
    table = league([match({"A": "a", "B": "a"}, {"A": 1.0, "B": 0.0})] * 30)
    assert (table.games, table.ratings) == ({}, [])
    assert table.totals["a"].scored == 60


def test_a_forfeit_counts_as_lost() -> None:
    matches = [duel("b", "a") for _ in range(NEEDED)]
    for played in matches:
        record = played.seats[0]
        record.fallbacks = 1
        record.forfeit()
        played.seats[1].score = 1.0
    table = league(matches)
    assert [rating.player for rating in table.ratings] == ["a", "b"]
    assert table.totals["b"].forfeits == NEEDED


def test_a_share_counts_matches_and_ties_as_half() -> None:
    several = match({"A": "a", "B": "b", "C": "b"}, {"A": 1.0, "B": 1.0, "C": 0.0})
    table = shares([several, duel("b", "a"), duel("b", "a", failed="A")])
    assert table["a", "b"].mean == pytest.approx((0.75 + 0.0) / 2)
    assert table["a", "b"].n == 2
    assert set(table) == {("a", "b")}


def test_measures_are_means_over_matches_of_seats_that_nobody_else_played() -> None:
    matches = [
        match({"A": "a", "B": "b"}, {"A": 1.0, "B": 0.0}, A=10.0, B=-10.0),
        match({"A": "a", "B": "b"}, {"A": 1.0, "B": 0.0}, "A", A=99.0, B=-20.0),
    ]
    own, others = style(matches, "a")["runs"]
    assert (own.mean, own.n) == (10.0, 1)
    assert (others.mean, others.n) == (-15.0, 2)


def test_the_last_rating_of_the_history_is_that_of_the_table() -> None:
    matches = [duel("a", "b") if number % 3 else duel("b", "a") for number in range(60)]
    history = rating_history(matches, 4)
    assert [count for count, _ in history] == [30, 45, 60], "after 15 matches nobody is rated"
    assert history[-1][1]["a"] == league(matches).ratings[0]


def test_seats_and_costs_are_counted_apart() -> None:
    matches = [duel("a", "b"), match({"A": "b", "B": "a"}, {"A": 1.0, "B": 0.0})]
    assert {seat: score.mean for seat, score in seat_scores(matches, "a").items()} == {"A": 1.0, "B": 0.0}
    matches[0].seats[0].spent.dollars = 0.5
    assert (costs(matches)["a"].matches, costs(matches)["a"].spent.dollars) == (2, 0.5)
    assert costs(matches)["b"].spent.dollars is None
