"""This server among those of one record in PostgreSQL."""

from __future__ import annotations

import asyncio
import logging
import secrets
import threading
from collections.abc import Callable, Collection, Coroutine, Iterable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from grandstand.campaign_events import TOURNAMENT
from grandstand.games.base import OptionError
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.server.bodies.matches import LaneInfo
from grandstand.server.cluster.following import Following
from grandstand.server.cluster.membership import Membership
from grandstand.server.matches.driver import Driver
from grandstand.server.matches.resuming import Resumable
from grandstand.server.matches.steering import Elsewhere, Resuming
from grandstand.server.settings import Settings, SettingsError
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import CloseCode, RecordError
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.store.interface import OwningServer

if TYPE_CHECKING:
    from grandstand.spectator.store.redis_streams import StreamWriter

log = logging.getLogger(__name__)

AGAIN = 1.0
"""Seconds between attempts to read the record while it cannot be read."""


class Lanes(Protocol):
    """The showcase, which one server plays at a time."""

    async def begin_meanwhile(self) -> None:
        """Play it. Raises RecordError."""

    def close(self) -> None:
        """Stop it."""

    def lanes(self) -> list[LaneInfo]:
        """Return the match of each lane."""


class ManyMatches(Protocol):
    """The tournaments, each of which is played where its lease is."""

    async def resume(self, summary: EpisodeSummary, epoch: int) -> None:
        """Go on with a tournament."""

    def drop(self, episode_id: str) -> None:
        """Stop playing a tournament."""

    def playing(self) -> list[str]:
        """Return the matches that the tournaments play now."""


class Cluster:
    """The work that a server does because of the others: claim, follow, pass on."""

    def __init__(self, settings: Settings, url: str) -> None:
        """Open the record at `url`. Raises SettingsError, RecordError."""
        for flag, package in ("store", "psycopg"), *([("bus", "redis")] if settings.bus else []):
            if find_spec(package) is None:
                raise SettingsError(f"{flag} (--{flag}): it needs {package}: install the extra grandstand[scale]")
        from grandstand.spectator.store.postgres import PostgresStore

        self._settings = settings
        self.store = PostgresStore(url)
        self.plays = settings.role != "watch"
        """Whether this server plays matches."""
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = f"http://{settings.host}:{settings.port}"
        """The address of this server for the others."""

    def join(
        self,
        bus: Bus,
        history: History,
        hub: Hub,
        driver: Driver,
        tournaments: ManyMatches,
        showcase: Lanes,
        forget: Callable[[str], None],
    ) -> None:
        """Begin to renew, claim and follow. `forget` drops what is known of an episode in memory."""
        from grandstand.spectator.store.leases import Leases

        store, url = self.store, self.store.url
        server = store.server = OwningServer(secrets.token_hex(8), self.url, self._settings.role)
        self._parts = driver, tournaments, forget
        history.elsewhere = lambda episode_id, origin: origin == "publisher" or not bus.numbers(episode_id)
        driver.route = self._route
        if self._settings.role == "drive":
            hub.refuse(CloseCode.STOPPING)

        def also() -> Iterable[str]:
            yield from tournaments.playing()
            yield from (lane.episode_id for lane in showcase.lanes() if lane.episode_id)

        self._following = Following(bus, history, hub, Leases(url, server), also)
        self._writer = self._redis_writer(bus)
        self._membership = Membership(
            Leases(url, server),
            lambda: store.held,
            plays=self.plays,
            claimed=self._claimed,
            lost=self._lost,
            showcase=lambda has: self._work(self._play_showcase(showcase)) if has else showcase.close(),
        )
        driver.away = self._membership.away
        if self.plays:
            threading.Thread(target=_import_games, name="games", daemon=True).start()
        self._following.begin(self._redis_url)
        self._membership.begin()

    def _route(self, episode_id: str | None) -> None:
        """Raise Elsewhere for an episode that is not played here, and without one if this server plays no matches."""
        if episode_id is not None or not self.plays:
            raise Elsewhere(episode_id)

    async def address(self, episode_id: str | None) -> str:
        """Return the address of the server that plays an episode, or of one that can begin one if it is None.

        Raises Resuming if none does for now, StorageError.
        """
        store = self.store
        url = await store.apart(lambda: store.player_url() if episode_id is None else store.owner_url(episode_id))
        if url is None:
            what = "no server plays matches" if episode_id is None else f"episode: no server plays {episode_id}"
            raise Resuming(f"{what} now; try again in a few seconds")
        if store.server is None or url == store.server.url:
            raise Resuming(f"episode: {episode_id} is being taken up from the record; try again in a few seconds")
        return url

    @property
    def _redis_url(self) -> str:
        return self._settings.bus.get_secret_value() if self._settings.bus else ""

    def _redis_writer(self, bus: Bus) -> StreamWriter | None:
        """Return what sends the events of this server to Redis, if there is one."""
        if not self._redis_url:
            return None
        from grandstand.spectator.store.redis_streams import StreamWriter

        writer = StreamWriter(self._redis_url)
        bus.add(writer)
        writer.begin()
        return writer

    async def close(self) -> None:
        """Stop following, and leave the matches to the other servers. Call it when none is played any more."""
        if self._writer is not None:
            await asyncio.to_thread(self._writer.close)
        await self._following.close()
        await self._membership.close()

    async def _play_showcase(self, showcase: Lanes) -> None:
        while True:
            try:
                await showcase.begin_meanwhile()
                return
            except RecordError as error:
                log.warning("the showcase begins later: %s", error)
                await asyncio.sleep(AGAIN)

    def _work(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _claimed(self, epochs: Mapping[str, int]) -> None:
        """Begin to go on with episodes whose owner is gone."""
        # A server that stood still finds its own leases expired, and may still play these matches.
        self._lost(epochs)
        for episode_id, epoch in epochs.items():
            self.store.held[episode_id] = epoch
        self._work(self._go_on(epochs))

    async def _go_on(self, epochs: Mapping[str, int]) -> None:
        driver, tournaments, forget = self._parts
        matches: list[Resumable] = []
        for episode_id, epoch in sorted(epochs.items()):
            try:
                summary = await self.store.claimed(episode_id)
                forget(episode_id)  # what was read before the claim
                if summary.game == TOURNAMENT:
                    await tournaments.resume(summary, epoch)
                else:
                    matches.append(Resumable(summary, epoch))
            except RecordError as error:
                # Its lease is not renewed, so it is claimed again.
                self.store.release(episode_id)
                log.warning("episode %s cannot be taken up for now: %s", episode_id, error)
        log.info("%d episodes of another server go on here", len(matches))
        driver.resume(sorted(matches, key=lambda match: match.summary.created_at))

    def _lost(self, episode_ids: Collection[str]) -> None:
        """Stop playing episodes that another server owns now."""
        driver, tournaments, forget = self._parts
        lost = [episode_id for episode_id in episode_ids if episode_id in self.store.held]
        for episode_id in lost:
            log.warning("episode %s is no longer played here: its lease had expired", episode_id)
            self.store.release(episode_id)
            tournaments.drop(episode_id)
        driver.drop(lost)
        for episode_id in lost:
            forget(episode_id)


def _import_games() -> None:
    """Import the rules of every game, so that a match that is taken over need not wait for them."""
    for name in GAMES:
        with suppress(OptionError):
            game_spec(name)
