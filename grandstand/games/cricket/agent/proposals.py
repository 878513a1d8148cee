"""A search at play time over the calls that a policy proposes: the interface to trained players.

The calls of a ball are valued exactly in the game of this ball (`bots/ball_game.py`): each against the other side's
best mix, for average players. Draws from `heuristic` are further candidates. Calls of nearly the same worth are about
equally likely, because the other side would read a captain that always takes the best. All other decisions (bowler,
field, review, toss) are those of `heuristic`, by the scorer's tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

import numpy as np

from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.agent import actions
from grandstand.games.cricket.bots.ball_game import BALLS, stroke_index, worth_of_a_run
from grandstand.games.cricket.bots.heuristic import ball_shares, heuristic, plan_of, stroke_shares
from grandstand.games.cricket.match.chances import class_worths
from grandstand.games.cricket.match.state import ContestState, Position
from grandstand.games.cricket.model.ball_model import Array
from grandstand.games.cricket.model.tactics import NATURAL
from grandstand.games.cricket.vocab import LENGTHS, LINES
from grandstand.games.training import Searched

SHARP = 0.015
"""The advantage, in runs a ball, that makes a call e times as likely."""
_CALLS = ("bowl_delivery", "play_delivery")


def choose(game: Position, seat: SeatId, proposals: Sequence[Action], rng: Random) -> Searched:
    """Return one of the proposals or of as many draws from `heuristic`, better calls with a larger probability.
    Decisions other than calls of a ball are those of `heuristic`."""
    planned = heuristic(game, seat, rng)
    if planned["tool"] not in _CALLS:
        return Searched(planned)
    proposed = [action for action in proposals if action.get("tool") == planned["tool"]]
    drawn = [planned, *(heuristic(game, seat, rng) for _ in proposed[1:])]
    worths = call_worths(game.state, planned["tool"])
    weighed = [(worths[index], action) for action in (*proposed, *drawn)
               if (index := _index(game.state, action)) is not None]  # fmt: skip
    best = max(worth for worth, _ in weighed)
    chances = [exp((worth - best) / SHARP) for worth, _ in weighed]
    worth, action = rng.choices(weighed, chances)[0]
    return Searched(action, f"Of {len(weighed)} calls, {best - worth:.3f} runs behind the best.")


def call_worths(state: ContestState, tool: str) -> Array:
    """Return the worth of every call of a ball to its side, in runs, against the other side's mix."""
    plan = plan_of(state)
    worths: Array = -plan.worths @ stroke_shares(state) if tool == _CALLS[0] else ball_shares(state) @ plan.worths
    return np.asarray(worths)


def gain_over_the_mix(state: ContestState, action: Action) -> float:
    """Return the expected gain of a call in the chance of winning over a draw from `heuristic` at this moment; 0 for
    any other action. A call that the game of the ball leaves out counts as the worst in it."""
    if action["tool"] not in _CALLS:
        return 0.0
    worths, index = call_worths(state, action["tool"]), _index(state, action)
    mix = ball_shares(state) if action["tool"] == _CALLS[0] else stroke_shares(state)
    worth = float(worths.min()) if index is None else float(worths[index])
    return worth_of_a_run(class_worths(state)) * (worth - float(mix @ worths))


def _index(state: ContestState, action: Action) -> int | None:
    """Return the index of the call in `BALLS` or `STROKES`; None for a call that the game of the ball leaves out."""
    _, arguments = actions.parse(action)
    if action["tool"] == _CALLS[1]:
        call = actions.batting_choice(arguments)
        return stroke_index(call.get("intent", "normal"), call.get("shot", "natural"))
    call = actions.bowling_choice(arguments, None)
    length, line = call.get("length", "natural"), call.get("line", "natural")
    aim = (
        LENGTHS.index(length) if length in LENGTHS else NATURAL,
        LINES.index(line) if line in LINES else NATURAL,
        call.get("variation", "natural"),
    )
    return BALLS[state.attack].index(aim) if aim in BALLS[state.attack] else None
