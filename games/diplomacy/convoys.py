"""Where a chain of fleets can carry an army. Sets of sea provinces are bit masks: bit p is province p.

A fleet takes part in a convoy if it lies on a chain that visits no fleet twice. Listing the chains explodes in
crowded seas; taking away one fleet at a time gives the same sets (Menger's theorem) in polynomial time.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from games.diplomacy.map import ANY_COAST, IS_FLEET, NEIGHBOURS, SEAS, UNIT_PROVINCE

_ALL_SEAS = sum(1 << sea for sea in SEAS)
SEA_NEIGHBOURS = tuple(sum(1 << near for near in neighbours) & _ALL_SEAS for neighbours in NEIGHBOURS)
"""Per province, the mask of the sea provinces beside it."""
_BESIDE = {1 << sea: SEA_NEIGHBOURS[sea] for sea in SEAS}
_COASTAL_ARMIES = tuple(
    (unit, SEA_NEIGHBOURS[UNIT_PROVINCE[unit]])
    for unit in range(ANY_COAST)
    if not IS_FLEET[unit] and SEA_NEIGHBOURS[UNIT_PROVINCE[unit]]
)


class Route(NamedTuple):
    """One place where an army can be carried."""

    army: int
    """The army's unit id after the convoy."""
    fleets: tuple[int, ...]
    """The provinces of the fleets that can take part, ascending."""
    needed: int
    """Mask of the fleets without which no chain is left."""


def mask_of(provinces: Iterable[int]) -> int:
    return sum(1 << province for province in provinces)


def provinces_of(mask: int) -> tuple[int, ...]:
    """The provinces of a mask, ascending."""
    provinces = []
    while mask:
        lowest = mask & -mask
        provinces.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(provinces)


def connected(start: int, fleets: int) -> int:
    """The part of `fleets` that hangs together with `start`."""
    reached, edge = 0, start & fleets
    while edge:
        reached |= edge
        grown = 0
        while edge:
            lowest = edge & -edge
            grown |= _BESIDE[lowest]
            edge ^= lowest
        edge = grown & fleets & ~reached
    return reached


def has_chain(origin: int, destination: int, fleets: int) -> bool:
    """Whether the fleets link the two provinces."""
    return bool(connected(SEA_NEIGHBOURS[origin], fleets) & SEA_NEIGHBOURS[destination])


@lru_cache(maxsize=1 << 16)
def chain_fleets(origin: int, destination: int, fleets: int) -> int:
    """Mask of the fleets that lie on some chain between the two provinces; 0 where there is none."""
    first, last = SEA_NEIGHBOURS[origin], SEA_NEIGHBOURS[destination]
    useful = connected(first, fleets) & connected(last, fleets)
    for fleet in provinces_of(useful):
        without = fleets & ~(1 << fleet)
        useful &= connected(first | last, without) | 1 << fleet
    return useful


@lru_cache(maxsize=1 << 16)
def routes(origin: int, fleets: int) -> tuple[Route, ...]:
    """Everywhere that an army in `origin` can be carried by `fleets`."""
    cuts = [(1 << fleet, connected(SEA_NEIGHBOURS[origin], fleets & ~(1 << fleet))) for fleet in provinces_of(fleets)]
    found = []
    for army, beside in _COASTAL_ARMIES:
        if beside & fleets and UNIT_PROVINCE[army] != origin:
            useful = chain_fleets(origin, UNIT_PROVINCE[army], fleets)
            if not useful:
                continue
            needed = sum(fleet for fleet, rest in cuts if not rest & beside)
            found.append(Route(army, provinces_of(useful), needed))
    return tuple(found)
