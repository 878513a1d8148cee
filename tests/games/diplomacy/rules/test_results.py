"""The words for what became of an order."""

from __future__ import annotations

import pytest

from grandstand.games.diplomacy.rules.position import adjudicate_line

CASES = {
    "a support of a move that was not made": ("FRANCE: A PAR S A MAR - BUR, A MAR H", {"A PAR": ["void"]}),
    "a support to hold of a unit that moves": ("FRANCE: A PAR S A BUR, A BUR - MUN", {"A PAR": ["void"]}),
    "a support against a unit of one's own": (
        "FRANCE: A PAR S A MUN - BUR, A BUR H; GERMANY: A MUN - BUR",
        {"A PAR": ["void"], "A MUN": ["bounce"]},
    ),
    "a support that is cut": (
        "FRANCE: A PAR S A MAR - BUR, A MAR - BUR; GERMANY: A PIC - PAR",
        {"A PAR": ["cut"], "A MAR": []},
    ),
    "a support that is cut by dislodgement": (
        "FRANCE: A PAR S A MAR - BUR, A MAR - BUR; GERMANY: A PIC - PAR, A BRE S A PIC - PAR",
        {"A PAR": ["cut", "dislodged"]},
    ),
    "a convoy of an army that stays": ("ENGLAND: F NTH C A LON - BEL, A LON H", {"F NTH": ["void"]}),
    "a convoy that nobody needs": (
        "ENGLAND: F ENG C A LON - BEL, F NTH C A LON - BEL, A LON - BEL, F IRI C A LON - BEL",
        {"F ENG": [], "F NTH": [], "F IRI": ["void"]},
    ),
    "an army without the fleets it counted on": ("ENGLAND: A LON - BEL VIA, F NTH H", {"A LON": ["no convoy"]}),
    "a fleet whose convoy is a paradox": (
        "ENGLAND: F LON S F WAL - ENG, F WAL - ENG; FRANCE: A BRE - LON, F ENG C A BRE - LON; GERMANY: F BEL - ENG, "
        "F NTH S F BEL - ENG",
        {"A BRE": ["no convoy"], "F ENG": ["disrupted"]},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_words(case: str) -> None:
    report, expected = CASES[case]
    orders = {power: text.split(", ") for power, text in (line.split(": ") for line in report.split("; "))}
    units = {power: [" ".join(order.split()[:2]) for order in texts] for power, texts in orders.items()}
    results = adjudicate_line({"phase": "S1901M", "units": units, "orders": orders})["results"]
    assert {unit: results[unit] for unit in expected} == expected
