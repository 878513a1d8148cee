"""Causes of a change of the chances: the parts sum to the whole, luck has no mean, nothing hidden goes in."""

from __future__ import annotations

from itertools import pairwise
from math import fsum, sqrt
from statistics import fmean, stdev
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.bots.neutral import review
from grandstand.games.cricket.events import BallBowled, ChanceChanged, TossMade
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import POSITIONS
from grandstand.games.cricket.match.chances import home_chance
from grandstand.games.cricket.model.teams import invented_teams
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match
from tests.support.cricket.known import known

ROUNDING = 5e-5


def changes(emitted: list[Any]) -> list[ChanceChanged]:
    return [event for event in emitted if isinstance(event, ChanceChanged)]


def for_home(change: ChanceChanged) -> float:
    return fsum(call["delta"] if call["seat"] == "home" else -call["delta"] for call in change.decisions)


@pytest.mark.long
@settings(deadline=None, max_examples=25)
@given(
    seed=st.integers(0, 10_000),
    captains=st.tuples(st.sampled_from(sorted(BOTS)), st.sampled_from(sorted(BOTS))),
    options=st.sampled_from(
        [{"overs": 2}, {"overs": 5, "rain": "random"}, {"overs": 6, "era": "classic"}, {"overs": 1}]
    ),
)
def test_the_parts_sum_to_the_change_and_the_changes_to_the_result(
    seed: int, captains: tuple[str, str], options: dict[str, Any]
) -> None:
    game, emitted = play_match(CricketOptions(**options), seed, BOTS[captains[0]], BOTS[captains[1]])
    chance_events = changes(emitted)
    for change in chance_events:
        assert abs(change.swing - known(change.matchup) - known(change.luck) - for_home(change)) < ROUNDING
        assert -ROUNDING <= change.home <= 1 + ROUNDING
    for before, after in pairwise(chance_events):
        assert abs(after.home - before.home - after.swing) < ROUNDING
    assert game.state.result is not None
    assert chance_events[-1].home == pytest.approx(game.state.result.scores["home"], abs=1e-4)


def test_every_ball_has_one_change_after_it() -> None:
    _, emitted = play_match(CricketOptions(overs=5), 3, BOTS["neutral"], BOTS["heuristic"])
    assert isinstance(emitted[1], ChanceChanged)
    assert emitted[1].innings == 0
    for event, following in pairwise(emitted):
        if isinstance(event, BallBowled):
            assert isinstance(following, ChanceChanged)
            assert (following.innings, following.ball) == (event.innings, event.ball)
            assert [call["seat"] for call in following.decisions[:2]] == (
                ["home", "away"]
                if event.innings % 2 == (1 if told_first(emitted) == "home" else 0)
                else ["away", "home"]
            )


def told_first(emitted: list[Any]) -> str:
    made = next(event for event in emitted if isinstance(event, TossMade))
    other = {"home": "away", "away": "home"}[made.winner]
    return made.winner if made.decision == "bat" else other


def test_natural_calls_cost_nothing_and_are_told_empty() -> None:
    _, emitted = play_match(CricketOptions(overs=5), 5, BOTS["neutral"], BOTS["neutral"])
    for change in changes(emitted):
        for call in change.decisions:
            if "decision" not in call["choice"]:
                assert call["delta"] == 0
                assert call["choice"] == {}


@pytest.mark.long
def test_the_toss_is_a_decision() -> None:
    for decision in ("bat", "field"):
        game = CricketGame(CricketOptions(), 4)
        winner = ("home", "away")[game.state.toss_winner]
        emitted = game.apply(winner, {"tool": "set_toss", "arguments": {"decision": decision}})
        (change,) = changes(emitted)
        (call,) = change.decisions
        assert call["seat"] == winner
        assert call["choice"] == {"decision": decision}
        assert (call["delta"] < 0) == (decision == "bat")  # chasing sides win more than half


def test_off_means_no_chances_and_the_same_match() -> None:
    with_, without = (
        play_match(CricketOptions(overs=5, win_probability=on), 9, BOTS["heuristic"], BOTS["random"])
        for on in (True, False)
    )
    assert changes(without[1]) == []
    assert [event for event in with_[1] if not isinstance(event, ChanceChanged)][1:] == without[1][1:]


