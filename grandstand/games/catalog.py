"""The names of the games: those of this package, and those that installed packages name as entry points.

No game is loaded here, so that settings and requests can name one.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from importlib.util import find_spec

BUILT_IN = {
    "diplomacy": "grandstand.games.diplomacy",
    "cricket": "grandstand.games.cricket",
    "werewolf": "grandstand.games.werewolf",
}
"""Game -> the module with its GAME, in the order in which games are listed."""

OF_EXTRAS = {
    "openspiel": ("pyspiel", "grandstand.games.foreign.openspiel"),
    "pettingzoo": ("pettingzoo", "grandstand.games.foreign.zoo"),
    "textarena": ("textarena", "grandstand.games.foreign.arena"),
}
"""Game -> the package that an extra of the same name installs, without which there is no such game, and the module with
its GAME."""

GROUP = "grandstand.games"
"""The group of entry points: `kuhn = "my_package.kuhn"` in `[project.entry-points."grandstand.games"]`."""

GAMES = {
    **{point.name: point.value for point in entry_points(group=GROUP)},
    **{name: module for name, (package, module) in OF_EXTRAS.items() if find_spec(package)},
}
GAMES = BUILT_IN | {name: module for name, module in GAMES.items() if name not in BUILT_IN}

FIRST = next(iter(GAMES))
"""The game if none is named."""
