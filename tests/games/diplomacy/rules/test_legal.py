"""Legal orders. The sets themselves are held against the oracle in test_oracle.py."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.games.diplomacy.rules.legal import distances
from grandstand.games.diplomacy.rules.map import NEIGHBOURS, PROVINCE, PROVINCES
from grandstand.games.diplomacy.rules.orders import (
    CONVOY,
    HOLD,
    MOVE,
    NONE,
    SUPPORT,
    SUPPORT_MOVE,
    VIA,
    Order,
    order_text,
)
from grandstand.games.diplomacy.rules.position import adjudicate_line, read_state
from grandstand.games.diplomacy.rules.results import VOID, result_words
from grandstand.games.diplomacy.rules.state import RETREATS, WINTER, State
from tests.support.diplomacy.coherent import coherent_orders
from tests.support.diplomacy.matches import states


def legal(state: State, place: str) -> set[str]:
    return {order_text(order) for order in state.legal_orders()[PROVINCE[place]]}


def test_the_opening() -> None:
    assert legal(State.start(), "LVP") == {
        "A LVP H",
        "A LVP - CLY",
        "A LVP - EDI",
        "A LVP - WAL",
        "A LVP - YOR",
        "A LVP S F EDI",
        "A LVP S F EDI - CLY",
        "A LVP S F EDI - YOR",
        "A LVP S F LON - WAL",
        "A LVP S F LON - YOR",
    }


def test_a_link_cannot_support_what_it_carries() -> None:
    state = read_state({"phase": "S1901M", "units": {"ENGLAND": ["F NTH", "A YOR", "F HOL"], "FRANCE": ["F ENG"]}})
    assert "F NTH C A YOR - BEL" in legal(state, "NTH")
    assert "F NTH S A YOR - BEL" not in legal(state, "NTH")
    assert "F HOL S A YOR - BEL" in legal(state, "HOL")
    assert "F ENG S A YOR - BEL" in legal(state, "ENG")
    assert "F ENG C A YOR - BEL" not in legal(state, "ENG")


def test_building_sites_are_own_owned_and_vacant() -> None:
    centers = {"RUSSIA": ["STP", "MOS", "WAR", "RUM"], "GERMANY": ["SEV"]}
    state = read_state({"phase": "W1901A", "units": {"RUSSIA": ["A WAR"]}, "centers": centers})
    assert state.counts == {5: 2}
    assert legal(state, "STP") == {"A STP B", "F STP/NC B", "F STP/SC B"}
    assert {place for place in ("MOS", "WAR", "SEV", "RUM") if PROVINCE[place] in state.legal_orders()} == {"MOS"}


def matching(state: State, order: Order, rng: Random) -> dict[int, Order]:
    """The order, and those of others that make it possible."""
    kind, unit, other, there = order
    mine = next(place for place, report in state.units.items() if report[1] == unit)
    orders = {mine: order}
    army, to = (unit, other) if kind == VIA else (other, there)
    for place, others in state.legal_orders().items():
        if place != mine and kind in (SUPPORT_MOVE, CONVOY) and state.units[place][1] == other:
            plain = (MOVE, other, there, NONE)
            orders[place] = plain if plain in others and kind == SUPPORT_MOVE else (VIA, other, there, NONE)
        carrying = (CONVOY, state.units[place][1], army, to)
        if place != mine and kind in (VIA, SUPPORT_MOVE, CONVOY) and carrying in others:
            orders[place] = carrying
    return orders


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_a_legal_order_is_void_only_for_what_others_do(seed: int) -> None:
    """With the others doing their part, no legal order is void, and every one has its place in the legal orders."""
    rng = Random(seed)
    for state in states(seed, 1902):
        if state.phase == WINTER or state.phase in RETREATS:
            words = result_words(state.resolve(coherent_orders(state, rng)))
            assert all(VOID not in word for word in words.values())
            continue
        for place, orders in rng.sample(sorted(state.legal_orders().items()), 5):
            order = rng.choice(orders)
            assert order[0] in (HOLD, MOVE, VIA, SUPPORT, SUPPORT_MOVE, CONVOY)
            played = state.resolve(matching(state, order, rng))
            assert played.movement is not None
            assert place not in played.movement.void
            assert place not in played.movement.idle


def winter(units: dict[str, list[str]], centers: dict[str, list[str]], **orders: list[str]) -> dict[str, Any]:
    return adjudicate_line({"phase": "W1901A", "units": units, "centers": centers, "orders": orders})


def test_distances_are_steps_over_land_and_sea() -> None:
    for here in range(len(PROVINCES)):
        steps = distances(here)
        assert steps[here] == 0
        assert all(abs(steps[a] - steps[b]) <= 1 for a in range(len(PROVINCES)) for b in NEIGHBOURS[a])
    assert distances(PROVINCE["GRE"])[PROVINCE["NAP"]] == 2


def test_builds_are_no_more_than_vacant_homes() -> None:
    centers = {"FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR", "BEL"]}
    state = read_state({"phase": "W1901A", "units": {"FRANCE": ["A PAR", "A BRE"]}, "centers": centers})
    assert state.counts == {2: 1}


def test_waives_and_missing_builds() -> None:
    centers = {"FRANCE": ["PAR", "BRE", "MAR"]}
    done = winter({}, centers, FRANCE=["WAIVE", "A PAR B", "WAIVE", "F BRE B"])
    assert done["units"]["FRANCE"] == ["A PAR"]
    assert done["results"] == {"A PAR": [], "F BRE": ["void"]}
    assert winter({}, centers)["units"]["FRANCE"] == []


def test_civil_disorder_takes_the_farthest_then_fleets_then_by_name() -> None:
    done = winter({"FRANCE": ["A MOS", "A SPA", "F SPA"][:2]}, {"FRANCE": ["PAR"]})
    assert done["units"]["FRANCE"] == ["A SPA"]
    assert done["results"] == {"A MOS": ["disband"]}
    done = winter({"FRANCE": ["A BUR", "F PIC", "A GAS"]}, {"FRANCE": ["PAR"]})
    assert done["units"]["FRANCE"] == ["A GAS"]
    assert done["results"] == {"F PIC": ["disband"], "A BUR": ["disband"]}


def test_a_power_without_centres_loses_all() -> None:
    done = winter({"ITALY": ["A ROM", "F ION"], "FRANCE": ["A TUN"]}, {"FRANCE": ["TUN"]})
    assert done["units"]["ITALY"] == []
    assert done["phase"] == "S1902M"
