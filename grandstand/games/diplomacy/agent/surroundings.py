"""The surroundings of a power's units, for its prompt: neighbouring units and centres, and the nearest open centres."""

from __future__ import annotations

from collections.abc import Mapping

from grandstand.games.diplomacy.rules.map import (
    CENTERS,
    NEIGHBOURS,
    POWERS,
    PROVINCE,
    PROVINCES,
    REACH,
    UNIT,
    UNIT_PROVINCE,
)
from grandstand.games.diplomacy.types import Position

NEAREST = 3
"""Open centres named for each unit."""
LEGEND = """\
Around your units: the neighbours with a centre or a unit in them (* is a centre, with its owner; a unit stands in
brackets), and the nearest centres that are not yours, with the number of moves:"""


def surroundings(power: str, position: Position) -> str:
    """Return one line for each unit of `power`; empty where it has none."""
    units = {PROVINCE[name[2:5]]: (owner, name) for owner, names in position["units"].items() for name in names}
    owners = {PROVINCE[name]: owner for owner, names in position["centers"].items() for name in names}
    lines = [_line(name, power, units, owners) for name in position["units"][power]]
    return "\n".join([LEGEND, *lines]) if lines else ""


def _line(name: str, power: str, units: Mapping[int, tuple[str, str]], owners: Mapping[int, str]) -> str:
    unit = UNIT[name]
    near = [
        _place(province, power, units, owners)
        for province in NEIGHBOURS[UNIT_PROVINCE[unit]]
        if province in CENTERS or province in units
    ]
    open_centers = ", ".join(f"{PROVINCES[center]} {moves}" for center, moves in _nearest(unit, power, owners))
    return f"{name}: {', '.join(near) or 'nothing'} | open: {open_centers or 'none'}"


def _place(province: int, power: str, units: Mapping[int, tuple[str, str]], owners: Mapping[int, str]) -> str:
    """`MUN* GERMANY [A GERMANY]`, `BUR [A own]`, `BEL* nobody`."""
    words = [PROVINCES[province]]
    if province in CENTERS:
        owner = owners.get(province, "nobody")
        words = [f"{PROVINCES[province]}*", "own" if owner == power else owner]
    if province in units:
        owner, name = units[province]
        words.append(f"[{name[0]} {'own' if owner == power else owner}]")
    return " ".join(words)


def _nearest(unit: int, power: str, owners: Mapping[int, str]) -> list[tuple[int, int]]:
    """Return the nearest centres that `power` does not own, and the unit's moves to each on an empty map."""
    reached, edge, moves = {unit}, [unit], 0
    centers: dict[int, int] = {}
    while edge and len(centers) < NEAREST:
        moves += 1
        edge = sorted({there for here in edge for there in REACH[here]} - reached)
        reached.update(edge)
        for there in edge:
            province = UNIT_PROVINCE[there]
            if province in CENTERS and owners.get(province) != power and province != UNIT_PROVINCE[unit]:
                centers.setdefault(province, moves)
    return list(centers.items())[:NEAREST]


def years_text(years: Mapping[str, Mapping[str, int]], most: int) -> str:
    """Return the supply centres of each power at the end of the last `most` years; empty for a single year."""
    last = list(years)[-most:]
    if len(last) < 2:
        return ""
    lines = [f"Centres at the end of {' '.join(last)}:"]
    lines += [f"{power}: {' '.join(str(years[year][power]) for year in last)}" for power in POWERS]
    return "\n".join(lines)
