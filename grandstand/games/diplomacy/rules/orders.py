"""Orders as tuples of integers, and their text.

An order is `(kind, unit, a, b)`; `unit`, `a` and `b` are unit ids of the map, NONE where the kind has no use for them:

| kind | a | b | text |
|---|---|---|---|
| HOLD | | | `A PAR H` |
| MOVE | unit after the move | | `A PAR - BUR` |
| VIA | unit after the move, by convoy | | `A LON - BEL VIA` |
| SUPPORT | supported unit, which stays | | `A MAR S A PAR` |
| SUPPORT_MOVE | supported unit | the same after its move | `A MAR S A PAR - BUR` |
| CONVOY | convoyed army | the same after its move | `F NTH C A LON - BEL` |
| RETREAT | unit after the retreat | | `A BUR R GAS` |
| DISBAND | | | `A BUR D` |
| BUILD | | | `A PAR B` |
| WAIVE | | | `WAIVE` |
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from grandstand.games.diplomacy.rules.map import REACH, REACH_PROVINCES, UNIT_PROVINCE, UNITS

Order = tuple[int, int, int, int]

Units = Mapping[int, tuple[int, int]]
"""Province -> (power, unit), in ascending order of provinces."""

HOLD, MOVE, VIA, SUPPORT, SUPPORT_MOVE, CONVOY, RETREAT, DISBAND, BUILD, WAIVE = range(10)
NONE = -1
WAIVED: Order = (WAIVE, NONE, NONE, NONE)

KIND_NAMES = (
    "hold", "move", "move", "support", "support", "convoy", "retreat", "disband", "build", "waive",
)  # fmt: skip
"""Per kind, its word in events and messages."""


@cache
def order_text(order: Order) -> str:
    """Return the order in standard notation: `A MAR S A PAR - BUR`."""
    kind, unit, a, b = order
    if kind == WAIVE:
        return "WAIVE"
    name = UNITS[unit]
    if kind in (MOVE, VIA):
        return f"{name} - {UNITS[a][2:]}" + (" VIA" if kind == VIA else "")
    if kind == RETREAT:
        return f"{name} R {UNITS[a][2:]}"
    if kind == SUPPORT:
        return f"{name} S {UNITS[a]}"
    if kind in (SUPPORT_MOVE, CONVOY):
        return f"{name} {'S' if kind == SUPPORT_MOVE else 'C'} {UNITS[a]} - {UNITS[b][2:]}"
    return f"{name} {'H' if kind == HOLD else 'D' if kind == DISBAND else 'B'}"


@cache
def plain_orders(unit: int) -> tuple[Order, ...]:
    """Return the orders that need no other unit: to hold, and every move without convoy."""
    return ((HOLD, unit, NONE, NONE), *((MOVE, unit, there, NONE) for there in REACH[unit]))


@cache
def support_orders(unit: int) -> dict[int, tuple[Order, ...]]:
    """Return the supports that `unit` can give to units that move without convoy, by supported unit."""
    here, reach = UNIT_PROVINCE[unit], REACH_PROVINCES[unit]
    supports: dict[int, tuple[Order, ...]] = {}
    for other in range(len(REACH)):
        if UNIT_PROVINCE[other] == here or not REACH[other]:
            continue
        hold: list[Order] = [(SUPPORT, unit, other, NONE)] if UNIT_PROVINCE[other] in reach else []
        moves = [(SUPPORT_MOVE, unit, other, there) for there in REACH[other] if UNIT_PROVINCE[there] in reach]
        if hold or moves:
            supports[other] = (*hold, *moves)
    return supports
