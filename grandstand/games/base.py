"""The terms of every game: seats, actions, events, results. No clock, no I/O, no wire types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SeatId = str
"""A place in a game: `FRANCE`, `away`. Stable for the whole match."""

Action = Mapping[str, Any]
"""The decision of a seat on its turn, as JSON-ready data: `{"orders": ["A PAR - BUR"]}`."""

Json = Any
"""Data that `json.dumps` accepts."""


class Shared(dict[str, Json]):
    """Data of a match that never changes. Its events share it, where they have copies of everything else."""


class Items:
    """In `Annotated[list[...], Items(...)]`, the type of each item in turn: data that the page reads as a tuple."""

    def __init__(self, *kinds: type[str | int | float]) -> None:
        self.kinds = kinds


class IllegalAction(Exception):
    """An action that the rules refuse: a fault of the seat, not of the program.

    `field` names the part of the action at fault (`orders[2]`), `reason` says what is wrong and what is allowed.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class OptionError(ValueError):
    """A match option that the game does not know or cannot take; the message names it and the remedy."""


@dataclass(frozen=True, slots=True)
class GameEvent:
    """An event that the rules emit: no number, no time. The class name is the event's type on the wire.

    Subclasses are frozen dataclasses with JSON-ready fields (str, int, float, bool, None, lists, dicts and
    dataclasses of them). A subclass with a field named `state` carries the whole position that its audience
    may see: a snapshot is the last such state and the events after it.
    """

    def seats(self) -> frozenset[SeatId] | None:
        """Return the seats that may know this event; None if everybody may."""
        return None


@dataclass(frozen=True, slots=True)
class MessageSent(GameEvent):
    """Press: `sender` wrote to `recipients` (every seat where `public`)."""

    turn: str
    sender: SeatId
    recipients: list[SeatId]
    text: str
    public: bool = False
    promises: list[str] = field(default_factory=list)

    def seats(self) -> frozenset[SeatId] | None:
        return None if self.public else frozenset((self.sender, *self.recipients))


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match. `scores` sum to 1 where the game shares one point; `winners` is empty for no result."""

    reason: str
    winners: list[SeatId]
    scores: dict[SeatId, float]
    text: str


@dataclass(frozen=True, slots=True)
class Task:
    """A match for comparing players: its options, and the compared seat."""

    id: str
    seat: SeatId
    options: Mapping[str, Any]
