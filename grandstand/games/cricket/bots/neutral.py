"""The captain that plays like real sides: natural balls, normal intent, standard fields, and reviews in doubt."""

from __future__ import annotations

from random import Random

from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.agent import menu
from grandstand.games.cricket.agent.actions import PLAN_OVER
from grandstand.games.cricket.match.state import Position
from grandstand.games.cricket.model.umpire import NATURALLY_REVIEWED
from grandstand.games.cricket.vocab import SEATS

_BOWL: Action = {"tool": "bowl_delivery", "arguments": {}}
_PLAY: Action = {"tool": "play_delivery", "arguments": {}}


def neutral(game: Position, seat: SeatId, rng: Random) -> Action:
    """Make the natural choice, as in the calibration of the ball model."""
    if game.state.stage == "play":
        if menu.allowed(game.state, SEATS.index(seat))[0] == PLAN_OVER:
            return {"tool": PLAN_OVER, "arguments": {}}
        return _PLAY if (game.state.now.batting_side == 0) == (seat == "home") else _BOWL
    if game.state.stage == "toss":
        decision = "field" if rng.random() < game.state.model.draws["field_first"] else "bat"
        return {"tool": "set_toss", "arguments": {"decision": decision}}
    return review(game)


def review(game: Position) -> Action:
    """Review a decision that looks at least close."""
    appeal = game.state.delivery().appeal
    assert appeal is not None
    return {"tool": "review", "arguments": {"take": appeal.evidence in NATURALLY_REVIEWED}}
