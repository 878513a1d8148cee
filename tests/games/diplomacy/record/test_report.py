"""Resolved phases as the page sees them."""

from __future__ import annotations

from grandstand.games.diplomacy.record.report import centers_changed, orders_resolved, position
from grandstand.games.diplomacy.rules.map import PROVINCE
from grandstand.games.diplomacy.rules.position import read_orders, read_state
from grandstand.games.diplomacy.rules.state import State

UNITS = {"FRANCE": ["A PAR", "A MAR", "F BRE"], "GERMANY": ["A BUR"], "ENGLAND": ["A LON", "F ENG", "A PIC"]}
ORDERS = {
    "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"],
    "ENGLAND": ["A LON - BRE", "F ENG C A LON - BRE"],
}


def test_what_a_page_needs_to_draw_an_order() -> None:
    state = read_state({"phase": "S1901M", "units": UNITS})
    report = orders_resolved(state.resolve(read_orders(state, {"orders": ORDERS}).orders))
    assert report.phase == "S1901M"
    by_unit = {order["unit"]: order for orders in report.orders.values() for order in orders}
    assert by_unit == {
        "A PAR": {"order": "A PAR - BUR", "kind": "move", "unit": "A PAR", "from": "PAR", "to": "BUR", "results": []},
        "A MAR": {
            "order": "A MAR S A PAR - BUR",
            "kind": "support",
            "unit": "A MAR",
            "from": "MAR",
            "target": "A PAR",
            "to": "BUR",
            "results": [],
        },
        "F BRE": {"order": "F BRE - MAO", "kind": "move", "unit": "F BRE", "from": "BRE", "to": "MAO", "results": []},
        "A BUR": {
            "order": "A BUR H",
            "kind": "hold",
            "unit": "A BUR",
            "from": "BUR",
            "results": ["dislodged"],
            "dislodged_by": "PAR",
        },
        "A LON": {
            "order": "A LON - BRE VIA",
            "kind": "move",
            "unit": "A LON",
            "from": "LON",
            "to": "BRE",
            "via": True,
            "results": [],
        },
        "F ENG": {
            "order": "F ENG C A LON - BRE",
            "kind": "convoy",
            "unit": "F ENG",
            "from": "ENG",
            "target": "A LON",
            "to": "BRE",
            "results": [],
        },
        "A PIC": {"order": "A PIC H", "kind": "hold", "unit": "A PIC", "from": "PIC", "results": []},
    }


def test_winter_tells_builds_waives_and_civil_disorder() -> None:
    centers = {"FRANCE": ["PAR", "BRE"], "ITALY": ["ROM"]}
    state = read_state({"phase": "W1905A", "units": {"ITALY": ["A ROM", "F MAO"]}, "centers": centers})
    assert position(state)["builds"] == {"FRANCE": 2, "ITALY": -1}
    book = read_orders(state, {"orders": {"FRANCE": ["A PAR B"]}})
    report = orders_resolved(state.resolve(book.orders), {2: 1})
    assert [order["order"] for order in report.orders["FRANCE"]] == ["A PAR B", "WAIVE"]
    assert report.orders["ITALY"] == [
        {"order": "F MAO D", "kind": "disband", "unit": "F MAO", "from": "MAO", "results": ["disband"]}
    ]


def test_captures() -> None:
    before = State.start()
    after = State(1902, 0, before.units, {}, before.centers | {PROVINCE["BEL"]: 2, PROVINCE["MUN"]: 2})
    changed = centers_changed(before, after)
    assert changed is not None
    assert {"center": "BEL", "from": None, "to": "FRANCE"} in changed.captured
    assert {"center": "MUN", "from": "GERMANY", "to": "FRANCE"} in changed.captured
    assert len(changed.captured) == 2
    assert changed.counts["FRANCE"] == 5
    assert changed.counts["GERMANY"] == 2
    assert centers_changed(before, before) is None


def test_a_dislodged_unit_with_nowhere_to_go_is_told_of() -> None:
    """At once where nobody has a retreat to choose; else with the retreats, where it is listed without a place."""
    units = {
        "AUSTRIA": ["A TRI"],
        "ITALY": ["A TYR", "A VEN"],
        "ENGLAND": ["A ALB", "A SER", "A BUD", "A VIE", "F ADR"],
    }
    state = read_state({"phase": "S1901M", "units": units})
    orders = {"ITALY": ["A TYR - TRI", "A VEN S A TYR - TRI"], "AUSTRIA": ["A TRI - VIE"]}
    played = state.resolve(read_orders(state, {"orders": orders}).orders)
    (lost,) = orders_resolved(played).orders["AUSTRIA"]
    assert (lost["results"], lost["dislodged_by"]) == (["bounce", "dislodged", "disband"], "TYR")
    assert played.after.name == "F1901M"

    state = read_state({"phase": "S1901M", "units": units | {"FRANCE": ["A GAS"], "GERMANY": ["A PAR", "A BUR"]}})
    orders |= {"GERMANY": ["A PAR - GAS", "A BUR S A PAR - GAS"]}
    played = state.resolve(read_orders(state, {"orders": orders}).orders)
    (listed,) = orders_resolved(played).orders["AUSTRIA"]
    assert listed["results"] == ["bounce", "dislodged"]
    assert played.after.name == "S1901R"
    (lost,) = orders_resolved(played.after.resolve({})).orders["AUSTRIA"]
    assert (lost["order"], lost["results"]) == ("A TRI D", ["disband"])
