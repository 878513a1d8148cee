"""The picture of a moment of a game of OpenSpiel, and the places at which its moves are chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from grandstand.games.base import SeatId
from grandstand.games.foreign.pictures.boards import BOARDS
from grandstand.games.foreign.pictures.text import block, lines_of, table
from grandstand.games.picture import Picture, PictureFigure

if TYPE_CHECKING:
    from grandstand.games.foreign.openspiel_game import SpielGame

FIGURE = re.compile(r"^\s*([A-Z][\w ,']{0,24}): *(\S.{0,40})$")
"""A line that names a number: `Dice: 66`."""
FIGURES = 6
WIDTH, HEIGHT = 160.0, 100.0
"""The picture of a game without a board."""
MIDDLE = 18.0
"""The height of the row of seats above the text."""


def draw(game: SpielGame, seat: SeatId | None) -> Picture:
    """Return the moment as a seat sees it, or everybody. Where there are no secrets, all see the same."""
    if game.secrets:
        return _drawn(game, seat)
    if game.picture is None:
        game.picture = _drawn(game, None)
    return game.picture


def _drawn(game: SpielGame, seat: SeatId | None) -> Picture:
    text = game.common() if seat is None else game.seen(seat)
    lines = lines_of(text)
    board = BOARDS.get(game.name)
    rows = board.rows(lines) if board else []
    if board and not rows and game.secrets:  # nobody sees the pieces
        rows = [
            ["." if cell not in board.empty else cell for cell in row] for row in board.rows(lines_of(game.truth()))
        ]
    if board and rows:
        places, things = board.draw(rows, game.seats)
        width, height = board.extent(rows)
        return Picture(places, things, _words(game), _figures(game, lines), width, height)
    places, things = table(game.seats, game.to_act(), WIDTH)
    more, words = block(lines, 3, MIDDLE, WIDTH - 6, HEIGHT - MIDDLE - 2)
    return Picture([*places, *more], [*things, *words], _words(game), _figures(game, []), WIDTH, HEIGHT)


def targets(name: str, text: str, words: Mapping[int, str]) -> dict[int, str]:
    """Return where each move is chosen in the picture, if it is; `text` is the position as its seat sees it."""
    board = BOARDS.get(name)
    rows = board.rows(lines_of(text)) if board else []
    if not board or not rows:
        return {}
    named = {action: board.squares(word, rows)[:2] for action, word in words.items()}
    return {action: " ".join(dict.fromkeys(squares)) for action, squares in named.items() if squares}


def _figures(game: SpielGame, lines: Sequence[str]) -> list[PictureFigure]:
    """Return the last moves that everybody may know, and the numbers that the library names."""
    found = [match.groups() for line in lines if (match := FIGURE.match(line))]
    figures = [PictureFigure(label, value.strip()) for label, value in found[:FIGURES]]
    return [*figures, PictureFigure("last moves", ", ".join(game.told[-3:]))] if game.told else figures


def _words(game: SpielGame) -> str:
    """Return the moment in a sentence."""
    last = f" The last move: {game.told[-1]}." if game.told else ""
    acting = " and ".join(seat.replace("_", " ") for seat in game.to_act())
    return f"{game.title}, move {game.count + 1}.{last}" + (f" {acting} to move." if acting else "")
