"""The opponent that behaves like real sides: every choice is sampled from real choices in that state.

Bowlers are sampled by the share of spin in each over; lengths, lines and variations from tracked balls by phase and
bowler, which is the natural ball. In addition, batters differ in their intent.
"""

from __future__ import annotations

from random import Random
from typing import Final

from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.agent import menu
from grandstand.games.cricket.agent.actions import PLAN_OVER
from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.match.state import Position
from grandstand.games.cricket.vocab import SEATS

_INTENTS: Final = {"rotate": 0.12, "build": 0.22, "normal": 0.44, "attack": 0.22}
"""OURS: a spread of about a third of the risk axis around the state's own; no data separate intent from outcome."""


def cricsheet(game: Position, seat: SeatId, rng: Random) -> Action:
    """Sample a call from the behaviour of real sides in this state."""
    if game.state.stage != "play":
        return neutral(game, seat, rng)
    innings = game.state.now
    if seat == ("home", "away")[innings.batting_side]:
        if menu.allowed(game.state, SEATS.index(seat))[0] == PLAN_OVER:
            ends = rng.choices(list(_INTENTS), list(_INTENTS.values()), k=2)
            return {"tool": PLAN_OVER, "arguments": {"striker": ends[0], "non_striker": ends[1]}}
        intent = rng.choices(list(_INTENTS), list(_INTENTS.values()))[0]
        return {"tool": "play_delivery", "arguments": {"intent": intent}}
    return neutral(game, seat, rng)
