"""Interruptions and results of a match, read from its state. D/L Standard where weather had a part."""

from __future__ import annotations

from typing import Final, NamedTuple

from grandstand.games.base import Outcome
from grandstand.games.cricket.laws.duckworth_lewis import METHOD, MINIMUM_OVERS, par_score, resources
from grandstand.games.cricket.laws.rules import FormatRules, format_rules
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.vocab import SEATS

_ONE_DAY_MINIMUM: Final = 20


def minimum_overs(state: ContestState) -> int:
    """Return the overs that a chase needs for a result: 5 in T20, 20 in one-day cricket, at most all of its overs."""
    overs = state.options.overs
    return min(overs, MINIMUM_OVERS if overs <= 20 else _ONE_DAY_MINIMUM)


class Interruption(NamedTuple):
    """The terms under which an innings continues, or ends, after rain."""

    rules: FormatRules
    resources: tuple[float, float]
    target: int | None
    closed: str | None
    method: str


def interruption(state: ContestState) -> Interruption | None:
    """Return the terms after rain at the end of this over: fewer overs and, in a chase, a target by D/L Standard."""
    innings, rain = state.now, state.rain
    if rain is None or innings.number != rain.innings or innings.legal != 6 * rain.after:
        return None
    shorter = format_rules(rain.overs, state.options.conditions)
    left = resources_if_cut(state, shorter, innings.legal, innings.wickets)
    revised = innings.target
    if innings.number == 2:
        revised = par_score(state.innings[0].runs, *left) + 1
    closed = innings.closed
    if shorter.balls <= innings.legal or rain.overs < minimum_overs(state):
        closed = "rain"
    elif revised is not None and innings.runs >= revised:
        closed = "target reached"
    return Interruption(shorter, left, revised, closed, METHOD)


def resources_if_cut(state: ContestState, shorter: FormatRules, legal: int, wickets: int) -> tuple[float, float]:
    """Return both sides' resources if the present innings is cut to `shorter` after `legal` legal balls."""
    innings = state.now
    cut = resources(innings.rules.balls - legal, wickets) - resources(shorter.balls - legal, wickets)
    first, second = state.resources
    return (first - cut, resources(shorter.balls, 0)) if innings.number == 1 else (first, second - cut)


def target(state: ContestState) -> int:
    """Return the target of the side about to bat."""
    innings = state.now
    if innings.number == 1 and state.method is not None:
        return par_score(innings.runs, *state.resources) + 1
    return innings.runs + 1


def too_short(state: ContestState) -> bool:
    """Return whether rain has left too few overs for a result."""
    innings = state.now
    return innings.closed == "rain" and innings.legal < 6 * minimum_overs(state)


def lead_on_par(state: ContestState) -> int | None:
    """Return the side that would win if play were abandoned now; None for no result or a tie."""
    chase = state.now if state.innings else None
    if chase is None or chase.number != 2 or chase.legal < 6 * minimum_overs(state):
        return None
    left = resources(chase.balls_left, chase.wickets)
    par = par_score(state.innings[0].runs, state.resources[0], state.resources[1] - left)
    if chase.runs == par:
        return None
    return chase.batting_side if chase.runs > par else chase.bowling_side


class Ending(NamedTuple):
    """The end of a match: its outcome, the winning side and the margin."""

    outcome: Outcome
    winner: int | None
    by: dict[str, int]


def ending(state: ContestState, last: bool) -> Ending | None:
    """Return the end of the match with the innings just closed; None if another innings follows.

    With `last`, level scores stand as a tie instead of calling for one more Super Over.
    """
    innings = state.now
    if too_short(state):
        return _ending(None, "no result", f"no result: under {minimum_overs(state)} overs possible", {})
    if innings.number % 2 == 1:
        return None
    if innings.target is not None and innings.runs != innings.target - 1:
        return _win(state)
    if last or innings.closed == "rain":
        return _ending(None, "tie", "match tied", {})
    return None


def _win(state: ContestState) -> Ending:
    """Return the win that ends a pair of innings whose scores are not level."""
    innings = state.now
    assert innings.target is not None
    chased = innings.runs >= innings.target
    side = innings.batting_side if chased else innings.bowling_side
    name = state.teams[side].name
    if innings.rules.super_over:
        return _ending(side, "super over", f"match tied; {name} won the Super Over", {})
    if chased and innings.closed != "rain":
        left, wickets = innings.balls_left, innings.rules.wickets - innings.wickets
        margin = f"{counted(wickets, 'wicket')} ({counted(left, 'ball')} left)"
        by = {"wickets": wickets, "balls": left}
    else:
        by = {"runs": abs(innings.runs - innings.target + 1)}
        margin = counted(by["runs"], "run")
    method = f" ({state.method})" if state.method else ""
    return _ending(side, "win", f"{name} won by {margin}{method}", by)


def _ending(side: int | None, reason: str, text: str, by: dict[str, int]) -> Ending:
    winner = None if side is None else SEATS[side]
    share = dict.fromkeys(SEATS, 0.5) if winner is None else {seat: float(seat == winner) for seat in SEATS}
    winners = list(SEATS) if reason == "tie" else [] if winner is None else [winner]
    return Ending(Outcome(reason, winners, share, text), side, by)


def counted(n: int, noun: str) -> str:
    """Return `1 run`, `2 runs`."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
