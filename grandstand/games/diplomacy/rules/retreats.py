"""The retreat phase: the options of dislodged units, and the resolution of their orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from grandstand.games.diplomacy.rules.adjudicate import Movement
from grandstand.games.diplomacy.rules.map import REACH, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import RETREAT, Order, Units

Dislodged = Mapping[int, tuple[int, int, tuple[int, ...]]]
"""Province -> (power, unit, the units that it can become by retreating)."""


def retreat_options(movement: Movement, units: Units) -> dict[int, tuple[int, int, tuple[int, ...]]]:
    """Return the dislodged units with their retreat options. `units` are the units on the board after the movement.

    A unit cannot retreat to an occupied province, one that a standoff left vacant, or the attacker's origin, unless the
    attacker came by sea.
    """
    if not movement.dislodged_by:
        return {}
    contested = movement.contested()
    dislodged = {}
    for province in sorted(movement.dislodged_by):
        attacker = movement.dislodged_by[province]
        closed = -1 if movement.by_sea(attacker) else attacker
        power, unit = movement.units[province]
        options = tuple(
            there
            for there in REACH[unit]
            if (to := UNIT_PROVINCE[there]) not in units and to not in contested and to != closed
        )
        dislodged[province] = (power, unit, options)
    return dislodged


class Retreat:
    """A resolved retreat phase. Units that retreat to one province, like those without an order, are disbanded."""

    def __init__(self, units: Units, dislodged: Dislodged, orders: Mapping[int, Order]) -> None:
        going = {
            province: order[2]
            for province, order in orders.items()
            if province in dislodged and order[0] == RETREAT and order[2] in dislodged[province][2]
        }
        crowd = Counter(UNIT_PROVINCE[there] for there in going.values())
        self.bounced = {province for province, there in going.items() if crowd[UNIT_PROVINCE[there]] > 1}
        self.retreated = {province: there for province, there in going.items() if province not in self.bounced}
        standing = dict(units)
        for province, there in self.retreated.items():
            standing[UNIT_PROVINCE[there]] = (dislodged[province][0], there)
        self.units = dict(sorted(standing.items()))
