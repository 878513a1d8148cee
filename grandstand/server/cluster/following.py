"""Follows the episodes that other servers play, while somebody here looks at them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub

if TYPE_CHECKING:
    from grandstand.spectator.store.leases import Leases

log = logging.getLogger(__name__)

EVERY = 0.25
"""Seconds between looks for new events of all followed episodes, in one statement."""


class Following:
    """Reads the new events of the episodes in memory, or with viewers here, that this server does not play."""

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

    def begin(self) -> None:
        """Follow until closed."""
        self._task = asyncio.create_task(self._run(), name="following")

    async def close(self) -> None:
        """Stop following."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._leases.close()

    async def _run(self) -> None:
        while True:
            try:
                await self._look()
                self._failed = False
            except RecordError as error:
                if not self._failed:
                    log.warning("matches of other servers are not followed for now: %s", error)
                self._failed = True
            except Exception:
                log.exception("an episode of another server cannot be followed")
            await asyncio.sleep(EVERY)

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
            return
        if len(kept) >= count:
            return
        events = await asyncio.to_thread(self._leases.events, episode_id, len(kept))
        kept = self._history.kept(episode_id)
        if kept is not None and not self._bus.numbers(episode_id):
            self._bus.follow([event for event in events if event.seq >= len(kept)])
