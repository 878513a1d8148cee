"""A training run that is published while it runs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from grandstand.campaigns.run_publisher import Watch
from grandstand.events import EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnRecorded, TurnStarted
from grandstand.games.base import SeatId
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.models import Draft, Event
from grandstand.play.runner import MatchRunner
from grandstand.players.base import Choice
from grandstand.players.bot import BotPlayer
from grandstand.spectator.bus import Bus
from grandstand.spectator.recorder import Recorder
from tests.support.trainer import training_run
from tests.support.waiting import PATIENCE

TOKEN, OPERATOR = "publish canary", "operator canary"

SPEC = game_spec("diplomacy")

SECRET = 918273645
"""A token id that must never be seen on the other side."""


def watching(url: str, buffer: Path, **more: Any) -> Watch:
    settings: dict[str, Any] = {"token": TOKEN, "share": 1.0, "per_minute": 100, "pace": 0.0, "seed": 1} | more
    return Watch(url, buffer=buffer, **settings)


class Policy(BotPlayer):
    """A bot of whom is recorded what is recorded of a policy."""

    kind = "trained"

    async def choose(self, match: Match, seat: SeatId) -> Choice:
        choice = await super().choose(match, seat)
        recorded = TurnRecorded(
            seat=seat,
            index=match.index,
            policy="nano",
            version=3,
            temperature=1.0,
            prompt=[SECRET, 1],
            completion=[SECRET, 2],
            logprobs=[0.0, -0.5],
            allowed=[[], [2, SECRET]],
            features={"centres": float(SECRET)},
        )
        return Choice(choice.action, "policy", turn=recorded)


class Training:
    """A trainer's bus, and what is played on it."""

    def __init__(self, watch: Watch | None = None) -> None:
        self.recorder = Recorder(":memory:")
        self.bus = Bus(self.recorder)
        if watch:
            self.bus.add(watch)

    def open(self, name: str, drafts: Sequence[Draft], first: int = 0) -> None:
        self.bus.open(name, 0, first)
        self.bus.publish(name, drafts)

    def run(self, name: str = "Nano.1", count: int = 10) -> None:
        """The run's own episode, up to step `count`."""
        self.open(name, training_run.opening())
        for step in training_run.turns(count):
            self.bus.publish(name, [step])

    def match(self, name: str, turns: int = 3) -> None:
        """Bots at a real table, one of them recorded as a policy, stopped at a horizon."""
        players = {seat: BotPlayer(SPEC, "random") for seat in SPEC.seats()} | {"FRANCE": Policy(SPEC, "random")}
        runner = MatchRunner(Match(SPEC, {}, 5), players)
        self.open(name, [*runner.created({}, title=name, origin="trainer", reveal="live"), *runner.started()])

        async def play() -> None:
            while runner.match.index < turns:
                async for drafts in runner.play_round():
                    self.bus.publish(name, drafts)

        asyncio.run(play())
        self.bus.publish(name, [Draft.of(EpisodeEnded(status="stopped", message="the horizon"))])

    def toy(self, name: str, turns: int = 2, end: bool = True) -> None:
        """A match of a game that no server knows."""
        seats = [SeatInfo(seat="NORTH", player="bot", kind="bot")]
        created = EpisodeCreated(game="toy", title=name, options={}, seats=seats, origin="trainer")
        self.open(name, [Draft.of(created), Draft.of(EpisodeStarted())])
        for index in range(turns):
            turn = TurnStarted(index=index, turn=f"turn {index}", to_act=["NORTH"], scores={})
            self.bus.publish(name, [Draft("Moved", {"state": index}), Draft.of(turn)])
        if end:
            self.bus.publish(name, [Draft.of(EpisodeEnded(status="stopped"))])


def wait_for(so: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.002)


def buffered(path: Path) -> dict[str, list[Event]]:
    """Return the content of a buffer by title."""
    recorder = Recorder(path)
    results = {
        summary.title: list(recorder.events(summary.episode_id)) for summary in recorder.summaries(limit=1000)[0]
    }
    recorder.close()
    return results
