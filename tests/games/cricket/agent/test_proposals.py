"""The search over the calls that a policy proposes: the best call by the game of the ball, else the plan of the bot."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.agent import proposals
from grandstand.games.cricket.agent.proposals import call_worths, gain_over_the_mix
from grandstand.games.cricket.bots.ball_game import BALLS, STROKES, shot_of
from grandstand.games.cricket.bots.heuristic import ball_shares, heuristic, plan_of, stroke_shares
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.vocab import LENGTHS, LINES, SEATS
from grandstand.games.training import Searched


def before_a_ball(tool: str, balls: int = 8) -> CricketGame:
    """Return a match of two of `heuristic` that waits for this tool after so many balls."""
    game = CricketGame(CricketOptions(overs=5), 3)
    rng = Random(1)
    while True:
        seat = game.to_act()[0]
        action = heuristic(game, seat, rng)
        if game.state.innings and game.state.now.legal >= balls and action["tool"] == tool:
            return game
        game.apply(seat, action)


def bowled(index: int, game: CricketGame) -> Action:
    length, line, variation = BALLS[game.state.attack][index]
    named = {"length": LENGTHS[length] if length >= 0 else "natural", "line": LINES[line] if line >= 0 else "natural"}
    return {"tool": "bowl_delivery", "arguments": {**named, "variation": variation}}


def played(index: int) -> Action:
    intent, family = STROKES[index]
    return {"tool": "play_delivery", "arguments": {"intent": intent, "shot": shot_of(family)}}


@pytest.mark.parametrize("tool", ["bowl_delivery", "play_delivery"])
def test_a_bad_proposal_is_passed_over_and_a_good_one_is_not(tool: str) -> None:
    game = before_a_ball(tool)
    seat = game.to_act()[0]
    worths = call_worths(game.state, tool)
    best, worst = int(worths.argmax()), int(worths.argmin())
    actions = [played(index) if tool == "play_delivery" else bowled(index, game) for index in (worst, best)]
    answers = [proposals.choose(game, seat, actions, Random(seed)).action for seed in range(40)]
    assert actions[0] not in answers
    assert answers.count(actions[1]) > 10, "two draws of the bot are nearly as good"
    assert gain_over_the_mix(game.state, actions[0]) < 0 < gain_over_the_mix(game.state, actions[1])


def test_the_worths_are_those_of_the_game_of_the_ball_for_either_side() -> None:
    """The mean over the mix that each side draws from is the same amount, with opposite signs."""
    state = before_a_ball("bowl_delivery").state
    plan, balls, strokes = plan_of(state), ball_shares(state), stroke_shares(state)
    value = float(balls @ plan.worths @ strokes)
    assert float(balls @ call_worths(state, "bowl_delivery")) == pytest.approx(-value)
    assert float(strokes @ call_worths(state, "play_delivery")) == pytest.approx(value)
    assert np.ptp(call_worths(state, "bowl_delivery")) > 0


def test_a_call_that_the_game_of_the_ball_leaves_out_is_passed_over() -> None:
    game = before_a_ball("play_delivery")
    seat = game.to_act()[0]
    odd: Action = {"tool": "play_delivery", "arguments": {"intent": "block", "shot": "scoop"}}
    assert proposals.choose(game, seat, [odd], Random(1)).action["tool"] == "play_delivery"
    assert proposals.choose(game, seat, [odd], Random(1)).action != odd


@pytest.mark.parametrize("tool", ["set_toss", "choose_bowler", "set_field"])
def test_what_is_no_call_of_a_ball_is_planned_as_the_bot_plans_it(tool: str) -> None:
    game, rng = CricketGame(CricketOptions(overs=5), 3), Random(1)
    while (planned := heuristic(game, game.to_act()[0], rng))["tool"] != tool:
        game.apply(game.to_act()[0], planned)
    seat: SeatId = game.to_act()[0]
    assert proposals.choose(game, seat, [], Random(5)) == Searched(planned)
    assert seat in SEATS
