"""A moment of a match for a card, a clip and a terminal: the board as a picture, and the standing in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias

from grandstand.games.base import G, SeatId
from grandstand.games.picture import Picture

Scene: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
"""A moment of a match: the game's public events up to it, as (type, data), in order."""


@dataclass(frozen=True, slots=True)
class Row:
    """The line of one seat in the standing: its name and score."""

    seat: SeatId
    name: str
    score: str
    strong: bool = True
    """False for a seat that is out, or that has nothing to show yet."""


@dataclass(frozen=True, slots=True)
class Card:
    """The standing at a moment in words: the name of the turn, a line for each seat, and facts."""

    turn: str
    rows: Sequence[Row]
    unit: str = ""
    """The unit of the scores, if they do not contain it: `centres`."""
    facts: Sequence[str] = ()


@dataclass(frozen=True)
class Pictures(Generic[G]):
    """How moments of a game are shown. All functions are pure."""

    draw: Callable[[G, SeatId | None], Picture] | None = None
    """(game, a seat, or None for what everybody may know) -> the moment. A game with it needs no other board: its
    matches emit `PictureShown` and `PictureSeen`."""
    scene: Callable[[Scene], Picture] | None = None
    """(moment) -> its picture; None for the last `PictureShown`."""
    card: Callable[[Scene], Card] | None = None
    """(moment) -> the standing; None for the scores alone."""
    colours: Mapping[SeatId, tuple[str, str]] = field(default_factory=dict)
    """The colours of seats, on light and on dark ground; `picture.colours` for those that are not named."""
    washes: Mapping[SeatId, str] = field(default_factory=dict)
    """The colours of the places that a seat owns, on light ground; made from its colours where there is none."""
    beats: Mapping[str, float] = field(default_factory=lambda: {"TurnStarted": 1.0})
    """Type of an event at which a clip has a frame -> seconds for which it is shown."""
