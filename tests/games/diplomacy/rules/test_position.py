"""Positions as plain data: what is read, what is refused, and how a judge takes orders."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.games.diplomacy.rules.position import PositionError, adjudicate_line, read_state
from grandstand.games.diplomacy.rules.state import State


def line(**fields: Any) -> dict[str, Any]:
    return {"phase": "S1901M", "units": {"FRANCE": ["A PAR", "F BRE"], "GERMANY": ["A MUN"]}} | fields


def test_the_documented_example() -> None:
    done = adjudicate_line(
        line(centers={"FRANCE": ["PAR"]}, orders={"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]})
    )
    assert done["phase"] == "F1901M"
    assert done["units"]["FRANCE"] == ["F BRE", "A PAR"]
    assert done["units"]["ITALY"] == []
    assert done["centers"]["FRANCE"] == ["PAR"]
    assert done["retreats"] == {}
    assert done["results"] == {"A PAR": ["bounce"], "F BRE": [], "A MUN": ["bounce"]}


def test_an_order_that_cannot_be_carried_out_is_void() -> None:
    orders = {"FRANCE": ["A PAR - LON", "F BRE S A PAR - LON", "A MAR H", "A MUN H"], "GERMANY": ["A MUN - BUR"]}
    done = adjudicate_line(line(orders=orders))
    assert done["results"] == {"A PAR": ["void"], "F BRE": ["void"], "A MAR": ["void"], "A MUN": []}
    assert done["units"]["GERMANY"] == ["A BUR"]


def test_a_unit_with_a_void_order_holds_and_can_be_supported() -> None:
    """DATC 6.D.28."""
    units = {"RUSSIA": ["F RUM"], "AUSTRIA": ["A BUD"], "TURKEY": ["F BLA", "A BUL"]}
    orders = {"RUSSIA": ["F RUM - HOL"], "AUSTRIA": ["A BUD S F RUM"], "TURKEY": ["F BLA - RUM", "A BUL S F BLA - RUM"]}
    done = adjudicate_line(line(units=units, orders=orders))
    assert done["results"]["F RUM"] == ["void"]
    assert done["results"]["F BLA"] == ["bounce"]


def test_of_two_orders_the_later_counts() -> None:
    done = adjudicate_line(line(orders={"FRANCE": ["A PAR - BUR", "A PAR - PIC"]}))
    assert "A PIC" in done["units"]["FRANCE"]
    done = adjudicate_line(line(orders={"FRANCE": ["A PAR - LON", "A PAR - PIC"]}))
    assert done["results"]["A PAR"] == []


def test_after_fall_the_year_moves_on_where_nothing_is_to_adjust() -> None:
    start = State.start().to_json()
    assert adjudicate_line({**start, "phase": "F1901M"})["phase"] == "S1902M"
    assert adjudicate_line({**start, "phase": "F1901R"})["phase"] == "S1902M"
    assert adjudicate_line({**start, "phase": "W1901A"})["phase"] == "S1902M"


def test_dislodged_units_may_be_marked_in_units_too() -> None:
    fields = {"units": {"GERMANY": ["A BUR"], "FRANCE": ["*A BUR"]}, "retreats": {"FRANCE": {"A BUR": ["GAS"]}}}
    done = adjudicate_line({"phase": "S1902R", **fields, "orders": {"FRANCE": ["A BUR R GAS"]}})
    assert done["units"]["FRANCE"] == ["A GAS"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"phase": "S1901A"}, "phase: 'S1901A'"),
        ({"phase": None}, "phase: None"),
        ({"units": []}, "units: must be an object"),
        ({"units": None}, "units: is missing"),
        ({"units": {"PERU": []}}, "units.PERU: no such power"),
        ({"units": {"FRANCE": "A PAR"}}, "units.FRANCE: must be a list"),
        ({"units": {"FRANCE": ["A ENG"]}}, r"units.FRANCE\[0\]: 'A ENG' is not a unit"),
        ({"units": {"FRANCE": ["F STP"]}}, r"units.FRANCE\[0\]: 'F STP' is not a unit"),
        ({"units": {"FRANCE": ["A PAR", 7]}}, r"units.FRANCE\[1\]: 7 is not a unit"),
        ({"units": {"FRANCE": ["A BRE", "F BRE"]}}, r"units.FRANCE\[1\]: F BRE and A BRE"),
        ({"centers": {"FRANCE": ["BUR"]}}, r"centers.FRANCE\[0\]: 'BUR' is not a supply centre"),
        ({"centers": {"FRANCE": ["PAR"], "ITALY": ["PAR"]}}, r"centers.ITALY\[0\]: PAR is listed for two"),
        ({"retreats": {"FRANCE": {"A BUR": ["GAS"]}}}, "retreats.FRANCE: there are no retreats in S1901M"),
        ({"phase": "S1901R", "retreats": {"FRANCE": {"A BUR": ["LON"]}}}, "retreats.FRANCE.A BUR: .* 'LON'"),
        ({"phase": "S1901R", "retreats": {"FRANCE": {"A BUR": [["GAS"]]}}}, "retreats.FRANCE.A BUR: .*'GAS'"),
        ({"phase": "S1901R", "retreats": {"FRANCE": {"A SPA": []}, "ITALY": {"F SPA/SC": []}}}, "a second dislodged"),
        ({"phase": "S1901R", "retreats": {"FRANCE": ["A BUR"]}}, "retreats.FRANCE: must be an object"),
        ({"orders": {"FRANCE": ["A PAR - XYZ"]}}, r"orders.FRANCE\[0\]: .*'XYZ'"),
        ({"orders": {"FRANCE": [None]}}, r"orders.FRANCE\[0\]: must be an order"),
        ({"orders": {"FRANCE": {}}}, "orders.FRANCE: must be a list"),
    ],
)
def test_a_line_that_cannot_be_read_names_the_field(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(PositionError, match=message):
        adjudicate_line(line(**fields))


def test_a_line_is_an_object() -> None:
    with pytest.raises(PositionError, match="line: must be an object"):
        adjudicate_line([])  # type: ignore[arg-type]


def test_missing_fields_are_empty() -> None:
    state = read_state({"phase": "F1903M", "units": {"ITALY": None}})
    assert (state.units, state.centers, state.dislodged) == ({}, {}, {})


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["A PAR", "A PAR - BUR", "GAS", "PAR", "FRANCE", "", "*A BUR"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["FRANCE", "A BUR", "x"]), inner, max_size=3)
    ),
)


@given(
    st.fixed_dictionaries(
        {"phase": st.sampled_from(["S1901M", "F1901R", "W1901A", "X", 3])},
        optional=dict.fromkeys(("units", "retreats", "centers", "orders"), JSON),
    )
)
def test_any_data_is_adjudicated_or_refused(data: dict[str, Any]) -> None:
    with suppress(PositionError):
        assert set(adjudicate_line(data)) == {"phase", "units", "retreats", "centers", "results"}
