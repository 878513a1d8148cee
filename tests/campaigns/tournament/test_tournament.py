"""A tournament in progress: its order, its end, and what stopping by precision costs in errors."""

from __future__ import annotations

import numpy as np
import pytest

from grandstand.campaigns.tournament.tournament import Tournament, milestone, pilot
from tests.support.play.leagues import plan, played, record, won_by

EQUAL = dict.fromkeys("abcd", 0.0)


def test_pairings_are_drawn_once_and_the_tournament_ends_with_the_last() -> None:
    tournament = Tournament(plan(matches=12))
    assert not tournament.over
    pairings = tournament.draw()
    assert len(pairings) == tournament.planned == 12
    assert list(tournament.draw()) == []
    for pairing in reversed(pairings):
        assert not tournament.over
        tournament.add(pairing.number, "", "error", "broken", [])
    assert tournament.over
    assert list(tournament.draw()) == []
    assert tournament.standings().failed == 12
    assert tournament.outcome().text == "No match counts for any player."


def test_a_result_of_an_unknown_pairing_is_refused() -> None:
    with pytest.raises(KeyError, match="pairing 3 was not drawn"):
        Tournament(plan()).add(3, "", "finished", "", [])


def test_the_same_results_in_another_order_give_the_same_tournament() -> None:
    fields = {"players": list("abcd"), "format": "swiss", "matches": 12}
    first, second = Tournament(plan(**fields)), Tournament(plan(**fields))
    while pairings := first.draw():
        assert second.draw() == pairings
        scores = {pairing.number: won_by(EQUAL)(pairing, np.random.default_rng(pairing.number)) for pairing in pairings}
        for tournament, order in ((first, pairings), (second, pairings[::-1])):
            for pairing in order:
                results = scores[pairing.number]
                records = [record(seat, name, results[seat]) for seat, name in pairing.players.items()]
                tournament.add(pairing.number, "", "finished", "", records)
    assert first.standings() == second.standings()


def test_matches_of_an_opening_have_the_same_luck() -> None:
    tournament = Tournament(plan(matches=12))
    setups = [(pairing.opening, tournament.match_of(pairing).seed) for pairing in tournament.draw()]
    assert len(set(setups)) == 2
    assert len({seed for _, seed in setups}) == 2


def test_the_pilot_has_every_player_early() -> None:
    pairings = Tournament(plan(players=list("abcdef"), matches=30)).draw()
    first = pilot(pairings, 3)
    assert len(first) == 3
    assert {player for pairing in first for player in pairing.players.values()} == set("abcdef")
    assert pilot(pairings[:2], 5) == list(pairings[:2])


def test_standings_are_due_rarely_in_a_long_tournament() -> None:
    due, updates = 0, 0
    while due < 1000:
        due, updates = milestone(due), updates + 1
    assert updates < 70


@pytest.mark.long
def test_a_tournament_ends_when_its_scores_are_precise() -> None:
    whole = plan(players=list("abcd"), matches=0, until=0.1, max_matches=2400)
    tournament = played(Tournament(whole), won_by(EQUAL), np.random.default_rng(1))
    halves = [(row.score.high - row.score.low) / 2 for row in tournament.standings().table]  # type: ignore[operator]
    assert tournament.over
    assert max(halves) <= 0.1
    assert len(tournament.pairings) < 1200


def test_a_tournament_ends_when_the_leader_is_certain() -> None:
    whole = plan(players=list("abcd"), matches=0, until=0.01, goal="lead", max_matches=2400)
    strengths = {"a": 0.0, "b": 0.0, "c": 0.0, "d": 2.0}
    tournament = played(Tournament(whole), won_by(strengths), np.random.default_rng(2))
    assert tournament.outcome().winners == ["d"]
    assert len(tournament.pairings) < 600
    endless = played(Tournament(whole), won_by(EQUAL), np.random.default_rng(2))
    assert len(endless.pairings) == 2400
    assert endless.over
    assert endless.outcome().winners == []
