"""The provinces to which dislodged units may retreat."""

from __future__ import annotations

from typing import Any

from grandstand.games.diplomacy.rules.position import adjudicate_line


def movement(units: dict[str, list[str]], orders: dict[str, list[str]]) -> dict[str, Any]:
    return adjudicate_line({"phase": "S1901M", "units": units, "centers": {}, "orders": orders})


def retreat(after: dict[str, Any], orders: dict[str, list[str]]) -> dict[str, Any]:
    assert after["phase"] == "S1901R"
    return adjudicate_line({**after, "orders": orders})


def test_no_support_helps_a_retreat() -> None:
    """DATC 6.H.1."""
    after = movement(
        {"AUSTRIA": ["F TRI", "A SER"], "TURKEY": ["F GRE"], "ITALY": ["A VEN", "A TYR", "F ION", "F AEG"]},
        {"ITALY": ["A VEN S A TYR - TRI", "A TYR - TRI", "F ION - GRE", "F AEG S F ION - GRE"]},
    )
    done = retreat(after, {"AUSTRIA": ["F TRI - ALB", "A SER S F TRI - ALB"], "TURKEY": ["F GRE - ALB"]})
    assert done["units"]["AUSTRIA"] == ["A SER"]
    assert done["units"]["TURKEY"] == []
    assert done["results"]["F TRI"] == done["results"]["F GRE"] == ["bounce", "disband"]


def test_no_retreating_unit_supports() -> None:
    """DATC 6.H.2."""
    after = movement(
        {
            "ENGLAND": ["A LVP", "F YOR", "F NWY"],
            "GERMANY": ["A KIE", "A RUH"],
            "RUSSIA": ["F EDI", "A SWE", "A FIN", "F HOL"],
        },
        {
            "ENGLAND": ["A LVP - EDI", "F YOR S A LVP - EDI"],
            "GERMANY": ["A KIE S A RUH - HOL", "A RUH - HOL"],
            "RUSSIA": ["A SWE S A FIN - NWY", "A FIN - NWY"],
        },
    )
    done = retreat(after, {"ENGLAND": ["F NWY - NTH"], "RUSSIA": ["F EDI - NTH", "F HOL S F EDI - NTH"]})
    assert done["units"]["RUSSIA"] == ["A NWY", "A SWE"]
    assert done["results"]["F HOL"] == ["void", "disband"]


def test_no_convoy_carries_a_retreat() -> None:
    """DATC 6.H.3."""
    after = movement(
        {"ENGLAND": ["F NTH", "A HOL"], "GERMANY": ["F KIE", "A RUH"]},
        {"GERMANY": ["F KIE S A RUH - HOL", "A RUH - HOL"]},
    )
    done = retreat(after, {"ENGLAND": ["A HOL - YOR", "F NTH C A HOL - YOR"]})
    assert done["units"]["ENGLAND"] == ["F NTH"]
    assert done["results"]["A HOL"] == ["void", "disband"]


def test_an_attacker_from_the_sea_leaves_its_origin_open() -> None:
    """DATC 6.H.11, and the oracle's fault B2: the origin is open, a province with a standoff is not."""
    after = movement(
        {
            "FRANCE": ["A GAS", "A BUR", "F MAO", "F WES", "F LYO"],
            "ITALY": ["A MAR", "A PIE"],
            "GERMANY": ["A TYR", "A TUS"],
        },
        {
            "FRANCE": [
                "A GAS - MAR VIA",
                "A BUR S A GAS - MAR",
                "F MAO C A GAS - MAR",
                "F WES C A GAS - MAR",
                "F LYO C A GAS - MAR",
            ],
            "ITALY": ["A PIE - VEN"],
            "GERMANY": ["A TYR - PIE", "A TUS - PIE"],
        },
    )
    assert after["retreats"] == {"ITALY": {"A MAR": ["GAS", "SPA"]}}


def test_a_unit_without_a_way_out_is_listed_where_another_has_one() -> None:
    after = movement(
        {
            "FRANCE": ["A PAR", "A BUR", "A PIC", "A GAS"],
            "GERMANY": ["F BRE", "A SIL"],
            "RUSSIA": ["A WAR", "A GAL", "F ENG", "F MAO"],
        },
        {"FRANCE": ["A PAR - BRE", "A GAS S A PAR - BRE"], "RUSSIA": ["A WAR - SIL", "A GAL S A WAR - SIL"]},
    )
    assert after["retreats"]["GERMANY"] == {"F BRE": [], "A SIL": ["BER", "BOH", "MUN", "PRU"]}
    assert retreat(after, {})["units"]["GERMANY"] == []


def test_a_phase_in_which_nobody_can_retreat_is_passed_over() -> None:
    after = movement(
        {"FRANCE": ["A PAR", "A GAS", "A PIC"], "GERMANY": ["F BRE"], "RUSSIA": ["F ENG", "F MAO"]},
        {"FRANCE": ["A PAR - BRE", "A GAS S A PAR - BRE"]},
    )
    assert after["phase"] == "F1901M"
    assert after["retreats"] == {}
    assert after["results"]["F BRE"] == ["dislodged", "disband"]
