"""The orders on a card."""

from __future__ import annotations

from math import dist
from typing import Any

from grandstand.games.cards import Area, Trace
from grandstand.games.diplomacy.card.arrows import arrows
from grandstand.games.diplomacy.card.colours import CLASH, STRONG
from grandstand.games.diplomacy.card.sheet import sheet
from tests.support.play.recordings import recorded


def order(kind: str, place: str, *results: str, **more: str) -> Any:
    return {"order": "", "kind": kind, "unit": f"A {place}", "from": place, "results": list(results), **more}


def strokes(*orders: Any) -> list[Trace]:
    shapes = arrows({"FRANCE": list(orders)})
    return [shape for shape in shapes if isinstance(shape, Trace) and shape.colour.startswith(STRONG["FRANCE"])]


def test_a_move_is_an_arrow_to_its_goal_and_a_failed_one_is_broken_and_crossed() -> None:
    (done,) = strokes(order("move", "PAR", to="BUR"))
    (failed,) = strokes(order("move", "PAR", "bounce", to="BUR"))
    goal = sheet().unit("BUR")
    heads = [shape for shape in arrows({"FRANCE": [order("move", "PAR", to="BUR")]}) if isinstance(shape, Area)]
    assert min(dist(point, goal) for head in heads for ring in head.rings for point in ring) < 12
    assert (done.dash, failed.dash > 0) == (0, True)
    shapes = list(arrows({"FRANCE": [order("move", "PAR", "bounce", to="BUR")]}))
    assert any(isinstance(shape, Trace) and shape.colour == CLASH for shape in shapes)


def test_a_support_leads_to_the_unit_or_to_the_move_that_it_helps() -> None:
    (hold,) = strokes(order("support", "PAR", target="A BUR"))
    assert dist(hold.lines[0][-1], sheet().unit("BUR")) < 12
    support, _ = strokes(order("support", "PAR", target="A BUR", to="MUN"), order("move", "BUR", to="MUN"))
    end = support.lines[0][-1]
    assert dist(end, sheet().unit("BUR")) > 12
    assert dist(end, sheet().unit("MUN")) > 12


def test_holds_builds_and_waives_have_no_arrow() -> None:
    assert (
        strokes(order("hold", "PAR"), order("build", "PAR"), {"order": "WAIVE", "kind": "waive", "results": []}) == []
    )


def test_every_recorded_phase_can_be_drawn() -> None:
    for event in recorded("diplomacy"):
        if event.type == "OrdersResolved":
            list(arrows(event.data["orders"]))
