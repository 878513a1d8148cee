"""The layout of a card holds whatever the names are."""

from __future__ import annotations

import itertools

import pytest

from grandstand.games.picture import Card, CardRow, SeatColours, colours
from grandstand.server.cards.layout import FOOT, HEIGHT, LEFT, RIGHT, WIDTH, About, laid_out
from tests.support.server.cards import Line, lines_of

LONG = "A very long name of somebody who plays, " * 6


def card(rows: int) -> list[Line]:
    """Return the text beside the board."""
    seats = [f"s{number}" for number in range(rows)]
    standing = [CardRow(seat, LONG, "1234/10 & 123/2") for seat in seats]
    given = {seat: SeatColours(*both, "") for seat, both in colours(seats).items()}
    about = About(LONG, LONG, LONG * 3, dict.fromkeys(seats, LONG), dict.fromkeys(seats, 0.5), given)
    svg = laid_out(None, Card(LONG, standing, "centres", [LONG] * 5), about)
    return [line for line in lines_of(svg) if line.x >= LEFT - 20]


@pytest.mark.parametrize("rows", [0, 2, 7, 12])
def test_nothing_leaves_its_column(rows: int) -> None:
    for line in card(rows):
        assert line.left >= LEFT - 1
        assert line.right <= RIGHT + 1
        assert 0 < line.y < HEIGHT


@pytest.mark.parametrize("rows", [2, 3, 7, 8])
def test_the_headline_ends_above_the_standing_and_rows_do_not_overlap(rows: int) -> None:
    lines = card(rows)
    bottom = max(line.y for line in lines if line.face == "serif" and line.x == LEFT)
    names = [line.y for line in lines if line.x == LEFT + 20]
    assert bottom < min(names) - 16
    assert all(later - earlier >= 25 for earlier, later in itertools.pairwise(sorted(names)))
    assert max(names) < FOOT < HEIGHT < WIDTH


def test_names_do_not_reach_the_scores() -> None:
    for rows in (2, 7):
        lines = card(rows)
        for score in [line for line in lines if line.text.startswith("1234")]:
            beside = [line for line in lines if line.align == "start" and abs(line.y - score.y) < 20]
            assert all(line.right <= score.left for line in beside if line.y < FOOT)
