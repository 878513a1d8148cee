"""The tools that each side may call now, read from the state of the match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from grandstand.games.base import SeatId
from grandstand.games.cricket.agent.actions import IMPACT, PLAN_OVER
from grandstand.games.cricket.match.over_plan import standing
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.vocab import SEATS

_NEXT: Final = "choose_next_over_plan"
MOVES: Final = ("set_toss", "review", PLAN_OVER, "bowl_delivery", "play_delivery")
"""The tools that move the match on."""
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
    """Return the tools that `side` may call now: the one that continues the match, then the free ones.

    Where overs are planned, the plan comes first, and the ball can still be called by itself. While a plan stands, it
    stays: a call of the next ball then differs for that ball.
    """
    if state.stage == "toss":
        return ("set_toss", "analyze_situation")
    if state.stage == "review":
        return ("review", "analyze_situation")
    if side == state.now.batting_side:
        tools: tuple[str, ...] = ("play_delivery", "choose_batter", _NEXT, "analyze_situation")
    elif state.now.bowler is None:
        tools = ("bowl_delivery", "choose_bowler", "set_field", _NEXT, "analyze_situation")
    else:
        tools = ("bowl_delivery", "set_field", _NEXT, "analyze_situation")
    if state.substitutes(side):
        tools = (*tools[:-1], IMPACT, tools[-1])
    if state.options.decisions == "ball":
        return tools
    tools = tuple(tool for tool in tools if tool != _NEXT)
    return tools if standing(state, side) else (PLAN_OVER, *tools)


def free_calls_left(state: ContestState, side: int) -> int:
    """Return how many free calls `side` still has before this ball."""
    return FREE_CALLS - state.calls[side]
