"""The matches that are published by drivers elsewhere."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grandstand.events import EpisodeEnded
from grandstand.games.base import OptionError
from grandstand.models import Draft, Event
from grandstand.server.matches.steering import Full
from grandstand.server.purse import Purse
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import RecordError
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.store.interface import EpisodeStore

log = logging.getLogger(__name__)

LIVE = 64
"""Unfinished matches at the same time: each takes memory for its viewers."""

IDLE = 3600.0
"""Seconds of silence after which a driver's match is ended: a training step or a person's break may take nearly as
long.
"""

RELAYED_BYTES = 64 * 1024
RELAYED_EVENTS = 200
"""Bytes of data and number of events that are recorded and delivered before the event loop serves others."""

MAX_EPISODE = 64 * 1024 * 1024
"""Bytes of one episode's data."""

SWEEP_EVERY = 30.0
"""Seconds between looks for drivers that are silent."""

EPISODES_A_MINUTE = 30
REQUESTS_A_MINUTE = 1200
"""New episodes of one game, and requests, that are accepted in a minute."""


@dataclass(slots=True)
class Stream:
    """An unfinished published episode: when its driver last sent something, and how large it has become."""

    heard_at: float
    size: int
    last_seq: int = -1
    """The last event that is known here; another server may have received later ones."""


class PublishedMatches:
    """The unfinished published episodes, with their number and sizes; those of silent drivers are ended."""

    def __init__(
        self,
        bus: Bus,
        recorder: EpisodeStore,
        *,
        limit: int = LIVE,
        idle: float = IDLE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """At most `limit` at a time; an episode ends when its driver has sent nothing for `idle` seconds."""
        self._bus = bus
        self._recorder = recorder
        self._limit = limit
        self._idle = idle
        self._clock = clock
        self._streams: dict[str, Stream] = {}
        self.shared = False
        """Whether other servers share the record, to which a driver may send as well."""
        self._timer: asyncio.TimerHandle | None = None
        self._sweeping: asyncio.Task[None] | None = None
        self.requests = Purse(REQUESTS_A_MINUTE, 60.0)
        self.starts = Purse(EPISODES_A_MINUTE, 60.0)
        self.turn = asyncio.Lock()
        """Held while a batch is checked and delivered, which takes many turns of the loop."""

    def begin(self) -> None:
        """Load the unfinished episodes of the record, and end silent ones from now on."""
        unfinished, _ = self._recorder.summaries(status=("live", "queued"), limit=10_000)
        for summary in unfinished:
            if summary.origin == "publisher":
                if not self.shared:
                    self._bus.open(summary.episode_id, summary.epoch, summary.last_seq + 1, summary.delay)
                size = self._recorder.size(summary.episode_id)
                self._streams[summary.episode_id] = Stream(self._clock(), size, summary.last_seq)
        self._sweep_soon()

    def close(self) -> None:
        if self._timer:
            self._timer.cancel()
        if self._sweeping:
            self._sweeping.cancel()

    def check_room(self, episode_id: str, size: int) -> None:
        """Raise Full or OptionError if `size` bytes of events cannot be added to the episode."""
        stream = self._streams.get(episode_id)
        if stream is None and len(self._streams) >= self._limit:
            raise Full(f"{self._limit} published matches are live; let one end, or try again later")
        if (stream.size if stream else 0) + size > MAX_EPISODE:
            raise OptionError(f"events: an episode may have {MAX_EPISODE} bytes of data; end this one, begin another")

    async def relay(self, episode_id: str, checked: Sequence[tuple[Event, int]]) -> None:
        """Record and deliver events, each with the bytes of its data, some in each turn of the loop.

        If that fails, the events recorded so far stay, and the driver can ask for the number of the next event.
        """
        part: list[Event] = []
        total = 0
        for number, (event, size) in enumerate(checked, 1):
            part.append(event)
            total += size
            if total > RELAYED_BYTES or len(part) == RELAYED_EVENTS or number == len(checked):
                await self._bus.relay_meanwhile(part)
                self.added(episode_id, total, event.type == EpisodeEnded.__name__)
                part, total = [], 0
                await asyncio.sleep(0)

    def added(self, episode_id: str, size: int, ended: bool) -> None:
        """Count `size` bytes as added."""
        stream = self._streams.pop(episode_id, None)
        if not ended:
            self._streams[episode_id] = Stream(self._clock(), size + (stream.size if stream else 0))

    async def sweep(self) -> None:
        """End the episodes whose drivers are silent."""
        for episode_id in self._silent():
            summary = self._recorder.summary(episode_id)
            if self._heard_elsewhere(episode_id, summary):
                continue
            ended = EpisodeEnded(
                status="interrupted", message=f"the driver elsewhere sent nothing for {self._idle:g} seconds"
            )
            try:
                self._bus.open(episode_id, summary.epoch, summary.last_seq + 1, summary.delay)
                await self._bus.record_now(episode_id, [Draft.of(ended)])
            except RecordError as error:
                log.warning("published episode %s cannot be ended yet: %s", episode_id, error)
            else:
                del self._streams[episode_id]

    def _silent(self) -> list[str]:
        now = self._clock()
        return [episode_id for episode_id, stream in self._streams.items() if now - stream.heard_at > self._idle]

    def _heard_elsewhere(self, episode_id: str, summary: EpisodeSummary) -> bool:
        """Return whether the driver of a silent episode has sent something to another server."""
        stream = self._streams[episode_id]
        if not self.shared or summary.last_seq == stream.last_seq:
            return False
        if summary.ended_at is not None:
            del self._streams[episode_id]
        else:
            stream.heard_at, stream.last_seq = self._clock(), summary.last_seq
        return True

    def _sweep_soon(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(min(SWEEP_EVERY, self._idle), self._swept)

    def _swept(self) -> None:
        self._sweep_soon()
        self._sweeping = asyncio.create_task(self._sweep_meanwhile(), name="sweep")

    async def _sweep_meanwhile(self) -> None:
        """End the episodes whose drivers are silent, once it is read what other servers have of them."""
        try:
            for episode_id in self._silent() if self.shared else ():
                await self._recorder.prefetch(episode_id)
            async with self.turn:
                await self.sweep()
        except RecordError as error:
            log.warning("published episodes are not ended for now: %s", error)
