"""The hook through which foreign programs watch a game's matches in their own protocol. No I/O.

The game translates and the server serves: the server has each text frame parsed into a request, answers it from what
spectators may know, and passes the events of a watched match to its observer. A request has functions that make its
answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias


class PublicEvent(NamedTuple):
    """An event that spectators may know; `at` is its Unix time."""

    type: str
    data: Mapping[str, Any]
    at: float


class MatchObserver(Protocol):
    """One match as one client watches it."""

    def take(self, event: PublicEvent) -> list[str]:
        """Return the frames for the next event."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A request that needs no match."""

    frame: str


@dataclass(frozen=True, slots=True)
class ListMatches:
    """A request for the list of matches."""

    answer: Callable[[Sequence[Mapping[str, Any]]], str]
    """(summaries of the game's matches, newest first) -> the frame."""


@dataclass(frozen=True, slots=True)
class WatchMatch:
    """A request to watch a match, from its start or from where the client knows it."""

    name: str
    """The client's name for this watch; it may watch the same match under several names."""
    episode_id: str
    begin: Callable[[Sequence[PublicEvent]], tuple[MatchObserver, list[str]]]
    """(every event so far) -> the observer of the later ones, and the frames to send first."""
    again: Callable[[MatchObserver], str]
    """(the observer of an earlier request under this name) -> the answer. That observer stays in use."""
    refuse: Callable[[str], str]
    """(reason) -> the answer if the match cannot be watched."""


@dataclass(frozen=True, slots=True)
class LeaveMatch:
    """A request to stop watching a match or, if it names none, all matches under this name."""

    name: str
    episode_id: str | None
    frame: str | None
    """The answer, if the client expects one."""


ObserverRequest: TypeAlias = Answer | ListMatches | WatchMatch | LeaveMatch
