"""Imported games: documents of other programs, read as the events of a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

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
