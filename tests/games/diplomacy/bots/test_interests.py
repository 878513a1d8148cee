"""Faults that bots were seen to make, each in a position that shows it, and the manners that they have instead."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from grandstand.games.diplomacy.bots import PLANNERS
from grandstand.games.diplomacy.bots.interests import Interests
from grandstand.games.diplomacy.bots.stance import NEUTRAL, Plan, Stance
from grandstand.games.diplomacy.rules.map import IS_FLEET, POWER, POWERS, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.notation import parse_order
from grandstand.games.diplomacy.rules.orders import Order, order_text
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import State

NORTH: dict[str, Any] = {
    "phase": "S1903M",
    "units": {
        "ENGLAND": ["F NTH", "F NWG"],
        "RUSSIA": ["F STP/NC", "A SEV", "A MOS"],
        "GERMANY": ["F KIE", "A BER", "A MUN"],
    },
    "centers": {
        "ENGLAND": ["EDI", "LON", "LVP"],
        "RUSSIA": ["STP", "MOS", "SEV", "WAR"],
        "GERMANY": ["KIE", "BER", "MUN"],
    },
}
LOW_COUNTRIES: dict[str, Any] = {
    "phase": "F1904M",
    "units": {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["F HOL", "A BER"]},
    "centers": {"FRANCE": ["PAR", "BRE", "MAR", "BEL"], "GERMANY": ["MUN", "KIE", "BER", "HOL"]},
}
TURKISH = ["ANK", "CON", "SMY", "GRE", "BUL", "NAP", "TUN", "ROM", "VEN", "TRI", "SER", "RUM", "SEV"]
LEADER: dict[str, Any] = {
    "phase": "F1910M",
    "units": {
        "TURKEY": ["A SER", "A RUM", "A TRI", "F BLA"],
        "AUSTRIA": ["A BUD"],
        "RUSSIA": ["A VIE"],
        "FRANCE": ["A PAR"],
    },
    "centers": {"TURKEY": TURKISH, "AUSTRIA": ["BUD"], "RUSSIA": ["VIE", "MOS", "WAR"], "FRANCE": ["PAR"]},
}


def plan(state: State, power: str, seed: int, stance: Stance = NEUTRAL, name: str = "coordinated") -> set[str]:
    orders = PLANNERS[name](state, POWER[power], Random(seed), stance)
    return {order_text(order) for order in orders.values()}


def order(text: str, state: State, power: str) -> Order:
    return parse_order(text, state, POWER[power])


def expected(state: State, **texts: list[str]) -> Plan:
    orders = [order(text, state, power) for power, listed in texts.items() for text in listed]
    return {UNIT_PROVINCE[parsed[1]]: parsed for parsed in orders}


def trusting(**trust: float) -> Stance:
    return Stance(tuple(trust.get(power, 0.0) for power in POWERS))


def stabs(orders: set[str]) -> set[str]:
    """Return the orders against German centres."""
    return {text for text in orders if text.endswith(("- MUN", "- HOL", "- KIE", "- BER"))}


def test_a_navy_of_fourteen_fleets_gets_an_army() -> None:
    fleets = ["AEG", "ION", "EAS", "TYS", "GRE", "BUL/SC", "BLA", "ALB", "ADR", "NAP", "TUN", "WES", "LYO", "TRI"]
    position = {
        "phase": "W1914A",
        "units": {"TURKEY": [*(f"F {place}" for place in fleets), "A BUD", "A SER"], "RUSSIA": ["A GAL", "A VIE"]},
        "centers": {"TURKEY": [*TURKISH, "BUD", "SPA", "MAR", "POR"], "RUSSIA": ["MOS", "WAR", "VIE"]},
    }
    for seed in range(10):
        (build,) = plan(read_state(position), "TURKEY", seed)
        assert build.startswith("A ")


def test_england_with_nine_fleets_does_not_only_build_more() -> None:
    position = {
        "phase": "W1908A",
        "units": {"ENGLAND": ["F NTH", "F NWG", "F ENG", "F IRI", "F MAO", "F NWY", "F DEN"]},
        "centers": {"ENGLAND": ["EDI", "LON", "LVP", "NWY", "SWE", "DEN", "BRE", "BEL", "HOL", "KIE"]},
    }
    for seed in range(10):
        assert all(build.startswith("A ") for build in plan(read_state(position), "ENGLAND", seed))


def test_a_neutral_centre_that_two_powers_bounced_over_is_taken_with_support() -> None:
    state = read_state(NORTH)
    bounced = {order("F NWG - NWY", state, "ENGLAND"): 1, order("F STP/NC - NWY", state, "RUSSIA"): 1}
    for seed in range(10):
        assert plan(state, "ENGLAND", seed, Stance(bounced=bounced)) == {"F NWG - NWY", "F NTH S F NWG - NWY"}


@pytest.mark.parametrize("name", ["coordinated", "search-fast"])
def test_a_move_that_bounced_for_years_is_not_ordered_again_blindly(name: str) -> None:
    state = read_state(
        {
            "phase": "S1908M",
            "units": {"RUSSIA": ["A GAL"], "AUSTRIA": ["A TRI", "A BOH"]},
            "centers": {"RUSSIA": ["WAR", "MOS"], "AUSTRIA": ["VIE", "BUD", "TRI"]},
        }
    )
    bounced = Stance(bounced={order("A GAL - VIE", state, "RUSSIA"): 8})
    assert not any("A GAL - VIE" in plan(state, "RUSSIA", seed, bounced, name) for seed in range(5))


def test_units_stand_by_a_neighbour_against_a_leader() -> None:
    state = read_state(LEADER)
    assault = expected(state, TURKEY=["A SER - BUD", "A RUM S A SER - BUD", "A TRI H", "F BLA H"], AUSTRIA=["A BUD H"])
    for seed in range(10):
        assert plan(state, "RUSSIA", seed, Stance(expected=assault)) == {"A VIE S A BUD"}


def test_nobody_helps_a_leader() -> None:
    state = read_state(LEADER)
    interests = Interests(state, POWER["RUSSIA"], NEUTRAL)
    assert interests.leader == POWER["TURKEY"]
    assert interests.regard[POWER["TURKEY"]] < 0
    guess = expected(state, TURKEY=["A SER - BUD"])
    assert not list(interests.helpful(order("A VIE H", state, "RUSSIA")[1], frozenset([guess.popitem()[0]]), guess))


def test_an_ally_is_not_stabbed_for_one_centre() -> None:
    state = read_state(LOW_COUNTRIES)
    assert any(stabs(plan(state, "FRANCE", seed)) for seed in range(10)), "a stranger is attacked"
    for seed in range(10):
        assert not stabs(plan(state, "FRANCE", seed, trusting(GERMANY=0.9)))


def test_an_ally_is_stabbed_where_that_wins_the_game() -> None:
    french = ["PAR", "BRE", "MAR", "SPA", "POR", "LVP", "LON", "EDI", "BEL", "DEN", "NWY", "SWE", "ROM", "NAP", "TUN"]
    position = LOW_COUNTRIES | {"centers": {"FRANCE": [*french, "VEN", "TRI"], "GERMANY": ["MUN", "KIE", "BER", "HOL"]}}
    state = read_state(position)
    assert all(stabs(plan(state, "FRANCE", seed, trusting(GERMANY=0.9))) for seed in range(5))


def test_an_alliance_ends_with_an_ally_about_to_win() -> None:
    interests = Interests(read_state(LEADER), POWER["RUSSIA"], trusting(TURKEY=1.0))
    assert interests.is_ally(POWER["TURKEY"])
    position = LEADER | {"centers": LEADER["centers"] | {"TURKEY": [*TURKISH, "SPA", "MAR"]}}
    assert not Interests(read_state(position), POWER["RUSSIA"], trusting(TURKEY=1.0)).is_ally(POWER["TURKEY"])


@pytest.mark.parametrize("name", ["coordinated", "search-fast"])
def test_pledges_are_kept_and_impossible_ones_passed_over(name: str) -> None:
    state = read_state(NORTH)
    hold, foreign = order("F NTH H", state, "ENGLAND"), order("A BER H", state, "GERMANY")
    stance = Stance(pledged={UNIT_PROVINCE[hold[1]]: hold, UNIT_PROVINCE[foreign[1]]: foreign, 3: hold})
    for seed in range(3):
        orders = PLANNERS[name](state, POWER["ENGLAND"], Random(seed), stance)
        assert orders[UNIT_PROVINCE[hold[1]]] == hold
        assert set(orders) == set(state.orderable(POWER["ENGLAND"]))


def test_allies_are_helped_where_it_costs_nothing() -> None:
    position = {
        "phase": "F1904M",
        "units": {"ITALY": ["A TYR"], "AUSTRIA": ["A TRI", "A BOH"], "GERMANY": ["A MUN"]},
        "centers": {"ITALY": ["ROM", "NAP", "VEN"], "AUSTRIA": ["TRI", "VIE"], "GERMANY": ["MUN", "KIE"]},
    }
    state = read_state(position)
    attack = expected(state, AUSTRIA=["A BOH - MUN"], GERMANY=["A MUN H"])
    stance = Stance(trusting(AUSTRIA=0.8, GERMANY=-0.5).trust, expected=attack)
    assert all(plan(state, "ITALY", seed, stance) == {"A TYR S A BOH - MUN"} for seed in range(5))


def test_builds_keep_a_mix() -> None:
    position = {
        "phase": "W1901A",
        "units": {"RUSSIA": ["A SEV"]},
        "centers": {"RUSSIA": ["MOS", "WAR", "STP", "SEV", "RUM"]},
    }
    state = read_state(position)
    kinds = Counter(
        IS_FLEET[built[1]]
        for seed in range(40)
        for built in PLANNERS["coordinated"](state, POWER["RUSSIA"], Random(seed), NEUTRAL).values()
    )
    assert 0.2 < kinds[True] / kinds.total() < 0.6
