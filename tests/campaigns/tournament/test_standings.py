"""Standings: what counts, intervals over openings, comparisons, seats, cost, and winners."""

from __future__ import annotations

import pytest

from grandstand.campaigns.tournament.standings import Standing, Standings, pair_level
from grandstand.campaigns.tournament.tournament import Tournament
from grandstand.events import Usage
from grandstand.play.ratings.intervals import grouped_interval
from grandstand.play.ratings.seat_records import SeatRecord
from tests.support.play.leagues import plan, record


def two_players(scores: list[tuple[float, float]], **changes: object) -> Tournament:
    """Return a tournament of a and b; each item has the scores of a in its two matches of one opening."""
    tournament = Tournament(plan(players=["a", "b"], matches=2 * len(scores)))
    pairings = tournament.draw()
    for pairing in pairings:
        a = scores[pairing.opening][0 if pairing.players["home"] == "a" else 1]
        records = [record(seat, name, a if name == "a" else 1 - a) for seat, name in pairing.players.items()]
        tournament.add(pairing.number, f"match-{pairing.number}", "finished", "", records)
    return tournament


def row(standings: Standings, player: str) -> Standing:
    return next(row for row in standings.table if row.player == player)


def test_scores_are_means_over_openings() -> None:
    scores = [(1.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0), (1.0, 1.0), (1.0, 0.0)]
    standings = two_players(scores).standings()
    expected = grouped_interval(scores)
    a = row(standings, "a")
    assert a.score.n == 6
    assert [a.score.mean, a.score.low, a.score.high] == pytest.approx([7 / 12, expected.low, expected.high])
    assert (a.matches, a.counted, a.wins, a.total.decisions) == (12, 12, 7, 36)
    (pair,) = standings.cross
    assert (pair.a, pair.b) == ("a", "b")
    assert pair.share.mean == pytest.approx(7 / 12)
    assert pair.stronger is not None
    assert pair.stronger > 0.5
    seats = {(score.player, score.seat): score.score.mean for score in standings.seats}
    assert seats["a", "home"] == pytest.approx(5 / 6)
    assert seats["a", "away"] == pytest.approx(2 / 6)
    assert standings.seat_effects["home"].mean > 0 > standings.seat_effects["away"].mean  # type: ignore[operator]


def test_only_a_players_own_matches_count_and_all_else_stands_beside() -> None:
    tournament = Tournament(plan(players=["a", "b"], matches=6))
    changes: list[dict[str, object]] = [
        {},
        {"fallbacks": 1, "faults": 2},
        {"assisted": 3},
        {"fallbacks": 2, "faults": 2, "forfeited": True},
        {"decisions": 0},
        {"score": None},
    ]
    for pairing, change in zip(tournament.draw(), changes, strict=True):
        records = []
        for seat, name in pairing.players.items():
            fields = {"score": 0.25 if name == "a" else 0.75, "won": False} | (change if name == "a" else {})
            records.append(record(seat, name, **fields))  # type: ignore[arg-type]
        stopped = "score" in change
        tournament.add(pairing.number, "", "stopped" if stopped else "finished", "a failed" * stopped, records)
    standings = tournament.standings()
    a, b = row(standings, "a"), row(standings, "b")
    assert (a.matches, a.counted, b.counted) == (6, 2, 5)
    assert a.score.mean == pytest.approx(0.25)
    assert (a.total.fallbacks, a.total.faults, a.total.forfeits, a.total.decisions) == (3, 4, 1, 15)
    assert (standings.played, standings.planned, standings.failed) == (6, 6, 1)
    assert standings.cross[0].share.n == 2, "a pair is compared only where both count"


def test_a_player_that_never_answered_has_no_score_and_no_rating() -> None:
    tournament = Tournament(plan(players=["a", "b", "silent"], matches=6))
    for pairing in tournament.draw():
        records = [
            record(seat, name, 1.0 if seat == "home" else 0.0, fallbacks=3 if name == "silent" else 0)
            for seat, name in pairing.players.items()
        ]
        tournament.add(pairing.number, "", "finished", "", records)
    standings = tournament.standings()
    assert [row.player for row in standings.table][-1] == "silent"
    silent = standings.table[-1]
    assert (silent.matches, silent.counted) == (4, 0)
    assert silent.score.mean is None
    assert silent.rating.mean is None
    assert all(pair.stronger is None for pair in standings.cross if "silent" in (pair.a, pair.b))
    assert tournament.outcome().winners == []


def test_cost_is_summed_with_that_of_abandoned_matches() -> None:
    tournament = Tournament(plan(players=["a", "b"], matches=2))
    for pairing in tournament.draw():
        records = [record(seat, name, 0.5) for seat, name in pairing.players.items()]
        for item in records:
            if item.player == "a":
                item.spent.add(Usage(tokens_in=90, tokens_out=10, dollars=0.5, seconds=2.0, calls=1))
        tournament.add(pairing.number, "", "finished", "", records)
    lost = SeatRecord("home", "a", "llm").spent
    lost.add(Usage(tokens_in=7, dollars=0.25))
    tournament.book(lost)
    standings = tournament.standings()
    a = row(standings, "a")
    spent = a.total.spent
    assert (spent.tokens, spent.dollars, spent.answers, spent.seconds) == (200, 1.0, 2, 4.0)
    assert (a.tokens_per_match, a.dollars_per_match, a.seconds_per_answer, a.score_per_dollar) == (100, 0.5, 2.0, 1.0)
    assert (standings.spent.tokens, standings.spent.dollars) == (207, 1.25)
    assert row(standings, "b").total.spent.dollars is None


def test_of_one_against_all_only_the_single_seat_counts() -> None:
    tournament = Tournament(plan(game="diplomacy", players=["a", "b"], format="one-against-all", matches=14))
    for pairing in tournament.draw():
        names = list(pairing.players.values())
        records = [
            record(seat, name, (0.6 if name == "a" else 0.1) if names.count(name) == 1 else 0.07)
            for seat, name in pairing.players.items()
        ]
        tournament.add(pairing.number, "", "finished", "", records)
    a = row(tournament.standings(), "a")
    assert a.matches == 7
    assert a.score.mean == pytest.approx(0.6)
    assert a.total.decisions == 7 * 3 + 7 * 6 * 3, "the decisions of all its seats are counted"


def test_the_winner_is_certain_or_nobody() -> None:
    clear = two_players([(1.0, 1.0), (1.0, 0.0), (1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (1.0, 1.0), (1.0, 1.0)])
    assert clear.outcome().winners == ["a"]
    assert "significant" in clear.outcome().text
    near = two_players([(1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.0, 0.0), (1.0, 1.0)])
    assert near.outcome().winners == []
    assert near.outcome().text == "a leads with a mean score of 0.583, but not significantly over b."
    assert near.outcome().scores == {"a": pytest.approx(7 / 12), "b": pytest.approx(5 / 12)}


def test_the_level_of_all_pairs() -> None:
    assert pair_level(2) == pytest.approx(0.95)
    assert pair_level(8) == pytest.approx(1 - 0.05 / 28)
