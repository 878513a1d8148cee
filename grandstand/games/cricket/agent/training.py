"""The parts of cricket that a trainer needs: the choices of policies, the shorthand of a moment, features, the time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from grandstand.games.base import SeatId
from grandstand.games.cricket.agent import proposals
from grandstand.games.cricket.agent.policy_menu import slots, spell
from grandstand.games.cricket.agent.rewards import REWARDS
from grandstand.games.cricket.agent.shorthand import (
    earlier_shorthand,
    earlier_vocabulary,
    shorthand,
    vocabulary,
)
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.vocab import SEATS
from grandstand.games.training import Search, Shorthand, Training


def features(game: CricketGame, seat: SeatId) -> Mapping[str, float]:
    """Return the innings (0: toss), whether the seat bats, balls left, wickets down, runs needed (0: first innings)."""
    if not game.state.innings:
        return {"innings": 0, "bats": 0, "balls_left": 6 * game.state.options.overs, "wickets": 0, "need": 0}
    innings = game.state.now
    return {
        "innings": innings.number,
        "bats": float(innings.batting_side == SEATS.index(seat)),
        "balls_left": innings.balls_left,
        "wickets": innings.wickets,
        "need": innings.need or 0,
    }


def clock(game: CricketGame) -> float:
    """Return the overs bowled in the match, both sides' and Super Overs', by legal balls."""
    return sum(innings.legal for innings in game.state.innings) / 6


@cache
def training() -> Training[CricketGame]:
    return Training(
        vocabulary=vocabulary(),
        shorthand=shorthand,
        features=features,
        clock=clock,
        unit="over",
        rewards=REWARDS,
        menu=slots,
        spell=spell,
        older=(Shorthand(earlier_vocabulary(), earlier_shorthand),),
        search=Search(proposals.choose),
    )
