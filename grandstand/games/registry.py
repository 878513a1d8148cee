"""The games, one line each. A game is loaded when it is first asked for."""

from __future__ import annotations

from importlib import import_module

from grandstand.games.base import OptionError
from grandstand.games.spec import GameSpec

GAMES = {
    "cricket": "grandstand.games.cricket",
    "diplomacy": "grandstand.games.diplomacy",
}


def game_spec(name: str) -> GameSpec:
    """Return the spec of the game called `name`. Raise OptionError naming the games there are."""
    if name not in GAMES:
        raise OptionError(f"game: unknown game {name!r}; there are {', '.join(sorted(GAMES))}")
    spec: GameSpec = import_module(GAMES[name]).GAME
    return spec
