"""The map's tables. The moves themselves are held against the oracle in test_oracle.py."""

from __future__ import annotations

import subprocess
import sys

from grandstand.games.diplomacy.rules.map import (
    ANY_COAST,
    CENTERS,
    HOMES,
    NEIGHBOURS,
    POWERS,
    PROVINCES,
    REACH,
    SEAS,
    START_UNITS,
    UNIT,
    UNIT_PROVINCE,
    UNITS,
)


def test_the_counts_of_the_standard_map() -> None:
    assert len(PROVINCES) == 75
    assert len(SEAS) == 19
    assert len(CENTERS) == 34
    assert [len(homes) for homes in HOMES] == [3, 3, 3, 3, 3, 4, 3]
    assert ANY_COAST == 120
    assert sum(map(len, REACH)) == 504


def test_units_stand_in_the_order_of_their_provinces() -> None:
    assert list(UNIT_PROVINCE[:ANY_COAST]) == sorted(UNIT_PROVINCE[:ANY_COAST])
    assert UNITS[ANY_COAST:] == ("F BUL", "F SPA", "F STP")


def test_borders_go_both_ways() -> None:
    assert all(unit in REACH[there] for unit in range(ANY_COAST) for there in REACH[unit])
    assert all(here in NEIGHBOURS[there] for here in range(75) for there in NEIGHBOURS[here])


def test_coasts_are_kept_apart() -> None:
    assert UNIT["F MAO"] in REACH[UNIT["F SPA/NC"]]
    assert UNIT["F LYO"] not in REACH[UNIT["F SPA/NC"]]
    assert UNIT["F SPA/SC"] not in REACH[UNIT["F SPA/NC"]]
    assert "F SPA" not in {UNITS[there] for reach in REACH for there in reach}


def test_every_starting_unit_exists_in_a_home() -> None:
    for power, names in START_UNITS.items():
        assert {UNIT_PROVINCE[UNIT[name]] for name in names} == set(HOMES[POWERS.index(power)])


def test_the_tables_are_built_fast() -> None:
    """A fresh process needs less than 30 ms of its own time for the map and the orders."""
    measure = (
        "from time import process_time as now; import csv, functools, pathlib; start = now();"
        "import grandstand.games.diplomacy.rules.map; print(now() - start)"
    )
    code = "import sys, types; sys.modules['grandstand.games.diplomacy'] = types.ModuleType('p');"
    code += "sys.modules['grandstand.games.diplomacy'].__path__ = ['grandstand/games/diplomacy'];" + measure
    took = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(3)
    ]
    assert min(took) < 0.03
