"""Redis carries committed batches to the other servers, sooner than they would read them from PostgreSQL.

It holds nothing that PostgreSQL lacks, and may lose everything at any time: a server that finds a number missing reads
the record. An entry of a stream is a batch. The episodes share a few streams, since a read of many streams costs Redis
time for each.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from queue import Empty, Full, Queue
from typing import Any
from zlib import crc32

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from grandstand.models import Event
from grandstand.spectator.errors import RecordError
from grandstand.spectator.record_rows import event_of, event_row

log = logging.getLogger(__name__)

STREAMS = [f"grandstand:{{{number:02}}}" for number in range(16)]
"""The keys of the streams."""

WINDOW = 30_000
"""Milliseconds for which a stream keeps an entry."""

SECONDS = 1.0
"""Seconds for which a call waits for the answer of Redis."""

BLOCK = 500
"""Milliseconds for which a read waits for an entry; less than `SECONDS`."""

AGAIN = 0.2
"""Seconds between attempts to read while Redis cannot be read."""

WAITING = 10_000
"""Batches that may wait to be sent."""

ENTRIES = 20
"""The most entries that one read takes from a stream, and the most batches that are sent at once."""

ADD = f"""
local epoch, first, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local known = redis.call('HMGET', KEYS[2], 'epoch', 'next')
if known[1] and (epoch < tonumber(known[1]) or first + count <= tonumber(known[2])) then return 0 end
local time = redis.call('TIME')
redis.call('XADD', KEYS[1], 'MINID', '~', time[1] * 1000 - {WINDOW}, '*', 'episode', ARGV[4], 'events', ARGV[5])
redis.call('HSET', KEYS[2], 'epoch', ARGV[1], 'next', first + count)
redis.call('EXPIRE', KEYS[2], 3600)
return 1
"""
"""Adds a batch, unless a later owner of its episode has added one, or the batch was added before: a client sends a
command again if it saw no answer. A gap is added as it is, because readers fill it from PostgreSQL."""


def connected(url: str) -> redis.Redis:
    """Return a client that reports an error at once, instead of sending a command again."""
    client: redis.Redis = redis.Redis.from_url(
        url, protocol=2, socket_timeout=SECONDS, socket_connect_timeout=SECONDS, retry=Retry(NoBackoff(), 0)
    )
    return client


class StreamWriter:
    """An observer of the bus that sends what it is told, in a thread of its own. While Redis fails, it drops it."""

    def __init__(self, url: str) -> None:
        self._client = connected(url)
        self._waiting: Queue[Sequence[Event]] = Queue(WAITING)
        self._stop = threading.Event()
        self._fails = False
        self._thread = threading.Thread(target=self._run, name="redis-writer", daemon=True)

    def begin(self) -> None:
        """Send until closed."""
        self._thread.start()

    def on_events(self, events: Sequence[Event]) -> None:
        with suppress(Full):
            self._waiting.put_nowait(events)

    def on_released(self, episode_id: str) -> None: ...

    def close(self) -> None:
        """Stop sending once the call that is under way has ended."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            if batches := self._taken():
                try:
                    self._send(batches)
                except redis.RedisError as error:
                    if not self._fails:
                        log.warning("Redis gets no events for now; other servers read the record: %s", error)
                    self._fails = True
                else:
                    self._fails = False
        self._client.close()

    def _taken(self) -> list[Sequence[Event]]:
        """Return batches that wait, at least one if one comes within a moment."""
        batches: list[Sequence[Event]] = []
        with suppress(Empty):
            batches.append(self._waiting.get(timeout=BLOCK / 1000))
            while len(batches) < ENTRIES:
                batches.append(self._waiting.get_nowait())
        return batches

    def _send(self, batches: Sequence[Sequence[Event]]) -> None:
        pipeline = self._client.pipeline(transaction=False)
        for events in batches:
            first = events[0]
            stream = STREAMS[crc32(first.episode_id.encode()) % len(STREAMS)]
            rows = json.dumps([event_row(event)[1:] for event in events])
            keys = stream, f"{stream}:{first.episode_id}"
            pipeline.eval(ADD, 2, *keys, events[-1].epoch, first.seq, len(events), first.episode_id, rows)
        pipeline.execute()


class StreamReader:
    """Reads the batches of the episodes that somebody here looks at, in a thread of its own."""

    def __init__(
        self,
        url: str,
        *,
        wants: Callable[[str], bool],
        arrived: Callable[[Sequence[Event]], object],
        failed: Callable[[], object],
    ) -> None:
        """`arrived` gets each batch of an episode that `wants` approves. `failed` is called when Redis cannot be read.

        All are called in the thread of the reader.
        """
        self._client = connected(url)
        self._wants = wants
        self._arrived = arrived
        self._failed = failed
        self._stop = threading.Event()
        self._fails = False
        self._thread = threading.Thread(target=self._run, name="redis-reader", daemon=True)

    def begin(self) -> None:
        """Read until closed."""
        self._thread.start()

    def close(self) -> None:
        """Stop reading once the call that is under way has ended."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._read()
            except redis.RedisError as error:
                if not self._fails:
                    log.warning("Redis cannot be read for now; the record is read instead: %s", error)
                self._fails = True
                self._failed()
                self._stop.wait(AGAIN)
        self._client.close()

    def _read(self) -> None:
        """Read what is added from now on, until that fails. What was added before is in PostgreSQL.

        The position is a time of Redis, since `$` would skip entries between two reads.
        """
        seconds, micros = self._client.time()
        now = f"{seconds * 1000 + micros // 1000}-0"
        after: dict[Any, Any] = dict.fromkeys(STREAMS, now)
        while not self._stop.is_set():
            answer: Any = self._client.xread(after, count=ENTRIES, block=BLOCK)
            self._fails = False
            for name, entries in answer:
                after[name.decode()] = entries[-1][0]
                for _, fields in entries:
                    self._take(fields)

    def _take(self, fields: Mapping[bytes, bytes]) -> None:
        try:
            episode_id = fields[b"episode"].decode()
            if self._wants(episode_id):
                self._arrived([event_of(episode_id, *row) for row in json.loads(fields[b"events"])])
        except (KeyError, TypeError, ValueError, RecordError) as error:
            log.warning("an entry of Redis is no batch of events, and is skipped: %r", error)
