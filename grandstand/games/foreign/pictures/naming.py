"""The squares that a move names: by letters and numbers, or by row and column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from string import ascii_lowercase
from typing import Final, TypeAlias

LETTERS: Final = re.compile(r"(?<![a-z])([a-z])(\d{1,2})(?!\d)|(?<=\d)([a-z])(\d{1,2})(?!\d)|(?<=x)([a-z])(\d{1,2})")
PAIRS: Final = re.compile(r"(\d+),\s*(\d+)")
WORDED: Final = re.compile(r"row (\d+), column (\d+)")
SHOGI: Final = re.compile(r"([1-9])([a-i])")
GO_LETTERS: Final = "abcdefghjklmnopqrst"
"""The columns of go boards, which have no i."""

Rows: TypeAlias = Sequence[Sequence[str]]
"""What stands on each square, row by row from the top."""
Naming: TypeAlias = Callable[[str, Rows], Iterator[tuple[int, int]]]
"""(word of a move, board) -> the squares that it names, as (row, column) from 0."""


def _lettered(word: str) -> Iterator[tuple[str, int]]:
    for groups in LETTERS.findall(word):
        letter, number = [each for each in groups if each]
        yield letter, int(number)


def up(word: str, rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield squares by letters and numbers, with 1 at the bottom: chess."""
    for letter, number in _lettered(word):
        yield len(rows) - number, ascii_lowercase.find(letter)


def down(word: str, rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield squares by letters and numbers, with 1 at the top: hex."""
    for letter, number in _lettered(word):
        yield number - 1, ascii_lowercase.find(letter)


def go(word: str, rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield squares like those of chess, without the column i."""
    for letter, number in _lettered(word):
        yield len(rows) - number, GO_LETTERS.find(letter)


def pairs(word: str, rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield squares by (row, column) from 0."""
    for row, column in PAIRS.findall(word):
        yield int(row), int(column)


def pairs_from_one(word: str, rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield squares by (row, column) from 1."""
    for row, column in PAIRS.findall(word):
        yield int(row) - 1, int(column) - 1


def gtp(word: str, rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield squares like those of go, in capitals."""
    return go(word.lower(), rows)


def worded(word: str, rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield the square that is written as `row 1, column 2`."""
    for row, column in WORDED.findall(word):
        yield int(row) - 1, int(column) - 1


def falls_from_one(word: str, rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield the lowest free square of `column 1`, the first one."""
    return falls(str(int(re.sub(r"\D", "", word) or 0) - 1), rows)


def falls(word: str, rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield the lowest free square of a column that is named by its number."""
    column = int(re.sub(r"[^-\d]", "", word) or -1)
    free = [row for row, cells in enumerate(rows) if 0 <= column < len(cells) and cells[column] == "."]
    if free:
        yield free[-1], column


def nested(word: str, rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield the square at (row, column) of a board of nine; where only the board is named, its middle."""
    board, *pair = map(int, re.findall(r"\d+", word))
    row, column = pair if len(pair) == 2 else (1, 1)
    yield board // 3 * 3 + row, board % 3 * 3 + column


def shogi(word: str, rows: Rows) -> Iterator[tuple[int, int]]:
    """Yield squares by the number of a column from the right and the letter of a row from the top."""
    for column, row in SHOGI.findall(word):
        yield ascii_lowercase.find(row), 9 - int(column)


def label(naming: Naming, row: int, column: int, height: int) -> str:
    """Return the name of a square in words."""
    if naming in (up, go, gtp):
        return f"{(ascii_lowercase if naming is up else GO_LETTERS)[column]}{height - row}"
    if naming is down:
        return f"{ascii_lowercase[column]}{row + 1}"
    if naming is shogi:
        return f"{9 - column}{ascii_lowercase[row]}"
    first = int(naming in (pairs_from_one, worded, falls_from_one))
    return f"row {row + first}, column {column + first}"
