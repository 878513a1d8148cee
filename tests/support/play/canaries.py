"""A record in which everything secret is marked, for tests of what files contain."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from functools import cache
from typing import Any

from grandstand.events import PlayerReport, Reveal, SeatOpened, TurnRecorded, Usage
from grandstand.games.base import SeatId
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, Event
from grandstand.play.commentator import commentator
from grandstand.play.runner import MatchRunner
from grandstand.players.base import Choice, Player, PressReply
from grandstand.players.bot import BotPlayer
from grandstand.players.errors import PlayerError
from grandstand.spectator.bus import Bus
from tests.support.players.press_player import message

SEED = 987_654_321_012
TOKEN = "canarytoken" * 4
TOKENS = 424_242
"""An id in the training data."""
CLOSING = "</script><script>alert(1)</script><!-- \u2028 'quoted' \"twice\""
"""Public text that must stay text."""


def secret(sender: SeatId, recipient: SeatId) -> str:
    """Return the mark of a private message."""
    return f"CANARY-{sender}-TO-{recipient}"


def thought(seat: SeatId) -> str:
    """Return the mark of the reasoning of a seat, which analysts may read."""
    return f"THOUGHT-OF-{seat}"


class CanaryPlayer(Player):
    """Writes to the next power in secret and to all in public, and thinks. England fails; Italy orders the illegal."""

    name, kind, resumable, talks = "canary", "test", True, True

    def __init__(self, bot: BotPlayer) -> None:
        self.bot = bot

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        report = PlayerReport(thought=thought(seat), usage=Usage(tokens_in=11, tokens_out=7, dollars=0.25, calls=1))
        if seat == "ENGLAND":
            raise PlayerError("timeout", "no answer in time", report)
        if seat == "ITALY":
            return Choice({"orders": ["A VEN - LON"]}, "policy", report)
        chosen = await self.bot.choose(match, seat)
        return Choice(chosen.action, "policy", report)

    async def negotiate(self, match: Match, seat: SeatId, round: int, rounds: int) -> PressReply:
        seats = match.spec.seats()
        near = seats[(seats.index(seat) + 1) % len(seats)]
        words = [message([near], secret(seat, near)), message("all", f"{CLOSING} from {seat}")]
        return PressReply(words, "policy", PlayerReport(thought=thought(seat)))


class Log:
    """A store of events in memory."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def on_events(self, events: Sequence[Event]) -> None:
        self.events += events


@cache
def record(reveal: Reveal = "never", delay: float = 0.0) -> tuple[Event, ...]:
    """Return the record of a match whose events are a second apart, from 1000 s on."""
    with ThreadPoolExecutor(1) as apart:  # a test of the page runs a loop in this thread
        return tuple(apart.submit(lambda: asyncio.run(_played(reveal, delay))).result())


async def _played(reveal: Reveal, delay: float) -> list[Event]:
    options: dict[str, Any] = {"last_year": 1901, "negotiation_rounds": 1}
    match = Match(game_spec("diplomacy"), options, SEED)
    players: dict[SeatId, Player] = {seat: CanaryPlayer(BotPlayer(match.spec, "hold")) for seat in match.spec.seats()}
    runner = MatchRunner(match, players)
    log = Log()
    bus = Bus(log, clock=lambda: 1000.0 + len(log.events))
    bus.open("canary-1", 7, narrator=commentator(match.spec, "canary-1"))
    about = {"title": f"A title {CLOSING}", "origin": "cli", "reveal": reveal, "delay": delay}
    training = TurnRecorded(
        seat="FRANCE", index=0, policy="p", version=1, temperature=1.0, prompt=[TOKENS], completion=[TOKENS],
        logprobs=[0.0], allowed=[[TOKENS]],
    )  # fmt: skip
    opened = SeatOpened(seat="FRANCE", token_sha256=TOKEN)
    hidden = [Draft.of(opened, "private"), Draft.of(training, "private")]
    bus.publish("canary-1", [*runner.created(options, **about), *hidden, *runner.started()])
    while not match.over:
        async with aclosing(runner.play_round()) as pieces:
            async for drafts in pieces:
                bus.publish("canary-1", drafts)
    return [event.model_copy(update={"at": 1000.0 + event.seq}) for event in log.events]
