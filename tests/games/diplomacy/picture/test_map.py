"""The places of the map, read from the drawing of the page."""

from __future__ import annotations

import re
from itertools import accumulate
from math import dist

from grandstand.games.diplomacy.picture.board import HEIGHT, WIDTH
from grandstand.games.diplomacy.picture.map import BESIDE, beside, drawing, places, spot
from grandstand.games.diplomacy.picture.moment import HOME_LANDS
from grandstand.games.diplomacy.rules.map import CENTERS, PROVINCES, UNITS
from tests.support.source import ROOT


def test_the_map_has_every_province_and_centre_and_fills_the_picture() -> None:
    ids = {place.id for place in places()}
    assert set(PROVINCES) <= ids
    assert {f"{PROVINCES[center]}*" for center in CENTERS} == {id for id in ids if id.endswith("*")}
    paths = [path for place in places() if place.outline[:1] == "M" for path in place.outline.split("M")[1:]]
    numbers = [list(map(int, re.findall(r"-?\d+", path))) for path in paths]
    xs = [x for each in numbers for x in accumulate(each[::2])]
    ys = [y for each in numbers for y in accumulate(each[1::2])]
    assert (min(xs), min(ys)) == (0, 0)
    width, height = drawing()["viewBox"]
    assert (max(xs), max(ys)) == (width, height)
    assert width - 10 < WIDTH <= width
    assert height - 10 < HEIGHT <= height


def test_every_unit_has_a_place_of_its_own_and_a_point_beside_it() -> None:
    spots = {place.id: (place.x, place.y) for place in places()}
    assert spot("STP/NC") != spot("STP/SC") != spot("STP")
    for unit in UNITS:
        assert dist(spots[spot(unit[2:])], beside(unit[2:])) >= BESIDE - 0.01


def test_home_lands_are_those_of_the_page() -> None:
    text = (ROOT / "frontend/src/boards/diplomacy/powers.ts").read_text(encoding="utf-8")
    lands = re.search(r"const LANDS[^{]*\{(.*?)\};", text, re.DOTALL)
    assert lands
    page = {land: power for power, codes in re.findall(r"(\w+): '([A-Z ]+)'", lands[1]) for land in codes.split()}
    assert page == HOME_LANDS
