"""The standing of a moment in words."""

from __future__ import annotations

from grandstand.games.base import SeatId
from grandstand.games.cricket.picture.moment import InningsCourse, MatchMoment, moment
from grandstand.games.cricket.vocab import SEATS
from grandstand.games.picture import Card, CardRow, Scene

PROJECTED_FROM = 0.25
"""The share of an innings, at least an over, after which its total is projected."""


def card(scene: Scene) -> Card:
    """Return the standing at `scene`, the side that bats first on top."""
    now = moment(scene)
    batted = [innings.batting for innings in now.innings]
    order = sorted(SEATS, key=lambda seat: batted.index(seat) if seat in batted else len(batted))
    rows = [
        CardRow(seat, now.team(seat), tally(now, seat), strong=seat in batted, short=now.short(seat)) for seat in order
    ]
    return Card(turn(now), rows, facts=_facts(now))


def tally(now: MatchMoment, seat: SeatId) -> str:
    """Return the score of a side: `142/3 (15.4)`, with a Super Over `142/5 & 11/0`."""
    innings = [each for each in now.innings if each.batting == seat]
    if not innings:
        return "yet to bat" if now.innings else "–"
    first = f"{innings[0].runs}/{innings[0].wickets}"
    if innings[-1].super_over:
        return f"{first} & {innings[-1].runs}/{innings[-1].wickets}"
    return f"{first} ({overs(innings[0].balls)})"


def overs(balls: int) -> str:
    """Return legal balls as overs: `15.4`."""
    return f"{balls // 6}.{balls % 6}" if balls % 6 else str(balls // 6)


def rate(runs: int, balls: int) -> str:
    """Return runs an over."""
    return f"{6 * runs / balls:.2f}" if balls else "–"


def chase(innings: InningsCourse | None) -> str:
    """Return the equation of a chase: `Need 34 off 21 balls`; '' in a first innings."""
    if innings is None or innings.need is None or innings.closed:
        return ""
    balls = "ball" if innings.left == 1 else "balls"
    return f"Need {innings.need} off {innings.left} {balls}" if innings.need and innings.left else ""


def turn(now: MatchMoment) -> str:
    """Return the part of the match, and its progress."""
    innings = now.current
    if now.result:
        return "Result"
    if innings is None:
        return "The toss"
    name = "Super Over" if innings.super_over else "1st innings" if innings.number == 1 else "2nd innings"
    return f"{name}, {overs(innings.balls)} of {innings.overs} overs"


def _facts(now: MatchMoment) -> list[str]:
    innings = now.current
    if now.result:
        return [now.result[0].upper() + now.result[1:]]
    if innings is None:
        if now.toss is None:
            return []
        winner, choice = now.toss
        return [f"{now.team(winner)} won the toss" + (f" and chose to {choice}" if choice else "")]
    facts = []
    need = chase(innings)
    if need and innings.need is not None:
        facts.append(f"{need} · required rate {rate(innings.need, innings.left)}")
    if innings.balls:
        early = innings.balls < max(6, 6 * innings.overs * PROJECTED_FROM)
        total = innings.runs * 6 * innings.overs // innings.balls
        projected = "" if need or innings.closed or early else f" · projected {total}"
        facts.append(f"Run rate {rate(innings.runs, innings.balls)}{projected}")
    return facts


def bowling(now: MatchMoment) -> str:
    """Return the figures of the bowler: `3.4-0-21-1`."""
    balls, maidens, runs, wickets = now.figures.get(now.bowler, (0, 0, 0, 0))
    return f"{overs(balls)}-{maidens}-{runs}-{wickets}"
