"""The standard map as tables over small integers, built once at import from `data/*.csv`.

Three kinds of id, each an index into a tuple of names:

- *power* 0..6: `POWERS[5] == "RUSSIA"`;
- *province* 0..74 in alphabetical order: `PROVINCES[48] == "PAR"`;
- *unit* 0..119: a kind of unit on a place where it can stand, coast included: `UNITS[u] == "F STP/SC"`. Units are in
  the order of their provinces. Three more, `F BUL`, `F SPA` and `F STP` (`ANY_COAST`), never stand on the board: they
  name the destination of a supported fleet whose coast was left out.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path

POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
POWER = {name: power for power, name in enumerate(POWERS)}

START_YEAR = 1901
START_UNITS = {
    "AUSTRIA": ("A BUD", "F TRI", "A VIE"),
    "ENGLAND": ("F EDI", "F LON", "A LVP"),
    "FRANCE": ("F BRE", "A MAR", "A PAR"),
    "GERMANY": ("A BER", "F KIE", "A MUN"),
    "ITALY": ("F NAP", "A ROM", "A VEN"),
    "RUSSIA": ("A MOS", "F SEV", "F STP/SC", "A WAR"),
    "TURKEY": ("F ANK", "A CON", "A SMY"),
}
IMPASSABLE = {"SWI": "Switzerland"}


def _rows(name: str) -> list[dict[str, str]]:
    with (Path(__file__).parents[1] / "data" / name).open(encoding="utf-8", newline="") as lines:
        return [
            row
            for row in csv.DictReader(lines, skipinitialspace=True)
            if row.get("short_name", "").upper() not in IMPASSABLE
        ]


def _location(region: str) -> str:
    """Return the notation of a region of the data: `stp(sc)` is `STP/SC`."""
    return region.upper().replace("(", "/").rstrip(")")


_PROVINCE_ROWS = sorted(_rows("provinces.csv"), key=lambda row: row["short_name"])
PROVINCES = tuple(row["short_name"].upper() for row in _PROVINCE_ROWS)
PROVINCE = {name: province for province, name in enumerate(PROVINCES)}
PROVINCE_NAMES = tuple(row["full_name"] for row in _PROVINCE_ROWS)
CENTERS = tuple(PROVINCE[row["short_name"].upper()] for row in _PROVINCE_ROWS if row["supply_center_for"])
"""The 34 supply centres."""

_POWER_OF = {name[:3]: power for name, power in POWER.items()}
HOMES: tuple[tuple[int, ...], ...] = tuple(
    tuple(
        PROVINCE[row["short_name"].upper()]
        for row in _PROVINCE_ROWS
        if _POWER_OF.get(row["supply_center_for"]) == power
    )
    for power in range(len(POWERS))
)
"""Per power, its home supply centres."""

_BORDERS = [(_location(row["region 1"]), _location(row["region 2"]), row["terrain"]) for row in _rows("borders.csv")]
_TERRAIN = {row["province"].upper(): row["terrain"] for row in _rows("regions.csv") if not row["coast"]}
SEAS = frozenset(PROVINCE[name] for name in PROVINCES if _TERRAIN[name] == "sea")
"""The sea provinces: those where a fleet can convoy."""


def _unit_names() -> tuple[str, ...]:
    """Return every unit that the map allows, in the order of the provinces, then the three coastless fleets."""
    floats = {place for a, b, terrain in _BORDERS if terrain != "land" for place in (a, b)}
    armies = [f"A {name}" for name in PROVINCES if _TERRAIN[name] != "sea"]
    fleets = [f"F {place}" for place in floats]
    coastless = sorted({name[:5] for name in fleets if "/" in name})
    return (*sorted(armies + fleets, key=lambda unit: (unit[2:5], unit)), *coastless)


UNITS = _unit_names()
UNIT = {name: unit for unit, name in enumerate(UNITS)}
ANY_COAST = 120
"""Units from here on are fleets whose coast was left out."""
UNIT_PROVINCE = tuple(PROVINCE[name[2:5]] for name in UNITS)
IS_FLEET = tuple(name[0] == "F" for name in UNITS)


def _reach() -> tuple[tuple[int, ...], ...]:
    reach: dict[int, set[int]] = defaultdict(set)
    for a, b, terrain in _BORDERS:
        for kind in {"land": "A", "sea": "F", "coast": "AF"}[terrain]:
            here, there = UNIT[f"{kind} {a}"], UNIT[f"{kind} {b}"]
            reach[here].add(there)
            reach[there].add(here)
    return tuple(tuple(sorted(reach[unit])) for unit in range(len(UNITS)))


REACH = _reach()
"""For each unit, the units that it becomes by a move without convoy, in ascending order."""
REACH_PROVINCES = tuple(frozenset(UNIT_PROVINCE[there] for there in reach) for reach in REACH)
"""For each unit, the provinces that it can move to, and so can support into."""


def _neighbours() -> tuple[tuple[int, ...], ...]:
    near: dict[int, set[int]] = defaultdict(set)
    for unit, reach in enumerate(REACH_PROVINCES):
        near[UNIT_PROVINCE[unit]] |= reach
    return tuple(tuple(sorted(near[province])) for province in range(len(PROVINCES)))


NEIGHBOURS = _neighbours()
"""For each province, the provinces that some unit can reach from it."""
