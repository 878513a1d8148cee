"""Checks of the players of a campaign's matches, before the first one begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grandstand.games.base import OptionError
from grandstand.games.spec import GameSpec
from grandstand.players.base import Player
from grandstand.players.external import ExternalPlayer
from grandstand.players.roster import Roster


def check_seats(
    roster: Roster, spec: GameSpec, players: Sequence[tuple[str, str]], people: bool = False
) -> list[Player]:
    """Create the players of (seat, name) as a match would, and return them. With `people`, people may play at this
    terminal.

    Raises OptionError naming a seat whose player is not available, or is played from outside.
    """
    seating = roster.episode(spec)
    seated = []
    for seat, name in players:
        player = seating.player(name, seat)
        if isinstance(player, ExternalPlayer) and not (people and player.kind == "human"):
            raise OptionError(f"players.{seat}: {name} is played from outside, and nobody can answer without a server")
        seated.append(player)
    return seated


def check_limits(roster: Roster, calls: Iterable[str], max_tokens: int | None, max_dollars: float | None) -> None:
    """Check that each limit applies and prices are known; `calls` are the players that call a provider.

    Raises OptionError.
    """
    players = sorted(calls)
    for name, limit in (("max_tokens", max_tokens), ("max_dollars", max_dollars)):
        if limit is not None and not players:
            raise OptionError(f"{name}: no player calls a provider, so nothing is spent; leave it out")
    for player in players if max_dollars is not None else ():
        if roster.price(player) is None:
            raise OptionError(f"max_dollars: {player} has no price; set price_in and price_out in the roster")
