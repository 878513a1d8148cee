"""Parser of an order's text to a legal order of a position, or the reason why it is illegal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grandstand.games.diplomacy.rules.map import (
    ANY_COAST,
    IMPASSABLE,
    IS_FLEET,
    POWERS,
    PROVINCE,
    PROVINCES,
    REACH,
    REACH_PROVINCES,
    UNIT,
    UNIT_PROVINCE,
    UNITS,
)
from grandstand.games.diplomacy.rules.orders import (
    BUILD,
    CONVOY,
    DISBAND,
    HOLD,
    MOVE,
    NONE,
    RETREAT,
    SUPPORT,
    SUPPORT_MOVE,
    VIA,
    WAIVED,
    Order,
    order_text,
)
from grandstand.games.diplomacy.rules.state import RETREATS, WINTER, State
from grandstand.games.diplomacy.rules.words import OrderError, OrderWords, order_words


class IllegalOrder(OrderError):
    """An order that the position does not allow."""


def parse_order(text: str, state: State, power: int) -> Order:
    """Return the legal order that `text` gives to a unit of `power`. Raises NotAnOrder or IllegalOrder.

    Coasts follow the DATC's preferences. The coast of the ordered unit, or of an army's destination, is ignored. A
    missing coast is filled in if only one is possible; in a support, it stands for any. A wrong coast is refused.
    """
    exact = _verbatim(text, state, power)
    if exact is not None:
        return exact
    words = order_words(text)
    if words.verb == "WAIVE":
        if state.counts.get(power, 0) <= 0:
            raise IllegalOrder(f"{text!r}: {POWERS[power]} has no build to waive")
        return WAIVED
    if words.verb == "B":
        return _build(text, words, state, power)
    province = _province(words.place, text)
    unit = _own_unit(text, words, state, power, province)
    order = _order(text, words, state, unit)
    legal = state.legal_orders().get(province, [])
    if order in legal or (order[3] >= ANY_COAST and any(_covers(order, other) for other in legal)):
        return order
    raise IllegalOrder(f"{text!r}: {_reason(order, state)}")


def _verbatim(text: str, state: State, power: int) -> Order | None:
    """Return the legal order with this standard text, if any: the fast path for programs."""
    province = PROVINCE.get(text[2:5])
    if province is None:
        return None
    holder = _held(state).get(province)
    if holder is not None and holder[0] != power:
        return None
    for order in state.legal_orders().get(province, ()):
        if order_text(order) == text:
            return order if holder is not None or state.centers.get(province) == power else None
    return None


def _held(state: State) -> Mapping[int, tuple[int, int, *tuple[Any, ...]]]:
    """Return the units that can be ordered in this phase, each with its power first and its unit second."""
    return state.dislodged if state.phase in RETREATS else state.units


def _covers(loose: Order, exact: Order) -> bool:
    """Return whether the support `loose`, without a coast, includes the support `exact`."""
    return loose[:3] == exact[:3] and UNIT_PROVINCE[loose[3]] == UNIT_PROVINCE[exact[3]]


def _province(place: str, text: str) -> int:
    if place in IMPASSABLE:
        raise IllegalOrder(f"{text!r}: {IMPASSABLE[place]} is impassable")
    return PROVINCE[place[:3]]


def _own_unit(text: str, words: OrderWords, state: State, power: int, province: int) -> int:
    entry = _held(state).get(province)
    what = "dislodged unit" if state.phase in RETREATS else "unit"
    if entry is None:
        raise IllegalOrder(f"{text!r}: there is no {what} in {PROVINCES[province]}")
    owner, unit = entry[0], entry[1]
    if owner != power:
        raise IllegalOrder(f"{text!r}: {UNITS[unit]} belongs to {POWERS[owner]}")
    if words.kind and words.kind != UNITS[unit][0]:
        raise IllegalOrder(f"{text!r}: the {what} in {PROVINCES[province]} is {UNITS[unit]}")
    return unit


def _order(text: str, words: OrderWords, state: State, unit: int) -> Order:
    """Return the order as written, legal or not."""
    verb = words.verb
    if verb == "R" or (verb == "-" and state.phase in RETREATS):
        return RETREAT, unit, _destination(text, words.to, unit), NONE
    if verb == "-":
        there = _destination(text, words.to, unit)
        by_sea = words.via or (there not in REACH[unit] and not IS_FLEET[unit])
        return VIA if by_sea else MOVE, unit, there, NONE
    if verb in ("S", "C"):
        other = _other_unit(text, words, state)
        if not words.to:
            return SUPPORT, unit, other, NONE
        there = _destination(text, words.to, other, any_coast=verb == "S")
        return SUPPORT_MOVE if verb == "S" else CONVOY, unit, other, there
    return DISBAND if verb == "D" else HOLD, unit, NONE, NONE


def _other_unit(text: str, words: OrderWords, state: State) -> int:
    entry = state.units.get(_province(words.at, text))
    if entry is None:
        raise IllegalOrder(f"{text!r}: there is no unit in {words.at}")
    if words.other and words.other != UNITS[entry[1]][0]:
        raise IllegalOrder(f"{text!r}: the unit in {words.at} is {UNITS[entry[1]]}")
    return entry[1]


def _destination(text: str, place: str, unit: int, any_coast: bool = False) -> int:
    """Return the unit that `unit` would be in `place`."""
    province = _province(place, text)
    if not IS_FLEET[unit]:
        there = UNIT.get(f"A {PROVINCES[province]}")
        if there is None:
            raise IllegalOrder(f"{text!r}: an army cannot stand in {PROVINCES[province]}")
        return there
    reachable = [there for there in REACH[unit] if UNIT_PROVINCE[there] == province]
    if "/" not in place and len(reachable) == 1:
        return reachable[0]
    if "/" not in place and len(reachable) > 1:
        if any_coast:
            return UNIT[f"F {place}"]
        raise IllegalOrder(f"{text!r}: name the coast, {' or '.join(UNITS[there][2:] for there in reachable)}")
    named = UNIT.get(f"F {place}", NONE)
    if named not in reachable:
        raise IllegalOrder(f"{text!r}: {UNITS[unit]} cannot reach {place}")
    return named


def _build(text: str, words: OrderWords, state: State, power: int) -> Order:
    province = _province(words.place, text)
    if state.counts.get(power, 0) <= 0:
        raise IllegalOrder(f"{text!r}: {POWERS[power]} has nothing to build in {state.name}")
    if province not in state.orderable(power):
        raise IllegalOrder(f"{text!r}: {words.place} is not a vacant home centre that {POWERS[power]} owns")
    unit = UNIT.get(f"{words.kind or 'A'} {words.place}", ANY_COAST)
    if not words.kind or unit >= ANY_COAST or (BUILD, unit, NONE, NONE) not in state.legal_orders()[province]:
        options = ", ".join(order_text(order) for order in state.legal_orders()[province])
        raise IllegalOrder(f"{text!r}: what can be built there is {options}")
    return BUILD, unit, NONE, NONE


def _reason(order: Order, state: State) -> str:
    """Return the reason why a well-formed order is not legal."""
    kind, unit, a, b = order
    name = UNITS[unit]
    if state.phase == WINTER:
        return "in winter an order builds (A PAR B), removes (A PAR D) or waives (WAIVE), as many as are due"
    if state.phase in RETREATS:
        options = ", ".join(order_text(legal) for legal in state.legal_orders()[UNIT_PROVINCE[unit]])
        return f"{name} is dislodged; it may {options}"
    if kind == MOVE:
        return f"{name} cannot reach {UNITS[a][2:]}"
    if kind == VIA:
        return f"no chain of fleets can carry {name} to {UNITS[a][2:]}"
    if kind == SUPPORT:
        return f"{name} cannot support into {UNITS[a][2:]}, where it could not move"
    if kind == SUPPORT_MOVE and UNIT_PROVINCE[b] not in REACH_PROVINCES[unit]:
        return f"{name} cannot support into {UNITS[b][2:]}, where it could not move"
    if kind == SUPPORT_MOVE:
        return f"{UNITS[a]} cannot get to {UNITS[b][2:]} without {name}"
    if kind == CONVOY:
        return f"{name} cannot be a link of a convoy from {UNITS[a][2:]} to {UNITS[b][2:]}"
    return f"{order_text(order)} is not an order of {state.name}"
