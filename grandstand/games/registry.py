"""Loads a game by its name, on first use."""

from __future__ import annotations

from importlib import import_module

from grandstand.games.base import OptionError
from grandstand.games.catalog import BUILT_IN, GAMES, OF_EXTRAS
from grandstand.games.spec import GameSpec


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
