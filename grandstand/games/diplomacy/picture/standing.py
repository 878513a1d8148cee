"""The standing of a moment in words."""

from __future__ import annotations

from grandstand.games.diplomacy.picture.moment import MapMoment, moment
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.picture import Card, CardRow, Scene

SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
STAGES = {"M": "moves", "R": "retreats", "A": "builds"}


def card(scene: Scene) -> Card:
    """Return the standing at `scene`, the largest power first."""
    now = moment(scene)
    centers, units = now.state["centers"], now.state["units"]
    rows = []
    for seat in _largest(now):
        alive = bool(centers.get(seat) or units.get(seat))
        score = str(len(centers.get(seat, ()))) if alive else "out" if now.state["phase"] else "–"
        rows.append(CardRow(seat, seat.title(), score, strong=alive))
    return Card(turn(now.state["phase"]), rows, "centres", facts(now))


def turn(phase: str) -> str:
    """Return `Spring 1901, moves` for `S1901M`."""
    return f"{SEASONS[phase[0]]} {phase[1:-1]}, {STAGES[phase[-1]]}" if phase else "Before the first move"


def facts(now: MapMoment) -> list[str]:
    """Return the units that must retreat."""
    dislodged = [f"{unit} ({seat.title()})" for seat, units in now.state["retreats"].items() for unit in units]
    return [f"Dislodged: {', '.join(dislodged)}"] if dislodged else []


def standing(now: MapMoment) -> list[str]:
    """Return the centres of the powers that have some, as a sentence."""
    counts = {seat: len(now.state["centers"].get(seat, ())) for seat in _largest(now)}
    parts = [f"{seat.title()} {count}" for seat, count in counts.items() if count]
    return [f"Centres: {', '.join(parts)}"] if parts else []


def _largest(now: MapMoment) -> list[str]:
    centers = now.state["centers"]
    return sorted(POWERS, key=lambda seat: (-len(centers.get(seat, ())), POWERS.index(seat)))
