"""Choices between balls: their worth beside the natural ones, and that the balls after them are charged with it."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from grandstand.games.base import Action
from grandstand.games.cricket.agent.measures import measures
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.events import ChanceChanged
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.match import captaincy
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match
from grandstand.games.cricket.vocab import SEATS
from grandstand.games.match import event_data
from tests.support.cricket.known import known


def before_over(number: int, seed: int = 3) -> CricketGame:
    """Return a first innings at the start of an over, between natural captains."""
    game = CricketGame(CricketOptions(), seed)
    rng = Random(seed)
    while not game.state.innings or game.state.now.over < number or game.state.now.bowler is not None:
        seat = game.to_act()[0]
        game.apply(seat, neutral(game, seat, rng))
    return game


def worth(emitted: list[Any], kind: str) -> tuple[str, float]:
    """Return (name, delta) of the one choice of this kind; the chance itself has not moved."""
    (change,) = [event for event in emitted if isinstance(event, ChanceChanged)]
    (call,) = change.decisions
    assert change.luck == 0
    signed = call["delta"] if call["seat"] == "home" else -call["delta"]
    assert known(change.matchup) + signed == pytest.approx(change.swing, abs=2e-5)
    return str(call["choice"][kind]), call["delta"]


def choose(game: CricketGame, tool: str, **arguments: str) -> list[Any]:
    batting = tool == "choose_batter"
    side = game.state.now.batting_side if batting else game.state.now.bowling_side
    action: Action = {"tool": tool, "arguments": arguments}
    return game.clone().apply(SEATS[side], action)


def test_a_part_timer_costs_and_the_natural_bowler_nothing() -> None:
    game = before_over(8)
    side = game.state.teams[game.state.now.bowling_side]
    natural = game.state.natural_bowler()
    emitted = choose(game, "choose_bowler", bowler=side.players[natural].name)
    assert not any(isinstance(event, ChanceChanged) for event in emitted)
    deltas = {}
    for player in range(11):
        if player != natural and game.state.now.may_bowl(player, side.keeper) is None:
            name, delta = worth(choose(game, "choose_bowler", bowler=side.players[player].name), "bowler")
            assert name == side.players[player].name
            deltas[player] = delta
    part_timers = [delta for player, delta in deltas.items() if not side.players[player].front_line]
    assert part_timers
    assert max(part_timers) < -0.003
    assert max(part_timers) < min(delta for player, delta in deltas.items() if side.players[player].front_line)


def test_a_spinner_is_worth_more_to_batters_from_whom_the_ball_turns_away() -> None:
    game = before_over(8)
    state = game.state
    spinner = next(
        i
        for i, player in enumerate(state.teams[state.now.bowling_side].players)
        if player.front_line and player.group == "spin" and i != state.natural_bowler()
    )

    def worth_to(hand: str) -> float:
        teams = list(state.teams)
        bats, bowls = (teams[side] for side in (state.now.batting_side, state.now.bowling_side))
        teams[state.now.batting_side] = replace(bats, players=tuple(replace(p, hand=hand) for p in bats.players))
        players = list(bowls.players)
        players[spinner] = replace(players[spinner], style="SLA")
        teams[state.now.bowling_side] = replace(bowls, players=tuple(players))
        state.teams = (teams[0], teams[1])
        return captaincy.bowler_delta(state, spinner, state.natural_bowler())

    assert worth_to("right") > worth_to("left") + 0.002


def test_an_over_of_the_best_bowler_is_missing_later() -> None:
    game = before_over(0)
    side = game.state.teams[game.state.now.bowling_side]
    front = [i for i, p in enumerate(side.players) if p.front_line]
    best = max(front, key=lambda i: sum(side.estimates[i].bowling))
    worst = min(front, key=lambda i: sum(side.estimates[i].bowling))
    assert captaincy.later_overs(game.state, best) < captaincy.later_overs(game.state, worst)
    game.state.now.legal = 114
    assert captaincy.later_overs(game.state, best) == 0


def test_a_tail_ender_first_costs() -> None:
    game = CricketGame(CricketOptions(), 5)
    game.apply(game.to_act()[0], {"tool": "set_toss", "arguments": {"decision": "bat"}})
    names = [player.name for player in game.state.teams[game.state.now.batting_side].players]
    last = worth(choose(game, "choose_batter", batter=names[10]), "batter")
    seventh = worth(choose(game, "choose_batter", batter=names[6]), "batter")
    assert last[0] == names[10]
    assert last[1] < seventh[1] < 0
    assert last[1] < -0.02
    assert len(choose(game, "choose_batter", batter=names[0])) == 1


def test_retiring_a_batter_is_a_decision() -> None:
    game = before_over(3)
    while SEATS[game.state.now.batting_side] not in game.to_act() or game.state.now.bowler is None:
        game.apply(game.to_act()[0], {"tool": "bowl_delivery", "arguments": {}})
    game.state.choices = [None, None]
    emitted = choose(game, "choose_batter", retire="striker")
    name, delta = worth(emitted, "retire")
    assert name == emitted[0].batter
    assert delta < -0.01


def with_a_review(given_out: bool, evidence: str) -> CricketGame:
    """Return a match of natural captains that waits for a review of such a decision."""
    for seed in range(400):
        game, rng = CricketGame(CricketOptions(overs=5), seed), Random(seed)
        while game.outcome is None:
            if game.state.stage == "review":
                appeal = game.state.delivery().appeal
                assert appeal is not None
                if (appeal.given_out, appeal.evidence) == (given_out, evidence):
                    return game
            seat = game.to_act()[0]
            game.apply(seat, neutral(game, seat, rng))
    raise AssertionError("no such appeal")


@pytest.mark.parametrize("given_out", [True, False])
def test_a_likely_review_that_is_left_costs_and_a_natural_one_is_no_decision(given_out: bool) -> None:
    game = with_a_review(given_out, "likely")
    (seat,) = game.to_act()
    taken, left = (
        [call for event in game.clone().apply(seat, {"tool": "review", "arguments": {"take": take}})
         if isinstance(event, ChanceChanged) for call in event.decisions if "review" in call["choice"]]
        for take in (True, False)
    )  # fmt: skip
    assert taken == []
    (call,) = left
    assert (call["seat"], call["choice"]) == (seat, {"review": "left"})
    assert call["delta"] < 0


def test_a_hopeless_review_is_a_decision() -> None:
    game = with_a_review(given_out=False, evidence="unlikely")
    (seat,) = game.to_act()
    emitted = game.apply(seat, {"tool": "review", "arguments": {"take": True}})
    (call,) = [
        call for event in emitted if isinstance(event, ChanceChanged)
        for call in event.decisions if "review" in call["choice"]
    ]  # fmt: skip
    assert call["choice"] == {"review": "taken"}
    assert abs(call["delta"]) < 0.05


@pytest.mark.long
def test_the_worst_bowlers_are_seen_by_the_score_less_luck() -> None:
    """Part-timers throughout: the score less luck falls with the score, and the decisions account for it."""

    def worst(game: CricketGame, seat: str, rng: Random) -> Action:
        state = game.state
        if state.stage == "play" and state.now.bowler is None and seat == SEATS[state.now.bowling_side]:
            team = state.teams[state.now.bowling_side]
            free = [i for i in range(11) if state.now.may_bowl(i, team.keeper) is None]
            chosen = min(free, key=lambda i: sum(team.estimates[i].bowling))
            return {"tool": "choose_bowler", "arguments": {"bowler": team.players[chosen].name}}
        return neutral(game, seat, rng)

    less_luck, decisions, luck = [], [], []
    for seed in range(60):
        game, emitted = play_match(CricketOptions(overs=5), seed, worst, BOTS["neutral"])
        result = measures([(type(event).__name__, event_data(event)) for event in emitted], "home")
        assert game.outcome is not None
        less_luck.append(result["score_less_luck"])
        decisions.append(result["decisions"])
        luck.append(result["luck"])
    assert fmean(less_luck) < 0.45
    assert fmean(decisions) < -0.05
    assert abs(fmean(luck)) < 3 * stdev(luck) / sqrt(len(luck))
