"""A picture as SVG: what it shows, and what a picture that anybody may publish cannot do."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image

from grandstand.games.picture import (
    Card,
    Holds,
    Kind,
    Picture,
    PictureFigure,
    Place,
    SeatColours,
    State,
    Thing,
    Tone,
    grid,
    ring,
)
from grandstand.server.cards.encoding import encoded_card
from grandstand.server.cards.layout import HEIGHT, WIDTH, About, laid_out
from grandstand.server.cards.svg import BAD, BRIGHT, GROUND, INK, MARK, PLACES, drawn, ink_on, mixed
from tests.support.server.cards import lines_of, texts_of

RED, BLUE = SeatColours("#b03a2e", "#f0897d", ""), SeatColours("#1f5fa8", "#7db4f0", "#aabbcc")
COLOURS = {"red": RED, "blue": BLUE}
ABOUT = About("A game", "A match", "", {}, {}, COLOURS)

texts = st.text(max_size=12) | st.sampled_from(["<script>alert(1)</script>", "&amp;", '"/>', "\x00", "\ud800", "K♥"])
numbers = st.floats(width=64) | st.floats(-200, 200)
ids = st.sampled_from(["a", "b", "c", "nowhere"]) | texts
points = st.tuples(numbers, numbers)
seats = st.sampled_from(["", "red", "blue", "nobody"])
outlines = (
    st.sampled_from(["box", "disc", "hex", "none", "M0 0H10V1e-5Z", "M0 0L1e99 1", 'M0"/><script>', "A", ""]) | texts
)
tones = st.sampled_from(get_args(Tone))
places = st.builds(
    Place,
    ids,
    numbers,
    numbers,
    numbers,
    numbers,
    outlines,
    texts,
    texts,
    seats,
    tones,
    st.sampled_from(get_args(Holds)),
)
things = st.builds(
    Thing,
    ids,
    st.sampled_from(get_args(Kind)),
    ids | points,
    ids | points,
    label=texts,
    name=texts,
    owner=seats,
    tone=tones,
    state=st.sampled_from(get_args(State)),
    symbol=outlines,
    size=numbers,
    value=numbers,
)
pictures = st.builds(
    Picture,
    st.lists(places, max_size=6),
    st.lists(things, max_size=8),
    texts,
    st.lists(st.builds(PictureFigure, texts, texts, seats), max_size=10),
    st.floats(0, 1e9, exclude_min=True),
    st.floats(0, 1e9, exclude_min=True),
)


def card(picture: Picture) -> str:
    return laid_out(picture, Card("", []), ABOUT)


def pixels(*things: Thing, places: Sequence[Place] = ()) -> Image.Image:
    """Return the card of a picture of 70 by 63: each of its units has 10 pixels."""
    picture = Picture(places, things, "", width=70, height=63)
    return Image.open(io.BytesIO(encoded_card(card(picture)))).convert("RGB")


def colour(image: Image.Image, x: float, y: float) -> str:
    """Return the colour of a point, in units of the picture."""
    pixel = image.getpixel((round(10 * x), round(10 * y)))
    assert isinstance(pixel, tuple)
    return "#" + "".join(f"{part:02x}" for part in pixel)


@settings(max_examples=25, deadline=None)
@given(pictures)
@example(Picture([Place("a", 0, 0, outline="M0 0" * 999)], [Thing("t", "arrow", "a", (1e9, 1e9), size=1e9)], ""))
def test_any_picture_is_valid_xml_and_becomes_a_png(picture: Picture) -> None:
    svg = card(picture)
    assert {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()} <= {
        "svg", "g", "rect", "ellipse", "circle", "polygon", "path", "line", "text",
    }  # fmt: skip
    assert Image.open(io.BytesIO(encoded_card(svg))).size == (WIDTH, HEIGHT)


def test_text_of_others_is_inert() -> None:
    hostile = '</text><script href="x">&'
    picture = Picture(
        [Place(hostile, 30, 30, label=hostile, name=hostile, owner=hostile, outline=hostile)],
        [Thing(hostile, kind, hostile, label=hostile, symbol=hostile, owner=hostile) for kind in get_args(Kind)],
        hostile,
        [PictureFigure(hostile, hostile, hostile)],
    )
    assert "<script" not in card(picture)
    assert any("script" in text for text in texts_of(card(picture)))


def test_numbers_and_labels_of_any_size_stay_small() -> None:
    far = (-1e300, 1e300)
    things = [Thing(kind, kind, far, (1e300, 0), label="words " * 999, size=1e300) for kind in get_args(Kind)]
    picture = Picture([Place("a", *far, *far, "disc", "words " * 999)], things, "")
    svg = card(picture)
    assert max(abs(float(number)) for number in re.findall(r'="(-?[\d.]+)"', svg)) < 3 * WIDTH
    assert len(svg) < 20_000


def test_a_place_has_the_colour_of_its_tone_and_its_owner() -> None:
    spots = [
        replace(place, owner=owner)
        for place, owner in zip(grid(3, 1, size=20, tones=("land", "water", "land")), ("", "red", "blue"), strict=True)
    ]
    image = pixels(places=spots)
    assert colour(image, 10, 10) == PLACES["land"]
    assert colour(image, 30, 10) not in (PLACES["water"], RED.light)
    assert colour(image, 50, 10) == BLUE.wash
    assert colour(image, 65, 50) == GROUND


def test_later_parts_are_drawn_over_earlier_ones() -> None:
    image = pixels(Thing("1", "piece", (35, 30), owner="red"), Thing("2", "piece", (39, 30), owner="blue"))
    assert (colour(image, 33, 30), colour(image, 37, 30)) == (RED.light, BLUE.light)


def test_a_thing_at_a_place_is_as_large_as_its_place() -> None:
    image = pixels(Thing("1", "piece", "big", owner="red"), places=[Place("big", 30, 30, 20, 20, "none")])
    assert (colour(image, 30, 24), colour(image, 30, 36)) == (RED.light, RED.light)
    assert colour(image, 30, 21) == GROUND


def test_a_symbol_is_scaled_with_its_place() -> None:
    image = pixels(
        Thing("1", "piece", "big", owner="red", symbol="M-4-1H4V1H-4Z"), places=[Place("big", 30, 30, 20, 20)]
    )
    assert (colour(image, 23, 30), colour(image, 37, 30)) == (RED.light, RED.light)
    assert colour(image, 30, 35) == GROUND


def test_things_of_a_row_lie_side_by_side_and_those_of_a_stack_above_each_other() -> None:
    row = Place("row", 35, 30, 60, 16, "none", holds="row")
    cards = [Thing(str(number), "card", "row", state="hidden", owner=owner) for number, owner in enumerate(COLOURS)]
    image = pixels(*cards, places=[row])
    assert (colour(image, 29, 30), colour(image, 41, 30)) == (RED.light, BLUE.light)
    stack = replace(row, holds="stack")
    image = pixels(*(replace(each, kind="piece") for each in cards), places=[stack])
    assert colour(image, 35, 29) != colour(image, 35, 35)


def test_a_hidden_card_shows_nothing_but_its_back() -> None:
    shown, hidden = (Thing("1", "card", (30, 30), label="K♥", state=state) for state in ("", "hidden"))
    assert "K♥" in texts_of(card(Picture([], [shown], "")))
    assert "K♥" not in card(Picture([], [hidden], ""))


def test_red_suits_are_red() -> None:
    svg = card(Picture([], [Thing("1", "card", (30, 30), label="A♦"), Thing("2", "card", (60, 30), label="A♠")], ""))
    inks = {element.text: element.get("fill") for element in ElementTree.fromstring(svg).iter() if element.text}
    assert (inks["A♦"], inks["A♠"]) == (BAD, INK)


def test_an_arrow_ends_before_its_goal_and_a_failed_one_earlier_with_a_cross() -> None:
    ends = [Place("from", 10, 30, 8, 8, "none"), Place("to", 60, 30, 8, 8, "none")]
    done = pixels(Thing("1", "arrow", "from", "to", owner="red"), places=ends)
    failed = pixels(Thing("1", "arrow", "from", "to", owner="red", state="failed"), places=ends)
    assert colour(done, 55, 30) == RED.light
    assert colour(failed, 55, 30) == GROUND
    svg = card(Picture(ends, [Thing("1", "arrow", "from", "to", state="failed")], ""))
    assert BAD in svg
    assert "stroke-dasharray" in svg


def test_a_bar_is_full_by_its_value() -> None:
    image = pixels(Thing("1", "bar", (35, 30), owner="red", value=0.5, size=4.0))
    assert colour(image, 29, 30) == RED.light
    assert colour(image, 41, 30) not in (RED.light, GROUND)
    assert card(Picture([], [Thing("1", "bar", (9, 9), value=7.0)], "")) == card(
        Picture([], [Thing("1", "bar", (9, 9), value=1.0)], "")
    )


def test_the_thing_that_counts_is_marked() -> None:
    strong = Thing("1", "piece", (35, 30), owner="red", state="strong")
    assert MARK in drawn(Picture([], [strong], ""), COLOURS, 700, 630)
    assert MARK not in drawn(Picture([], [replace(strong, state="")], ""), COLOURS, 700, 630)


def test_what_stands_at_no_place_is_not_drawn() -> None:
    lost = [Thing("1", "piece", "nowhere", label="X"), Thing("2", "arrow", (0, 0), "nowhere")]
    assert drawn(Picture([], lost, ""), COLOURS, 700, 630) == ""


def test_a_name_is_beside_what_stands_at_its_place_and_never_off_the_board() -> None:
    (bottom, *_) = seats = ring(["SOUTH", "NORTH"], radius=45)
    alone = {line.text: line.y for line in lines_of(card(Picture(seats, [], "")))}
    taken = {line.text: line.y for line in lines_of(card(Picture(seats, [Thing("1", "token", bottom.id)], "")))}
    assert alone["SOUTH"] < taken["SOUTH"] < HEIGHT
    assert alone["NORTH"] == taken["NORTH"]


def test_figures_stand_below_the_board() -> None:
    svg = card(
        Picture([], [], "", [PictureFigure("Pot", "120", "red"), *[PictureFigure(f"More {n}", "1") for n in range(9)]])
    )
    shown = {line.text: line for line in lines_of(svg)}
    assert shown["Pot"].y == pytest.approx(shown["120"].y, abs=1)
    assert shown["Pot"].y > HEIGHT - 170
    assert "More 8" not in shown
    assert RED.dark in svg


def test_colours_are_mixed_and_text_on_them_can_be_read() -> None:
    assert (mixed("#000000", "#ffffff", 0.5), mixed("#102030", "#ffffff", 0.0)) == ("#808080", "#102030")
    assert (ink_on("#ffffff"), ink_on("#000000")) == (INK, BRIGHT)
