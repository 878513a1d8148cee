"""The built-in captains: legal, reproducible, reading no secrets, and in the order of their strength."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from statistics import fmean

import pytest

from grandstand.games.base import GameEvent
from grandstand.games.cricket.agent.measures import measures
from grandstand.games.cricket.bots import BOTS, showcase
from grandstand.games.cricket.bots.overs import plan_overs
from grandstand.games.cricket.events import BallBowled
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match, play_out
from grandstand.games.match import event_data


@pytest.mark.few(2)
@pytest.mark.parametrize("captain", sorted(BOTS))
def test_a_captain_is_a_function_of_game_seat_and_stream(captain: str) -> None:
    played = [play_match(CricketOptions(overs=3), 8, BOTS[captain], BOTS[captain]) for _ in range(2)]
    assert played[0][1] == played[1][1]


@pytest.mark.parametrize("captain", sorted(BOTS))
def test_a_captain_does_not_read_the_luck_or_the_other_sides_choice(captain: str) -> None:
    game = CricketGame(CricketOptions(overs=5), 4)
    rng = Random(4)
    for _ in range(60):
        seat = game.to_act()[0]
        other = game.clone()
        other.reseed(99)
        if game.state.stage == "play":
            for side in (0, 1):
                if other.state.choices[side] is not None and ("home", "away")[side] != seat:
                    bats = side == game.state.now.batting_side
                    other.state.choices[side] = {"intent": "slog"} if bats else {"length": "short"}
        bowler_is_drawn = game.state.stage == "play" and game.state.now.bowler is None
        if game.state.stage != "review" and not bowler_is_drawn:
            assert BOTS[captain](game, seat, Random(1)) == BOTS[captain](other, seat, Random(1))
        game.apply(seat, BOTS["neutral"](game, seat, rng))


@pytest.mark.long
@pytest.mark.parametrize("weaker", ["random", "fixed-plan"])
def test_the_heuristic_captain_beats_the_simple_ones(weaker: str) -> None:
    """By the score less the luck, which has a fifth of the noise; a bound that a broken captain would not meet."""
    scores = []
    for seed in range(3):
        for home, away, seat in (("heuristic", weaker, "home"), (weaker, "heuristic", "away")):
            _, events = play_match(CricketOptions(), seed, BOTS[home], BOTS[away])
            data = [(type(event).__name__, event_data(event)) for event in events]
            scores.append(measures(data, seat)["score_less_luck"])
    assert fmean(scores) > 0.6


def test_the_heuristic_captain_keeps_the_best_death_bowler_for_the_death() -> None:
    game = CricketGame(CricketOptions(), 3)
    game.contest.start_innings(0)
    game.contest.send_in()
    game.contest.send_in()
    side = game.state.teams[1]
    front = [i for i, player in enumerate(side.players) if player.front_line]
    best = min(front, key=lambda i: side.players[i].season["econ"][2])
    overs = []
    for _ in range(20):
        bowler = plan_overs(game.state.now, side)
        overs.append(bowler)
        game.state.now.give_ball(bowler)
        game.state.now.legal += 6
        game.state.now.end_over()
    assert best in overs[15:]
    assert all(a != b for a, b in pairwise(overs))
    assert max(overs.count(i) for i in front) <= 4
    assert set(overs) <= set(front)


def test_rollouts_are_neutral_play_without_the_telling() -> None:
    neutral = BOTS["neutral"]
    told_game = CricketGame(CricketOptions(overs=5), 12)
    quiet = CricketGame(CricketOptions(overs=5), 12)
    for game in (told_game, quiet):
        game.contest.start_innings(0)
    emitted: list[GameEvent] = []
    while told_game.outcome is None:
        seat = told_game.to_act()[0]
        emitted += told_game.apply(seat, neutral(told_game, seat, Random(0)))
    play_out(quiet)
    assert any(isinstance(event, BallBowled) for event in emitted)
    assert quiet.outcome == told_game.outcome
    assert [(i.runs, i.wickets, i.legal) for i in quiet.state.innings] == [
        (i.runs, i.wickets, i.legal) for i in told_game.state.innings
    ]


def test_the_showcase_seats_captains_that_exist() -> None:
    for seed in range(20):
        assert set(showcase(Random(seed))) <= set(BOTS)
