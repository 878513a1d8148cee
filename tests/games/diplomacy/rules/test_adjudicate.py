"""Movement: the oracle's known faults judged by the rules, paradoxes, and the resolver held against the equations."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grandstand.games.diplomacy.rules.adjudicate import Movement
from grandstand.games.diplomacy.rules.map import ANY_COAST, PROVINCE, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import Order
from grandstand.games.diplomacy.rules.position import adjudicate_line
from grandstand.games.diplomacy.rules.state import RETREATS, SPRING, WINTER, State
from tests.support.diplomacy.coherent import coherent_orders
from tests.support.diplomacy.equations import Equations


def play(*lines: str) -> dict[str, Any]:
    """A movement phase of the lines `FRANCE: A PAR - BUR, A MAR S A PAR - BUR`; a unit per order."""
    orders = {power: report.split(", ") for power, report in (line.split(": ") for line in lines)}
    units = {power: [" ".join(order.split()[:2]) for order in report] for power, report in orders.items()}
    return adjudicate_line({"phase": "S1901M", "units": units, "centers": {}, "orders": orders})


def test_own_support_does_not_dislodge_own_unit_by_sea() -> None:
    """B1: France's support of an English landing in France's own Brest does not count."""
    done = play("ENGLAND: A LON - BRE VIA, F ENG C A LON - BRE", "FRANCE: F BRE H, A PAR S A LON - BRE")
    assert done["results"] == {"A LON": ["bounce"], "F ENG": [], "F BRE": [], "A PAR": ["void"]}


def test_a_standoff_closes_a_province_to_a_unit_dislodged_from_the_sea() -> None:
    """B2."""
    done = play(
        "ENGLAND: A LON - BRE VIA, F ENG C A LON - BRE, F MAO S A LON - BRE",
        "FRANCE: A BRE H, A PAR - GAS",
        "ITALY: A MAR - GAS",
    )
    assert done["retreats"] == {"FRANCE": {"A BRE": ["PIC"]}}


def test_own_support_does_not_break_own_convoy() -> None:
    """B3: England's support of an attack on England's convoying fleet does not count."""
    done = play("ENGLAND: A LON - BEL, F NTH C A LON - BEL, F EDI S F NWG - NTH", "RUSSIA: F NWG - NTH")
    assert done["results"]["A LON"] == []
    assert done["results"]["F NWG"] == ["bounce"]


def test_all_supports_defend_in_a_head_to_head_battle() -> None:
    """B4: two against two, one of the defender's supports being the attacker's own."""
    done = play("FRANCE: A BUR - MUN, A RUH S A BUR - MUN, A GAS S A MUN - BUR", "GERMANY: A MUN - BUR")
    assert done["results"]["A BUR"] == ["bounce"]
    assert done["results"]["A MUN"] == ["bounce"]


def test_szykman() -> None:
    """DATC 6.F.14: the convoy of a paradox fails, and its army cuts nothing."""
    done = play("ENGLAND: F LON S F WAL - ENG, F WAL - ENG", "FRANCE: A BRE - LON, F ENG C A BRE - LON")
    assert done["results"]["A BRE"] == ["no convoy"]
    assert done["results"]["F ENG"] == ["dislodged"]
    assert done["results"]["F LON"] == []


def test_an_army_that_did_not_ask_for_its_convoy_walks_when_that_breaks() -> None:
    orders = "FRANCE: F BRE - ENG, F MAO S F BRE - ENG", "ENGLAND: A PIC - BEL{}, F ENG C A PIC - BEL"
    assert play(*(line.format("") for line in orders))["results"]["A PIC"] == []
    assert play(*(line.format(" VIA") for line in orders))["results"]["A PIC"] == ["no convoy"]


def test_kidnapping_is_not_possible() -> None:
    """DATC 6.G.2: a foreign fleet's convoy is not taken unless the army asks for it."""
    done = play("ENGLAND: A NWY - SWE", "RUSSIA: A SWE - NWY", "GERMANY: F SKA C A NWY - SWE")
    assert done["results"]["A NWY"] == done["results"]["A SWE"] == ["bounce"]
    assert done["results"]["F SKA"] == ["no convoy"]


