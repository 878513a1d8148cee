"""The menu of a side is what the rules accept: the first tool always, a free one as long as free calls are left."""

from __future__ import annotations

import pytest

from grandstand.games.base import IllegalAction
from grandstand.games.cricket.agent import actions, menu
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.vocab import SEATS


def test_the_first_tool_always_moves_on_and_no_other_tool_is_accepted() -> None:
    game = CricketGame(CricketOptions(overs=1, win_probability=False), 1)
    stages = set()
    while game.outcome is None:
        seat = game.to_act()[0]
        stages.add(game.state.stage)
        allowed = menu.allowed(game.state, SEATS.index(seat))
        for tool in set(actions.ARGUMENTS) - set(allowed):
            with pytest.raises(IllegalAction, match=f"^tool: {tool} cannot be called now"):
                game.apply(seat, {"tool": tool})
        game.apply(seat, {"tool": allowed[0]})
    assert {"toss", "play"} <= stages
    assert menu.to_act(game.state) == ()


def test_free_calls_are_counted_down_until_the_ball() -> None:
    game = CricketGame(CricketOptions(overs=1, win_probability=False), 1)
    game.apply(game.to_act()[0], {"tool": "set_toss"})
    seat = game.to_act()[0]
    side = SEATS.index(seat)
    for left in range(menu.FREE_CALLS, 0, -1):
        assert menu.free_calls_left(game.state, side) == left
        game.apply(seat, {"tool": "analyze_situation"})
    with pytest.raises(IllegalAction, match="free calls before this ball are used"):
        game.apply(seat, {"tool": "analyze_situation"})
    game.apply(seat, game.default_action(seat))
    while game.state.now.legal == 0 and game.state.stage == "play" and game.state.now.attempt == 0:
        seat = game.to_act()[0]
        game.apply(seat, game.default_action(seat))
    assert menu.free_calls_left(game.state, side) == menu.FREE_CALLS
