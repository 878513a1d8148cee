"""Free built-in captains: stateless functions of the game, the seat and a keyed random stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from grandstand.games.cricket.bots.cricsheet import cricsheet
from grandstand.games.cricket.bots.heuristic import heuristic
from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.bots.simple import fixed_plan, random_captain
from grandstand.games.cricket.game import CricketGame
from grandstand.games.spec import Bot

BOTS: Final[Mapping[str, Bot[CricketGame]]] = {
    "heuristic": heuristic,
    "neutral": neutral,
    "cricsheet": cricsheet,
    "fixed-plan": fixed_plan,
    "random": random_captain,
}


def showcase(rng: Random) -> Sequence[str]:
    """Return a captain that computes its calls, and one that plays like real sides."""
    captains = ["heuristic", rng.choice(("cricsheet", "heuristic"))]
    rng.shuffle(captains)
    return captains
