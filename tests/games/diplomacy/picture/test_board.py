"""The map of a moment: owners, centres, units and orders where they are."""

from __future__ import annotations

import re
from typing import Any

from grandstand.games.diplomacy.picture import COLOURS, WASHES
from grandstand.games.diplomacy.picture.board import picture
from grandstand.games.diplomacy.picture.map import beside, places
from grandstand.games.picture import Scene, Thing
from tests.support.play.recordings import recorded, scene_until
from tests.support.source import ROOT

PALETTE = ROOT / "frontend" / "src" / "boards" / "diplomacy" / "map" / "palette.ts"

STATE = {
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR", "F STP/NC"], "TURKEY": ["F BLA"]},
    "retreats": {"ITALY": {"A VEN": ["ROM"]}},
    "centers": {"FRANCE": ["PAR", "STP"], "TURKEY": ["CON"]},
}
SCENE: Scene = [("PhaseAdvanced", {"phase": "S1901M", "state": STATE})]


def order(kind: str, place: str, *results: str, **more: str) -> Any:
    return {"order": f"{kind} {place}", "kind": kind, "from": place, "results": list(results), **more}


def ways(*orders: Any) -> list[Thing]:
    scene = [("OrdersResolved", {"phase": "S1901M", "orders": {"FRANCE": list(orders)}})]
    return [thing for thing in picture(scene).things if thing.owner == "FRANCE"]


def test_powers_are_as_on_the_page() -> None:
    text = PALETTE.read_text(encoding="utf-8")
    pattern = r"([A-Z]+): \{ wash: 'light-dark\((#\w+), \S+\)', strong: 'light-dark\((#\w+), (#\w+)\)"
    rows = re.findall(pattern, text)
    assert {power: wash for power, wash, _, _ in rows} == WASHES
    assert {power: (light, dark) for power, _, light, dark in rows} == COLOURS


def test_each_land_has_its_owner_and_no_sea_has_one() -> None:
    owners = {place.id: place.owner for place in picture(SCENE).places}
    assert (owners["PAR"], owners["CON"], owners["MUN"], owners["BUR"]) == ("FRANCE", "TURKEY", "", "FRANCE")
    assert owners["BLA"] == ""


def test_units_stand_at_their_coast_and_dislodged_ones_beside() -> None:
    units = {thing.name: thing for thing in picture(SCENE).things if thing.symbol}
    assert [(name, thing.at, thing.state) for name, thing in units.items()] == [
        ("A PAR", "PAR", ""),
        ("F STP/NC", "STP/NC", ""),
        ("F BLA", "BLA", ""),
        ("A VEN, dislodged", beside("VEN"), "failed"),
    ]
    assert units["A PAR"].symbol != units["F BLA"].symbol


def test_centres_have_their_owner() -> None:
    owners = {thing.at: thing.owner for thing in picture(SCENE).things if thing.id.startswith("centre")}
    assert (owners["PAR*"], owners["MUN*"], len(owners)) == ("FRANCE", "", 34)


def test_a_move_is_an_arrow_and_tells_whether_it_failed() -> None:
    done, failed = ways(order("move", "PAR", to="BUR"), order("move", "BRE", "bounce", to="ENG"))
    assert (done.kind, done.at, done.to, done.state) == ("arrow", "PAR", "BUR", "")
    assert (failed.kind, failed.to, failed.state, failed.name) == ("arrow", "ENG", "failed", "move BRE (bounce)")


def test_a_retreat_begins_beside_the_place() -> None:
    (retreat,) = ways(order("retreat", "BUR", to="PAR"))
    assert (retreat.at, retreat.to) == (beside("BUR"), "PAR")


def test_a_support_leads_to_the_unit_or_to_the_middle_of_the_move_that_it_helps() -> None:
    (hold,) = ways(order("support", "PAR", target="A BUR"))
    assert (hold.kind, hold.to, hold.state) == ("arrow", "BUR", "support")
    support, _ = ways(order("support", "PAR", target="A BUR", to="MUN"), order("move", "BUR", to="MUN"))
    spots = {place.id: (place.x, place.y) for place in places()}
    (x, y), (to_x, to_y) = spots["BUR"], spots["MUN"]
    assert support.to == ((x + to_x) / 2, (y + to_y) / 2)


def test_holds_builds_and_waives_have_no_more_than_a_name() -> None:
    orders = [order("hold", "PAR"), order("build", "PAR"), {"order": "WAIVE", "kind": "waive", "results": []}]
    assert [(thing.kind, thing.label, thing.name) for thing in ways(*orders)] == [
        ("text", "", "hold PAR"),
        ("text", "", "build PAR"),
        ("text", "", "WAIVE"),
    ]


def test_every_thing_of_a_recorded_match_stands_at_a_place() -> None:
    events = recorded("diplomacy")
    for count in range(1, 9):
        shown = picture(scene_until(events, "PhaseAdvanced", count))
        ids = {place.id for place in shown.places}
        ends = {end for thing in shown.things for end in (thing.at, thing.to) if isinstance(end, str) and end}
        assert ends <= ids
        assert len({thing.id for thing in shown.things}) == len(shown.things)
        assert shown.describe.startswith(("Spring", "Fall", "Winter"))
