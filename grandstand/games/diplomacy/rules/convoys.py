"""Convoys: the chains of fleets that can carry an army. Sets of sea provinces are bit masks: bit p is province p.

A fleet takes part in a convoy if some chain needs it: a set of fleets that links the two coasts, while no part of the
set does (DATC 6.G.19).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from grandstand.games.diplomacy.rules.map import ANY_COAST, IS_FLEET, NEIGHBOURS, SEAS, UNIT_PROVINCE

_ALL_SEAS = sum(1 << sea for sea in SEAS)
SEA_NEIGHBOURS = tuple(sum(1 << near for near in neighbours) & _ALL_SEAS for neighbours in NEIGHBOURS)
"""Per province, the mask of the sea provinces beside it."""
_BESIDE = {1 << sea: SEA_NEIGHBOURS[sea] for sea in SEAS}
_COASTAL_ARMIES = {
    UNIT_PROVINCE[unit]: unit for unit in range(ANY_COAST) if not IS_FLEET[unit] and SEA_NEIGHBOURS[UNIT_PROVINCE[unit]]
}
_COASTS = {
    1 << sea: tuple(coast for coast in _COASTAL_ARMIES if SEA_NEIGHBOURS[coast] >> sea & 1) for sea in sorted(SEAS)
}


class Route(NamedTuple):
    """One place where an army can be carried."""

    army: int
    """The army's unit id after the convoy."""
    fleets: tuple[int, ...]
    """The provinces of the fleets that can take part, ascending."""
    needed: int
    """Mask of the fleets that every chain needs."""


def mask_of(provinces: Iterable[int]) -> int:
    return sum(1 << province for province in provinces)


def provinces_of(mask: int) -> tuple[int, ...]:
    """Return the provinces of a mask, ascending."""
    return tuple(bit.bit_length() - 1 for bit in _bits(mask))


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest
        mask ^= lowest


def connected(start: int, fleets: int) -> int:
    """Return the part of `fleets` that is connected with `start`."""
    reached, edge = 0, start & fleets
    while edge:
        reached |= edge
        grown = 0
        for bit in _bits(edge):
            grown |= _BESIDE[bit]
        edge = grown & fleets & ~reached
    return reached


def has_chain(origin: int, destination: int, fleets: int) -> bool:
    """Return whether the fleets link the two provinces."""
    return bool(connected(SEA_NEIGHBOURS[origin], fleets) & SEA_NEIGHBOURS[destination])


def chain_fleets(origin: int, destination: int, fleets: int) -> int:
    """Return the mask of the fleets that some chain between the two provinces needs; 0 if there is no chain."""
    return _chains(origin, fleets).get(destination, (0, 0))[0]


@lru_cache(maxsize=1 << 16)
def routes(origin: int, fleets: int) -> tuple[Route, ...]:
    """Return the routes by which `fleets` can carry an army in `origin`, by destination."""
    chains = _chains(origin, fleets)
    return tuple(
        Route(_COASTAL_ARMIES[there], provinces_of(chains[there][0]), chains[there][1]) for there in sorted(chains)
    )


@lru_cache(maxsize=1 << 16)
def _chains(origin: int, fleets: int) -> dict[int, tuple[int, int]]:
    """Return destination -> (mask of the fleets on any chain, mask of those on every chain).

    A chain is a path of fleets without shortcuts: only its first lies beside the origin, only its last beside the
    destination, and only neighbours on the path are neighbours at sea.
    """
    routes_by_coast: dict[int, tuple[int, int]] = {}
    first = SEA_NEIGHBOURS[origin]
    walks = [(bit, 0, first) for bit in _bits(first & fleets)]
    while walks:
        last, before, closed = walks.pop()
        path = before | last
        for coast in _COASTS[last]:
            if coast != origin and not SEA_NEIGHBOURS[coast] & before:
                some, every = routes_by_coast.get(coast, (0, -1))
                routes_by_coast[coast] = some | path, every & path
        beside = _BESIDE[last]
        walks += [(bit, path, closed | beside | last) for bit in _bits(beside & fleets & ~closed)]
    return routes_by_coast
