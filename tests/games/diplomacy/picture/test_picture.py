"""The pictures have the colours of the page."""

from __future__ import annotations

import re

from grandstand.games.diplomacy.picture import COLOURS, WASHES
from tests.support.source import ROOT

PALETTE = ROOT / "frontend" / "src" / "boards" / "diplomacy" / "map" / "palette.ts"


def test_powers_are_as_on_the_page() -> None:
    text = PALETTE.read_text(encoding="utf-8")
    pattern = r"([A-Z]+): \{ wash: 'light-dark\((#\w+), \S+\)', strong: 'light-dark\((#\w+), (#\w+)\)"
    rows = re.findall(pattern, text)
    assert {power: wash for power, wash, _, _ in rows} == WASHES
    assert {power: (light, dark) for power, _, light, dark in rows} == COLOURS
