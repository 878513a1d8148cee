from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.games.diplomacy.rules.map import POWER, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.notation import IllegalOrder, parse_order
from grandstand.games.diplomacy.rules.orders import WAIVE, order_text
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import RETREATS, WINTER, State
from tests.support.diplomacy.coherent import coherent_orders
from tests.support.diplomacy.matches import states

SPAIN = {"FRANCE": ["F SPA/SC", "F MAO", "A GAS", "F POR"], "ITALY": ["F WES", "A MAR"], "ENGLAND": ["F ENG", "A LON"]}


def at(phase: str = "S1905M", units: dict[str, list[str]] = SPAIN, **fields: Any) -> State:
    return read_state({"phase": phase, "units": units, **fields})


def parsed(text: str, power: str, state: State) -> str:
    return order_text(parse_order(text, state, POWER[power]))


@pytest.mark.parametrize(
    ("text", "power", "standard"),
    [
        ("SPA - LYO", "FRANCE", "F SPA/SC - LYO"),
        ("F SPA - LYO", "FRANCE", "F SPA/SC - LYO"),
        ("F SPA/NC - LYO", "FRANCE", "F SPA/SC - LYO"),
        ("F WES - SPA", "ITALY", "F WES - SPA/SC"),
        ("F MAO - SPA/NC", "FRANCE", "F MAO - SPA/NC"),
        ("A GAS - SPA(NC)", "FRANCE", "A GAS - SPA"),
        ("A MAR S WES - SPA", "ITALY", "A MAR S F WES - SPA/SC"),
        ("A GAS S F MAO - SPA", "FRANCE", "A GAS S F MAO - SPA"),
        ("F WES S F SPA", "ITALY", "F WES S F SPA/SC"),
        ("A LON - BRE", "ENGLAND", "A LON - BRE VIA"),
        ("F ENG C LON - BRE", "ENGLAND", "F ENG C A LON - BRE"),
    ],
)
def test_what_is_left_out_is_filled_in(text: str, power: str, standard: str) -> None:
    assert parsed(text, power, at()) == standard


@pytest.mark.parametrize(
    ("text", "power", "reason"),
    [
        ("F MAO - SPA", "FRANCE", "name the coast, SPA/NC or SPA/SC"),
        ("F WES - SPA/NC", "ITALY", "cannot reach SPA/NC"),
        ("F MAO - PAR", "FRANCE", "cannot reach PAR"),
        ("A MAR - TUN", "ITALY", "no chain of fleets can carry A MAR to TUN"),
        ("A GAS - MAO", "FRANCE", "an army cannot stand in MAO"),
        ("A MAR - SWI", "ITALY", "Switzerland is impassable"),
        ("A GAS H", "ITALY", "A GAS belongs to FRANCE"),
        ("A PIC H", "FRANCE", "there is no unit in PIC"),
        ("F GAS H", "FRANCE", "the unit in GAS is A GAS"),
        ("A GAS S A GAS", "FRANCE", "could not move"),
        ("A GAS S A MAR - PIE", "FRANCE", "cannot support into PIE"),
        ("A GAS S A PIC - BRE", "FRANCE", "there is no unit in PIC"),
        ("A MAR S A WES", "ITALY", "the unit in WES is F WES"),
        ("F ENG S A LON - BRE", "ENGLAND", "A LON cannot get to BRE without F ENG"),
        ("F WES C A MAR - TUN", "ITALY", "cannot be a link"),
        ("A GAS B", "FRANCE", "nothing to build"),
        ("WAIVE", "FRANCE", "no build to waive"),
        ("A GAS D", "FRANCE", "not an order of S1905M"),
        ("A GAS R SPA", "FRANCE", "not an order of S1905M"),
    ],
)
def test_what_is_refused_and_why(text: str, power: str, reason: str) -> None:
    with pytest.raises(IllegalOrder, match=reason):
        parse_order(text, at(), POWER[power])


def test_retreats() -> None:
    state = at("S1905R", {"GERMANY": ["A BUR"]}, retreats={"FRANCE": {"A BUR": ["GAS", "PAR"]}})
    assert parsed("A BUR - GAS", "FRANCE", state) == "A BUR R GAS"
    assert parsed("A BUR disbands", "FRANCE", state) == "A BUR D"
    for text, power in (("A BUR R MAR", "FRANCE"), ("A BUR H", "FRANCE"), ("A BUR R GAS", "GERMANY")):
        with pytest.raises(IllegalOrder):
            parse_order(text, state, POWER[power])


def test_builds_and_removals() -> None:
    centers = {"RUSSIA": ["STP", "MOS", "WAR", "SEV"], "FRANCE": ["PAR"]}
    state = at("W1905A", {"RUSSIA": ["A WAR"], "FRANCE": ["A PAR", "A GAS"]}, centers=centers)
    assert parsed("build F STP(SC)", "RUSSIA", state) == "F STP/SC B"
    assert parsed("WAIVE", "RUSSIA", state) == "WAIVE"
    assert parsed("remove A GAS", "FRANCE", state) == "A GAS D"
    refused = {
        "F STP B": "what can be built there is A STP B, F STP/NC B, F STP/SC B",
        "F MOS B": "what can be built there is A MOS B",
        "A WAR B": "not a vacant home centre",
        "A PAR B": "not a vacant home centre",
        "A WAR D": "in winter an order",
    }
    for text, reason in refused.items():
        with pytest.raises(IllegalOrder, match=reason):
            parse_order(text, state, POWER["RUSSIA"])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_every_legal_order_is_read_back(seed: int) -> None:
    """In standard notation, and by way of the words."""
    rng = Random(seed)
    for state in states(seed % 50, 1903):
        for place, orders in state.legal_orders().items():
            held = state.dislodged if state.phase in RETREATS else state.units
            power = held[place][0] if place in held else state.centers[place]
            order = rng.choice(orders)
            text = order_text(order)
            assert parse_order(text, state, power) == order
            assert parse_order(text.lower() + " ", state, power) == order


def test_orders_of_others_are_never_accepted() -> None:
    for state in states(7, 1904):
        for place, order in coherent_orders(state, Random(1)).items():
            assert order[0] != WAIVE
            held = state.dislodged if state.phase in RETREATS else state.units
            owner = held[place][0] if place in held else state.centers[place]
            for power in set(range(7)) - {owner}:
                if state.phase == WINTER and UNIT_PROVINCE[order[1]] in state.orderable(power):
                    continue
                with pytest.raises(IllegalOrder):
                    parse_order(order_text(order), state, power)
