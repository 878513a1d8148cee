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


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32))
def test_the_resolver_solves_the_equations_in_play(seed: int) -> None:
    rng = Random(seed)
    state = thinned(a_movement_phase(rng), rng, 20)
    check(state, coherent_orders(state, rng))


def test_the_resolver_solves_the_equations_where_convoys_conflict() -> None:
    rng = Random(1)
    resolved = []
    for _ in range(2500):
        state = crowded(rng)
        resolved.append(check(state, coherent_orders(state, rng)))
    assert sum(movement is not None and bool(movement.paradoxical) for movement in resolved) >= 3


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
