"""The standing of a moment in words, and the board as text."""

from __future__ import annotations

from grandstand.games.cards import Card, Row, Scene
from grandstand.games.diplomacy.card.colours import STRONG
from grandstand.games.diplomacy.card.moment import MapMoment, moment
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.types import ResolvedOrder

SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
STAGES = {"M": "moves", "R": "retreats", "A": "builds"}


def card(scene: Scene) -> Card:
    """Return the standing at `scene`, the largest power first."""
    now = moment(scene)
    centers, units = now.state["centers"], now.state["units"]
    order = sorted(POWERS, key=lambda seat: (-len(centers.get(seat, ())), POWERS.index(seat)))
    rows = []
    for seat in order:
        alive = bool(centers.get(seat) or units.get(seat))
        score = str(len(centers.get(seat, ()))) if alive else "out" if now.state["phase"] else "–"
        rows.append(Row(seat, seat.title(), score, STRONG[seat], strong=alive))
    return Card(_turn(now.state["phase"]), rows, "centres", _facts(now), _board(now))


def _turn(phase: str) -> str:
    """Return `Spring 1901, moves` for `S1901M`."""
    return f"{SEASONS[phase[0]]} {phase[1:-1]}, {STAGES[phase[-1]]}" if phase else "Before the first move"


def _facts(now: MapMoment) -> list[str]:
    dislodged = [f"{unit} ({seat.title()})" for seat, units in now.state["retreats"].items() for unit in units]
    return [f"Dislodged: {', '.join(dislodged)}"] if dislodged else []


def _board(now: MapMoment) -> list[str]:
    """Return the units of each power, and its orders of the last phase with their results."""
    lines = []
    for seat in POWERS:
        units = now.state["units"].get(seat)
        if units:
            lines.append(f"{seat.title():<8} {', '.join(units)}")
    for phase, orders in now.season:
        lines += ["", f"{_turn(phase)}:"]
        lines += [f"{seat.title():<8} {'; '.join(map(_order, each))}" for seat, each in orders.items() if each]
    return lines


def _order(order: ResolvedOrder) -> str:
    """Return an order with its results, if it failed."""
    return order["order"] + (f" ({', '.join(order['results'])})" if order["results"] else "")
