"""Redis between servers: it may hang and lose everything; viewers elsewhere see the record, each event once."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator, Sequence

import pytest

from grandstand.models import Event
from grandstand.server.cluster.following import Following
from grandstand.spectator.bus import Bus
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.store.interface import OwningServer
from grandstand.spectator.store.leases import Leases
from grandstand.spectator.store.redis_streams import STREAMS, StreamWriter
from tests.support.server.match_services import until
from tests.support.server.postgres import Postgres
from tests.support.server.redis import RedisServer, redis_server
from tests.support.server.stream_server import board, ending, opening
from tests.support.spectator.logs import EPISODE, stamp
from tests.support.spectator.stores import postgres_store

OWNER, WATCHER = OwningServer("one", "http://one"), OwningServer("two", "http://two")


@pytest.fixture
def redis() -> Iterator[RedisServer]:
    with redis_server() as server:
        yield server


class Shown:
    """An observer that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def on_events(self, events: Sequence[Event]) -> None:
        self.events += events

    def on_released(self, episode_id: str) -> None: ...


def entries(redis: RedisServer) -> list[int]:
    """Return the number of events of each entry, in the order in which they were added."""
    added = [entry for name in STREAMS for entry in redis.client.xrange(name)]
    return [len(json.loads(fields[b"events"])) for _, fields in sorted(added)]


def test_a_batch_is_added_once_and_none_of_an_earlier_owner(redis: RedisServer) -> None:
    writer = StreamWriter(redis.url)
    one, late = stamp([board(1)], first=7), stamp([board(2), board(3)], first=8)
    claimed = stamp([board(4)], first=10, epoch=2)
    for batch in (one, one, late, one, claimed, stamp([board(5), board(6)], first=10), claimed):
        writer._send([batch])
    assert entries(redis) == [1, 2, 1]
    after_a_gap = stamp([board(7), board(8)], first=50, epoch=2)
    writer._send([after_a_gap])
    assert entries(redis) == [1, 2, 1, 2]


class Watching:
    """A server that plays a match, and another one that shows it; a viewer is simulated by an observer."""

    def __init__(self, url: str, redis: str) -> None:
        self.bus = Bus(postgres_store(url, OWNER))
        self.writer = StreamWriter(redis)
        self.bus.add(self.writer)
        self.bus.open(EPISODE, epoch=1)
        self.bus.publish(EPISODE, opening())
        self.store = postgres_store(url, WATCHER)
        self.history, self.shown = History(self.store), Shown()
        elsewhere = Bus(self.store)
        elsewhere.add(self.history, follows=True)
        elsewhere.add(self.shown, follows=True)
        self.following = Following(elsewhere, self.history, Hub(self.history), Leases(url, WATCHER))
        self.published = 0

    async def begin(self, redis: str) -> None:
        await self.history.load(EPISODE)
        self.writer.begin()
        self.following.begin(redis)

    async def play(self, batches: int) -> None:
        for _ in range(batches):
            await self.bus.record(EPISODE, [board(self.published), board(self.published + 1)])
            self.published += 2
            await asyncio.sleep(0.01)

    async def seen(self) -> None:
        """Wait until everything that was published is shown elsewhere."""
        await until(lambda: len(self.shown.events) >= self.published)

    async def end(self) -> None:
        await self.bus.record(EPISODE, [ending()])
        self.published += 1
        await self.seen()
        await asyncio.to_thread(self.writer.close)
        await self.following.close()
        record = list(self.store.events(EPISODE))
        assert self.shown.events == record[3:], "everything, in order, once"
        assert list(self.history.events(EPISODE)) == record


async def killed(match: Watching, redis: RedisServer) -> None:
    redis.kill()
    await match.play(20)
    await match.seen()
    redis.start()


async def flushed(match: Watching, redis: RedisServer) -> None:
    redis.client.flushall()


async def frozen(match: Watching, redis: RedisServer) -> None:
    redis.signal(signal.SIGSTOP)
    await match.play(20)
    await match.seen()
    redis.signal(signal.SIGCONT)


async def trimmed(match: Watching, redis: RedisServer) -> None:
    """Leave only the newest entry for a reader that is late."""
    for name in STREAMS:
        redis.client.xtrim(name, maxlen=1, approximate=False)


async def spoiled(match: Watching, redis: RedisServer) -> None:
    for fields in ({"a": "b"}, {"episode": EPISODE, "events": "[[1]]"}, {"episode": EPISODE, "events": "{"}):
        redis.client.xadd(STREAMS[0], fields)


@pytest.mark.long
def test_redis_loses_no_event_and_shows_none_twice(postgres: Postgres, redis: RedisServer) -> None:
    async def played() -> None:
        match = Watching(postgres.database(), redis.url)
        await match.begin(redis.url)
        for fault in (flushed, killed, trimmed, frozen, spoiled):
            await match.play(20)
            await match.seen()
            await fault(match, redis)
            await match.play(20)
        await match.end()

    asyncio.run(played())


def test_what_redis_lacks_is_read_from_the_record(postgres: Postgres, redis: RedisServer) -> None:
    async def played() -> None:
        match = Watching(postgres.database(), redis.url)
        await match.history.load(EPISODE)
        await match.play(2)
        record = list(match.store.events(EPISODE))
        match.following.begin()
        match.following.arrived(record[5:])
        match.following.arrived(record[2:5])
        await match.seen()
        assert match.shown.events == record[3:]
        await match.following.close()

    asyncio.run(played())
