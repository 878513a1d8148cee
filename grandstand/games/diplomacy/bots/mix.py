"""Builds and removals towards the usual human mix of fleets and armies, by power and number of centres."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

from grandstand.games.diplomacy.bots.adjust import by_value
from grandstand.games.diplomacy.bots.stance import Plan
from grandstand.games.diplomacy.rules.legal import build_orders
from grandstand.games.diplomacy.rules.map import IS_FLEET, POWER, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.orders import BUILD, DISBAND, NONE
from grandstand.games.diplomacy.rules.state import WINTER, State

TABLE = Path(__file__).parents[1] / "data" / "fleets.csv"


@cache
def _shares() -> dict[tuple[int, int], float]:
    """Return (power, least number of centres of a band) -> the share of fleets among its units."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return {
            (POWER[row["power"]], int(row["centers"])): int(row["fleets"]) / int(row["units"])
            for row in csv.DictReader(lines)
        }


def fleet_share(power: int, centers: int) -> float:
    """Return the usual human share of fleets with so many centres."""
    bands = [band for owner, band in _shares() if owner == power and band <= max(1, centers)]
    return _shares()[power, max(bands)]


def adjusted(state: State, power: int, value: Sequence[float], rng: Random) -> Plan:
    """Return the orders of a retreat or winter phase: places by value, kinds of unit by the human mix."""
    if state.phase != WINTER:
        return by_value(state, power, value, rng)
    count = state.counts.get(power, 0)
    return _builds(state, power, count, value, rng) if count > 0 else _removals(state, power, -count, value, rng)


def _builds(state: State, power: int, count: int, value: Sequence[float], rng: Random) -> Plan:
    plan: Plan = {}
    fleets, units = _strength(state, power)
    share = fleet_share(power, state.center_counts()[power])
    options = [unit for site in state.orderable(power) for _, unit, _, _ in build_orders(site)]
    for _ in range(count):
        fleet = rng.random() < share * (units + 1) - fleets
        kind = [unit for unit in options if IS_FLEET[unit] == fleet] or options
        unit = max(kind, key=value.__getitem__)
        plan[UNIT_PROVINCE[unit]] = (BUILD, unit, NONE, NONE)
        fleets, units = fleets + IS_FLEET[unit], units + 1
        options = [other for other in options if UNIT_PROVINCE[other] != UNIT_PROVINCE[unit]]
    return plan


def _removals(state: State, power: int, count: int, value: Sequence[float], rng: Random) -> Plan:
    plan: Plan = {}
    fleets, units = _strength(state, power)
    share = fleet_share(power, state.center_counts()[power])
    options = [state.units[at][1] for at in state.orderable(power) if state.centers.get(at) != power]
    others = [state.units[at][1] for at in state.orderable(power) if state.centers.get(at) == power]
    for _ in range(count):
        fleet = rng.random() < fleets - share * (units - 1)
        options = options or others
        kind = [unit for unit in options if IS_FLEET[unit] == fleet] or options
        unit = min(kind, key=value.__getitem__)
        plan[UNIT_PROVINCE[unit]] = (DISBAND, unit, NONE, NONE)
        fleets, units = fleets - IS_FLEET[unit], units - 1
        options = [other for other in options if other != unit]
    return plan


def _strength(state: State, power: int) -> tuple[int, int]:
    """Return the numbers of the power's fleets and of all its units."""
    own = [unit for owner, unit in state.units.values() if owner == power]
    return sum(IS_FLEET[unit] for unit in own), len(own)
