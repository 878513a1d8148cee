"""Distances: the number of moves without convoy from a unit to a province."""

from __future__ import annotations

from functools import cache

from grandstand.games.diplomacy.rules.map import PROVINCES, REACH, UNIT_PROVINCE

NEVER = 99
"""More steps than any path on the map has."""


@cache
def steps(unit: int) -> tuple[int, ...]:
    """Return per province the number of moves that `unit` needs to get there; NEVER if it cannot."""
    count = [NEVER] * len(PROVINCES)
    count[UNIT_PROVINCE[unit]] = 0
    reached, edge, far = {unit}, [unit], 0
    while edge:
        far += 1
        edge = sorted({there for here in edge for there in REACH[here]} - reached)
        reached.update(edge)
        for there in edge:
            count[UNIT_PROVINCE[there]] = min(count[UNIT_PROVINCE[there]], far)
    return tuple(count)
