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
SHARED = 0.5
"""The part of the height for the public text where seats have texts of their own."""
MOST_LINES = 60
LONGEST = 200
SENTENCE = 36
"""The most characters of a line, and of one of a text in sentences."""
RUN = re.compile(r"\S+(?: \S+)*")
PIECE = re.compile(r"(?=\S).{1,36}(?<=\S)(?!\S)|\S+")
"""Matches words that have room in one label."""


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
        for match in _words(line):
            name = f"{id} {row} {match.start()}"
            x = left + (match.start() + len(match.group()) / 2) * cell
            y = top + (row + 0.5) * cell * TALL
            places.append(Place(name, x, y, (len(match.group()) + 1) * cell, cell * TALL, "none"))
            things.append(Thing(f"{name} words", "text", name, label=match.group(), size=1.5))
    return places, things


def _words(line: str) -> Iterator[re.Match[str]]:
    """Yield what is drawn as one text: some words of a sentence, or a sign of a board in its column."""
    for run in RUN.finditer(line):
        if any(len(word) > 2 for word in run[0].split()):
            yield from PIECE.finditer(line, run.start(), run.end())
        else:
            yield from re.compile(r"\S+").finditer(line, run.start(), run.end())


def _wrapped(line: str) -> Iterator[str]:
    """Yield a line in pieces that fit; a sentence is broken earlier than a row of a board."""
    most = LONGEST if "  " in line.strip() else SENTENCE
    while len(line) > most:
        at = line.rfind(" ", 1, most)
        at = at if at > 0 else most
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


def as_text(
    game: ForeignGame, public: str, own: tuple[SeatId, str] | None = None, figures: Sequence[PictureFigure] = ()
) -> Picture:
    """Return the seats with the public text below them, and the text that only the seat in `own` knows in its column
    at the bottom, where analysts see those of all seats side by side."""
    places, things = table(game.seats, game.to_act(), WIDTH)
    high, step = HEIGHT - MIDDLE - 2, (WIDTH - 6) / len(game.seats)
    share = (SHARED if public else 0.0) if game.apart else 1.0
    drawn = [block(lines_of(public), 3, MIDDLE, WIDTH - 6, high * share)]
    if own is not None:
        left, top = 3 + step * game.seats.index(own[0]), MIDDLE + high * share
        drawn.append(block(lines_of(own[1]), left, top, step - 3, high * (1 - share), f"text {own[0]}"))
    for more, words in drawn:
        places, things = [*places, *more], [*things, *words]
    return Picture(places, things, sentence(game), figures, WIDTH, HEIGHT)


def sentence(game: ForeignGame) -> str:
    """Return the moment in a sentence."""
    last = f" The last move: {game.told[-1]}." if game.told else ""
    acting = " and ".join(seat.replace("_", " ") for seat in game.to_act())
    return f"{game.title}, move {game.count + 1}.{last}" + (f" {acting} to move." if acting else "")
