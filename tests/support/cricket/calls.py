"""Calls of a cricket match that has begun, for tests."""

from __future__ import annotations

from grandstand.games.base import Action
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions

PLAY: Action = {"tool": "play_delivery", "arguments": {}}


def began(seed: int = 3, overs: int = 5) -> CricketGame:
    """Home has won the toss and bats."""
    game = CricketGame(CricketOptions(overs=overs, win_probability=False), seed)
    decision = "bat" if not game.state.toss_winner else "field"
    game.apply(game.to_act()[0], {"tool": "set_toss", "arguments": {"decision": decision}})
    return game
