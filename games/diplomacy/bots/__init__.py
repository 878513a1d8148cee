"""The built-in players of Diplomacy, one file each, and the tables they share.

`POLICIES` holds them as functions of a position, in integers: the fast way for programs that play many games.
`BOTS` holds the same as players of matches, and after them the characters that also negotiate (`talking`).
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from grandstand.games.diplomacy.bots import chaos, coordinated, defensive, dumbbot, hold, random, territorial
from grandstand.games.diplomacy.bots.policy import Policy, as_bot, as_diplomat
from grandstand.games.diplomacy.bots.stance import Planner
from grandstand.games.diplomacy.bots.talking import TALKING
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.map import POWERS
from grandstand.games.spec import Bot

POLICIES: Mapping[str, Policy] = {
    "coordinated": coordinated.play,
    "dumbbot": dumbbot.play,
    "defensive": defensive.play,
    "territorial": territorial.play,
    "chaos": chaos.play,
    "random": random.play,
    "hold": hold.play,
}
"""By name, strongest first."""

PLANNERS: Mapping[str, Planner] = {"coordinated": coordinated.plan}
"""Those that plan by a stance towards the other powers, by name."""

BOTS: dict[str, Bot[DiplomacyGame]] = {
    name: as_diplomat(PLANNERS[name]) if name in PLANNERS else as_bot(policy) for name, policy in POLICIES.items()
} | dict(TALKING)
"""By name: the silent ones, strongest first, then those that negotiate."""


def showcase(rng: Random) -> list[str]:
    """Return seven players for a match worth watching: seven characters that negotiate, in random seats."""
    return rng.sample(sorted(TALKING), len(POWERS))
