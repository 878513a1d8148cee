"""Boards whose places are characters at any distance in a text: points of lines, and cells in slanted rows."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from grandstand.games.foreign.game import Drawn
from grandstand.games.picture import Place, Thing, Tone


class LatticePoint(NamedTuple):
    """A point in a text: its line, the column of its character, its index in the line, its number, its piece."""

    line: int
    column: int
    nth: int
    number: int
    mark: str


@dataclass(frozen=True)
class Lattice:
    """How a game's text describes a board of points."""

    owners: Mapping[str, int]
    """Piece -> its player."""
    names: Callable[[str, Sequence[LatticePoint]], list[LatticePoint]]
    """(word of a move, points) -> the points that it names."""
    row: re.Pattern[str]
    """The pattern of a line of the board; its group is the part with the points."""
    empty: str = "."
    tall: float = 1.0
    """The distance of lines, as a multiple of that of characters."""
    lines: bool = False
    """Whether neighbours in a line are joined."""

    def points(self, lines: Sequence[str]) -> list[LatticePoint]:
        """Return the points of a text; none if it has no board."""
        found: list[LatticePoint] = []
        number = 0
        for line, text in enumerate(lines):
            match = self.row.fullmatch(text)
            if not match:
                continue
            nth = 0
            for at in range(match.start(1), match.end(1)):
                if text[at] in self.empty or text[at] in self.owners:
                    found.append(LatticePoint(line, at, nth, number, text[at]))
                    nth, number = nth + 1, number + 1
        return found

    def squares(self, word: str, points: Sequence[LatticePoint]) -> list[str]:
        """Return the ids of the points that a move names."""
        return [_id(point) for point in self.names(word, points)]

    def draw(self, points: Sequence[LatticePoint], seats: Sequence[str], lines: Sequence[str]) -> Drawn:
        """Return the points and the pieces; `lines` is the text."""
        size = min(9.0, 9.0 * self.tall if not self.lines else 9.0)
        left, top = min(point.column for point in points), points[0].line
        places = []
        for point in points:
            x, y = (point.column - left) * 5.0 + 6, (point.line - top) * 5.0 * self.tall + 6
            tone: Tone = "table" if self.lines else "light"
            places.append(Place(_id(point), x, y, size, size, "disc", name=f"point {point.number}", tone=tone))
        things = list(_joined(points, lines)) if self.lines else []
        things += [_piece(point, seats[self.owners[point.mark]]) for point in points if point.mark in self.owners]
        return places, things

    def extent(self, points: Sequence[LatticePoint]) -> tuple[float, float]:
        """Return the width and the height of the board."""
        columns = [point.column for point in points]
        high = (points[-1].line - points[0].line) * 5.0 * self.tall
        return (max(columns) - min(columns)) * 5.0 + 12, high + 12


def _joined(points: Sequence[LatticePoint], lines: Sequence[str]) -> Iterator[Thing]:
    """Yield the lines that the text draws between points."""
    for one in points:
        for two in points:
            across = lines[one.line][one.column + 1 : two.column]
            down = "".join(line[one.column : one.column + 1] for line in lines[one.line + 1 : two.line])
            side = one.line == two.line and one.column < two.column and not across.strip("-")
            below = one.column == two.column and one.line < two.line and not down.strip("|")
            if side or below:
                yield Thing(f"{_id(one)} {_id(two)}", "line", _id(one), _id(two), tone="muted")


def _id(point: LatticePoint) -> str:
    return f"p{point.number}"


def _piece(point: LatticePoint, owner: str) -> Thing:
    return Thing(f"p{point.number} {point.mark}", "piece", _id(point), name=f"{owner}'s piece", owner=owner, size=1.2)


def by_number(word: str, points: Sequence[LatticePoint]) -> list[LatticePoint]:
    """Return points that are numbered in the order of the text."""
    return [points[number] for number in map(int, re.findall(r"\d+", word)) if number < len(points)]


def by_letter(word: str, points: Sequence[LatticePoint]) -> list[LatticePoint]:
    """Return the cell of a column and a line, on boards whose lines begin at different columns."""
    match = re.fullmatch(r"([a-z])(\d+)", word)
    if not match:
        return []
    first, column = points[0].line, ord(match[1]) - ord("a")
    left = min(points, key=lambda point: point.column)
    line = first + int(match[2]) - 1
    skipped = max(0, line - left.line) if left.line > first else 0
    return [point for point in points if point.line == line and point.nth == column - skipped]


LATTICES: Final[Mapping[str, Lattice]] = {
    "chinese_checkers": Lattice(
        {str(each + 1): each for each in range(6)}, by_number, re.compile(r"( *[.\d](?: [.\d])*)"), tall=1.73
    ),
    "havannah": Lattice({"O": 0, "@": 1}, by_letter, re.compile(r"\s*\d+([ \[\].O@]+)[ a-z]*"), tall=1.73),
    "nine_mens_morris": Lattice(
        {"W": 0, "B": 1}, by_number, re.compile(r"([.WB| -]*[.WB][.WB| -]*)"), tall=1.0, lines=True
    ),
    "y": Lattice({"O": 0, "@": 1}, by_letter, re.compile(r"\s*\d+([ \[\].O@]+)"), tall=1.73),
}
"""The games whose text is such a board, by the library's names."""
