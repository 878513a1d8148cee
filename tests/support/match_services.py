"""The parts of a server without its sockets, for tests of what is played."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from grandstand.models import Event
from grandstand.players.roster import Roster
from grandstand.server.matches.driver import Driver
from grandstand.spectator.bus import Bus
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder
from tests.support.waiting import PATIENCE


class MatchServices:
    """The parts of a server without its sockets."""

    def __init__(
        self, path: Path | str = ":memory:", *, slots: int = 2, queue: int = 2, roster: Roster | None = None
    ) -> None:
        self.recorder = Recorder(path)
        self.history = History(self.recorder)
        self.bus = Bus(self.recorder)
        self.bus.add(self.history)
        self.roster = roster or Roster.load()
        self.driver = Driver(self.bus, self.history, self.recorder, self.roster, slots=slots, queue=queue, pace=0)

    async def ended(self, *episode_ids: str) -> None:
        await until(lambda: all(self.recorder.summary(episode_id).ended_at for episode_id in episode_ids))


async def until(so: Callable[[], object]) -> None:
    """Wait until it is so."""
    end = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < end, "it did not come to that"
        await asyncio.sleep(0.001)


class RecordingObserver:
    """An observer that keeps what it is told."""

    def __init__(self, seen: list[Event]) -> None:
        self._seen = seen

    def on_events(self, events: Sequence[Event]) -> None:
        self._seen += events

    def on_released(self, episode_id: str) -> None: ...
