"""Ladders: a new player is placed within 40 matches, and a player that fails is set aside."""

from __future__ import annotations

from collections import Counter
from statistics import fmean

import numpy as np
import pytest

from grandstand.campaign_events import Pairing
from grandstand.campaigns.tournament.standings import PlayedMatch
from grandstand.campaigns.tournament.tournament import Ladder, Tournament
from grandstand.games.base import OptionError
from grandstand.play.ratings.table import MIDDLE, POINTS, Rating
from tests.support.play.leagues import plan, played, record, won_by

STRENGTHS = {"one": 1.2, "two": 0.6, "three": 0.0, "four": -0.6, "five": -1.2}
"""In log odds."""


def ladder(seed: int, players: dict[str, float], matches: int, **fields: object) -> Tournament:
    names = list(players)
    tournament = Tournament(plan(players=names, format="ladder", matches=matches, seed=seed, **fields))
    return played(tournament, won_by(players), np.random.default_rng(seed))


def test_a_new_player_meets_the_anchors_first() -> None:
    tournament = ladder(1, STRENGTHS | {"new": 0.3}, 60, anchors=["one", "three", "five"])
    first = [pairing for pairing in tournament.pairings if "new" in pairing.players.values()][:8]
    assert {player for pairing in first for player in pairing.players.values()} - {"new"} <= {"one", "three", "five"}


def join(seed: int, strength: float, matches: int) -> Rating:
    """Return the rating of a player that joins a ladder of 120 matches, after `matches` of its own."""
    known = Ladder(plan(players=[*STRENGTHS, "new"], format="ladder", seed=seed, anchors=list(STRENGTHS)))
    for match in ladder(seed, STRENGTHS, 120).played.values():
        known.add(match)
    scores, random = won_by(STRENGTHS | {"new": strength}), np.random.default_rng(seed)
    opening = 100
    while known.games("new") < matches:
        for lineup in known.round(opening):
            pairing = Pairing(number=0, round=opening + 1, opening=opening, players=dict(lineup))
            results = scores(pairing, random)
            records = [record(seat, player, results[seat]) for seat, player in lineup.items()]
            known.add(PlayedMatch(pairing, "", "finished", "", records))
        opening += 1
        assert opening < 1000
    return known.rating("new")


@pytest.mark.long
def test_a_newcomer_is_placed_within_40_matches() -> None:
    """The interval is narrow, and has the truth in most ladders."""
    placed = [(strength, join(seed, strength, 40)) for seed, strength in enumerate((-1.0, 0.3, 1.0, -1.0, 0.3, 1.0))]
    errors = [rating.mean - MIDDLE - POINTS * (strength - strength / 6) for strength, rating in placed]
    halves = [(rating.high - rating.low) / 2 for _, rating in placed]
    assert max(halves) < 150
    assert sum(abs(error) < half for error, half in zip(errors, halves, strict=True)) >= 5
    assert fmean(map(abs, errors)) < 80


def test_matches_go_where_ratings_are_least_certain() -> None:
    tournament = ladder(3, STRENGTHS, 200)
    ratings = [tournament.ladder.rating(player) for player in STRENGTHS]
    widths = [rating.high - rating.low for rating in ratings]
    assert max(widths) < 1.4 * min(widths)
    games = Counter(player for pairing in tournament.pairings for player in pairing.players.values())
    assert min(games.values()) > 40


def test_a_player_that_fails_too_often_is_set_aside_with_its_reason() -> None:
    tournament = Tournament(plan(players=["a", "b", "broken"], format="ladder", matches=200))
    while pairings := tournament.draw():
        for pairing in pairings:
            records = [
                record(seat, player, float(number), faults=int(player == "broken"), fallbacks=int(player == "broken"))
                for number, (seat, player) in enumerate(pairing.players.items())
            ]
            tournament.add(pairing.number, "", "finished", "", records)
    assert tournament.ladder.aside == {"broken": "failed in 10 of its last 10 matches"}
    assert sum("broken" in pairing.players.values() for pairing in tournament.pairings) == 10
    assert len(tournament.played) == 200


def test_a_ladder_is_over_when_nobody_is_left_to_play_against() -> None:
    tournament = Tournament(plan(players=["a", "broken"], format="ladder", matches=0))
    while pairings := tournament.draw():
        for pairing in pairings:
            records = [record(seat, name, 0.5, faults=int(name == "broken")) for seat, name in pairing.players.items()]
            tournament.add(pairing.number, "", "finished", "", records)
    assert tournament.over
    assert len(tournament.played) == 10


def test_the_same_plan_and_results_give_the_same_matches() -> None:
    assert ladder(5, STRENGTHS, 40).pairings == ladder(5, STRENGTHS, 40).pairings


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"format": "ladder", "until": 0.1, "matches": 0}, "until: a ladder ends by its matches alone"),
        ({"format": "ladder", "anchors": ["nobody"]}, "anchors: 'nobody' is none of the players"),
        ({"anchors": ["a"]}, "anchors: they are for the format 'ladder'"),
    ],
)
def test_a_wrong_plan_is_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        plan(**fields)
