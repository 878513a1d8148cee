"""The story of a match: facts, comments and the outlook, derived from its events as they happen.

A game tells its story in one place. The page, the lobby, commentary, highlights and exports read the result as events
and derive nothing themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from grandstand.games.base import Json, SeatId

Audience: TypeAlias = frozenset[SeatId] | None
"""The seats that may know something; None for everybody."""
ANALYST = "analyst"
"""The speaker of lines that say what a computation supports; the commentator's own have none."""


@dataclass(frozen=True, slots=True)
class StoryEvent:
    """An event of the match as a story receives it, with its recorded number and its audience."""

    seq: int
    type: str
    data: Mapping[str, Json]
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Fact:
    """A notable thing that happened: the seats, its importance, and the numbers of the events behind it.

    `kind` is a word of the game (`capture`, `milestone`), `seats` begins with the seat that did it. `text` is one
    sentence without notation. `importance` is from 0 to 1. `audience` is at most that of the events it rests on.
    """

    kind: str
    text: str
    importance: float
    rests_on: Sequence[int]
    seats: Sequence[SeatId] = ()
    data: Mapping[str, Json] = field(default_factory=dict)
    audience: Audience = None


@dataclass(frozen=True, slots=True)
class Comment:
    """A line of the commentator, or of the `speaker`. `beat` is the part of the turn to which it belongs: `orders`,
    `conflicts`, `ball`, `summary`. `seats` begins with the seat that did it, or gained by it. `kind` is that of the
    fact that it words, or of the analyst's claim."""

    text: str
    importance: float
    rests_on: Sequence[int]
    beat: str
    audience: Audience = None
    seats: Sequence[SeatId] = ()
    kind: str = ""
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Outlook:
    """The prospects at a moment: each seat's chance of winning, where the game knows it, how exciting the match is,
    from 0 to 1, and a headline of one sentence.

    `rests_on` ends with the event whose board has the figures of the headline: they are shown together.
    """

    chances: Mapping[SeatId, float]
    excitement: float
    headline: str
    rests_on: Sequence[int] = ()


Telling: TypeAlias = Fact | Comment | Outlook


@dataclass(frozen=True, slots=True)
class Names:
    """The names used in sentences: of actors, each with its other names, and of places."""

    actors: Mapping[str, Sequence[str]]
    places: Sequence[str] = ()


class Story(Protocol):
    """The story of one match. It receives every event once and in order, and remembers what it needs."""

    def tell(self, events: Sequence[StoryEvent]) -> Sequence[Telling]:
        """Return the facts, comments and outlooks that follow from `events`, the next ones of the match: those of one
        decision, or of one turn.

        The last events of the match contain its `EpisodeEnded`, under the number of the event before it.
        """

    def names(self) -> Names:
        """Return the names of the match that are known by now."""
