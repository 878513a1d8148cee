"""Cricket's offer to a trainer: where the parts come from, the clock and the features."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from grandstand.games.cricket import GAME
from grandstand.games.cricket.agent.training import clock, features, training
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions


def test_it_is_built_once() -> None:
    assert GAME.learning.training is training
    assert training() is training()
    assert training().unit == "over"


def test_words_are_told_apart() -> None:
    vocabulary = training().vocabulary
    assert len(set(vocabulary)) == len(vocabulary)
    assert not any(" " in word for word in vocabulary)


@pytest.mark.parametrize(("options", "start"), [({"overs": 3}, 0.0), ({"pack": "death-overs"}, 15.0)])
def test_the_clock_counts_overs_of_both_innings(options: dict[str, Any], start: float) -> None:
    game = CricketGame(CricketOptions(**options, win_probability=False), 2)
    times = [clock(game)]
    while game.state.result is None:
        seat = game.to_act()[0]
        game.apply(seat, BOTS["neutral"](game, seat, Random(1)))
        times.append(clock(game))
    assert times[0] >= start
    assert times == sorted(times)
    assert times[-1] == pytest.approx(sum(innings.legal for innings in game.state.innings) / 6)


def test_the_features_are_of_the_position_before_the_choice() -> None:
    game = CricketGame(CricketOptions(overs=5, win_probability=False), 3)
    seat = game.to_act()[0]
    assert features(game, seat) == {"innings": 0, "bats": 0, "balls_left": 30, "wickets": 0, "need": 0}
    game.apply(seat, {"tool": "set_toss", "arguments": {"decision": "bat"}})
    other = "away" if seat == "home" else "home"
    assert features(game, seat) == {"innings": 1, "bats": 1, "balls_left": 30, "wickets": 0, "need": 0}
    game.state.now.runs, game.state.now.legal, game.state.now.wickets, game.state.now.target = 20, 8, 2, 61
    assert features(game, other) == {"innings": 1, "bats": 0, "balls_left": 22, "wickets": 2, "need": 41}
