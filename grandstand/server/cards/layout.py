"""The layout of a card as SVG: the board on the left; the headline, the standing and the facts on the right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from grandstand.games.base import SeatId
from grandstand.games.picture import Card, CardRow, Picture, PictureFigure, SeatColours
from grandstand.server.cards.lettering import LEADING, text
from grandstand.server.cards.svg import GROUND, INK, LINE, SOFT, drawn, tag

WIDTH, HEIGHT = 1200, 630
BOARD_WIDTH = 700
"""The width of the board and of the figures below it."""

PAPER = "#f1ebdd"
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
MOST_ROWS, MOST_FACTS, MOST_FIGURES = 8, 3, 8
LARGE_ROWS = 3
"""Number of seats up to which the rows of the standing are large."""
FIGURE = 34
"""The height of a figure."""


@dataclass(frozen=True, slots=True)
class About:
    """The facts of a match that every game has."""

    game: str
    title: str
    headline: str
    players: Mapping[SeatId, str]
    chances: Mapping[SeatId, float]
    colours: Mapping[SeatId, SeatColours]


def laid_out(picture: Picture | None, card: Card, about: About) -> str:
    """Return a whole card. Without a picture, a panel with the name of the game stands in its place."""
    parts = [
        *(_board(picture, about) if picture else _panel(about)),
        _box(BOARD_WIDTH, 0, WIDTH, HEIGHT, PAPER),
        _line(BOARD_WIDTH, 0, BOARD_WIDTH, HEIGHT, 1.5),
        *_head(card, about),
        *_standing(card, about),
        *_foot(about),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{''.join(parts)}</svg>"
    )


def _board(picture: Picture, about: About) -> Iterator[str]:
    """Yield the board, above a strip with the figures in two columns."""
    figures = list(picture.figures)[:MOST_FIGURES]
    rows = (len(figures) + 1) // 2
    top = HEIGHT - (rows * FIGURE + 24 if rows else 0)
    yield _box(0, 0, BOARD_WIDTH, HEIGHT, GROUND)
    yield drawn(picture, about.colours, BOARD_WIDTH, top)
    if rows:
        yield _box(0, top, BOARD_WIDTH, HEIGHT, STRIP)
    for number, figure in enumerate(figures):
        yield from _figure(figure, about, 24 + 348 * (number // rows), top + 12 + FIGURE * (number % rows + 0.5))


def _figure(figure: PictureFigure, about: About, left: float, middle: float) -> Iterator[str]:
    if colours := about.colours.get(figure.owner):
        yield _box(left, middle - 12, left + 6, middle + 12, colours.dark)
    yield text(figure.label, left + 18, middle, 22, ON_STRIP, width=170, least=15)
    yield text(figure.value, left + 304, middle, 23, ON_STRIP, "bold", "end", width=110, least=15)


def _panel(about: About) -> Iterator[str]:
    yield _box(0, 0, BOARD_WIDTH, HEIGHT, STRIP)
    yield text(
        about.game, BOARD_WIDTH / 2, HEIGHT / 2 - 20, 64, ON_STRIP, "serif", "middle",
        width=BOARD_WIDTH - 80, lines=2, least=30,
    )  # fmt: skip


def _head(card: Card, about: About) -> Iterator[str]:
    yield text(about.game.upper(), LEFT, 50, 19, ACCENT, "bold", width=COLUMN)
    yield text(card.turn, LEFT, 76, 22, SOFT, width=COLUMN)
    size = 35 if len(card.rows) <= LARGE_ROWS else 33
    lines = max(2, min(5, int((_top(card) - 24 - HEAD + size / 2) / (size * LEADING))))
    yield text(about.headline, LEFT, HEAD, size, INK, "serif", width=COLUMN, lines=lines, least=26)


def _standing(card: Card, about: About) -> Iterator[str]:
    large = len(card.rows) <= LARGE_ROWS
    step, top = _step(card), _top(card)
    rows, facts = list(card.rows)[:MOST_ROWS], list(card.facts)[:MOST_FACTS]
    if about.chances:
        yield text("to win", RIGHT, top - 11, 15, SOFT, align="end")
    yield text(card.unit, RIGHT - 78 if about.chances else RIGHT, top - 11, 15, SOFT, align="end")
    for number, row in enumerate(rows):
        yield from _row(row, about, top + step * number, step, large)
    for number, fact in enumerate(facts):
        yield text(fact, LEFT, top + step * len(rows) + 22 + 27 * number, 21, INK, width=COLUMN, least=17)


def _step(card: Card) -> float:
    """Return the height of a row."""
    return 66 if len(card.rows) <= LARGE_ROWS else 33


def _top(card: Card) -> float:
    """Return the top of the standing, which stands on the foot."""
    rows, facts = min(len(card.rows), MOST_ROWS), min(len(card.facts), MOST_FACTS)
    return FOOT - 10 - _step(card) * rows - 27 * facts - (10 if facts else 0)


def _row(row: CardRow, about: About, top: float, step: float, large: bool) -> Iterator[str]:
    middle = top + step / 2
    size = 29 if large else 22
    chance = about.chances.get(row.seat)
    edge = RIGHT - 78 if about.chances else RIGHT
    yield _line(LEFT, top, RIGHT, top)
    if colours := about.colours.get(row.seat):
        yield _box(LEFT, top + 6, LEFT + 8, top + step - 6, colours.light)
    ink = INK if row.strong else SOFT
    player = about.players.get(row.seat, "")
    if large:
        width = edge - LEFT - 20 - LARGE_SCORE - 12
        yield text(row.name, LEFT + 20, middle - 11, 25, ink, "bold", width=width, least=18)
        yield text(player, LEFT + 20, middle + 16, 18, SOFT, width=width)
    else:
        yield text(row.name, LEFT + 20, middle, size, ink, "bold", width=110)
        yield text(player, LEFT + 132, middle, 19, SOFT, width=edge - LEFT - 132 - SMALL_SCORE - 12)
    yield text(row.score, edge, middle, size, ink, "bold", "end", width=LARGE_SCORE if large else SMALL_SCORE, least=18)
    if chance is not None:
        yield text(_percent(chance), RIGHT, middle, 22 if large else 19, SOFT, align="end")


def _foot(about: About) -> Iterator[str]:
    yield _box(BOARD_WIDTH, FOOT, WIDTH, HEIGHT, STRIP)
    middle = (FOOT + HEIGHT) / 2
    yield text(about.title, LEFT, middle, 21, ON_STRIP, "bold", width=COLUMN - 130, least=17)
    yield text("Grandstand", RIGHT, middle, 22, ON_STRIP, "serif", "end")


def _box(left: float, top: float, right: float, bottom: float, fill: str) -> str:
    return tag("rect", x=left, y=top, width=right - left, height=bottom - top, fill=fill)


def _line(left: float, top: float, right: float, bottom: float, width: float = 1.0) -> str:
    return tag("line", x1=left, y1=top, x2=right, y2=bottom, stroke=LINE, stroke_width=width)


def _percent(chance: float) -> str:
    """Return a chance in whole percent; only certainty is 0 or 100."""
    if 0 < chance < 0.01:
        return "<1%"
    return ">99%" if 0.99 < chance < 1 else f"{100 * chance:.0f}%"
