"""The map of the card, read from the drawing of the page."""

from __future__ import annotations

import re
from math import dist

from grandstand.games.cards import BOARD_HEIGHT, BOARD_WIDTH
from grandstand.games.diplomacy.card.sheet import BESIDE, HOME_LANDS, sheet
from grandstand.games.diplomacy.rules.map import CENTERS, PROVINCES, UNITS
from tests.support.source import ROOT


def test_the_map_has_every_province_and_fills_the_board() -> None:
    drawing = sheet()
    assert sorted(drawing.provinces) == sorted(PROVINCES)
    centers = {code for code, province in drawing.provinces.items() if province.center}
    assert centers == {PROVINCES[center] for center in CENTERS}
    points = [point for province in drawing.provinces.values() for ring in province.rings for point in ring]
    assert min(x for x, _ in points) == 0
    assert max(x for x, _ in points) >= BOARD_WIDTH - 1
    assert max(y for _, y in points) <= BOARD_HEIGHT + 1


def test_every_unit_has_a_place_of_its_own_and_one_beside_it() -> None:
    drawing = sheet()
    assert drawing.unit("STP/NC") != drawing.unit("STP/SC") != drawing.unit("STP")
    for unit in UNITS:
        assert dist(drawing.unit(unit[2:]), drawing.dislodged(unit[2:])) >= BESIDE - 0.01


def test_home_lands_are_those_of_the_page() -> None:
    text = (ROOT / "frontend/src/boards/diplomacy/powers.ts").read_text(encoding="utf-8")
    lands = re.search(r"const LANDS[^{]*\{(.*?)\};", text, re.DOTALL)
    assert lands
    page = {land: power for power, codes in re.findall(r"(\w+): '([A-Z ]+)'", lands[1]) for land in codes.split()}
    assert page == HOME_LANDS
