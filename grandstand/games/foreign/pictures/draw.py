"""The picture of a moment of a game of another library."""

from __future__ import annotations

import re
from collections.abc import Sequence

from grandstand.games.base import SeatId
from grandstand.games.foreign.game import Drawn, ForeignGame
from grandstand.games.foreign.pictures.boards import BOARDS
from grandstand.games.foreign.pictures.cards import FOLDS, TABLES, table_of_cards
from grandstand.games.foreign.pictures.lattice import LATTICES
from grandstand.games.foreign.pictures.text import HEIGHT, WIDTH, as_text, lines_of, sentence
from grandstand.games.picture import Picture, PictureFigure

FIGURE = re.compile(r"^\s*([A-Z][\w ,']{0,24}): *(\S.{0,40})$")
"""A line that names a number: `Dice: 66`."""
FIGURES = 6


def draw(game: ForeignGame, seat: SeatId | None) -> Picture:
    """Return the moment for a seat, or for everybody. In games without secrets, all see the same."""
    if game.secrets:
        return _drawn(game, seat)
    if game.picture is None:
        game.picture = _drawn(game, None)
    return game.picture


def _drawn(game: ForeignGame, seat: SeatId | None) -> Picture:
    """Return the moment for a seat, or for everybody; as text if nothing else is recognized."""
    lines = lines_of(game.common() if seat is None else game.seen(seat))
    parts: tuple[Drawn, tuple[float, float]] | None
    if game.name in TABLES:
        parts = _cards(game, seat), (WIDTH, HEIGHT)
    else:
        parts = game.board() or _parts(game, lines) or (_hidden(game) if game.secrets else None)
    if parts is None:
        own = (seat, game.seen(seat)) if game.secrets and seat else None
        return as_text(game, game.common(), own, _figures(game, []))
    (places, things), (width, height) = parts
    return Picture(places, things, sentence(game), _figures(game, [] if game.name in TABLES else lines), width, height)


def _parts(game: ForeignGame, lines: Sequence[str]) -> tuple[Drawn, tuple[float, float]] | None:
    """Return the board in a text, and its size."""
    board, lattice = BOARDS.get(game.name), LATTICES.get(game.name)
    if board and (rows := board.rows(lines)):
        return board.draw(rows, game.seats), board.extent(rows)
    if lattice and (points := lattice.points(lines)):
        return lattice.draw(points, game.seats, lines), lattice.extent(points)
    return None


def _hidden(game: ForeignGame) -> tuple[Drawn, tuple[float, float]] | None:
    """Return the board without its pieces, which are secret."""
    board = BOARDS.get(game.name)
    rows = board.rows(lines_of(game.truth())) if board else []
    return (
        (board.draw([[board.empty] * len(row) for row in rows], game.seats), board.extent(rows))
        if board and rows
        else None
    )


def _cards(game: ForeignGame, seat: SeatId | None) -> Drawn:
    """Return the table of cards. At the end the hands that nobody folded are open, unless the last move gave up."""
    over = not game.to_act() and game.told[-1:] and game.told[-1] not in FOLDS
    shown = frozenset([seat] if seat else [])
    if over:
        shown |= frozenset(game.seats) - game.folded()
    return table_of_cards(
        TABLES[game.name], game.seats, {each: game.known(each) for each in game.seats}, shown, game.to_act(), seat
    )


def _figures(game: ForeignGame, lines: Sequence[str]) -> list[PictureFigure]:
    """Return the last public moves, and the numbers in the library's text."""
    found = [match.groups() for line in lines if (match := FIGURE.match(line))]
    figures = [PictureFigure(label, value.strip()) for label, value in found[:FIGURES]]
    return [*figures, PictureFigure("last moves", ", ".join(game.told[-3:]))] if game.told else figures
