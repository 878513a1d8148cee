"""The parts of a server without its sockets, for tests of what is played."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from grandstand.models import Event
from grandstand.players.roster import Roster
from grandstand.server.matches.driver import Driver
from grandstand.server.purse import MatchCosts, Purse
from grandstand.spectator.bus import Bus
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder
from tests.support.waiting import PATIENCE


class MatchServices:
    """The parts of a server without its sockets."""

    def __init__(
        self,
        path: Path | str = ":memory:",
        *,
        slots: int = 2,
        queue: int = 2,
        roster: Roster | None = None,
        credits: float = 60.0,
    ) -> None:
        self.recorder = Recorder(path)
        self.history = History(self.recorder)
        self.bus = Bus(self.recorder)
        self.bus.add(self.history)
        self.roster = roster or Roster.load()
        self.purse = Purse(credits)
        costs = MatchCosts(self.purse)
        self.bus.add(costs)
        self.driver = Driver(
            self.bus, self.history, self.recorder, self.roster, costs, slots=slots, queue=queue, pace=0
        )

    async def begun(self, episode_id: str) -> None:
        """Wait until the match has begun its first turn."""
        await until(lambda: any(event.type == "TurnStarted" for event in self.recorder.events(episode_id)))

    async def ended(self, *episode_ids: str) -> None:
        """Wait until the episodes have ended."""
        await until(lambda: all(self.recorder.summary(episode_id).ended_at for episode_id in episode_ids))


async def until(condition: Callable[[], object]) -> None:
    """Wait until `condition` holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "the condition did not come true"
        await asyncio.sleep(0.001)


async def settle() -> None:
    """Let the event loop run everything that is due, timers of milliseconds included, however busy the machine is."""
    for _ in range(50):
        await asyncio.sleep(0.001)


class RecordingObserver:
    """An observer that appends every event to a list."""

    def __init__(self, events: list[Event]) -> None:
        self._events = events

    def on_events(self, events: Sequence[Event]) -> None:
        self._events += events

    def on_released(self, episode_id: str) -> None: ...
