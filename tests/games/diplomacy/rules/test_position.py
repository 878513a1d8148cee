"""Positions as plain data: what is read, what is refused, and how a judge takes orders."""

from __future__ import annotations

from contextlib import suppress
from itertools import cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.games.base import OptionError
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots import BOTS
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.rules.position import PositionError, adjudicate_line, read_state
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.match import Match


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


FALL = {
    "phase": "F1905M",
    "units": {"FRANCE": ["A BUR", "F MAO"], "GERMANY": ["A MUN", "A RUH"]},
    "centers": {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN", "BER", "KIE"]},
}
RETREAT = {
    "phase": "S1905R",
    "units": {"GERMANY": ["A BUR", "A MUN"], "FRANCE": ["A PAR"]},
    "retreats": {"FRANCE": {"A BUR": ["GAS", "PIC"]}},
    "centers": {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "BER"]},
}
WINTER = {
    "phase": "W1904A",
    "units": {"TURKEY": ["A CON", "F AEG"], "RUSSIA": ["A SEV", "A MOS"]},
    "centers": {"TURKEY": ["CON", "ANK", "SMY", "BUL"], "RUSSIA": ["SEV", "MOS"]},
}


def match(start: Any, **options: Any) -> Match[DiplomacyGame]:
    return Match(GAME, {"start": start, **options}, 1)


@pytest.mark.parametrize("start", [FALL, RETREAT, WINTER], ids=["fall", "retreats", "winter"])
def test_a_match_begins_in_the_position(start: dict[str, Any]) -> None:
    begun = match(start)
    assert begun.game.turn == start["phase"]
    (opening,) = begun.game.opening()
    state = opening.state  # type: ignore[attr-defined]
    for power, units in start["units"].items():
        assert sorted(state["units"][power]) == sorted(units)
    assert state["retreats"] == start.get("retreats", {})
    assert {power for power, owned in state["centers"].items() if owned} == start["centers"].keys()
    assert set(begun.waiting) <= start["centers"].keys()
    restored = GAME.rules.load(begun.game.to_json())
    assert restored.digest() == begun.game.digest()
    assert begun.fork().game.digest() == begun.game.digest()


def test_an_option_that_is_not_used_changes_nothing() -> None:
    plain, none = Match(GAME, {}, 1), match(None)
    assert plain.game.digest() == none.game.digest()
    assert "start" not in plain.game.to_json()["options"]


@pytest.mark.few(7)
@pytest.mark.parametrize(("bot", "start"), list(zip(BOTS, cycle([FALL, RETREAT, WINTER]))), ids=BOTS)
def test_built_in_players_play_from_it_to_the_end(bot: str, start: dict[str, Any]) -> None:
    played = match(start, last_year=1907)
    while not played.over:
        for seat in played.waiting:
            played.apply(seat, BOTS[bot](played.game, seat, played.rng(seat)))
    assert played.game.outcome is not None
    assert played.game.outcome.winners


def changed(**fields: Any) -> dict[str, Any]:
    return {**FALL, **fields}


@pytest.mark.parametrize(
    ("start", "error"),
    [
        (5, "start: must be an object with phase, units, retreats, centers, not int"),
        ("S1901M", "start: must be an object"),
        (["A PAR"], "start: must be one value"),
        ({}, "start.centers: is missing"),
        (changed(units=None), "start.units: is missing"),
        (changed(orders={}), "start.orders: a position has phase, units, retreats, centers; leave this out"),
        (changed(phase="1905"), "start.phase: '1905' is not a phase such as 'S1901M'"),
        (changed(phase="S1925M"), "start.phase: S1925M is not in the years 1901 to 1920; see last_year"),
        (changed(phase="S1900M"), "start.phase: S1900M is not in the years 1901 to 1920"),
        (changed(phase="F1905R"), "start.phase: nobody has anything to order in F1905R"),
        (changed(units={"FRANCE": ["A XYZ"]}), "start.units.FRANCE[0]: 'A XYZ' .*: there is no province XYZ"),
        (changed(units={"FRANCE": ["A NTH"]}), "start.units.FRANCE[0]: 'A NTH' .*: an army cannot stand in NTH"),
        (changed(units={"FRANCE": ["F MUN"]}), "start.units.FRANCE[0]: 'F MUN' .*: a fleet cannot stand in MUN"),
        (changed(units={"FRANCE": ["F STP"]}), "start.units.FRANCE[0]: 'F STP' .*: name the coast, F STP/NC or"),
        (changed(units={"BURGUNDY": ["A BUR"]}), "start.units.BURGUNDY: no such power"),
        (changed(units={"FRANCE": ["A BUR"], "GERMANY": ["A BUR"]}), "start.units.GERMANY[0]: .* the same province"),
        (changed(units={"FRANCE": ["A BUR", "A GAS", "A PIC"]}), "start.units.FRANCE: 3 units for 2 supply centres"),
        (changed(units={"FRANCE": ["A BUR"] * 40}), "start.units.FRANCE: has 40 entries; 34 are the most"),
        (changed(units={"FRANCE": ["A BUR", "*" + "A" * 99]}), "start.units.FRANCE: .AAAAAAAA… is no unit and no"),
        (changed(centers={"FRANCE": ["BUR"]}), "start.centers.FRANCE[0]: 'BUR' is not a supply centre"),
        (changed(centers={"FRANCE": ["PAR"], "ITALY": ["PAR"]}), "start.centers.ITALY[0]: PAR is listed for two"),
        ({**WINTER, "units": {"TURKEY": ["A SEV"]}}, "start.centers.TURKEY: must have SEV"),
        ({**RETREAT, "units": {"GERMANY": ["A MUN"]}}, "start.retreats.FRANCE.A BUR: no unit of another power"),
        (
            {**RETREAT, "retreats": {"FRANCE": {"A BUR": ["PAR"]}}},
            "start.retreats.FRANCE.A BUR: PAR is occupied",
        ),
        (changed(retreats={"FRANCE": {"A BUR": ["PAR"]}}), "start.retreats.FRANCE: there are no retreats in F1905M"),
        ({**RETREAT, "retreats": {"FRANCE": {"A BUR": ["GAS"] * 99}}}, "start.retreats.FRANCE: has 99 entries"),
    ],
)  # fmt: skip
def test_what_is_no_beginning_is_refused_by_name(start: Any, error: str) -> None:
    pattern = "options." + error.replace("[", r"\[").replace("]", r"\]")
    with pytest.raises(OptionError, match=pattern):
        match(start)


def test_a_finished_position_is_refused() -> None:
    owned = [center for owner in FULL.values() for center in owner][:18]
    with pytest.raises(OptionError, match=r"start\.centers\.FRANCE: with 18 supply centres the match would be over"):
        match(changed(units={"FRANCE": ["A PAR"]}, centers={"FRANCE": owned}))


def test_an_error_has_a_bounded_length() -> None:
    with pytest.raises(OptionError) as caught:
        match(changed(units={"FRANCE": ["A" * 100_000]}))
    assert len(str(caught.value)) < 400


FULL = {
    "AUSTRIA": ["BUD", "TRI", "VIE"],
    "ENGLAND": ["EDI", "LON", "LVP"],
    "FRANCE": ["BRE", "MAR", "PAR"],
    "GERMANY": ["BER", "KIE", "MUN"],
    "ITALY": ["NAP", "ROM", "VEN"],
    "RUSSIA": ["MOS", "SEV", "STP"],
}
