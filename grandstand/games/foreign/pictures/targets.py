"""The places of a picture where moves can be clicked."""

from __future__ import annotations

from collections.abc import Mapping

from grandstand.games.foreign.pictures.boards import BOARDS
from grandstand.games.foreign.pictures.lattice import LATTICES
from grandstand.games.foreign.pictures.text import lines_of


def targets(name: str, text: str, words: Mapping[int, str]) -> dict[int, str]:
    """Return the target in the picture of each move that has one; `text` is the position as its seat sees it."""
    lines = lines_of(text)
    board, lattice = BOARDS.get(name), LATTICES.get(name)
    named: dict[int, list[str]] = {}
    if board and (rows := board.rows(lines)):
        named = {action: board.squares(word, rows) for action, word in words.items()}
    elif lattice and (points := lattice.points(lines)):
        named = {action: lattice.squares(word, points) for action, word in words.items()}
    return {action: " ".join(dict.fromkeys(squares[:2])) for action, squares in named.items() if squares}
