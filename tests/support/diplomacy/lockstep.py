"""One phase, played by the engine and by the oracle, and what they disagree about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grandstand.games.diplomacy.rules.map import POWERS, PROVINCE, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import CONVOY, MOVE, SUPPORT_MOVE, VIA, Order, order_text
from grandstand.games.diplomacy.rules.state import RETREATS, Resolution, State

Orders = Mapping[int, Order]
FAULTS = ("B1", "B2", "B3", "B4")
"""Known errors of the oracle, each reproduced with a handful of units and judged by the DATC:

- B1: a power's support counts for a move marked VIA against its own unit;
- B2: a unit dislodged by a convoyed army is offered provinces that a standoff closes;
- B3: a convoy counts as disrupted by an attack that only the fleet's own power supports;
- B4: in a head-to-head battle, supports that one side's power gives to the other do not count for the other.
"""


def order_texts(state: State, orders: Orders) -> dict[str, list[str]]:
    """Orders by province as orders by power."""
    held: Mapping[int, tuple[Any, ...]] = state.dislodged if state.phase in RETREATS else state.units
    texts: dict[str, list[str]] = {power: [] for power in POWERS}
    for province, order in orders.items():
        power = held[province][0] if province in held else state.centers[province]
        texts[POWERS[power]].append(order_text(order))
    return texts


def comparable(position: Mapping[str, Any]) -> dict[str, Any]:
    """A position without what is a matter of writing: order, empty entries, dislodged units that can go nowhere."""
    retreats = {unit: sorted(places) for units in position["retreats"].values() for unit, places in units.items()}
    return {
        "phase": position["phase"],
        "units": {power: sorted(units) for power, units in position["units"].items() if units},
        "retreats": {unit: places for unit, places in retreats.items() if places},
        "centers": {power: sorted(centers) for power, centers in position["centers"].items() if centers},
    }


def disagreement(played: Resolution, answer: Mapping[str, Any]) -> str | None:
    """None where engine and oracle agree; else the fault that the orders show the pattern of; else `unknown`."""
    ours, theirs = comparable(played.after.to_json()), comparable(answer)
    if ours == theirs or played.after.solo() is not None:
        return None
    if played.movement is None:
        return "unknown"
    if ours["units"] == theirs["units"]:
        differing = {
            unit
            for unit in (*ours["retreats"], *theirs["retreats"])
            if ours["retreats"].get(unit) != theirs["retreats"].get(unit)
        }
        attackers = [played.movement.dislodged_by[PROVINCE[unit[2:5]]] for unit in differing]
        return "B2" if attackers and all(map(played.movement.by_sea, attackers)) else "unknown"
    return next((fault for fault, shows in _SHOWS.items() if shows(played.before, played.orders)), "unknown")


def _moves(orders: Orders) -> dict[int, int]:
    return {at: UNIT_PROVINCE[order[2]] for at, order in orders.items() if order[0] in (MOVE, VIA)}


def _backed_by(state: State, orders: Orders, mover: int, power: int) -> bool:
    return any(
        order[0] == SUPPORT_MOVE and UNIT_PROVINCE[order[2]] == mover and state.units[at][0] == power
        for at, order in orders.items()
    )


def _b1(state: State, orders: Orders) -> bool:
    return any(
        orders[mover][0] == VIA and target in state.units and _backed_by(state, orders, mover, state.units[target][0])
        for mover, target in _moves(orders).items()
    )


def _b3(state: State, orders: Orders) -> bool:
    return any(
        orders.get(target, (None,))[0] == CONVOY and _backed_by(state, orders, mover, state.units[target][0])
        for mover, target in _moves(orders).items()
    )


def _b4(state: State, orders: Orders) -> bool:
    moves = _moves(orders)
    return any(
        moves.get(target) == mover and _backed_by(state, orders, target, state.units[mover][0])
        for mover, target in moves.items()
    )


_SHOWS = {"B1": _b1, "B3": _b3, "B4": _b4}
