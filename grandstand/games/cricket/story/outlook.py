"""The outlook: chances, excitement and the headline."""

from __future__ import annotations

from grandstand.games.base import SeatId
from grandstand.games.cricket.story.memory import FORM, InningsSoFar, Memory
from grandstand.games.cricket.story.wording import plural
from grandstand.games.story import Outlook

LIVELY = 0.5
"""The sum of the absolute changes of the chance over two overs at which the swing is 1. OURS."""

COLLAPSE = 3
"""Wickets within two overs that make a collapse."""


def outlook(memory: Memory, seq: int) -> Outlook:
    """Return the outlook now; `seq` is the number of the last event that changed the score."""
    chances: dict[SeatId, float] = {}
    if memory.home is not None:
        chances = {"home": round(memory.home, 4), "away": round(1 - memory.home, 4)}
    return Outlook(chances, excitement(memory), headline(memory), (seq,))


def excitement(memory: Memory) -> float:
    """Return closeness × lateness × swing, each with a minimum of its own, from 0 to 1.

    Closeness is 1 if the chances are even and 0 if the match is decided. Lateness is the share of the match that has
    been played. Swing is the movement of the chance over the last two overs.
    """
    if memory.result:
        return 0.0
    home = 0.5 if memory.home is None else memory.home
    closeness = (1 - abs(2 * home - 1)) ** 0.7
    lateness = 0.3 + 0.7 * memory.progress
    swing = 0.5 + 0.5 * min(1.0, sum(memory.swings) / LIVELY)
    return float(round(closeness * lateness * swing, 3))


def headline(memory: Memory) -> str:
    """Return the state of the match in one sentence."""
    innings = memory.innings
    if memory.result:
        return memory.result.rstrip(".") + "."
    if innings is None:
        names = list(memory.names.values())
        return f"{names[0]} play {names[1]}." if len(names) == 2 else "The match is about to begin."
    side = memory.names[innings.batting]
    over = "Super Over: " if innings.super_over else ""
    if innings.need and innings.left and innings.hands > 0:
        return f"{over}{side} need {innings.need} off {innings.left}, {hands(innings)}."
    if innings.balls == 0 and innings.runs == 0:
        return f"{over}{side} are in to bat."
    lost = recent_wickets(innings)
    falling = f"{plural(lost, 'wicket')} in two overs: " if lost >= COLLAPSE else ""
    return f"{over}{falling}{side} are {score(innings)} after {overs_text(innings.balls)}."


def recent_wickets(innings: InningsSoFar) -> int:
    """Return the wickets of the last two overs."""
    return sum(ball > innings.balls - FORM for ball, _ in innings.falls)


def score(innings: InningsSoFar) -> str:
    """Return `84 for 2`, `120 all out`, `31 without loss`."""
    if innings.hands <= 0:
        return f"{innings.runs} all out"
    return f"{innings.runs} without loss" if innings.wickets == 0 else f"{innings.runs} for {innings.wickets}"


def hands(innings: InningsSoFar) -> str:
    """Return `2 wickets left`."""
    return f"{plural(innings.hands, 'wicket')} left"


def overs_text(balls: int) -> str:
    """Return `12 overs`, `1 over`, `12.4 overs`."""
    over, ball = divmod(balls, 6)
    return f"{over}.{ball} overs" if ball else plural(over, "over")
