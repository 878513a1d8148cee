"""The forms of other programs: documents that record a game, and protocols in which a game is watched. No I/O.

The game translates and the server serves: the server has each text frame of an observer parsed into a request, answers
it from what spectators may know, and passes the events of a watched match to its observer. A request has functions that
make its answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias

from grandstand.games.base import GameEvent, Json, Outcome, SeatId


class DocumentError(ValueError):
    """A document that cannot be read as a game; the message names the place in it and what is expected there."""


@dataclass(frozen=True, slots=True)
class ImportedTurn:
    """A turn of an imported game, and the events until the next one."""

    turn: str
    to_act: Sequence[SeatId]
    scores: Mapping[SeatId, float]
    events: Sequence[GameEvent]


@dataclass(frozen=True, slots=True)
class Imported:
    """A game that was read from a document."""

    title: str
    source: str
    """The origin of the document, in words."""
    players: Mapping[SeatId, str]
    """The name of each seat's player."""
    options: Mapping[str, Any]
    """The options of a match of the game that describe the imported one."""
    opening: Sequence[GameEvent]
    """The events before the first turn."""
    turns: Sequence[ImportedTurn]
    outcome: Outcome | None
    """None if the document has no result."""
    differences: Sequence[str] = field(default=())
    """Moments at which the rules of Grandstand give another result than the document, in words."""


@dataclass(frozen=True, slots=True)
class DocumentForm:
    """A format of JSON documents that record games."""

    title: str
    """A name for the format, with its article: `a saved game of Diplomacy`."""
    matches: Callable[[Mapping[str, Json]], bool]
    """(a JSON object) -> True if it looks like this format, whether or not it is valid."""
    read: Callable[[Mapping[str, Json]], Imported]
    """(a JSON object) -> the game. Raises DocumentError."""


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
