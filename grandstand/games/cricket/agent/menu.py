"""The tools that each side may call now, read from the state of the match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grandstand.games.base import SeatId
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.vocab import SEATS

FREE_CALLS: Final = 6
"""The number of free calls that a captain may make before each ball, besides the one that continues the match."""


def to_act(state: ContestState) -> Sequence[SeatId]:
    """Return the seats that the match waits for, the bowling side's first where both choose."""
    if state.stage == "play":
        innings = state.now
        if innings.striker is None or innings.non_striker is None:
            return (SEATS[innings.batting_side],)
        if innings.bowler is None:
            return (SEATS[innings.bowling_side],)
        order = (innings.bowling_side, innings.batting_side)
        return tuple(SEATS[side] for side in order if state.choices[side] is None)
    if state.stage == "toss":
        return (SEATS[state.toss_winner],)
    if state.stage == "review" and state.appeal is not None:
        return (SEATS[state.appeal],)
    return ()


def allowed(state: ContestState, side: int) -> tuple[str, ...]:
    """Return the tools that `side` may call now: the one that continues the match, then the free ones."""
    if state.stage == "toss":
        return ("set_toss", "analyze_situation")
    if state.stage == "review":
        return ("review", "analyze_situation")
    if side == state.now.batting_side:
        return ("play_delivery", "choose_batter", "choose_next_over_plan", "analyze_situation")
    if state.now.bowler is None:
        return ("bowl_delivery", "choose_bowler", "set_field", "choose_next_over_plan", "analyze_situation")
    return ("bowl_delivery", "set_field", "choose_next_over_plan", "analyze_situation")


def free_calls_left(state: ContestState, side: int) -> int:
    """Return how many free calls `side` still has before this ball."""
    return FREE_CALLS - state.calls[side]
