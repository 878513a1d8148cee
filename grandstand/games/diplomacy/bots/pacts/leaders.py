"""A leader whom the others have to stop together, and the lines of places that stop one."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.games.diplomacy.rules.map import POWER, PROVINCE, REACH_PROVINCES
from grandstand.games.diplomacy.rules.state import State

MENACE = 11
"""Centres from which the largest power is a menace to all others."""
LATE = 13
"""The same in the eyes of those who are loyal to nobody."""

_WEST = tuple(PROVINCE[place] for place in ("MAO", "MAR", "MUN", "BER", "STP"))
_EAST = tuple(PROVINCE[place] for place in ("ION", "VEN", "VIE", "WAR", "MOS"))
LINES = {POWER[power]: _EAST for power in ("ENGLAND", "FRANCE", "GERMANY")} | {
    POWER[power]: _WEST for power in ("AUSTRIA", "ITALY", "RUSSIA", "TURKEY")
}
"""Leader -> the places that end its advance if the others hold them: it has at most 17 centres behind such a line."""


def menace(centers: Sequence[int], least: int = MENACE) -> int | None:
    """Return the power with most centres, if it has so many that the others have to stop it."""
    first = max(range(len(centers)), key=centers.__getitem__)
    return first if centers[first] >= least else None


def line_against(state: State, leader: int) -> list[int]:
    """Return the places of the line against a leader that it does not hold."""
    return [
        place
        for place in LINES[leader]
        if state.centers.get(place) != leader and state.units.get(place, (None,))[0] != leader
    ]


def place_of(state: State, power: int, line: Sequence[int]) -> int | None:
    """Return the place of a line that a power holds or can reach, the ones that it stands in first."""
    units = {at: unit for at, (owner, unit) in state.units.items() if owner == power}
    held = [place for place in line if place in units]
    near = [place for place in line if any(place in REACH_PROVINCES[unit] for unit in units.values())]
    return next(iter((*held, *near)), None)
