"""How far it is: moves without convoy from unit to province."""

from __future__ import annotations

from functools import cache

from grandstand.games.diplomacy.map import PROVINCES, REACH, UNIT_PROVINCE

NEVER = 99
"""More steps than any way on the map has."""


@cache
def steps(unit: int) -> tuple[int, ...]:
    """Per province, the moves that `unit` needs to get there; NEVER where it cannot."""
    count = [NEVER] * len(PROVINCES)
    count[UNIT_PROVINCE[unit]] = 0
    seen, edge, far = {unit}, [unit], 0
    while edge:
        far += 1
        edge = sorted({there for here in edge for there in REACH[here]} - seen)
        seen.update(edge)
        for there in edge:
            count[UNIT_PROVINCE[there]] = min(count[UNIT_PROVINCE[there]], far)
    return tuple(count)
