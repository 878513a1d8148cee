"""The legal orders of a position, for each unit, dislodged unit or building site, and the counts of winter."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from grandstand.games.diplomacy.rules.convoys import SEA_NEIGHBOURS, connected, mask_of, routes
from grandstand.games.diplomacy.rules.map import (
    ANY_COAST,
    HOMES,
    IS_FLEET,
    NEIGHBOURS,
    POWERS,
    PROVINCE_NAMES,
    PROVINCES,
    REACH_PROVINCES,
    SEAS,
    UNIT_PROVINCE,
)
from grandstand.games.diplomacy.rules.orders import (
    BUILD,
    CONVOY,
    DISBAND,
    NONE,
    RETREAT,
    SUPPORT_MOVE,
    VIA,
    Order,
    Units,
    plain_orders,
    support_orders,
)


def movement_orders(units: Units) -> dict[int, list[Order]]:
    """Return the legal orders by province, in an order that depends on the position only. `units` is sorted."""
    present = [unit for _, unit in units.values()]
    legal = {}
    for province, (_, unit) in units.items():
        supports = support_orders(unit)
        legal[province] = [
            *plain_orders(unit),
            *(order for other in present if other in supports for order in supports[other]),
        ]
    fleets = mask_of(province for province, (_, unit) in units.items() if province in SEAS)
    if fleets:
        _add_convoys(units, fleets, legal)
    return legal


def _add_convoys(units: Units, fleets: int, legal: dict[int, list[Order]]) -> None:
    """Add moves by convoy, the convoys themselves, and supports of armies that can only come by sea.

    A fleet cannot support a move that needs the fleet itself as a link.
    """
    for origin, (_, army) in units.items():
        beside = SEA_NEIGHBOURS[origin] & fleets
        if not beside or IS_FLEET[army]:
            continue
        by_land = REACH_PROVINCES[army]
        for there, carriers, needed in routes(origin, connected(beside, fleets)):
            destination = UNIT_PROVINCE[there]
            legal[origin].append((VIA, army, there, NONE))
            for carrier in carriers:
                legal[carrier].append((CONVOY, units[carrier][1], army, there))
            if destination in by_land:
                continue
            for near in NEIGHBOURS[destination]:
                if near in units and near != origin and not needed >> near & 1:
                    supporter = units[near][1]
                    if destination in REACH_PROVINCES[supporter]:
                        legal[near].append((SUPPORT_MOVE, supporter, army, there))


def retreat_orders(dislodged: Mapping[int, tuple[int, int, tuple[int, ...]]]) -> dict[int, list[Order]]:
    """Return the retreats and the disbanding of each dislodged unit, by province."""
    return {
        province: [*((RETREAT, unit, there, NONE) for there in options), (DISBAND, unit, NONE, NONE)]
        for province, (_, unit, options) in dislodged.items()
    }


@cache
def build_orders(home: int) -> tuple[Order, ...]:
    """Return the build orders that are legal in a home centre."""
    return tuple((BUILD, unit, NONE, NONE) for unit in range(ANY_COAST) if UNIT_PROVINCE[unit] == home)


def vacant_homes(power: int, units: Units, centers: Mapping[int, int]) -> list[int]:
    """Return the home centres where `power` may build: those that it owns and that are vacant."""
    return [home for home in HOMES[power] if centers.get(home) == power and home not in units]


def adjustment_orders(units: Units, centers: Mapping[int, int], counts: Mapping[int, int]) -> dict[int, list[Order]]:
    """Return the builds by home centre, or the removals by unit, of the powers in `counts` (+ builds, - removals)."""
    legal: dict[int, list[Order]] = {}
    for power, count in counts.items():
        if count > 0:
            legal.update({home: list(build_orders(home)) for home in vacant_homes(power, units, centers)})
        else:
            legal.update({at: [(DISBAND, unit, NONE, NONE)] for at, (owner, unit) in units.items() if owner == power})
    return legal


def adjustment_counts(units: Units, centers: Mapping[int, int]) -> dict[int, int]:
    """Return, for each power with orders to give, its builds (+, at most its vacant homes) or removals (-)."""
    surplus = [0] * len(POWERS)
    for owner in centers.values():
        surplus[owner] += 1
    for owner, _ in units.values():
        surplus[owner] -= 1
    counts = {}
    for power, count in enumerate(surplus):
        if count > 0:
            count = min(count, len(vacant_homes(power, units, centers)))
        if count:
            counts[power] = count
    return counts


@cache
def distances(province: int) -> tuple[int, ...]:
    """Return the steps from `province` to every province, over land and sea."""
    steps = [-1] * len(PROVINCES)
    steps[province] = 0
    queue = [province]
    for here in queue:
        for near in NEIGHBOURS[here]:
            if steps[near] < 0:
                steps[near] = steps[here] + 1
                queue.append(near)
    return tuple(steps)


def civil_disorder(power: int, units: Units, centers: Mapping[int, int]) -> list[int]:
    """Return the power's units in the order in which civil disorder removes them: the farthest from every centre that
    the power owns first, then fleets before armies, then by the province's full name."""
    owned = [center for center, owner in centers.items() if owner == power]

    def rank(province: int) -> tuple[int, bool, str]:
        steps = min((distances(province)[center] for center in owned), default=0)
        return -steps, not IS_FLEET[units[province][1]], PROVINCE_NAMES[province]

    return sorted((province for province, (owner, _) in units.items() if owner == power), key=rank)


class Adjustment:
    """One winter phase, resolved. Orders are carried out one by one until all due builds or removals are made, and
    further orders are void. Missing builds are waived, and civil disorder chooses the missing removals."""

    def __init__(
        self, units: Units, centers: Mapping[int, int], counts: Mapping[int, int], orders: Mapping[int, Order]
    ) -> None:
        self.units = dict(units)
        self.void: set[int] = set()
        self.civil_disorder: dict[int, tuple[int, int]] = {}
        """Province -> (power, unit) removed without an order."""
        remaining = dict(counts)
        owners = {home: power for power in counts for home in vacant_homes(power, units, centers)}
        for province, (kind, unit, _, _) in orders.items():
            power = units[province][0] if province in units else owners.get(province)
            if power is None:
                self.void.add(province)
            elif kind == BUILD and remaining.get(power, 0) > 0 and province not in units:
                remaining[power] -= 1
                self.units[province] = (power, unit)
            elif kind == DISBAND and remaining.get(power, 0) < 0 and province in units:
                remaining[power] += 1
                del self.units[province]
            else:
                self.void.add(province)
        for power, count in remaining.items():
            for province in civil_disorder(power, self.units, centers)[: max(0, -count)]:
                self.civil_disorder[province] = self.units.pop(province)
        self.units = dict(sorted(self.units.items()))
