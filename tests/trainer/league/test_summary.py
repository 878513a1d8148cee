"""The summary of a league for viewers: ratings, payoffs with intervals over independent situations, opponents met."""

from __future__ import annotations

import json
from random import Random
from typing import Literal

import pytest

from grandstand.campaign_events import Estimate, LeagueRated, RatedPlayer
from grandstand.play.ratings.table import ScoredMatch
from grandstand.server.api.episodes.publish import MAX_EVENT
from grandstand.trainer.league.matchmaking import GroupPlan
from grandstand.trainer.league.summary import LISTED, met, summary


def player(name: str, rating: float = 1500.0, version: int | None = None, *, landmark: bool = False) -> RatedPlayer:
    kind: Literal["bot", "policy"] = "bot" if version is None else "policy"
    label = name if version is None else f"v{version}"
    estimate = Estimate(mean=rating, low=rating - 30, high=rating + 30, n=20)
    return RatedPlayer(name=name, label=label, kind=kind, version=version, landmark=landmark, rating=estimate)


def duel(won: bool, lot: int | None = None) -> ScoredMatch:
    return ScoredMatch({"FRANCE": "a", "ITALY": "b"}, {"FRANCE": float(won), "ITALY": float(not won)}, lot)


def payoff(matches: list[ScoredMatch]) -> tuple[LeagueRated, float | None]:
    rated = summary(5, [player("a", 1600), player("b")], matches, 4.0)
    return rated, rated.payoffs[0].share.low


def test_every_pair_is_told_once_from_the_side_of_the_better_player() -> None:
    rated = summary(5, [player("b"), player("a", 1600)], [duel(True), duel(True), duel(False)], 4.0)
    assert [entry.label for entry in rated.players] == ["a", "b"]
    (entry,) = rated.payoffs
    assert (entry.player, entry.opponent, entry.wins, entry.draws, entry.losses, entry.games) == ("a", "b", 2, 0, 1, 3)
    assert entry.share.mean == pytest.approx(2 / 3, abs=1e-4)


def test_seats_of_players_that_are_not_listed_and_draws_are_counted_as_such() -> None:
    match = ScoredMatch({"X": "a", "Y": "b", "Z": "other"}, {"X": 0.5, "Y": 0.5, "Z": 0.0})
    (entry,) = summary(1, [player("a"), player("b")], [match], 4.0).payoffs
    assert (entry.wins, entry.draws, entry.losses, entry.games, entry.share.mean) == (0, 1, 0, 1, 0.5)


def test_nothing_is_claimed_from_few_situations_however_many_matches_they_have() -> None:
    siblings = [duel(True, lot) for lot in range(4) for _ in range(50)]
    rated, low = payoff(siblings)
    assert rated.payoffs[0].games == 200
    assert (rated.payoffs[0].share.n, low, rated.payoffs[0].differ) == (4, None, False)
    rated, low = payoff([duel(True, lot) for lot in range(40)])
    assert low is not None
    assert low > 0.5
    assert rated.payoffs[0].differ


@pytest.mark.long
def test_equal_players_are_seldom_told_apart_although_siblings_share_their_luck() -> None:
    luck, claimed, runs = Random(1), 0, 400
    for _ in range(runs):
        matches = [duel(won, lot) for lot in range(30) for won in [luck.random() < 0.5] for _ in range(8)]
        claimed += payoff(matches)[0].payoffs[0].differ
    assert claimed / runs < 0.09  # 5 per cent and four standard errors


@pytest.mark.long
def test_many_pairs_are_compared_at_one_level_together() -> None:
    names = [chr(ord("a") + number) for number in range(12)]
    luck, claimed, runs = Random(2), 0, 40
    for _ in range(runs):
        matches = [
            ScoredMatch({"X": a, "Y": b}, {"X": luck.random(), "Y": luck.random()})
            for a in names
            for b in names
            if a < b
            for _ in range(20)
        ]
        claimed += any(entry.differ for entry in summary(1, map(player, names), matches, 4.0).payoffs)
    assert claimed <= 6  # of 40 leagues of equal players; at the level of one pair there would be over 35


def test_a_large_league_is_cut_to_what_can_be_published() -> None:
    run = "r" * 64
    versions = [player(f"{run}@v{number:06d}", 1500, number, landmark=number % 20 == 0) for number in range(1, 101)]
    bots = [player("random"), player("dumbbot")]
    names = [entry.name for entry in (*versions, *bots)]
    matches = [ScoredMatch(dict(zip(names, names, strict=True)), dict.fromkeys(names, 0.0), lot) for lot in range(2)]
    rated = summary(100, [*versions, *bots], matches, 4.0)
    labels = {entry.label for entry in rated.players}
    assert len(labels) == LISTED
    assert {"random", "dumbbot", "v20", "v40", "v60", "v80", "v100", "v99"} <= labels
    assert "v1" not in labels
    assert len(rated.payoffs) == LISTED * (LISTED - 1) // 2
    assert len(json.dumps(rated.model_dump(mode="json"))) < MAX_EVENT


def test_shares_are_those_of_the_nash_average() -> None:
    """Each of three players beats one of the others, and all of them beat the fourth."""
    cycle = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "d"), ("b", "d"), ("c", "d")]
    matches = [ScoredMatch({"X": a, "Y": b}, {"X": 1.0, "Y": 0.0}) for a, b in cycle for _ in range(50)]
    rated = summary(1, map(player, "abcd"), matches, 4.0)
    assert {entry.name: entry.share for entry in rated.players} == {"a": 0.3333, "b": 0.3333, "c": 0.3333, "d": 0.0}


def test_the_opponents_met_are_shares_of_the_other_seats() -> None:
    def plan(**opponents: str) -> GroupPlan:
        return GroupPlan("g", "t", 1, ("X",), opponents, 0, 1.0)

    assert met([plan(Y="@12", Z="random"), plan(Y="random", Z="random")]) == {
        "league/met/v12": 0.25,
        "league/met/random": 0.75,
    }
    assert met([plan()]) == {}
