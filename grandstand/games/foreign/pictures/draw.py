"""The picture of a moment of a game of OpenSpiel."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grandstand.games.base import SeatId
from grandstand.games.foreign.openspiel_game import SpielGame
from grandstand.games.foreign.pictures.backgammon import SIZE, backgammon
from grandstand.games.foreign.pictures.boards import BOARDS
from grandstand.games.foreign.pictures.cards import FOLDS, TABLES, table_of_cards
from grandstand.games.foreign.pictures.lattice import LATTICES
from grandstand.games.foreign.pictures.text import Drawn, block, lines_of, table
from grandstand.games.picture import Picture, PictureFigure

FIGURE = re.compile(r"^\s*([A-Z][\w ,']{0,24}): *(\S.{0,40})$")
"""A line that names a number: `Dice: 66`."""
FIGURES = 6
WIDTH, HEIGHT = 160.0, 100.0
"""The picture of a game without a board."""
MIDDLE = 25.0
"""The height of the row of seats above the text."""


def draw(game: SpielGame, seat: SeatId | None) -> Picture:
    """Return the moment for a seat, or for everybody. In games without secrets, all see the same."""
    if game.secrets:
        return _drawn(game, seat)
    if game.picture is None:
        game.picture = _drawn(game, None)
    return game.picture


def recognized(game: SpielGame) -> bool:
    """Return whether the game has a picture beyond text."""
    return game.name in TABLES or game.name == "backgammon" or _parts(game, lines_of(game.truth())) is not None


def _drawn(game: SpielGame, seat: SeatId | None) -> Picture:
    """Return the moment for a seat, or for everybody; as text if nothing else is recognized."""
    lines = lines_of(game.common() if seat is None else game.seen(seat))
    parts: tuple[Drawn, tuple[float, float]] | None
    if game.name in TABLES:
        parts = _cards(game, seat), (WIDTH, HEIGHT)
    elif game.name == "backgammon":
        parts = backgammon(game.state, game.seats), SIZE
    else:
        parts = _parts(game, lines) or (_hidden(game) if game.secrets else None)
    if parts is None:
        places, things = table(game.seats, game.to_act(), WIDTH)
        more, words = block(lines, 3, MIDDLE, WIDTH - 6, HEIGHT - MIDDLE - 2)
        return Picture([*places, *more], [*things, *words], _words(game), _figures(game, []), WIDTH, HEIGHT)
    (places, things), (width, height) = parts
    return Picture(places, things, _words(game), _figures(game, lines), width, height)


def _parts(game: SpielGame, lines: Sequence[str]) -> tuple[Drawn, tuple[float, float]] | None:
    """Return the board in a text, and its size."""
    board, lattice = BOARDS.get(game.name), LATTICES.get(game.name)
    if board and (rows := board.rows(lines)):
        return board.draw(rows, game.seats), board.extent(rows)
    if lattice and (points := lattice.points(lines)):
        return lattice.draw(points, game.seats, lines), lattice.extent(points)
    return None


def _hidden(game: SpielGame) -> tuple[Drawn, tuple[float, float]] | None:
    """Return the board without its pieces, which are secret."""
    board = BOARDS.get(game.name)
    rows = board.rows(lines_of(game.truth())) if board else []
    return (
        (board.draw([[board.empty] * len(row) for row in rows], game.seats), board.extent(rows))
        if board and rows
        else None
    )


def _cards(game: SpielGame, seat: SeatId | None) -> Drawn:
    """Return the table of cards. At the end all hands are open, unless somebody folded."""
    over = not game.to_act() and game.told[-1:] and game.told[-1] not in FOLDS
    shown = frozenset(game.seats) if over else frozenset([seat] if seat else [])
    return table_of_cards(
        TABLES[game.name], game.seats, {each: game.known(each) for each in game.seats}, shown, game.to_act()
    )


def _figures(game: SpielGame, lines: Sequence[str]) -> list[PictureFigure]:
    """Return the last public moves, and the numbers in the library's text."""
    found = [match.groups() for line in lines if (match := FIGURE.match(line))]
    figures = [PictureFigure(label, value.strip()) for label, value in found[:FIGURES]]
    return [*figures, PictureFigure("last moves", ", ".join(game.told[-3:]))] if game.told else figures


def _words(game: SpielGame) -> str:
    """Return the moment in a sentence."""
    last = f" The last move: {game.told[-1]}." if game.told else ""
    acting = " and ".join(seat.replace("_", " ") for seat in game.to_act())
    return f"{game.title}, move {game.count + 1}.{last}" + (f" {acting} to move." if acting else "")
