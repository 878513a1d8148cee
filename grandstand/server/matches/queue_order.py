"""The order in which waiting matches get the slots, and how long each will wait."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

FOR_PEOPLE = 1
"""Slots that visitors' matches of bots leave free, so that a person who wants to play need not wait for them."""

FORECAST = 64
"""Number of waiting matches whose time is estimated."""

SOON = 0.25
"""Share of the usual length that is expected of a match which is already longer than usual."""


@dataclass(slots=True, eq=False)
class Claim:
    """A match that has a slot or waits for one."""

    episode_id: str
    game: str
    visitor: str = ""
    """The visitor who started it; empty for an operator, whose matches have no limits."""
    person: bool = False
    """True if a person plays in it."""
    delay: float = 0.0
    turn: float = 0.0
    """The time at which its visitor's purse would be full, had it not started this match. The earliest comes first."""
    front: int = 0
    """Above 0 if an operator has moved it to the front; the highest comes first."""


def in_turn(waiting: Iterable[Claim]) -> list[Claim]:
    """Return `waiting`, which is in order of arrival, in the order of playing: who has spent least comes first."""
    return sorted(waiting, key=lambda claim: (-claim.front, claim.turn))


def may_begin(claim: Claim, held: Collection[Claim], count: int) -> bool:
    """Return whether a match may have one of `count` slots while `held` have theirs.

    One visitor has at most half of them.
    """
    if len(held) >= count:
        return False
    if not claim.visitor or claim.front:
        return True
    if sum(other.visitor == claim.visitor for other in held) >= max(1, count // 2):
        return False
    return claim.person or count == 1 or sum(not other.person for other in held) < count - FOR_PEOPLE


def next_to_begin(waiting: Iterable[Claim], held: Collection[Claim], count: int) -> Claim | None:
    """Return the match that begins now, if any."""
    return next((claim for claim in in_turn(waiting) if may_begin(claim, held, count)), None)


def forecast(
    waiting: Sequence[Claim], held: Mapping[Claim, float], count: int, lasts: Callable[[Claim], float], now: float
) -> dict[str, float | None]:
    """Return the seconds until each waiting match begins, next first; None where no estimate is made.

    `held` gives the time at which each match got its slot, `lasts` the seconds for which one usually has it.
    """
    order = in_turn(waiting)
    rest, later = order[:FORECAST], order[FORECAST:]
    playing = set(held)
    ends = [
        (max(since + lasts(claim), now + SOON * lasts(claim)), number, claim)
        for number, (claim, since) in enumerate(held.items())
    ]
    heapq.heapify(ends)
    begins: dict[str, float | None] = {}
    while rest and ends:
        at, _, over = heapq.heappop(ends)
        playing.discard(over)
        while (following := next_to_begin(rest, playing, count)) is not None:
            rest.remove(following)
            playing.add(following)
            begins[following.episode_id] = at - now
            heapq.heappush(ends, (at + lasts(following), len(held) + len(begins), following))
    return begins | dict.fromkeys((claim.episode_id for claim in (*rest, *later)), None)
