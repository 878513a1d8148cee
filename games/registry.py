"""The games of the house, one line each. A game is loaded when it is first asked for."""

from __future__ import annotations

from importlib import import_module

from grandstand.games.base import GameSpec, OptionError

GAMES = {
    "cricket": "grandstand.games.cricket",
    "diplomacy": "grandstand.games.diplomacy",
}


def game_spec(name: str) -> GameSpec:
    """The spec of the game called `name`. Raises OptionError naming the games there are."""
    if name not in GAMES:
        raise OptionError(f"game: unknown game {name!r}; there are {', '.join(sorted(GAMES))}")
    spec: GameSpec = import_module(GAMES[name]).GAME
    return spec
