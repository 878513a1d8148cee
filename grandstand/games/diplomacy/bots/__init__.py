"""The built-in players of Diplomacy, and the tables they share.

`POLICIES` holds them as functions of a position, in integers: the fast way for programs that play many games.
`PLANNERS` holds those that plan by a stance towards the other powers. `BOTS` holds all as players of matches, and
after them the characters that also negotiate (`talking`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random

from grandstand.games.diplomacy.bots import (
    chaos,
    coordinated,
    defensive,
    dumbbot,
    hold,
    random,
    territorial,
)
from grandstand.games.diplomacy.bots.policy import Policy, as_bot, as_diplomat
from grandstand.games.diplomacy.bots.search import planner as search
from grandstand.games.diplomacy.bots.stance import NEUTRAL, Planner
from grandstand.games.diplomacy.bots.talking import TALKING
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.spec import Bot

PLANNERS: Mapping[str, Planner] = {
    "coordinated": coordinated.plan,
    "search": search.plan,
    "search-fast": search.fast_plan,
}
"""Bots that plan by a stance towards the other powers, by name."""

POLICIES: Mapping[str, Policy] = {
    "coordinated": partial(coordinated.plan, stance=NEUTRAL),
    "dumbbot": dumbbot.play,
    "defensive": defensive.play,
    "territorial": territorial.play,
    "chaos": chaos.play,
    "random": random.play,
    "hold": hold.play,
    "search": partial(search.plan, stance=NEUTRAL),
    "search-fast": partial(search.fast_plan, stance=NEUTRAL),
}
"""Bots by name: those that answer at once, strongest first, then the slow ones."""

SLOW = frozenset(("search", "search-fast", *TALKING))
"""Bots that compute for longer than an event loop may wait: a tenth of a second, for one seat or all seven."""

BOTS: dict[str, Bot[DiplomacyGame]] = {
    name: as_diplomat(PLANNERS[name]) if name in PLANNERS else as_bot(policy) for name, policy in POLICIES.items()
} | dict(TALKING)
"""All bots as players of matches, in the order of POLICIES, and then those that negotiate."""


def showcase(rng: Random) -> list[str]:
    """Return seven players for a match worth watching: seven characters that negotiate, in random seats."""
    return rng.sample(sorted(TALKING), len(POWERS))
