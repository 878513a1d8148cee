"""A moment of a match in data: a picture of places, things and figures with ids that persist, and the standing.

A game draws a picture once. The page, the share card and the terminal each have one renderer for all pictures: a thing
whose id persists moves, and the id of a place or thing is the `target` of choices. Nothing that is hidden from somebody
may be in that viewer's picture, not by its id and not by its number.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from math import cos, pi, sin
from string import ascii_lowercase
from typing import Any, Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from grandstand.games.base import GameEvent, SeatId
from grandstand.games.game import G

Point: TypeAlias = tuple[float, float]
Tone: TypeAlias = Literal["", "paper", "table", "land", "water", "dark", "light", "accent", "good", "bad", "muted"]
"""The role of a colour in both themes: '' for the background. An owner's colour replaces it."""
Kind: TypeAlias = Literal["piece", "card", "token", "arrow", "line", "bar", "text"]
State: TypeAlias = Literal["", "hidden", "muted", "strong", "failed", "support"]
"""hidden: face down. muted: out of play. strong: the thing that counts now. failed: an arrow that did not arrive, or a
piece that lost. support: a thin dashed arrow that helps another."""
Holds: TypeAlias = Literal["one", "row", "stack"]
"""The arrangement of things at a place: on top of each other, side by side, or each a little above the last."""

COLOURS: Final[Sequence[tuple[str, str]]] = (
    ("#1f5fa8", "#7db4f0"),
    ("#b03a2e", "#f0897d"),
    ("#2f7d4f", "#74c893"),
    ("#8a5a00", "#e0b35a"),
    ("#7a4a9e", "#c49ae6"),
    ("#0f7480", "#63c3cf"),
    ("#a13d74", "#ea93c3"),
    ("#5a6270", "#b4bdca"),
)
"""The colours of seats without colours of their own, in the order of the seats: on light and on dark ground."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the board, in the picture's units. Things at it stand at (x, y)."""

    id: str
    x: float
    y: float
    width: float = 10.0
    height: float = 10.0
    outline: str = "box"
    """`box`, `disc`, `hex`, `none`, or the path of an outline in the picture's units, as in SVG."""
    label: str = ""
    """Text at the place, if there is room."""
    name: str = ""
    """For screen readers and hints; if empty, the label or the id is used."""
    owner: SeatId = ""
    tone: Tone = ""
    holds: Holds = "one"


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing at a place: a piece, a card, a token, a bar, a text; or an arrow or a line from a place to another."""

    id: str
    kind: Kind
    at: str | Point
    """The id of a place, or a point."""
    to: str | Point = ""
    """The end of an arrow or a line."""
    _: KW_ONLY
    label: str = ""
    """A few letters on it: `K♥`, `3`."""
    name: str = ""
    """For screen readers and hints; if empty, the label is used."""
    owner: SeatId = ""
    tone: Tone = ""
    state: State = ""
    symbol: str = ""
    """The path of a piece's outline around (0, 0), as in SVG, for a place 10 wide; a disc where it is empty."""
    size: float = 1.0
    """A multiple of the usual size: that of the place, or a tenth of the picture's shorter side at a point and for an
    arrow or a line."""
    value: float = 1.0
    """The part of a bar that is full, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class PictureFigure:
    """A number or word beside the board."""

    label: str
    value: str
    owner: SeatId = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A moment. Later places and things are drawn over earlier ones."""

    places: Sequence[Place]
    things: Sequence[Thing]
    describe: str
    """The moment in a sentence, for screen readers, links and terminals."""
    figures: Sequence[PictureFigure] = ()
    width: float = 100.0
    height: float = 100.0
    bleeds: bool = False
    """Whether the edges may be cut off where the room has another shape, as those of a map."""


@dataclass(frozen=True, slots=True)
class PictureShown(GameEvent):
    """The public board. It precedes the events of the move that changed it."""

    state: Picture


@dataclass(frozen=True, slots=True)
class PictureSeen(GameEvent):
    """The places and things that only one seat sees; they replace public ones of the same ids."""

    seat: SeatId
    places: list[Place]
    things: list[Thing]
    figures: list[PictureFigure]
    describe: str

    def seats(self) -> frozenset[SeatId] | None:
        return frozenset((self.seat,))


Scene: TypeAlias = Sequence[tuple[str, Mapping[str, Any]]]
"""A moment of a match: the game's public events up to it, as (type, data), in order."""


@dataclass(frozen=True, slots=True)
class CardRow:
    """The line of one seat in the standing: its name and score."""

    seat: SeatId
    name: str
    score: str
    strong: bool = True
    """False for a seat that is out, or that has nothing to show yet."""
    short: str = ""
    """The name where there is little room, if the match gives it one."""


@dataclass(frozen=True, slots=True)
class Card:
    """The standing at a moment in words: the name of the turn, a line for each seat, and facts."""

    turn: str
    rows: Sequence[CardRow]
    unit: str = ""
    """The unit of the scores, if they do not contain it: `centres`."""
    facts: Sequence[str] = ()


class SeatColours(NamedTuple):
    """The colours of a seat."""

    light: str
    """On light ground."""
    dark: str
    """On dark ground."""
    wash: str
    """The colour of its places on light ground; '' to mix it from its own."""


