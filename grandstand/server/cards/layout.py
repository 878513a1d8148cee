"""The layout of a card: the board on the left; the headline, the standing and the facts on the right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from grandstand.games.base import SeatId
from grandstand.games.cards import BOARD_HEIGHT, BOARD_WIDTH, LEADING, Area, Card, Row, Shape, Trace, Words

WIDTH, HEIGHT = 1200, 630
SIZE = (WIDTH, HEIGHT)

PAPER = "#f1ebdd"
SHEET = "#faf6ec"
INK = "#1b252e"
SOFT = "#55606a"
LINE = "#cdc2a8"
STRIP = "#1b252e"
ON_STRIP = "#f4ecdc"
ACCENT = "#1d5c74"

LEFT = BOARD_WIDTH + 32
RIGHT = WIDTH - 32
COLUMN = RIGHT - LEFT
FOOT = 562
"""The top of the foot, which names the match."""
HEAD = 122
"""The middle of the first line of the headline."""
LARGE_SCORE, SMALL_SCORE = 160, 60
"""The width of a score, in large and in small rows."""
MOST_ROWS, MOST_FACTS = 8, 3
LARGE_ROWS = 3
"""Number of seats up to which the rows of the standing are large."""


@dataclass(frozen=True, slots=True)
class About:
    """The facts of a match that every game has."""

    game: str
    title: str
    headline: str
    players: Mapping[SeatId, str]
    chances: Mapping[SeatId, float]


def laid_out(board: Sequence[Shape], card: Card, about: About) -> list[Shape]:
    """Return the shapes of a whole card. Without a board, a panel with the name of the game stands in its place."""
    return [
        *(board or _panel(about)),
        _box(BOARD_WIDTH, 0, WIDTH, HEIGHT, PAPER),
        Trace([[(BOARD_WIDTH, 0), (BOARD_WIDTH, HEIGHT)]], LINE, 1.5),
        *_head(card, about),
        *_standing(card, about),
        *_foot(about),
    ]


def _head(card: Card, about: About) -> Iterator[Shape]:
    yield Words(about.game.upper(), (LEFT, 50), 19, ACCENT, "bold", width=COLUMN)
    yield Words(card.turn, (LEFT, 76), 22, SOFT, width=COLUMN)
    size = 35 if len(card.rows) <= LARGE_ROWS else 33
    lines = max(2, min(5, int((_top(card) - 24 - HEAD + size / 2) / (size * LEADING))))
    yield Words(about.headline, (LEFT, HEAD), size, INK, "serif", width=COLUMN, lines=lines, least=26)


def _standing(card: Card, about: About) -> Iterator[Shape]:
    large = len(card.rows) <= LARGE_ROWS
    step, top = _step(card), _top(card)
    rows, facts = list(card.rows)[:MOST_ROWS], list(card.facts)[:MOST_FACTS]
    if about.chances or card.unit:
        yield Words("to win" if about.chances else "", (RIGHT, top - 11), 15, SOFT, align="right")
        yield Words(card.unit, (RIGHT - 78 if about.chances else RIGHT, top - 11), 15, SOFT, align="right")
    for number, row in enumerate(rows):
        yield from _row(row, about, top + step * number, step, large)
    for number, fact in enumerate(facts):
        yield Words(fact, (LEFT, top + step * len(rows) + 22 + 27 * number), 21, INK, width=COLUMN, least=17)


def _step(card: Card) -> float:
    """Return the height of a row."""
    return 66 if len(card.rows) <= LARGE_ROWS else 33


def _top(card: Card) -> float:
    """Return the top of the standing, which stands on the foot."""
    rows, facts = min(len(card.rows), MOST_ROWS), min(len(card.facts), MOST_FACTS)
    return FOOT - 10 - _step(card) * rows - 27 * facts - (10 if facts else 0)


def _row(row: Row, about: About, top: float, step: float, large: bool) -> Iterator[Shape]:
    middle = top + step / 2
    size = 29 if large else 22
    chance = about.chances.get(row.seat)
    edge = RIGHT - 78 if about.chances else RIGHT
    yield Trace([[(LEFT, top), (RIGHT, top)]], LINE, 1.0)
    yield _box(LEFT, top + 6, LEFT + 8, top + step - 6, row.colour)
    ink = INK if row.strong else SOFT
    player = about.players.get(row.seat, "")
    if large:
        width = edge - LEFT - 20 - LARGE_SCORE - 12
        yield Words(row.name, (LEFT + 20, middle - 11), 25, ink, "bold", width=width, least=18)
        yield Words(player, (LEFT + 20, middle + 16), 18, SOFT, width=width)
    else:
        yield Words(row.name, (LEFT + 20, middle), size, ink, "bold", width=110)
        yield Words(player, (LEFT + 132, middle), 19, SOFT, width=edge - LEFT - 132 - SMALL_SCORE - 12)
    score_width = LARGE_SCORE if large else SMALL_SCORE
    yield Words(row.score, (edge, middle), size, ink, "bold", "right", width=score_width, least=18)
    if chance is not None:
        yield Words(_percent(chance), (RIGHT, middle), 22 if large else 19, SOFT, "sans", "right")


def _foot(about: About) -> Iterator[Shape]:
    yield _box(BOARD_WIDTH, FOOT, WIDTH, HEIGHT, STRIP)
    middle = (FOOT + HEIGHT) / 2
    yield Words(about.title, (LEFT, middle), 21, ON_STRIP, "bold", width=COLUMN - 130, least=17)
    yield Words("Grandstand", (RIGHT, middle), 22, ON_STRIP, "serif", "right")


def _panel(about: About) -> Iterator[Shape]:
    yield _box(0, 0, BOARD_WIDTH, BOARD_HEIGHT, STRIP)
    yield Words(about.game, (BOARD_WIDTH / 2, BOARD_HEIGHT / 2 - 20), 64, ON_STRIP, "serif", "middle", BOARD_WIDTH - 80,
                2, 30)  # fmt: skip


def _box(left: float, top: float, right: float, bottom: float, fill: str) -> Area:
    return Area([[(left, top), (right, top), (right, bottom), (left, bottom)]], fill)


def _percent(chance: float) -> str:
    """Return a chance in whole percent; only certainty is 0 or 100."""
    if 0 < chance < 0.01:
        return "<1%"
    return ">99%" if 0.99 < chance < 1 else f"{100 * chance:.0f}%"