def a_movement_phase(rng: Random) -> State:
    """A position from the middle of random play."""
    state = State.start()
    for _ in range(rng.randrange(3, 60)):
        state = state.resolve(coherent_orders(state, rng)).after
    while state.phase == WINTER or state.phase in RETREATS:
        state = state.resolve(coherent_orders(state, rng)).after
    return state


def thinned(state: State, rng: Random, left: int) -> State:
    """The same with `left` of its units."""
    kept = sorted(rng.sample(sorted(state.units), min(left, len(state.units))))
    return State(state.year, state.phase, {at: state.units[at] for at in kept}, {}, state.centers)


CHANNEL = [
    PROVINCE[name]
    for name in ["LON", "WAL", "YOR", "EDI", "BEL", "BRE", "PIC", "HOL", "ENG", "NTH", "IRI", "MAO", "NWG"]
]


def crowded(rng: Random) -> State:
    """Units of three powers around the Channel, where convoys and the supports against them get in each other's way."""
    at = sorted(rng.sample(CHANNEL, 9))
    kinds = {place: [unit for unit in range(ANY_COAST) if UNIT_PROVINCE[unit] == place] for place in at}
    return State(1901, SPRING, {place: (rng.randrange(1, 4), rng.choice(kinds[place])) for place in at}, {}, {})


def check(state: State, orders: dict[int, Order]) -> Movement | None:
    """Holds the resolver against the equations; None where there are too many moves to try all their answers, or an
    army that the equations would let walk."""
    movement = Movement(state.units, orders)
    if len(movement.target) > 9 or movement.may_walk:
        return None
    outcomes = list(Equations(state.units, orders).outcomes())
    if len(outcomes) == 1:
        assert movement.moved == outcomes[0]
    elif movement.paradoxical:
        assert movement.moved in Equations(state.units, orders, movement.paradoxical).outcomes()
    else:
        assert movement.moved == max(outcomes, key=len), "a circular movement succeeds"
    return movement


@pytest.mark.long
@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_the_resolver_solves_the_equations_in_play(seed: int) -> None:
    rng = Random(seed)
    state = thinned(a_movement_phase(rng), rng, 20)
    check(state, coherent_orders(state, rng))


@pytest.mark.long
def test_the_resolver_solves_the_equations_where_convoys_conflict() -> None:
    rng = Random(1)
    resolved = []
    for _ in range(2500):
        state = crowded(rng)
        resolved.append(check(state, coherent_orders(state, rng)))
    assert sum(movement is not None and bool(movement.paradoxical) for movement in resolved) >= 3


@pytest.mark.long
@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32))
def test_the_order_of_listing_changes_nothing(seed: int) -> None:
    rng = Random(seed)
    state = a_movement_phase(rng)
    orders = coherent_orders(state, rng)
    shuffled = list(state.units.items())
    rng.shuffle(shuffled)
    there, here = Movement(dict(shuffled), orders), Movement(state.units, orders)
    assert (there.moved, there.dislodged_by, there.void, there.idle) == (
        here.moved,
        here.dislodged_by,
        here.void,
        here.idle,
    )


@pytest.mark.parametrize("ring", [("ANK", "CON", "SMY"), ("BUD", "GAL", "VIE"), ("BER", "MUN", "RUH", "KIE")])
def test_armies_in_a_ring_move_on(ring: tuple[str, ...]) -> None:
    steps = zip(ring, (*ring[1:], ring[0]), strict=True)
    done = play("TURKEY: " + ", ".join(f"A {here} - {there}" for here, there in steps))
    assert all(done["results"][f"A {place}"] == [] for place in ring)


def test_without_orders_everybody_holds() -> None:
    state = State.start()
    movement = Movement(state.units, {})
    assert not movement.moved
    assert not movement.dislodged_by


def movement(units: dict[str, list[str]], orders: dict[str, list[str]]) -> dict[str, Any]:
    return adjudicate_line({"phase": "S1901M", "units": units, "centers": {}, "orders": orders})


def retreat(after: dict[str, Any], orders: dict[str, list[str]]) -> dict[str, Any]:
    assert after["phase"] == "S1901R"
    return adjudicate_line({**after, "orders": orders})