@dataclass(frozen=True)
class Pictures(Generic[G]):
    """The functions that show moments of a game. All are pure."""

    draw: Callable[[G, SeatId | None], Picture] | None = None
    """(game, a seat, or None for the public) -> the moment. A game with it needs no other board: its
    matches emit `PictureShown` and `PictureSeen`."""
    scene: Callable[[Scene], Picture] | None = None
    """(moment) -> its picture; None for the last `PictureShown`."""
    ground: Callable[[], Sequence[Place]] = tuple
    """The places that are the same at every moment but for their owners, as those of a map: a page loads them once."""
    card: Callable[[Scene], Card] | None = None
    """(moment) -> the standing; None for the scores alone."""
    colours: Mapping[SeatId, tuple[str, str]] = field(default_factory=dict)
    """The colours of seats, on light and on dark ground; `picture.colours` for those that are not named."""
    washes: Mapping[SeatId, str] = field(default_factory=dict)
    """The colours of the places that a seat owns, on light ground; made from its colours where there is none."""
    beats: Mapping[str, float] = field(default_factory=lambda: {"TurnStarted": 1.0})
    """Type of an event at which a clip has a frame -> seconds for which it is shown."""


def seen(seat: SeatId, public: Picture, own: Picture) -> PictureSeen | None:
    """Return the parts of `own` that differ from `public`, for `seat`; None if there are none."""
    if own is public:
        return None
    shown_places = {place.id: place for place in public.places}
    shown_things = {thing.id: thing for thing in public.things}
    places = [place for place in own.places if shown_places.get(place.id) != place]
    things = [thing for thing in own.things if shown_things.get(thing.id) != thing]
    figures = [figure for figure in own.figures if figure not in public.figures]
    if not (places or things or figures) and own.describe == public.describe:
        return None
    return PictureSeen(seat, places, things, figures, own.describe)


def grid(
    columns: int,
    rows: int,
    *,
    size: float = 10.0,
    at: Point = (0.0, 0.0),
    name: Callable[[int, int], str] | None = None,
    tones: Sequence[Tone] = ("light", "dark"),
    owners: Mapping[str, SeatId] | None = None,
) -> list[Place]:
    """Return the squares of a board, row by row from the top left, named like those of chess: `a1` is at the bottom
    left. `name(column, row)` names them otherwise; `tones` alternate."""
    places = []
    for row in range(rows):
        for column in range(columns):
            square = name(column, row) if name else f"{ascii_lowercase[column]}{rows - row}"
            x, y = at[0] + (column + 0.5) * size, at[1] + (row + 0.5) * size
            tone = tones[(column + row) % len(tones)] if tones else ""
            places.append(Place(square, x, y, size, size, owner=(owners or {}).get(square, ""), tone=tone))
    return places


def hexes(columns: int, rows: int, *, size: float = 10.0, at: Point = (0.0, 0.0), tone: Tone = "light") -> list[Place]:
    """Return the cells of a hexagonal board with points up, odd rows half a cell to the right: `a1` is at the top
    left."""
    height = size * 2 / 3**0.5
    return [
        Place(
            f"{ascii_lowercase[column]}{row + 1}",
            at[0] + (column + 0.5 + row % 2 / 2) * size,
            at[1] + (row * 0.75 + 0.5) * height,
            size,
            height,
            "hex",
            tone=tone,
        )
        for row in range(rows)
        for column in range(columns)
    ]


def ring(
    ids: Sequence[str], *, centre: Point = (50.0, 50.0), radius: float = 38.0, size: float = 14.0, owned: bool = True
) -> list[Place]:
    """Return places around a table, clockwise from the bottom; where `owned`, they are named by their seats."""
    places = []
    for number, each in enumerate(ids):
        angle = pi / 2 + 2 * pi * number / len(ids)
        x, y = centre[0] + radius * cos(angle), centre[1] + radius * sin(angle)
        places.append(Place(each, x, y, size, size, "disc", each if owned else "", owner=each if owned else ""))
    return places


def hand(id: str, x: float, y: float, *, width: float = 60.0, owner: SeatId = "", label: str = "") -> Place:
    """Return the place of cards side by side."""
    return Place(id, x, y, width, 16.0, "none", label, owner=owner, holds="row")


def track(ids: Sequence[str], *, start: Point, end: Point, size: float = 8.0, tone: Tone = "light") -> list[Place]:
    """Return places on a line from `start` to `end`."""
    steps = max(1, len(ids) - 1)
    return [
        Place(
            each,
            start[0] + (end[0] - start[0]) * number / steps,
            start[1] + (end[1] - start[1]) * number / steps,
            size,
            size,
            "disc",
            tone=tone,
        )
        for number, each in enumerate(ids)
    ]


def colours(seats: Sequence[SeatId]) -> dict[SeatId, tuple[str, str]]:
    """Return the colours of seats that have none of their own: on light and on dark ground."""
    return {seat: COLOURS[number % len(COLOURS)] for number, seat in enumerate(seats)}


def names(picture: Picture) -> frozenset[str]:
    """Return the ids that may be targets of choices."""
    return frozenset({*(place.id for place in picture.places), *(thing.id for thing in picture.things)})


_Drawn = TypeVar("_Drawn", Place, Thing)


def merged(picture: Picture, more: PictureSeen) -> Picture:
    """Return the picture that a seat sees: `more` over the public picture."""
    return dataclasses.replace(
        picture,
        places=_over(picture.places, more.places),
        things=_over(picture.things, more.things),
        figures=[*picture.figures, *more.figures],
        describe=more.describe,
    )


def _over(old: Sequence[_Drawn], new: Sequence[_Drawn]) -> list[_Drawn]:
    """Return `old` with `new` in place of those with the same ids, and the rest of `new` after them."""
    drawn: dict[str, _Drawn] = {each.id: each for each in old}
    drawn.update({each.id: each for each in new})
    return list(drawn.values())
