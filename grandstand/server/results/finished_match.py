"""A finished match as the leaderboard and the players' pages know it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grandstand.games.base import SeatId
from grandstand.play.ratings.match_results import RecordedMatch
from grandstand.server.bodies.lobby import Highlight


@dataclass(frozen=True, slots=True)
class Deeds:
    """How often a seat did to another what its game counts between rivals, such as a stab; `kind` is that of the
    facts."""

    kind: str
    seat: SeatId
    other: SeatId
    times: int


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match of this record, or a reference match, and who may know its private figures."""

    episode_id: str
    title: str
    ended_at: float
    delay: float
    revealed: bool
    """True if everyone may know of private events after the match."""
    visitor: bool
    """True if a visitor started it, who chose the players and the seed."""
    match: RecordedMatch
    moments: Mapping[SeatId, Highlight]
    """The most important public moment of each seat that has any."""
    deeds: Sequence[Deeds] = ()
    """What the seats did to each other, as far as everyone may know of it after the match."""
    reference: bool = False
    """True if it came with the installation."""
    recorded: bool = True
    """False for a reference match whose record did not come with it."""


def by_end(match: FinishedMatch) -> tuple[float, str]:
    """Return what matches are sorted by: the time of the end, and the id."""
    return match.ended_at, match.episode_id