def middle(seed: int = 15) -> CricketGame:
    """A chase in its twelfth over, both captains natural so far."""
    game = CricketGame(CricketOptions(), seed)
    while not (len(game.state.innings) == 2 and game.state.now.legal >= 70):
        seat = game.to_act()[0]
        game.apply(seat, game.default_action(seat))
    while game.state.now.bowler is None or game.state.stage != "play":
        seat = game.to_act()[0]
        game.apply(seat, game.default_action(seat))
    assert 0.3 < home_chance(game.state) < 0.7
    return game


def next_ball(game: CricketGame, batting: dict[str, str], bowling: dict[str, str]) -> ChanceChanged:
    innings = game.state.now
    seats = ("home", "away")
    emitted = game.apply(seats[innings.bowling_side], {"tool": "bowl_delivery", "arguments": bowling})
    emitted += game.apply(seats[innings.batting_side], {"tool": "play_delivery", "arguments": batting})
    while game.state.stage == "review":
        emitted += game.apply(game.to_act()[0], review(game))
    return changes(emitted)[0]


@pytest.mark.long
def test_luck_has_no_mean() -> None:
    """The same moment under many lucks, by both captains' calls: what came is on average what was to be expected."""
    start = middle()
    chance_events = []
    for seed in range(700):
        game = start.clone()
        game.reseed(seed)
        chance_events.append(next_ball(game, {"intent": "attack"}, {"length": "yorker"}))
    assert len({(change.matchup, *(call["delta"] for call in change.decisions)) for change in chance_events}) == 1
    lucks = [known(change.luck) for change in chance_events]
    # The engine's batter and bowler are not quite what their seasons tell, so that the mean may differ by as much.
    assert abs(fmean(lucks)) < 4 * stdev(lucks) / sqrt(len(lucks)) + 0.004


@pytest.mark.long
def test_a_call_is_judged_by_what_it_brings() -> None:
    """Blocking when runs are needed costs the batting side; a bowler's no-ball field costs the bowling side."""
    start = middle()
    assert start.state.now.target is not None
    start.state.now.legal, start.state.now.runs = 103, start.state.now.target - 30
    game = start.clone()
    batting = ("home", "away")[game.state.now.batting_side]
    blocked = next_ball(start.clone(), {"intent": "block"}, {})
    (cost,) = [call["delta"] for call in blocked.decisions if call["seat"] == batting]
    assert cost < -0.002
    bowling = ("home", "away")[game.state.now.bowling_side]
    crowd = [place for place, position in POSITIONS.items() if position.outside_circle][:9]
    game.apply(bowling, {"tool": "set_field", "arguments": {"positions": crowd}})
    fouled = next_ball(game, {}, {})
    ball, foul = [call for call in fouled.decisions if call["seat"] == bowling]
    assert (ball["choice"], ball["delta"]) == ({}, 0)
    assert foul["delta"] < -0.005
    assert foul["choice"] == {"field": crowd}


def test_the_chance_knows_nothing_hidden() -> None:
    """Two matches alike in all that is public but not in ability or pitch have one chance."""
    game = middle()
    emitted = home_chance(game.state)
    other = game.clone()
    other.state.teams = invented_teams(99)
    other.state.pitch = 3.0
    assert home_chance(other.state) == emitted


@pytest.mark.long
def test_the_chance_depends_on_the_position_alone() -> None:
    """Two matches that come to one position by other balls have one chance."""
    first, second = middle(), middle()
    second.state.now.overs[:] = second.state.now.overs[::-1]
    second.state.now.over_log[:] = []
    assert home_chance(first.state) == home_chance(second.state)


def test_a_match_saved_with_a_belief_is_read() -> None:
    """Rules 2 kept a belief about the day's conditions."""
    game = middle()
    saved = game.to_json() | {"belief": [0.1, 0.6, 0.3]}
    assert CricketGame.load(saved).digest() == game.digest()
