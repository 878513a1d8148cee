"""How a match is cut short and how it is decided. D/L Standard where weather had a part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from grandstand.games.base import GameEvent, Outcome
from grandstand.games.cricket.events import MatchDecided, PlayInterrupted
from grandstand.games.cricket.laws.duckworth_lewis import METHOD, MINIMUM_OVERS, par_score, resources
from grandstand.games.cricket.laws.rules import FormatRules, format_rules
from grandstand.games.cricket.vocab import SEATS

if TYPE_CHECKING:
    from grandstand.games.cricket.match.contest import Contest

_ONE_DAY_MINIMUM: Final = 20


def minimum_overs(match: Contest) -> int:
    """Overs a chase must have been given for a result: 5 in T20, 20 in one-day cricket, or all where fewer."""
    overs = match.options.overs
    return min(overs, MINIMUM_OVERS if overs <= 20 else _ONE_DAY_MINIMUM)


def interrupt(match: Contest) -> list[GameEvent]:
    """Rain at the end of an over: fewer overs and, in a chase, a target by D/L Standard."""
    innings, rain = match.now, match.rain
    if rain is None or innings.number != rain.innings or innings.legal != 6 * rain.after:
        return []
    before = innings.rules.overs
    shorter = format_rules(rain.overs, match.options.conditions)
    match.resources = list(resources_if_cut(match, shorter, innings.legal, innings.wickets))
    match.shorten(shorter)
    match.method = METHOD
    if innings.number == 2:
        innings.target = par_score(match.innings[0].runs, *match.resources) + 1
    if innings.balls_left <= 0 or rain.overs < minimum_overs(match):
        innings.closed = "rain"
    elif innings.target is not None and innings.runs >= innings.target:
        innings.closed = "target reached"
    rules = innings.rules
    limits = rules.powerplay_balls, rules.bowler_max_overs
    return [PlayInterrupted(innings.number, before - rules.overs, rules.overs, innings.target, *limits, METHOD)]


def resources_if_cut(match: Contest, shorter: FormatRules, legal: int, wickets: int) -> tuple[float, float]:
    """Return both sides' resources where the innings now on is cut to `shorter` after so many legal balls."""
    innings = match.now
    cut = resources(innings.rules.balls - legal, wickets) - resources(shorter.balls - legal, wickets)
    first, second = match.resources
    return (first - cut, resources(shorter.balls, 0)) if innings.number == 1 else (first, second - cut)


def target(match: Contest) -> int:
    """What the side about to bat needs to win."""
    innings = match.now
    if innings.number == 1 and match.method is not None:
        return par_score(innings.runs, *match.resources) + 1
    return innings.runs + 1


def too_short(match: Contest) -> bool:
    """Whether rain has left less than a match."""
    innings = match.now
    return innings.closed == "rain" and innings.legal < 6 * minimum_overs(match)


def lead_on_par(match: Contest) -> int | None:
    """The side that would win if play were abandoned now; None where there would be no result, or a tie."""
    chase = match.now if match.innings else None
    if chase is None or chase.number != 2 or chase.legal < 6 * minimum_overs(match):
        return None
    left = resources(chase.balls_left, chase.wickets)
    par = par_score(match.innings[0].runs, match.resources[0], match.resources[1] - left)
    if chase.runs == par:
        return None
    return chase.batting_side if chase.runs > par else chase.bowling_side


def win(match: Contest) -> list[GameEvent]:
    """The second of a pair of innings is over and the scores are not level."""
    innings = match.now
    assert innings.target is not None
    chased = innings.runs >= innings.target
    side = innings.batting_side if chased else innings.bowling_side
    name = match.teams[side].name
    if innings.rules.super_over:
        return _decide(match, side, "super over", f"match tied; {name} won the Super Over", {})
    if chased and innings.closed != "rain":
        left, wickets = innings.balls_left, innings.rules.wickets - innings.wickets
        margin = f"{_count(wickets, 'wicket')} ({_count(left, 'ball')} left)"
        by = {"wickets": wickets, "balls": left}
    else:
        by = {"runs": abs(innings.runs - innings.target + 1)}
        margin = _count(by["runs"], "run")
    method = f" ({match.method})" if match.method else ""
    return _decide(match, side, "win", f"{name} won by {margin}{method}", by)


def tie(match: Contest) -> list[GameEvent]:
    return _decide(match, None, "tie", "match tied", {})


def abandon(match: Contest) -> list[GameEvent]:
    return _decide(match, None, "no result", f"no result: under {minimum_overs(match)} overs possible", {})


def _decide(match: Contest, side: int | None, reason: str, text: str, by: dict[str, int]) -> list[GameEvent]:
    winner = None if side is None else SEATS[side]
    share = dict.fromkeys(SEATS, 0.5) if winner is None else {seat: float(seat == winner) for seat in SEATS}
    winners = list(SEATS) if reason == "tie" else [] if winner is None else [winner]
    match.result = Outcome(reason, winners, share, text)
    match.stage = "over"
    return [MatchDecided(winner, text, by, match.method, match.state())]


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"