def test_no_support_helps_a_retreat() -> None:
    """DATC 6.H.1."""
    after = movement(
        {"AUSTRIA": ["F TRI", "A SER"], "TURKEY": ["F GRE"], "ITALY": ["A VEN", "A TYR", "F ION", "F AEG"]},
        {"ITALY": ["A VEN S A TYR - TRI", "A TYR - TRI", "F ION - GRE", "F AEG S F ION - GRE"]},
    )
    done = retreat(after, {"AUSTRIA": ["F TRI - ALB", "A SER S F TRI - ALB"], "TURKEY": ["F GRE - ALB"]})
    assert done["units"]["AUSTRIA"] == ["A SER"]
    assert done["units"]["TURKEY"] == []
    assert done["results"]["F TRI"] == done["results"]["F GRE"] == ["bounce", "disband"]


def test_no_retreating_unit_supports() -> None:
    """DATC 6.H.2."""
    after = movement(
        {
            "ENGLAND": ["A LVP", "F YOR", "F NWY"],
            "GERMANY": ["A KIE", "A RUH"],
            "RUSSIA": ["F EDI", "A SWE", "A FIN", "F HOL"],
        },
        {
            "ENGLAND": ["A LVP - EDI", "F YOR S A LVP - EDI"],
            "GERMANY": ["A KIE S A RUH - HOL", "A RUH - HOL"],
            "RUSSIA": ["A SWE S A FIN - NWY", "A FIN - NWY"],
        },
    )
    done = retreat(after, {"ENGLAND": ["F NWY - NTH"], "RUSSIA": ["F EDI - NTH", "F HOL S F EDI - NTH"]})
    assert done["units"]["RUSSIA"] == ["A NWY", "A SWE"]
    assert done["results"]["F HOL"] == ["void", "disband"]


def test_no_convoy_carries_a_retreat() -> None:
    """DATC 6.H.3."""
    after = movement(
        {"ENGLAND": ["F NTH", "A HOL"], "GERMANY": ["F KIE", "A RUH"]},
        {"GERMANY": ["F KIE S A RUH - HOL", "A RUH - HOL"]},
    )
    done = retreat(after, {"ENGLAND": ["A HOL - YOR", "F NTH C A HOL - YOR"]})
    assert done["units"]["ENGLAND"] == ["F NTH"]
    assert done["results"]["A HOL"] == ["void", "disband"]


def test_an_attacker_from_the_sea_leaves_its_origin_open() -> None:
    """DATC 6.H.11, and the oracle's fault B2: the origin is open, a province with a standoff is not."""
    after = movement(
        {
            "FRANCE": ["A GAS", "A BUR", "F MAO", "F WES", "F LYO"],
            "ITALY": ["A MAR", "A PIE"],
            "GERMANY": ["A TYR", "A TUS"],
        },
        {
            "FRANCE": [
                "A GAS - MAR VIA",
                "A BUR S A GAS - MAR",
                "F MAO C A GAS - MAR",
                "F WES C A GAS - MAR",
                "F LYO C A GAS - MAR",
            ],
            "ITALY": ["A PIE - VEN"],
            "GERMANY": ["A TYR - PIE", "A TUS - PIE"],
        },
    )
    assert after["retreats"] == {"ITALY": {"A MAR": ["GAS", "SPA"]}}


def test_a_unit_without_a_way_out_is_listed_where_another_has_one() -> None:
    after = movement(
        {
            "FRANCE": ["A PAR", "A BUR", "A PIC", "A GAS"],
            "GERMANY": ["F BRE", "A SIL"],
            "RUSSIA": ["A WAR", "A GAL", "F ENG", "F MAO"],
        },
        {"FRANCE": ["A PAR - BRE", "A GAS S A PAR - BRE"], "RUSSIA": ["A WAR - SIL", "A GAL S A WAR - SIL"]},
    )
    assert after["retreats"]["GERMANY"] == {"F BRE": [], "A SIL": ["BER", "BOH", "MUN", "PRU"]}
    assert retreat(after, {})["units"]["GERMANY"] == []


def test_a_phase_in_which_nobody_can_retreat_is_passed_over() -> None:
    after = movement(
        {"FRANCE": ["A PAR", "A GAS", "A PIC"], "GERMANY": ["F BRE"], "RUSSIA": ["F ENG", "F MAO"]},
        {"FRANCE": ["A PAR - BRE", "A GAS S A PAR - BRE"]},
    )
    assert after["phase"] == "F1901M"
    assert after["retreats"] == {}
    assert after["results"]["F BRE"] == ["dislodged", "disband"]
