"""The orders of a power as choices: one for each unit; in winter, builds or removals."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from grandstand.games.choices import Chosen, Many, Option, Pick, Slot, Value
from grandstand.games.diplomacy.rules.legal import civil_disorder
from grandstand.games.diplomacy.rules.map import PROVINCES, UNIT_PROVINCE, UNITS
from grandstand.games.diplomacy.rules.orders import (
    CONVOY,
    DISBAND,
    HOLD,
    KIND_NAMES,
    NONE,
    SUPPORT,
    SUPPORT_MOVE,
    Order,
    order_text,
)
from grandstand.games.diplomacy.rules.state import RETREATS, WINTER, State

BUILDS, REMOVALS = "builds", "removals"
"""The names of the slots in winter."""


def order_slots(state: State, power: int) -> Sequence[Slot]:
    """Return a slot for each unit or dislodged unit, named by it; in winter one for all builds, or all removals.

    Fewer builds than allowed are waived. Removals that are left out are those of civil disorder.
    """
    if power not in state.slots:
        state.slots[power] = _slots(state, power)
    return state.slots[power]


def _slots(state: State, power: int) -> Sequence[Slot]:
    legal, provinces = state.legal_orders(), state.orderable(power)
    if state.phase != WINTER:
        kind = DISBAND if state.phase in RETREATS else HOLD
        return [_unit_slot(legal[at], kind) for at in provinces]
    count = state.counts.get(power, 0)
    options = [_option(order) for at in provinces for order in legal[at]]
    if count > 0 and options:
        return [Many(BUILDS, options, 0, min(count, len(provinces)), f"Up to {count} builds", (), "WAIVE")]
    if count < 0:
        default = _with_removals(state, power, options, (), -count)
        return [Many(REMOVALS, options, -count, -count, f"The {-count} units to remove", default)]
    return []


def orders_of(chosen: Chosen) -> list[str]:
    """Return the chosen orders in the form of an action."""
    orders: list[str] = []
    for value in chosen.values():
        orders += value if isinstance(value, tuple) else [str(value)]
    return orders


def chosen_orders(state: State, power: int, orders: Collection[str]) -> dict[str, Value]:
    """Return the choices with the same effect as `orders`; units without an order have their default."""
    chosen: dict[str, Value] = {}
    for slot in order_slots(state, power):
        assert isinstance(slot, Pick | Many)
        words = tuple(option.word for option in slot.options if option.word in orders)
        if isinstance(slot, Pick):
            chosen[slot.name] = words[0] if words else slot.default or ""
        else:
            chosen[slot.name] = _with_removals(state, power, slot.options, words, slot.least)
    return chosen


def _with_removals(
    state: State, power: int, options: Sequence[Option], words: tuple[str, ...], least: int
) -> tuple[str, ...]:
    """Return `words` and, up to `least` in all, the removals that civil disorder adds, in the order of the options."""
    if len(words) >= least:
        return words
    ranked = (order_text(state.legal_orders()[at][0]) for at in civil_disorder(power, state.units, state.centers))
    added = [word for word in ranked if word not in words][: least - len(words)]
    return tuple(option.word for option in options if option.word in words or option.word in added)


@cache
def _option(order: Order) -> Option:
    """Return the order as an option. Its target is the place where its unit ends; for an order that helps another
    unit, that unit's place and the place where that unit ends."""
    kind, unit, there, moved = order
    if kind in (SUPPORT, SUPPORT_MOVE, CONVOY):
        target = f"{_province(there)} {_province(there if moved == NONE else moved)}"
    else:
        target = _province(unit if there == NONE else there)
    return Option(order_text(order), target=target, kind=KIND_NAMES[kind])


def _province(unit: int) -> str:
    return PROVINCES[UNIT_PROVINCE[unit]]


def _unit_slot(orders: Sequence[Order], kind: int) -> Pick:
    unit = orders[0][1]
    return Pick(UNITS[unit], [_option(order) for order in orders], default=order_text((kind, unit, NONE, NONE)))
