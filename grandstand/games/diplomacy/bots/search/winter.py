"""Builds and removals in many positions at once, each by the value of the place."""

from __future__ import annotations

import numpy as np

from grandstand.games.diplomacy.bots.search.boards import CENTER_AT, NOBODY, SEATS, Boards, Floats, Ints
from grandstand.games.diplomacy.bots.search.field import field_of
from grandstand.games.diplomacy.bots.values import WINTER_WEIGHTS
from grandstand.games.diplomacy.rules.legal import build_orders
from grandstand.games.diplomacy.rules.map import ANY_COAST, HOMES

_SITES: list[Ints] = [np.array(homes) for homes in HOMES]
_SITE_CENTERS: list[Ints] = [np.searchsorted(CENTER_AT, sites) for sites in _SITES]
_MOST = max(len(build_orders(home)) for homes in HOMES for home in homes)
_BUILDS: list[Ints] = [
    np.array([([order[1] for order in build_orders(home)] * _MOST)[:_MOST] for home in homes]) for homes in HOMES
]
"""Per power and home, the units that can be built there, repeated to the same number everywhere."""


def adjusted(boards: Boards) -> None:
    """Build and remove on the boards until every power has a unit for each centre, or no home to build in."""
    rows = boards.rows()
    units = np.bincount(rows.owner, minlength=len(boards) * SEATS).reshape(-1, SEATS)
    due = boards.counts()[:, :SEATS] - units
    if not due.any():
        return
    value = field_of(boards, WINTER_WEIGHTS).value
    _remove(boards, due, value)
    for power in range(SEATS):
        if (due[:, power] > 0).any():
            _build(boards, power, due[:, power], value)


def _remove(boards: Boards, due: Ints, value: Floats) -> None:
    """Remove the units in the least valuable places."""
    rows = boards.rows()
    surplus = np.maximum(-due, 0).reshape(-1)
    owner = rows.owner
    order = np.lexsort((value.reshape(-1, ANY_COAST)[owner, rows.unit], owner))
    sorted_owner = owner[order]
    rank = np.arange(len(order)) - np.searchsorted(sorted_owner, sorted_owner)
    gone = rows.at[order[rank < surplus[sorted_owner]]]
    boards.unit.reshape(-1)[gone] = NOBODY
    boards.power.reshape(-1)[gone] = NOBODY


def _build(boards: Boards, power: int, due: Ints, value: Floats) -> None:
    """Build in the most valuable vacant homes that the power still owns."""
    sites, options = _SITES[power], _BUILDS[power]
    vacant = (boards.unit[:, sites] == NOBODY) & (boards.owner[:, _SITE_CENTERS[power]] == power)
    worth = value[:, power][:, options]
    best = worth.argmax(axis=2)
    top = np.where(vacant, worth.max(axis=2), -np.inf)
    rank = (-top).argsort(axis=1).argsort(axis=1)
    number, site = np.nonzero(vacant & (rank < due[:, None]))
    boards.unit[number, sites[site]] = options[site, best[number, site]]
    boards.power[number, sites[site]] = power
