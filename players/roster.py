"""Who can be seated: players by name."""

from __future__ import annotations

from games.base import GameSpec, OptionError
from models import PlayerInfo
from players.base import Player
from players.bot import BotPlayer


def seat_player(spec: GameSpec, name: str) -> Player:
    """A new player of that name. Raises OptionError naming those there are."""
    if name not in spec.bots:
        raise OptionError(f"players: {spec.name} has no player {name!r}; there are {', '.join(spec.bots)}")
    return BotPlayer(spec, name)


def available(spec: GameSpec) -> list[PlayerInfo]:
    """Everybody who can play `spec`, strongest first."""
    return [
        PlayerInfo(name=name, kind="bot", game=spec.name, description=_first_line(bot.__doc__))
        for name, bot in spec.bots.items()
    ]


def _first_line(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0]
