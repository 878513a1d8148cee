"""The chance that the village wins, from what everybody knows."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Final

from grandstand.games.base import SeatId
from grandstand.games.werewolf.bots.beliefs import PublicTable, claims, suspicion

WEIGHTS: Final[Mapping[str, float]] = {
    "one": -2.721,
    "last wolf": 1.746,
    "room": 0.638,
    "odd": 0.081,
    "seer out": -1.278,
    "doctor out": -0.229,
    "one claims": -0.411,
    "several claim": -0.755,
    "top": 3.265,
    "gap": 0.402,
}
"""A logistic regression on all turns of 1334 matches of the showcase's players (docs/werewolf.md)."""


def features(table: PublicTable, chances: Mapping[SeatId, float]) -> dict[str, float]:
    """Return the features of the regression; `chances` are those of each seat to be a wolf."""
    shown = {death["role"]: death["seat"] for death in table.out}
    wolves = table.dealt["wolf"] - sum(death["role"] == "wolf" for death in table.out)
    seers = [seat for seat in claims(table.speeches).of("seer") if seat in table.alive]
    alive = len(table.alive)
    top = max((chances[seat] for seat in table.alive), default=0.0)
    certain = sorted(chances[seat] for seat in table.alive)
    return {
        "one": 1.0,
        "last wolf": float(wolves == 1),
        "room": alive - 2.0 * wolves,
        "odd": float(alive % 2),
        "seer out": float("seer" in shown or "seer" not in table.dealt),
        "doctor out": float("doctor" in shown or "doctor" not in table.dealt),
        "one claims": float(len(seers) == 1),
        "several claim": float(len(seers) > 1),
        "top": top,
        "gap": top - certain[-1 - wolves] if alive > wolves else 1.0,
    }


def village_wins(table: PublicTable, chances: Mapping[SeatId, float]) -> float:
    """Return the chance that the village wins."""
    found = features(table, chances)
    return 1 / (1 + exp(-sum(WEIGHTS[name] * value for name, value in found.items())))


def prospects(table: PublicTable) -> tuple[float, dict[SeatId, float], dict[SeatId, float]]:
    """Return the chance of the village, of each seat to be a wolf, and of each seat to win."""
    chances = suspicion(table)
    village = village_wins(table, chances)
    wins = {seat: (1 - wolf) * village + wolf * (1 - village) for seat, wolf in chances.items()}
    return village, chances, wins
