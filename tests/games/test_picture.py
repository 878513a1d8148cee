"""Pictures as data: the helpers that make places, and what one seat sees."""

from __future__ import annotations

from dataclasses import replace
from math import dist

import pytest

from grandstand.games.match import event_data
from grandstand.games.picture import (
    COLOURS,
    Picture,
    PictureFigure,
    Place,
    Thing,
    colours,
    grid,
    hand,
    hexes,
    merged,
    names,
    ring,
    seen,
    track,
)

PUBLIC = Picture(
    [*ring(["NORTH", "SOUTH"]), hand("hand:NORTH", 50, 90, owner="NORTH")],
    [Thing("card 1", "card", "hand:NORTH", state="hidden"), Thing("pot", "token", (50, 50), label="10")],
    "The pot is 10.",
    [PictureFigure("Pot", "10")],
)
OWN = replace(
    PUBLIC,
    things=[Thing("card 1", "card", "hand:NORTH", label="K♥"), PUBLIC.things[1]],
    figures=[*PUBLIC.figures, PictureFigure("To call", "5")],
    describe="You hold a king.",
)


def test_squares_are_named_as_in_chess() -> None:
    squares = {place.id: place for place in grid(8, 8)}
    assert len(squares) == 64
    assert (squares["a1"].x, squares["a1"].y) == (5, 75)
    assert (squares["h8"].x, squares["h8"].y) == (75, 5)
    assert (squares["a1"].tone, squares["b1"].tone, squares["a8"].tone) == ("dark", "light", "light")
    own = grid(2, 1, name=lambda column, row: f"{row},{column}", owners={"0,1": "white"}, tones=())
    assert [(place.id, place.owner, place.tone) for place in own] == [("0,0", "", ""), ("0,1", "white", "")]


def test_cells_of_a_hexagonal_board_touch_six_others() -> None:
    cells = hexes(3, 3)
    assert [cell.id for cell in cells[:4]] == ["a1", "b1", "c1", "a2"]
    (middle,) = [cell for cell in cells if cell.id == "b2"]
    apart = sorted(dist((cell.x, cell.y), (middle.x, middle.y)) for cell in cells)
    assert apart[1:7] == pytest.approx([10] * 6)
    assert apart[7] > 15


def test_seats_around_a_table_begin_at_the_bottom() -> None:
    first, second, *_ = ring(["N", "E", "S", "W"], radius=40)
    assert (first.x, first.y) == pytest.approx((50, 90))
    assert (second.x, second.y) == pytest.approx((10, 50))
    assert (first.owner, first.label) == ("N", "N")
    assert [(place.owner, place.label) for place in ring(["deck"], owned=False)] == [("", "")]


def test_a_track_goes_from_its_start_to_its_end() -> None:
    fields = track(["0", "1", "2"], start=(0, 10), end=(20, 10))
    assert [(field.x, field.y) for field in fields] == [(0, 10), (10, 10), (20, 10)]
    assert [(field.x, field.y) for field in track(["only"], start=(3, 4), end=(9, 9))] == [(3, 4)]


def test_seats_have_colours_in_their_order_and_more_seats_have_the_same_again() -> None:
    seats = [str(number) for number in range(len(COLOURS) + 1)]
    given = colours(seats)
    assert given["0"] == given[seats[-1]] == COLOURS[0]
    assert len(set(given.values())) == len(COLOURS)


def test_places_and_things_are_targets() -> None:
    assert names(PUBLIC) == {"NORTH", "SOUTH", "hand:NORTH", "card 1", "pot"}


def test_what_a_seat_sees_is_what_is_not_public_and_together_they_are_its_picture() -> None:
    more = seen("NORTH", PUBLIC, OWN)
    assert more
    assert (more.places, more.things, more.figures) == ([], [OWN.things[0]], [PictureFigure("To call", "5")])
    assert more.seats() == frozenset({"NORTH"})
    assert merged(PUBLIC, more) == OWN


def test_a_place_of_its_own_is_drawn_after_the_others() -> None:
    drawer = Place("drawer", 1, 2)
    more = seen("NORTH", PUBLIC, replace(PUBLIC, places=[drawer, *PUBLIC.places]))
    assert more
    assert list(merged(PUBLIC, more).places) == [*PUBLIC.places, drawer]


def test_a_seat_that_sees_what_everybody_sees_has_no_event() -> None:
    assert seen("NORTH", PUBLIC, PUBLIC) is None
    assert seen("NORTH", PUBLIC, replace(PUBLIC, describe="You may act.")) is not None


def test_nothing_of_one_seat_is_in_the_public_picture() -> None:
    more = seen("NORTH", PUBLIC, OWN)
    assert more
    assert "K♥" in str(event_data(more))
    assert "K♥" not in str(PUBLIC)
