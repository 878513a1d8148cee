"""Built-in players of a game: free of charge and seeded; slow ones compute in a process of their own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from random import Random
from weakref import WeakKeyDictionary

from grandstand.games.base import Action, OptionError, SeatId
from grandstand.games.game import Game
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import Bot, GameSpec
from grandstand.players.base import Choice, Player, PressReply
from grandstand.players.options import BotOptions
from grandstand.players.seating import SeatRequest
from grandstand.players.workers import computed, key_of


class BotPlayer(Player):
    """A built-in bot of the game in a seat, under its own or another name."""

    kind = "bot"
    resumable = True

    def __init__(self, spec: GameSpec, bot: str, name: str = "") -> None:
        self.name = name or bot
        self._spec = spec
        self.bot = spec.bots.players[bot]
        self._bot_name = bot
        self._slow = bot in spec.bots.slow
        self.talks = spec.talk.press is not None and bot in spec.talk.press.bots

    @property
    def stand_in(self) -> Bot:
        """Return the bot for an answer at once: this one or, if it is slow, the game's strongest quick bot."""
        return self._spec.bots.players[self._spec.bots.default] if self._slow else self.bot

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        rng = match.rng(seat)
        if not self._slow:
            async with own_turn():
                return Choice(self.bot(match.game, seat, rng), "heuristic")
        action = await computed(key_of(match), _decide, match.spec.name, self._bot_name, match.game, seat, rng)
        return Choice(action, "heuristic")

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        if not self.talks:
            return PressReply((), "heuristic")
        asked = match.spec.name, self._bot_name, match.game, seat, match.rng(seat), round, rounds
        messages = await computed(key_of(match), _talk, *asked) if self._slow else _talk(*asked)
        return PressReply(messages, "heuristic")


def _decide(game_name: str, bot: str, game: Game, seat: SeatId, rng: Random) -> Action:
    """Return the decision of a slow bot. Called in a worker process."""
    return game_spec(game_name).bots.players[bot](game, seat, rng)


def _talk(game_name: str, bot: str, game: Game, seat: SeatId, rng: Random, round: int, rounds: int) -> Sequence[Action]:
    """Return the messages of a bot that negotiates. Called in a worker process where the bot is slow."""
    press = game_spec(game_name).talk.press
    assert press is not None
    return press.bots[bot](game, seat, rng, round, rounds)


def create_player(request: SeatRequest) -> Player:
    """Return a bot for a seat. Raises OptionError if the game has no such bot."""
    options: BotOptions = request.options
    if options.bot not in request.spec.bots.players:
        names = ", ".join(request.spec.bots.players)
        raise OptionError(f"{request.name}: {request.spec.name} has no bot {options.bot!r}; there are {names}")
    return BotPlayer(request.spec, options.bot, request.name)


_locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


@asynccontextmanager
async def own_turn() -> AsyncIterator[None]:
    """Run the block in a turn of the loop in which no other such block of any match runs. The block must not wait."""
    lock = _locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())
    async with lock:
        await asyncio.sleep(0)
        yield
