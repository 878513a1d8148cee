"""Pictures and texts of one moment of a match: what a game gives to a card, a clip and a terminal.

A game describes its board as shapes, in pure data. A server turns them into pixels, a terminal shows the text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from grandstand.games.base import SeatId

Point: TypeAlias = tuple[float, float]
Colour: TypeAlias = str
"""`#rrggbb`, or `#rrggbbaa` with an opacity."""

Face: TypeAlias = Literal["sans", "bold", "serif"]
Align: TypeAlias = Literal["left", "middle", "right"]

BOARD_WIDTH = 700
BOARD_HEIGHT = 630
"""The size of the area for which a game draws its board. Shapes beyond it are cut off."""


LEADING = 1.2
"""Distance of two lines of text, as a multiple of the size."""


@dataclass(frozen=True, slots=True)
class Area:
    """A filled area: the union of `rings`."""

    rings: Sequence[Sequence[Point]]
    fill: Colour


@dataclass(frozen=True, slots=True)
class Trace:
    """Lines through points. With `dash`, pieces of that length alternate with gaps of the same length."""

    lines: Sequence[Sequence[Point]]
    colour: Colour
    width: float
    dash: float = 0.0


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle, filled and outlined."""

    centre: Point
    radius: float
    fill: Colour
    outline: Colour = ""
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Words:
    """Text, wrapped to at most `lines` lines of `width`. What does not fit is set smaller, then ends with an ellipsis.

    `at` is the left end, the middle or the right end (by `align`) of the middle of the first line.
    """

    text: str
    at: Point
    size: float
    colour: Colour
    face: Face = "sans"
    align: Align = "left"
    width: float = 0.0
    """Longest line; 0 for no limit."""
    lines: int = 1
    least: float = 0.0
    """Smallest size; 0 for `size`."""


Shape: TypeAlias = Area | Trace | Disc | Words


Scene: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
"""A moment of a match: the game's public events up to it, as (type, data), in order."""


@dataclass(frozen=True, slots=True)
class Row:
    """The line of one seat in the standing: its colour, name and score."""

    seat: SeatId
    name: str
    score: str
    colour: Colour
    strong: bool = True
    """False for a seat that is out, or that has nothing to show yet."""


@dataclass(frozen=True, slots=True)
class Card:
    """The standing at a moment in words: the name of the turn, a line for each seat, facts, and the board as text."""

    turn: str
    rows: Sequence[Row]
    unit: str = ""
    """The unit of the scores, if they do not contain it: `centres`."""
    facts: Sequence[str] = ()
    board: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class CardForm:
    """The functions of a game that describe a moment. Both are pure."""

    card: Callable[[Scene], Card]
    picture: Callable[[Scene], Sequence[Shape]]
    """(moment) -> its board, in an area of BOARD_WIDTH by BOARD_HEIGHT."""
    beats: Mapping[str, float]
    """Type of an event at which a clip has a frame -> seconds for which it is shown."""


def moved(shape: Shape, by: Point, factor: float = 1.0) -> Shape:
    """Return `shape` magnified by `factor` about the origin, then moved by `by`."""

    def at(point: Point) -> Point:
        return (by[0] + factor * point[0], by[1] + factor * point[1])

    match shape:
        case Area(rings, fill):
            return Area([[at(point) for point in ring] for ring in rings], fill)
        case Trace(lines, colour, width, dash):
            return Trace([[at(point) for point in line] for line in lines], colour, factor * width, factor * dash)
        case Disc(centre, radius, fill, outline, width):
            return Disc(at(centre), factor * radius, fill, outline, factor * width)
        case Words():
            return Words(
                shape.text, at(shape.at), factor * shape.size, shape.colour, shape.face, shape.align,
                factor * shape.width, shape.lines, factor * shape.least,
            )  # fmt: skip
