"""A library's text as a picture, and the public picture of a game with secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from grandstand.games.base import SeatId
from grandstand.games.foreign.game import Drawn, ForeignGame
from grandstand.games.picture import Picture, PictureFigure, Place, Thing

ANSI = re.compile(r"\x1b\[[0-9;]*m")
"""Matches an escape sequence for colour, in libraries that write for terminals."""
TALL = 1.9
"""The height of a line, as a multiple of the width of a character."""
LARGEST = 3.2
"""The largest width of a character, in a picture that is a hundred high."""
WIDTH, HEIGHT = 160.0, 100.0
"""The picture of a game without a board."""
MIDDLE = 25.0
"""The height of the row of seats above the text."""
MOST_LINES = 60
LONGEST = 200


def lines_of(text: str) -> list[str]:
    """Return the lines of a text without colours and empty lines at its ends."""
    return [line.rstrip() for line in ANSI.sub("", text).strip("\n").splitlines()]


def block(lines: Sequence[str], left: float, top: float, width: float, height: float, id: str = "text") -> Drawn:
    """Return lines of text in a box, each character in its column, as large as the box allows."""
    lines = [piece for line in lines for piece in _wrapped(line)][:MOST_LINES]
    columns = max(map(len, lines), default=1)
    cell = min(width / max(columns, 1), height / (max(len(lines), 1) * TALL), LARGEST)
    places, things = [], []
    for row, line in enumerate(lines):
        for match in re.finditer(r"\S+", line):
            name = f"{id} {row} {match.start()}"
            x = left + (match.start() + len(match.group()) / 2) * cell
            y = top + (row + 0.5) * cell * TALL
            places.append(Place(name, x, y, (len(match.group()) + 1) * cell, cell * TALL, "none"))
            things.append(Thing(f"{name} words", "text", name, label=match.group(), size=1.5))
    return places, things


def _wrapped(line: str) -> Iterator[str]:
    """Yield a line in pieces that fit."""
    while len(line) > LONGEST:
        at = line.rfind(" ", 1, LONGEST)
        at = at if at > 0 else LONGEST
        yield line[:at]
        line = line[at:].lstrip()
    yield line


def table(seats: Sequence[SeatId], acting: Sequence[SeatId], width: float) -> Drawn:
    """Return the seats in a row at the top, with a mark on those that the match waits for."""
    step = width / len(seats)
    size = min(14.0, step * 0.8)
    places = [
        Place(f"seat {seat}", step * (number + 0.5), 9, size, size, "disc", seat.replace("_", " "), owner=seat)
        for number, seat in enumerate(seats)
    ]
    middle = {place.owner: place.x for place in places}
    places += [Place(f"turn {seat}", middle[seat], 19.5, step, 5, "none", "to move", owner=seat) for seat in acting]
    return places, []


def as_text(game: ForeignGame, lines: Sequence[str], figures: Sequence[PictureFigure] = ()) -> Picture:
    """Return the seats with lines of text below them."""
    places, things = table(game.seats, game.to_act(), WIDTH)
    more, words = block(lines, 3, MIDDLE, WIDTH - 6, HEIGHT - MIDDLE - 2)
    return Picture([*places, *more], [*things, *words], sentence(game), figures, WIDTH, HEIGHT)


def sentence(game: ForeignGame) -> str:
    """Return the moment in a sentence."""
    last = f" The last move: {game.told[-1]}." if game.told else ""
    acting = " and ".join(seat.replace("_", " ") for seat in game.to_act())
    return f"{game.title}, move {game.count + 1}.{last}" + (f" {acting} to move." if acting else "")
