"""Conversion of a resolved phase to events, for the page and the record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.events import CentersChanged, OrdersResolved, PhaseAdvanced
from grandstand.games.diplomacy.rules.map import POWERS, PROVINCES, UNITS
from grandstand.games.diplomacy.rules.orders import (
    CONVOY,
    DISBAND,
    HOLD,
    KIND_NAMES,
    MOVE,
    NONE,
    RETREAT,
    SUPPORT,
    SUPPORT_MOVE,
    VIA,
    WAIVE,
    WAIVED,
    Order,
    order_text,
)
from grandstand.games.diplomacy.rules.results import result_words
from grandstand.games.diplomacy.rules.state import RETREATS, WINTER, Resolution, State
from grandstand.games.diplomacy.types import Capture, Position, ResolvedOrder


def position(state: State) -> Position:
    """Return the state as public data."""
    public = cast(Position, state.to_json())
    if state.phase == WINTER:
        public["builds"] = {POWERS[power]: count for power, count in sorted(state.counts.items())}
    return public


def phase_advanced(state: State) -> PhaseAdvanced:
    return PhaseAdvanced(state.name, position(state))


def orders_resolved(
    resolution: Resolution, waived: Mapping[int, int] | None = None, after: State | None = None
) -> OrdersResolved:
    """Return every unit's order, its own or the default, with the results. `waived` counts WAIVE orders per power;
    `after` is the next position by a record."""
    before = resolution.before
    words = result_words(resolution, after)
    resolved: dict[SeatId, list[ResolvedOrder]] = {power: [] for power in POWERS}
    for province, results in sorted(words.items()):
        power, order = _order_at(resolution, province)
        resolved[POWERS[power]].append(_resolved_order(resolution, province, order, results))
    for power, count in (waived or {}).items():
        resolved[POWERS[power]] += [{"order": order_text(WAIVED), "kind": KIND_NAMES[WAIVE], "results": []}] * count
    return OrdersResolved(before.name, {power: orders for power, orders in resolved.items() if orders})


def _order_at(resolution: Resolution, province: int) -> tuple[int, Order]:
    """Return the power and its order for a province, the default if there is none."""
    before = resolution.before
    order = resolution.orders.get(province)
    if before.phase in RETREATS:
        power, unit, _ = before.dislodged[province]
        return power, order or (DISBAND, unit, NONE, NONE)
    if province in before.units:
        power, unit = before.units[province]
        return power, order or (DISBAND if before.phase == WINTER else HOLD, unit, NONE, NONE)
    assert order is not None
    return before.centers[province], order


def _resolved_order(resolution: Resolution, province: int, order: Order, words: list[str]) -> ResolvedOrder:
    kind, unit, a, b = order
    entry: ResolvedOrder = {
        "order": order_text(order),
        "kind": KIND_NAMES[kind],
        "unit": UNITS[unit],
        "from": UNITS[unit][2:],
        "results": words,
    }
    if kind in (MOVE, VIA, RETREAT):
        entry["to"] = UNITS[a][2:]
    elif kind in (SUPPORT, SUPPORT_MOVE, CONVOY):
        entry["target"] = UNITS[a]
        if kind != SUPPORT:
            entry["to"] = UNITS[b][2:]
    movement = resolution.movement
    if movement is not None:
        if movement.by_sea(province):
            entry["via"] = True
        if province in movement.dislodged_by:
            entry["dislodged_by"] = PROVINCES[movement.dislodged_by[province]]
    return entry


def centers_changed(before: State, after: State) -> CentersChanged | None:
    """Return the captures between two positions; None if there were none."""
    captured: list[Capture] = []
    for center, power in after.centers.items():
        owner = before.centers.get(center)
        if owner != power:
            loser = None if owner is None else POWERS[owner]
            captured.append({"center": PROVINCES[center], "from": loser, "to": POWERS[power]})
    if not captured:
        return None
    return CentersChanged(before.name, captured, dict(zip(POWERS, after.center_counts(), strict=True)))
