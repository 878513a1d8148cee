"""The built-in players of Diplomacy, one file each, and the tables they share.

`POLICIES` holds them as functions of a position, in integers: the fast way for programs that play many games.
`BOTS` holds the same as players of matches.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from grandstand.games.diplomacy.bots import chaos, coordinated, defensive, dumbbot, hold, random, territorial
from grandstand.games.diplomacy.bots.policy import Policy, as_bot, as_diplomat
from grandstand.games.diplomacy.bots.stance import Planner
from grandstand.games.diplomacy.game import DiplomacyGame
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
}
"""By name, strongest first."""


def showcase(rng: Random) -> list[str]:
    """Seven players for a match worth watching: two that search, one that digs in, one that spreads, three DumbBots,
    in random seats."""
    names = ["coordinated", "coordinated", "defensive", "territorial", "dumbbot", "dumbbot", "dumbbot"]
    rng.shuffle(names)
    return names
