"""The card has the colours of the page."""

from __future__ import annotations

import re

from grandstand.games.diplomacy.card import colours
from tests.support.source import ROOT

BOARD = ROOT / "frontend" / "src" / "boards" / "diplomacy"


def test_powers_and_map_are_as_on_the_page() -> None:
    text = (BOARD / "map/palette.ts").read_text(encoding="utf-8")
    rows = re.findall(r"([A-Z]+): \{ wash: 'light-dark\((#\w+), \S+\)', strong: 'light-dark\((#\w+), ", text)
    assert {power: wash for power, wash, _ in rows} == colours.WASH
    assert {power: strong for power, _, strong in rows} == colours.STRONG
    page = dict(re.findall(r"(\w+): 'light-dark\((#\w+), ", text))
    names = {"sea": "SEA", "land": "LAND", "neutral": "NEUTRAL", "ink": "INK", "coast": "COAST", "border": "BORDER"}
    for name, constant in (names | {"seaBorder": "SEA_BORDER"}).items():
        assert page[name] == getattr(colours, constant), name
    style = (ROOT / "frontend/src/style.css").read_text(encoding="utf-8")
    assert f"--live: light-dark({colours.CLASH}," in style
