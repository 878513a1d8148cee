"""A picture as text."""

from __future__ import annotations

from grandstand.games.picture import Picture, PictureFigure, Place, Thing, grid, hexes, ring
from grandstand.games.picture_text import text_lines


def text(places: list[Place], things: list[Thing], figures: list[PictureFigure] | None = None) -> list[str]:
    return list(text_lines(Picture(places, things, "The moment.", figures or [])))


def test_a_board_of_squares_is_rows_with_names_at_the_edges() -> None:
    things = [Thing("x", "piece", "b1", label="X"), Thing("o", "piece", "c3", owner="blue")]
    assert text(grid(3, 3), things) == [
        "The moment.",
        "",
        " 3 . . b",
        " 2 . . .",
        " 1 . X .",
        "   a b c",
    ]


def test_pieces_of_the_same_letter_have_the_initial_of_their_owner() -> None:
    things = [Thing(seat, "piece", at, label="K", owner=seat) for seat, at in (("white", "a1"), ("black", "b2"))]
    assert text(grid(2, 2), things)[2:4] == [" 2 .  bK", " 1 wK ."]


def test_odd_rows_of_cells_are_moved_and_unnamed_squares_have_no_edge() -> None:
    assert text(hexes(2, 2), [])[2:4] == [" 1 . .", " 2  . ."]
    assert text(grid(2, 2, name=lambda column, row: f"{column}/{row}"), [])[2:] == [". .", ". ."]


def test_things_elsewhere_are_told_by_owner_or_place() -> None:
    places = [
        *ring(["NORTH", "SOUTH"]),
        Place("table", 50, 50, outline="disc", label="Table"),
        Place("spot", 1, 1, outline="none"),
    ]
    things = [
        Thing("1", "card", "table", label="K♥"),
        Thing("2", "card", "table", state="hidden"),
        Thing("3", "token", "NORTH", label="30", owner="NORTH"),
        Thing("4", "token", "table", owner="SOUTH"),
        Thing("5", "piece", "spot", owner="SOUTH"),
    ]
    assert text(places, things)[2:] == ["Table  K♥, ?", "SOUTH  at Table", "NORTH  30"]


def test_orders_have_lines_of_their_own_and_muted_text_none() -> None:
    things = [
        Thing("1", "arrow", (0, 0), (1, 1), name="A PAR - BUR", owner="FRANCE"),
        Thing("2", "text", (0, 0), name="A MUN H", owner="GERMANY"),
        Thing("3", "line", (0, 0), (1, 1)),
        Thing("4", "text", (0, 0), label="20", state="muted"),
        Thing("5", "piece", (0, 0), name="A PAR", owner="FRANCE"),
    ]
    assert text([], things) == ["The moment.", "", "FRANCE  A PAR", "", "FRANCE   A PAR - BUR", "GERMANY  A MUN H"]


def test_figures_are_the_last_lines() -> None:
    assert text([], [], [PictureFigure("Pot", "120"), PictureFigure("To call", "30")]) == [
        "The moment.",
        "",
        "Pot      120",
        "To call  30",
    ]


def test_a_text_of_many_lines_stays_on_one() -> None:
    assert text([], [Thing("1", "text", (0, 0), label="one\ntwo")])[2:] == ["one two"]
