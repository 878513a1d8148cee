"""Winter. Most cases stand in test_datc.py (6.I and 6.J)."""

from __future__ import annotations

from typing import Any

from grandstand.games.diplomacy.rules.adjustments import distances
from grandstand.games.diplomacy.rules.map import NEIGHBOURS, PROVINCE, PROVINCES
from grandstand.games.diplomacy.rules.position import adjudicate_line, read_state


def winter(units: dict[str, list[str]], centers: dict[str, list[str]], **orders: list[str]) -> dict[str, Any]:
    return adjudicate_line({"phase": "W1901A", "units": units, "centers": centers, "orders": orders})


def test_distances_are_steps_over_land_and_sea() -> None:
    for here in range(len(PROVINCES)):
        steps = distances(here)
        assert steps[here] == 0
        assert all(abs(steps[a] - steps[b]) <= 1 for a in range(len(PROVINCES)) for b in NEIGHBOURS[a])
    assert distances(PROVINCE["GRE"])[PROVINCE["NAP"]] == 2


def test_builds_are_no_more_than_vacant_homes() -> None:
    centers = {"FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR", "BEL"]}
    state = read_state({"phase": "W1901A", "units": {"FRANCE": ["A PAR", "A BRE"]}, "centers": centers})
    assert state.counts == {2: 1}


def test_waives_and_missing_builds() -> None:
    centers = {"FRANCE": ["PAR", "BRE", "MAR"]}
    done = winter({}, centers, FRANCE=["WAIVE", "A PAR B", "WAIVE", "F BRE B"])
    assert done["units"]["FRANCE"] == ["A PAR"]
    assert done["results"] == {"A PAR": [], "F BRE": ["void"]}
    assert winter({}, centers)["units"]["FRANCE"] == []


def test_civil_disorder_takes_the_farthest_then_fleets_then_by_name() -> None:
    done = winter({"FRANCE": ["A MOS", "A SPA", "F SPA"][:2]}, {"FRANCE": ["PAR"]})
    assert done["units"]["FRANCE"] == ["A SPA"]
    assert done["results"] == {"A MOS": ["disband"]}
    done = winter({"FRANCE": ["A BUR", "F PIC", "A GAS"]}, {"FRANCE": ["PAR"]})
    assert done["units"]["FRANCE"] == ["A GAS"]
    assert done["results"] == {"F PIC": ["disband"], "A BUR": ["disband"]}


def test_a_power_without_centres_loses_all() -> None:
    done = winter({"ITALY": ["A ROM", "F ION"], "FRANCE": ["A TUN"]}, {"FRANCE": ["TUN"]})
    assert done["units"]["ITALY"] == []
    assert done["phase"] == "S1902M"
