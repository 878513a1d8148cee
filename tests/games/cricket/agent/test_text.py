from __future__ import annotations

from grandstand.games.cricket.agent import menu
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions


def test_the_prompt_says_what_the_seat_may_know_and_do() -> None:
    game = CricketGame(CricketOptions(overs=5), 3)
    observed = set()
    while game.outcome is None:
        for seat in game.to_act():
            text = game.text(seat)
            assert text == game.text(seat)
            assert len(text) < 6_000
            side = ("home", "away").index(seat)
            assert all(f"- {tool}(" in text for tool in menu.allowed(game.state, side))
            if game.state.innings and game.state.stage == "play":
                innings = game.state.now
                assert f"{innings.runs}/{innings.wickets}" in text
                assert ("FREE HIT" in text) == innings.free_hit
                assert ("need" in text) == (innings.target is not None)
            observed.add(game.state.stage)
        seat = game.to_act()[0]
        game.apply(seat, game.default_action(seat))
    assert {"toss", "play"} <= observed
