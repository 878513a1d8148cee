"""The games by name: those of this package, and those that installed packages name as entry points.

A game is loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import find_spec

from grandstand.games.base import OptionError
from grandstand.games.spec import GameSpec

BUILT_IN = {
    "diplomacy": "grandstand.games.diplomacy",
    "cricket": "grandstand.games.cricket",
    "werewolf": "grandstand.games.werewolf",
}
"""Game -> the module with its GAME, in the order in which games are listed."""

OF_EXTRAS = {
    "openspiel": ("pyspiel", "grandstand.games.foreign.openspiel"),
    "pettingzoo": ("pettingzoo", "grandstand.games.foreign.zoo"),
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


def game_spec(name: str) -> GameSpec:
    """Return the spec of the game called `name`. Raise OptionError if it is unknown or cannot be loaded."""
    if name in OF_EXTRAS and name not in GAMES:
        raise OptionError(f"game: {name} needs an extra: pip install 'grandstand[{name}]'")
    if name not in GAMES:
        raise OptionError(f"game: unknown game {name!r}; there are {', '.join(sorted(GAMES))}")
    if name in BUILT_IN:
        spec: GameSpec = import_module(BUILT_IN[name]).GAME
        return spec
    try:
        spec = import_module(GAMES[name]).GAME
    except Exception as error:  # a module of others may fail in any way
        raise OptionError(f"game: {name} cannot be loaded from {GAMES[name]}: {error}") from error
    if spec.name != name:
        raise OptionError(f"game: the package names it {name!r}, and its GAME {spec.name!r}; use one name")
    return spec
