"""Boards of squares and cells, recognized from the text of a position."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from grandstand.games.foreign.game import Drawn
from grandstand.games.foreign.pictures import naming
from grandstand.games.foreign.pictures.naming import Naming, Rows
from grandstand.games.picture import Place, Thing, Tone

CELL: Final = 10.0
TALL: Final = CELL * 2 / 3**0.5
"""The height of a cell of six sides."""
FEN: Final = re.compile(r"^(?:[^\s/]+/){4,}[^\s/\[]+")
CHESS: Final[Mapping[str, str]] = {
    "p": "M0 -3.2A1.5 1.5 0 0 1 1 -.7L1.8 2.2H2.6V3.6H-2.6V2.2H-1.8L-1 -.7A1.5 1.5 0 0 1 0 -3.2Z",
    "r": "M-2.6 -3.4H-1.5V-2.4H-.6V-3.4H.6V-2.4H1.5V-3.4H2.6V-1.2L1.8 -.6L2.1 2.2H2.9V3.6"
    "H-2.9V2.2H-2.1L-1.8 -.6L-2.6 -1.2Z",
    "n": "M-2.4 3.6V2.4C-1.6 1.2 -.2 .6 -.3 -.7L-2.2 .4L-3 -.6L-1.2 -2.7L-1 -3.7L.1 -3C2 -2.6 2.8 -.6 2.6 3.6Z",
    "b": "M0 -3.8L.5 -3.1C1.9 -2 2.1 -.6 1 .4L1.6 2.2H2.6V3.6H-2.6V2.2H-1.6L-1 .4C-2.1 -.6 -1.9 -2 -.5 -3.1Z",
    "q": "M-3.4 -2.6L-1.7 -.4L-1.2 -3.4L0 -.8L1.2 -3.4L1.7 -.4L3.4 -2.6L2.2 2.2H2.6V3.6H-2.6V2.2H-2.2Z",
    "k": "M-.4 -3.9H.4V-3.3H1.1V-2.5H.4V-1.8C2.4 -2.4 3.5 -.6 2.3 .9L1.9 2.2H2.6V3.6H-2.6V2.2H-1.9L-2.3 .9"
    "C-3.5 -.6 -2.4 -2.4 -.4 -1.8V-2.5H-1.1V-3.3H-.4Z",
}
"""The outlines of the pieces of chess."""


@dataclass(frozen=True)
class SquareBoard:
    """A board of squares: how the game's text names the squares and marks their pieces."""

    naming: Naming = naming.pairs
    owners: Mapping[str, int] = field(default_factory=lambda: {"x": 0, "o": 1})
    """Piece -> its player. Other pieces have no owner."""
    empty: str = "."
    """Characters of empty squares."""
    others: str = ""
    """Pieces without an owner."""
    labelled: bool = False
    """Whether the first character of each row is its number."""
    shape: Literal["box", "hex", "go"] = "box"
    crowned: str = ""
    """Pieces that are kings."""
    named: bool = False
    """Whether pieces show their letters."""
    symbols: Mapping[str, str] = field(default_factory=dict)
    """Piece, in small letters -> its outline."""
    numbers: bool = False
    """Whether squares are numbers separated by spaces; 0 is empty."""
    fen: bool = False
    """Whether the board is in a FEN-like form: rows separated by slashes, empty squares counted."""

    def rows(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the longest block of rows of one width in a text; none if it has no board."""
        if self.fen:
            found = next((match for line in lines if (match := FEN.match(line))), None)
            return [_expanded(row) for row in found.group().split("/")] if found else []
        best: list[list[str]] = []
        block: list[list[str]] = []
        for row in (self._row(line) for line in lines if line.strip()):
            block = [*block, row] if row and (not block or len(block[-1]) == len(row)) else [row] if row else []
            best = max(best, block, key=len)
        return best if len(best) > 1 else []

    def _row(self, line: str) -> list[str]:
        """Return the squares of a line; none if it is not a row."""
        if self.numbers:
            cells = line.split()
            return ["" if cell == "0" else cell for cell in cells] if all(map(str.isdecimal, cells)) else []
        plain = line[1:] if self.labelled else re.sub(r"^\s*\d+\s|\s\d+\s*$", "", line)
        cells = list(re.sub(r"[\s|]", "", plain))
        known = {*self.empty, *self.others, *self.owners}
        return cells if len(cells) > 1 and known.issuperset(cells) else []

    def squares(self, word: str, rows: Rows) -> list[str]:
        """Return the ids of the squares that a move names."""
        inside = [(row, column) for row, column in self.naming(word, rows) if 0 <= row < len(rows)]
        return [square(row, column) for row, column in inside if 0 <= column < len(rows[row])]

    def draw(self, rows: Rows, seats: Sequence[str]) -> Drawn:
        """Return the squares and the pieces."""
        places = [self._place(row, column, len(rows)) for row in range(len(rows)) for column in range(len(rows[row]))]
        things = [
            self._piece(piece, square(row, column), seats)
            for row, cells in enumerate(rows)
            for column, piece in enumerate(cells)
            if piece and piece not in self.empty
        ]
        return places, things

    def _place(self, row: int, column: int, height: int) -> Place:
        name = naming.label(self.naming, row, column, height)
        x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
        if self.naming is naming.nested:
            x, y = x + column // 3 * 3, y + row // 3 * 3
        if self.shape == "hex":
            x, y = (column + row / 2 + 0.5) * CELL, (row * 0.75 + 0.5) * TALL
            return Place(square(row, column), x, y, CELL, TALL, "hex", name=name, tone="light")
        tone: Tone = "table" if self.shape == "go" else "light" if (row + column) % 2 == 0 else "dark"
        return Place(square(row, column), x, y, CELL, CELL, name=name, tone=tone)

    def _piece(self, piece: str, at: str, seats: Sequence[str]) -> Thing:
        player = self.owners.get(piece)
        owner = "" if player is None else seats[player]
        symbol = self.symbols.get(piece.casefold(), "")
        label = "" if symbol else piece.upper() if self.named else "K" if piece in self.crowned else ""
        name = f"{piece} of {owner.replace('_', ' ')}" if owner else piece
        if piece == "?":
            return Thing(f"{at} hidden", "piece", at, name="hidden", state="hidden", tone="muted")
        tone: Tone = "" if owner else "muted"
        return Thing(
            f"{at} {piece}", "piece", at, label=label, name=name, owner=owner, tone=tone, symbol=symbol,
            size=1.15 if symbol else 1.0,
        )  # fmt: skip

    def extent(self, rows: Rows) -> tuple[float, float]:
        """Return the width and the height of the board."""
        height, width = len(rows), len(rows[0])
        if self.shape == "hex":
            return (width + (height - 1) / 2) * CELL, (height * 0.75 + 0.25) * TALL
        gaps = 6.0 if self.naming is naming.nested else 0.0
        return width * CELL + gaps, height * CELL + gaps


def square(row: int, column: int) -> str:
    """Return the id of a square."""
    return f"r{row}c{column}"


def _expanded(row: str) -> list[str]:
    """Return a row like those of chess with each square by itself: `+P2k`."""
    cells: list[str] = []
    for plus, count, piece in re.findall(r"(\+?)(?:(\d+)|(.))", row):
        cells += ["."] * int(count) if count else [plus + piece]
    return cells


LETTERED: Final = {
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0),
    **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", 1),
}
SECOND_WHITE: Final = {piece: 1 - player for piece, player in LETTERED.items()}
"""White, which moves first, is the second player."""
PROMOTED: Final = {**LETTERED, **{f"+{piece}": player for piece, player in LETTERED.items()}}
BLACK_WHITE: Final = {"b": 0, "w": 1}
STONES: Final = {"X": 0, "O": 1}
PLAIN: Final = SquareBoard()
HEX: Final = SquareBoard(naming.down, shape="hex")
GO: Final = SquareBoard(naming.go, STONES, "+", shape="go")
FENS_FIRST_WHITE: Final = SquareBoard(naming.up, LETTERED, symbols=CHESS, fen=True)
FENS: Final = SquareBoard(naming.up, SECOND_WHITE, symbols=CHESS, fen=True)

BOARDS: Final[Mapping[str, SquareBoard]] = {
    "2048": SquareBoard(owners={}, numbers=True, named=True),
    "amazons": SquareBoard(naming.pairs_from_one, STONES, others="#"),
    "antichess": FENS,
    "banqi": SquareBoard(owners=LETTERED, others="?", named=True),
    "breakthrough": SquareBoard(naming.up, BLACK_WHITE, labelled=True),
    "chess_v6": FENS_FIRST_WHITE,
    "checkers": SquareBoard(naming.up, {"o": 0, "8": 0, "+": 1, "*": 1}, labelled=True, crowned="8*"),
    "chess": FENS,
    "clobber": SquareBoard(naming.up, {"o": 0, "x": 1}, labelled=True),
    "connect_four": SquareBoard(naming.falls),
    "connect_four_v3": SquareBoard(naming.falls_from_one, STONES),
    "crazyhouse": FENS,
    "dark_chess": FENS,
    "dark_hex": HEX,
    "dark_hex_ir": HEX,
    "go": GO,
    "go_v5": SquareBoard(naming.gtp, STONES, shape="go"),
    "gomoku": SquareBoard(owners=BLACK_WHITE, shape="go"),
    "hex": HEX,
    "kriegspiel": FENS,
    "lines_of_action": SquareBoard(naming.up, labelled=True),
    "misere": PLAIN,
    "mnk": SquareBoard(shape="go"),
    "othello": SquareBoard(naming.down, empty="-"),
    "phantom_go": GO,
    "phantom_ttt": PLAIN,
    "phantom_ttt_ir": PLAIN,
    "rbc": FENS,
    "shogi": SquareBoard(naming.shogi, PROMOTED, named=True, fen=True, shape="go"),
    "tic_tac_toe": PLAIN,
    "tictactoe_v3": SquareBoard(naming.worded, STONES),
    "ultimate_tic_tac_toe": SquareBoard(naming.nested),
    "xiangqi": SquareBoard(owners=LETTERED, named=True, shape="go"),
}
"""The games whose text is a board, by the library's names."""
