from __future__ import annotations

from random import Random

import pytest

from games.base import GameEvent
from games.cricket import GAME
from games.cricket.game import CricketGame
from games.cricket.options import CricketOptions


def play(seed: int, options: CricketOptions | None = None) -> tuple[CricketGame, list[GameEvent]]:
    game = CricketGame(options or CricketOptions(), seed)
    events = list(game.opening())
    rng = Random(seed)
    while game.outcome is None:
        seat = game.to_act()[0]
        events += game.apply(seat, GAME.bots["neutral"](game, seat, rng))
    return game, events


@pytest.mark.parametrize("overs", [1, 2, 5, 8, 20, 50])
def test_a_match_of_any_length_ends(overs: int) -> None:
    game, events = play(3, CricketOptions(overs=overs))
    assert game.outcome is not None
    assert game.to_act() == ()
    assert type(events[-1]).__name__ == "MatchDecided"
    assert game.innings[0].legal <= 6 * overs
