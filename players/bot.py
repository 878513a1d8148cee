"""Players that come with a game: free, instant, seeded."""

from __future__ import annotations

from games.base import GameSpec, SeatId
from games.match import Match
from players.base import Choice, Player


class BotPlayer(Player):
    """One of the game's built-in bots in a seat."""

    kind = "bot"
    resumable = True

    def __init__(self, spec: GameSpec, name: str) -> None:
        self.name = name
        self._bot = spec.bots[name]

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        return Choice(self._bot(match.game, seat, match.rng(seat)), "heuristic")
