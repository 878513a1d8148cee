"""Built-in players of a game: free of charge, immediate, seeded."""

from __future__ import annotations

from grandstand.games.base import OptionError, SeatId
from grandstand.games.match import Match
from grandstand.games.spec import GameSpec
from grandstand.players.base import Choice, Player, PressReply
from grandstand.players.options import BotOptions
from grandstand.players.seating import SeatRequest


class BotPlayer(Player):
    """A built-in bot of the game in a seat, under its own or another name."""

    kind = "bot"
    resumable = True

    def __init__(self, spec: GameSpec, bot: str, name: str = "") -> None:
        self.name = name or bot
        self.bot = spec.bots[bot]
        self._talk = spec.press.bots.get(bot) if spec.press else None
        self.talks = self._talk is not None

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        return Choice(self.bot(match.game, seat, match.rng(seat)), "heuristic")

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        messages = self._talk(match.game, seat, match.rng(seat), round, rounds) if self._talk else ()
        return PressReply(messages, "heuristic")


def create_player(request: SeatRequest) -> Player:
    """Return a bot for a seat. Raises OptionError if the game has no such bot."""
    options: BotOptions = request.options
    if options.bot not in request.spec.bots:
        known = ", ".join(request.spec.bots)
        raise OptionError(f"{request.name}: {request.spec.name} has no bot {options.bot!r}; there are {known}")
    return BotPlayer(request.spec, options.bot, request.name)
