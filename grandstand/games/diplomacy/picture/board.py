"""The map of a moment as a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from grandstand.games.diplomacy.picture.map import UNIT, beside, drawing, places, spot
from grandstand.games.diplomacy.picture.moment import MapMoment, moment
from grandstand.games.diplomacy.picture.standing import facts, standing, turn
from grandstand.games.diplomacy.types import ResolvedOrder
from grandstand.games.picture import Picture, Point, Scene, State, Thing

SYMBOLS: Final = {
    "A": "M-4.2-4.6H4.2V-.2Q3.9 3.6 0 5.4Q-3.9 3.6-4.2-.2Z",
    "F": "M-3.7-4H3.7Q4.9-.6 3.7 2.6H-3.7Q-4.9-.6-3.7-4ZM-6.6 2.6Q0 5 6.6 2.6Q5.4 6.9 0 7Q-5.4 6.9-6.6 2.6Z",
}
"""The outline of an army, a shield, and of a fleet, a ship under sail."""
WIDTH: Final = 1232.0
HEIGHT: Final = 1108.0
"""The part of the drawing that is shown: its right and its lower edge are not borders."""
ARROW: Final = 0.5
"""The size of an arrow."""


def picture(scene: Scene) -> Picture:
    """Return the map at `scene`: owners, the orders of the season, units."""
    now = moment(scene)
    owners = now.owners
    ground = [replace(place, owner=owners[place.id]) if place.id in owners else place for place in places()]
    things = [*_centers(now), *_orders(now), *_units(now)]
    describe = ". ".join([turn(now.state["phase"]), *standing(now), *facts(now)]) + "."
    return Picture(ground, things, describe, width=WIDTH, height=HEIGHT, bleeds=True)


def _centers(now: MapMoment) -> Iterator[Thing]:
    owners = {code: seat for seat, owned in now.state["centers"].items() for code in owned}
    for code, province in drawing()["provinces"].items():
        if province["center"]:
            yield Thing(f"centre {code}", "piece", f"{code}*", owner=owners.get(code, ""), tone="light")


def _units(now: MapMoment) -> Iterator[Thing]:
    for seat, units in now.state["units"].items():
        for unit in units:
            yield Thing(
                f"{seat} {unit}",
                "piece",
                spot(unit[2:]),
                label=seat[0],
                name=unit,
                owner=seat,
                symbol=SYMBOLS[unit[0]],
            )
    for seat, retreats in now.state["retreats"].items():
        for unit in retreats:
            form = Thing(
                f"{seat} {unit}", "piece", beside(unit[2:]), label=seat[0], name=f"{unit}, dislodged", owner=seat
            )
            yield replace(form, symbol=SYMBOLS[unit[0]], size=10 * UNIT / HEIGHT, state="failed")


def _orders(now: MapMoment) -> list[Thing]:
    """Return the orders of the season: supports and convoys below moves, then orders without an arrow, which only have
    a name."""
    ways: list[Thing] = []
    helps: list[Thing] = []
    for phase, orders in now.season:
        every = [(seat, order) for seat, each in orders.items() for order in each]
        moves = {order["from"][:3]: order["to"] for _, order in every if order["kind"] == "move" and "to" in order}
        for number, (seat, order) in enumerate(every):
            thing = _order(order, moves, Thing(f"{phase} {number}", "text", (0, 0), name=_name(order), owner=seat))
            (helps if thing.state == "support" else ways).append(thing)
    return [*helps, *ways]


def _order(order: ResolvedOrder, moves: Mapping[str, str], thing: Thing) -> Thing:
    """Return an order as an arrow, or `thing` if it has none."""
    match order["kind"]:
        case "move" | "retreat" if "to" in order:
            start: str | Point = beside(order["from"]) if order["kind"] == "retreat" else spot(order["from"])
            state: State = "failed" if order["results"] else ""
            return replace(thing, kind="arrow", at=start, to=spot(order["to"]), state=state, size=ARROW)
        case "support" | "convoy" if "target" in order:
            helped = order["target"][2:]
            end: str | Point = spot(helped)
            if "to" in order:
                end = _middle(helped, moves.get(helped[:3], order["to"]))
            return replace(thing, kind="arrow", at=spot(order["from"]), to=end, state="support", size=ARROW)
    return thing


def _middle(start: str, end: str) -> Point:
    """Return the middle of the way of a unit."""
    spots = {place.id: (place.x, place.y) for place in places()}
    (x, y), (to_x, to_y) = spots[spot(start)], spots[spot(end)]
    return ((x + to_x) / 2, (y + to_y) / 2)


def _name(order: ResolvedOrder) -> str:
    """Return an order with its results, if it failed."""
    return order["order"] + (f" ({', '.join(order['results'])})" if order["results"] else "")
