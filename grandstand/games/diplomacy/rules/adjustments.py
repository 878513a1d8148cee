"""The winter phase: builds, removals, and civil disorder where a power does not remove what it must."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from grandstand.games.diplomacy.rules.legal import vacant_homes
from grandstand.games.diplomacy.rules.map import IS_FLEET, NEIGHBOURS, POWERS, PROVINCE_NAMES, PROVINCES
from grandstand.games.diplomacy.rules.orders import BUILD, DISBAND, Order, Units


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
