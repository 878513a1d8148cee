"""The words for what became of an order."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from grandstand.games.diplomacy.rules.adjudicate import Movement
from grandstand.games.diplomacy.rules.map import PROVINCE, UNIT_PROVINCE, UNITS
from grandstand.games.diplomacy.rules.orders import MOVE, SUPPORT_MOVE, Order, Units
from grandstand.games.diplomacy.rules.position import adjudicate_line
from grandstand.games.diplomacy.rules.results import VOID, result_words
from grandstand.games.diplomacy.rules.state import SPRING, State

CASES = {
    "a support of a move that was not made": ("FRANCE: A PAR S A MAR - BUR, A MAR H", {"A PAR": ["void"]}),
    "a support to hold of a unit that moves": ("FRANCE: A PAR S A BUR, A BUR - MUN", {"A PAR": ["void"]}),
    "a support against a unit of one's own": (
        "FRANCE: A PAR S A MUN - BUR, A BUR H; GERMANY: A MUN - BUR",
        {"A PAR": ["void"], "A MUN": ["bounce"]},
    ),
    "a support against a unit of one's own that keeps another attack out": (
        "ENGLAND: F NTH H, F YOR S F NWY - NTH; RUSSIA: F NWY - NTH, F NWG S F NWY - NTH; GERMANY: F HEL - NTH, "
        "F DEN S F HEL - NTH, F HOL S F HEL - NTH",
        {"F YOR": [], "F NTH": [], "F NWY": ["bounce"], "F HEL": ["bounce"]},
    ),
    "a support against a unit of one's own that is dislodged all the same": (
        "ENGLAND: F NTH H, F YOR S F NWY - NTH; RUSSIA: F NWY - NTH; GERMANY: F HEL - NTH, F DEN S F HEL - NTH, "
        "F HOL S F HEL - NTH",
        {"F YOR": ["void"], "F NTH": ["dislodged"], "F NWY": ["bounce"], "F HEL": []},
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


def test_a_support_is_void_only_if_the_phase_ends_the_same_without_it() -> None:
    """In random positions, every matching support that is called void is taken away, and nothing else changes."""
    rng, checked = Random(5), 0
    for _ in range(400):
        units = crowded(rng)
        state = State(1901, SPRING, dict(units), {}, {})
        legal = state.legal_orders()
        orders = {at: rng.choice([*legal[at], *_helping(legal[at], rng)]) for at in units}
        resolution = state.resolve(orders)
        assert resolution.movement is not None
        for at, words in result_words(resolution).items():
            if VOID in words and orders[at][0] == SUPPORT_MOVE and at not in resolution.movement.void:
                without = Movement(units, {place: order for place, order in orders.items() if place != at})
                assert without.moved == resolution.movement.moved
                assert without.dislodged_by == resolution.movement.dislodged_by
                checked += 1
    assert checked > 10


def crowded(rng: Random) -> Units:
    """Return units of three powers on neighbouring places of the north, most of them occupied."""
    names = ("F NTH", "F NWY", "F NWG", "F HEL", "F DEN", "F HOL", "A YOR", "F EDI", "F SKA", "F SWE", "F LON", "F BEL")
    ids = (UNITS.index(name) for name in names if rng.random() < 0.85)
    return {UNIT_PROVINCE[unit]: (rng.randrange(3), unit) for unit in ids}


def _helping(orders: Sequence[Order], rng: Random) -> list[Order]:
    """Return the supports of moves into the North Sea among the orders, so that they are drawn more often."""
    into = [order for order in orders if order[0] == SUPPORT_MOVE and UNIT_PROVINCE[order[3]] == PROVINCE["NTH"]]
    into += [order for order in orders if order[0] == MOVE and UNIT_PROVINCE[order[2]] == PROVINCE["NTH"]]
    return into * 6
