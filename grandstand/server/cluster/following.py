"""Follows the episodes that other servers play, while somebody here looks at them.

What is new is read from PostgreSQL. With Redis it comes from there, and a look at PostgreSQL fills what Redis has lost.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from grandstand.models import Event
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import RecordError, StorageError, UnknownEpisode
from grandstand.spectator.framing import StreamPosition
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub

if TYPE_CHECKING:
    from grandstand.spectator.store.leases import Leases
    from grandstand.spectator.store.redis_streams import StreamReader

log = logging.getLogger(__name__)

EVERY = 0.25
"""Seconds between looks for new events of all followed episodes, in one statement."""

SELDOM = 2.0
"""Seconds between looks while Redis brings the new events."""

RELIED_AFTER = 5.0
"""Seconds without a failure after which Redis is relied on again."""


class Following:
    """Delivers the new events of the episodes in memory, or with viewers here, that this server does not play."""

    def __init__(
        self, bus: Bus, history: History, hub: Hub, leases: Leases, also: Callable[[], Iterable[str]] = lambda: ()
    ) -> None:
        """`also` are episodes to follow without a viewer. `leases` is for this reader alone."""
        self._bus = bus
        self._history = history
        self._hub = hub
        self._leases = leases
        self._also = also
        self._task: asyncio.Task[None] | None = None
        self._failed = False
        self._missing = asyncio.Event()
        """Set when PostgreSQL is to be read at once."""
        self._reader: StreamReader | None = None
        self._redis_failed_at = 0.0
        hub.catch_up = self.catch_up

    def begin(self, redis_url: str = "") -> None:
        """Follow until closed, by Redis too if it is given."""
        loop = asyncio.get_running_loop()
        if redis_url:
            from grandstand.spectator.store.redis_streams import StreamReader

            self._redis_failed_at = loop.time()
            self._reader = StreamReader(
                redis_url,
                wants=self._wants,
                arrived=lambda events: loop.call_soon_threadsafe(self.arrived, events),
                failed=lambda: loop.call_soon_threadsafe(self._redis_fails),
            )
            self._reader.begin()
        self._task = asyncio.create_task(self._run(), name="following")

    async def close(self) -> None:
        """Stop following."""
        if self._reader is not None:
            await asyncio.to_thread(self._reader.close)
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._leases.close()

    def _wants(self, episode_id: str) -> bool:
        return self._history.holds(episode_id) and not self._bus.numbers(episode_id)

    def arrived(self, events: Sequence[Event]) -> None:
        """Deliver a committed batch of another server, if it is the next; read the record if others are missing."""
        kept = self._history.kept(events[0].episode_id)
        if kept is None or self._bus.numbers(events[0].episode_id):
            return
        if events[0].seq > len(kept):
            self._missing.set()
        elif new := events[len(kept) - events[0].seq :]:
            self._bus.follow(new)

    async def catch_up(self, episode_id: str, after: StreamPosition) -> None:
        """Read what is missing here of an episode, for a viewer who comes from a server that has more of it.

        Raises StorageError if it has been taken over from this server, which has not noticed yet.
        """
        kept = self._history.kept(episode_id)
        if kept is None:
            return
        if not self._bus.numbers(episode_id):
            if events := await asyncio.to_thread(self._leases.events, episode_id, len(kept)):
                self.arrived(events)
        elif after.epoch > kept[-1].epoch:
            raise StorageError(f"episode {episode_id} is played by another server now")

    def _redis_fails(self) -> None:
        self._redis_failed_at = asyncio.get_running_loop().time()
        self._missing.set()

    async def _run(self) -> None:
        while True:
            self._missing.clear()
            try:
                await self._look()
                self._failed = False
            except RecordError as error:
                if not self._failed:
                    log.warning("matches of other servers are not followed for now: %s", error)
                self._failed = True
            except Exception:
                log.exception("an episode of another server cannot be followed")
            await self._pause()

    async def _pause(self) -> None:
        """Wait until PostgreSQL is to be read again."""
        now = asyncio.get_running_loop().time()
        relied = self._reader is not None and now - self._redis_failed_at > RELIED_AFTER and not self._failed
        with suppress(TimeoutError):
            async with asyncio.timeout(SELDOM if relied else EVERY):
                await self._missing.wait()

    async def _look(self) -> None:
        wanted = {*self._history.unfinished(), *self._hub.watched(), *self._also()}
        names = [name for name in wanted if not self._bus.numbers(name)]
        if not names:
            return
        following = await asyncio.to_thread(self._leases.following, names)
        for name, count in following.items():
            await self._catch_up(name, count)

    async def _catch_up(self, episode_id: str, count: int) -> None:
        """Deliver what is missing here of the first `count` events."""
        kept = self._history.kept(episode_id)
        if kept is None:
            try:
                await self._history.load(episode_id)
            except UnknownEpisode:
                return
            self._bus.recover(episode_id, *self._history.releases(episode_id))
            self._hub.on_released(episode_id)
        elif len(kept) < count and (events := await asyncio.to_thread(self._leases.events, episode_id, len(kept))):
            self.arrived(events)
