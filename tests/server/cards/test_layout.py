"""The layout of a card holds whatever the names are."""

from __future__ import annotations

import itertools

import pytest

from grandstand.games.cards import Card, Face, Row, Shape, Words
from grandstand.server.cards.layout import FOOT, HEIGHT, LEFT, RIGHT, WIDTH, About, laid_out
from grandstand.server.cards.lettering import length, wrapped

LONG = "A very long name of somebody who plays, " * 6


def card(rows: int) -> list[Shape]:
    standing = [Row(f"s{number}", LONG, "1234/10 & 123/2", "#1c539c") for number in range(rows)]
    about = About(LONG, LONG, LONG * 3, {f"s{n}": LONG for n in range(rows)}, {f"s{n}": 0.5 for n in range(rows)})
    return laid_out([], Card(LONG, standing, "centres", [LONG] * 5), about)


@pytest.mark.parametrize("rows", [0, 2, 7, 12])
def test_nothing_leaves_its_column(rows: int) -> None:
    for shape in card(rows):
        if isinstance(shape, Words) and shape.at[0] >= LEFT - 20:
            lines, size = wrapped(shape)
            for number, line in enumerate(lines):
                width = length(line, shape.face, size)
                left = shape.at[0] - {"left": 0, "middle": width / 2, "right": width}[shape.align]
                assert left >= LEFT - 1
                assert left + width <= RIGHT + 1
                assert 0 < shape.at[1] + 1.2 * size * number < HEIGHT


@pytest.mark.parametrize("rows", [2, 3, 7, 8])
def test_the_headline_ends_above_the_standing_and_rows_do_not_overlap(rows: int) -> None:
    words = [shape for shape in card(rows) if isinstance(shape, Words)]
    headline = next(shape for shape in words if shape.face == "serif" and shape.at[0] == LEFT)
    lines, size = wrapped(headline)
    bottom = headline.at[1] + 1.2 * size * (len(lines) - 1) + size / 2
    names = [shape for shape in words if shape.align == "left" and shape.at[0] == LEFT + 20]
    assert bottom < min(shape.at[1] for shape in names) - 16
    tops = sorted(shape.at[1] for shape in names)
    assert all(later - earlier >= 25 for earlier, later in itertools.pairwise(tops))
    assert max(tops) < FOOT < HEIGHT < WIDTH


def test_names_do_not_reach_the_scores() -> None:
    for rows in (2, 7):
        words = [shape for shape in card(rows) if isinstance(shape, Words)]
        scores = [shape for shape in words if shape.text.startswith("1234")]
        for score in scores:
            start = score.at[0] - length(*_set(score))
            beside = [each for each in words if each.align == "left" and abs(each.at[1] - score.at[1]) < 20]
            assert all(each.at[0] + length(*_set(each)) <= start for each in beside if each.at[1] < FOOT)


def _set(shape: Words) -> tuple[str, Face, float]:
    lines, size = wrapped(shape)
    return lines[0], shape.face, size
