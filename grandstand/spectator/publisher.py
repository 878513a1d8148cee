"""The publisher: sends episodes from another process to a Grandstand server, which shows them live.

The local record is the buffer: events are committed to disk first, and sent from there. The server may be unreachable
for minutes, and the publisher may be killed: the server reports what it has received, so no event is lost, duplicated
or reordered.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx2
from pydantic import SecretStr

from grandstand.models import Draft, Event
from grandstand.spectator.bus import Bus, Narrator, new_epoch
from grandstand.spectator.frames import PublishBatch, Published
from grandstand.spectator.recorder import Recorder

log = logging.getLogger(__name__)

BATCH_EVENTS = 200
BATCH_BYTES = 512 * 1024
"""Maximum size of one request; a single event may be larger."""

FIRST_WAIT, LONGEST_WAIT = 0.2, 15.0
"""Seconds between attempts while the server cannot be reached; the wait doubles each time, with jitter."""

MAX_FAILURES = 8
"""Attempts at a request that the server fails to answer because of a bug: about half a minute."""

UNAVAILABLE = {429, 502, 503, 504}
"""The statuses of a server that is busy, restarting or unable to write its record for now."""


Narrate = Callable[[str, str], Narrator | None]
"""(game, episode id) -> the narrator of the episode, if it has one."""


class PublishRefused(Exception):
    """The server refused the events permanently: wrong token, event not in its schema, quota exceeded, or a bug of the
    server.

    The message names what was not delivered. It is still in the buffer, from which a new publisher sends it.
    """


class Publisher:
    """A client that publishes episodes to `url`. Use with `async with`; on exit it waits until everything is sent.

    `buffer` is the file of the local record; a publisher restarted with the same file continues after the last event
    that the server has received. `narrate` gives each episode its narrator: the server adds no story to published
    events.
    """

    def __init__(
        self,
        url: str,
        token: str,
        buffer: Path,
        *,
        seed: int | None = None,
        narrate: Narrate = lambda game, episode_id: None,
    ) -> None:
        self.recorder = Recorder(buffer)
        self._buffer = buffer
        self.bus = Bus(self.recorder)
        self.bus.add(self)
        self._url = url.rstrip("/")
        self._token = SecretStr(token)
        self._random = random.Random(seed)
        self._narrate = narrate
        self._wake = asyncio.Event()
        self._unsent: dict[str, int] = {}
        """Episode -> the number of its next event to send; -1 if the server must be asked first."""
        self._client: httpx2.AsyncClient | None = None
        self._sender: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._client = httpx2.AsyncClient(timeout=20.0)
        for summary in self.recorder.summaries(limit=10_000)[0]:
            self._unsent[summary.episode_id] = -1
        self._wake.set()
        self._sender = asyncio.create_task(self._send_all(), name="publisher")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._sender is not None
        assert self._client is not None
        try:
            if error is None:
                await self.drain()
        finally:
            self._sender.cancel()
            with suppress(asyncio.CancelledError, PublishRefused):
                await self._sender
            await self._client.aclose()
            self.recorder.close()

    def open(self, game: str) -> str:
        """Open a new episode and return its id. Its first event must be EpisodeCreated, of origin `publisher`."""
        episode_id = f"{game}-{secrets.token_hex(8)}"
        self.begin(game, episode_id)
        return episode_id

    def begin(self, game: str, episode_id: str) -> None:
        """Open a new episode under `episode_id`, which must be unused."""
        self.bus.open(episode_id, new_epoch(), narrator=self._narrate(game, episode_id))

    def publish(self, episode_id: str, drafts: Sequence[Draft]) -> Sequence[Event]:
        """Record `drafts` and schedule their sending. Raises PublishRefused if the server has refused before."""
        if self._sender is not None and self._sender.done():
            self._sender.result()
        return self.bus.publish(episode_id, drafts)

    async def drain(self) -> None:
        """Wait until the server has acknowledged everything. Raises PublishRefused."""
        assert self._sender is not None
        while self._unsent:
            if self._sender.done():
                self._sender.result()
            await asyncio.sleep(0.01)

    def on_events(self, events: Sequence[Event]) -> None:
        self._unsent.setdefault(events[0].episode_id, events[0].seq)
        self._wake.set()

    def on_released(self, episode_id: str) -> None: ...

    async def _send_all(self) -> None:
        wait = FIRST_WAIT
        while True:
            await self._wake.wait()
            self._wake.clear()
            for episode_id in list(self._unsent):
                try:
                    await self._send(episode_id)
                    wait = FIRST_WAIT
                except httpx2.TransportError as error:
                    level = logging.WARNING if wait == FIRST_WAIT else logging.INFO
                    log.log(level, "the server cannot be reached (%s); again in %.1f s", type(error).__name__, wait)
                    await self._pause(wait)
                    wait = min(LONGEST_WAIT, wait * 2)
                    self._wake.set()

    async def _pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds * (0.5 + self._random.random()))

    async def _send(self, episode_id: str) -> None:
        """Send everything of one episode that the server does not have."""
        following = self._unsent[episode_id]
        if following < 0:
            following = (await self._request("GET", episode_id)).next_seq
        while True:
            self._unsent[episode_id] = following
            batch = self._batch(episode_id, following)
            if not batch:
                break
            following = (await self._request("POST", episode_id, PublishBatch(events=batch))).next_seq
        del self._unsent[episode_id]

    def _batch(self, episode_id: str, first: int) -> list[Event]:
        batch: list[Event] = []
        size = 0
        for event in self.recorder.events(episode_id, first, first + BATCH_EVENTS):
            size += len(event.model_dump_json())
            if batch and size > BATCH_BYTES:
                break
            batch.append(event)
        return batch

    async def _request(self, method: str, episode_id: str, batch: PublishBatch | None = None) -> Published:
        """Send a request, and retry while the server is busy or fails. Raises PublishRefused or TransportError."""
        assert self._client is not None
        headers = {"Authorization": f"Bearer {self._token.get_secret_value()}", "Content-Type": "application/json"}
        content = batch.model_dump_json() if batch else None
        failures = 0
        while True:
            response = await self._client.request(
                method, f"{self._url}/api/publish/{episode_id}", headers=headers, content=content
            )
            if response.status_code in (200, 409):
                return Published.model_validate_json(response.text)
            answer = f"{response.status_code} {_detail(response)}"
            failures += response.status_code not in UNAVAILABLE
            if response.status_code < 500 and failures:
                raise PublishRefused(f"{episode_id}: {answer}. {self._undelivered(episode_id)}")
            if failures == MAX_FAILURES:
                text = f"the server failed {MAX_FAILURES} times: {answer}"
                raise PublishRefused(f"{episode_id}: {text}. {self._undelivered(episode_id)}")
            log.warning("%s: the server returned %s; retrying", episode_id, answer)
            backoff = min(LONGEST_WAIT, FIRST_WAIT * 2 ** (failures - 1)) if failures else 1.0
            await self._pause(_retry_after(response, backoff))

    def _undelivered(self, episode_id: str) -> str:
        """Return a sentence that names the events that the server lacks, and the remedy."""
        first, last = self._unsent.get(episode_id, -1), self.recorder.summary(episode_id).last_seq
        events = f"events {first} to {last}" if first >= 0 else f"its events up to {last}"
        others = len(self._unsent.keys() - {episode_id})
        waiting = f", nor the last events of {others} other episode{'s' if others > 1 else ''}" if others else ""
        return (
            f"Not delivered: {events}{waiting}. They are kept in {self._buffer}: a publisher that is started with this "
            "buffer sends them"
        )


def _retry_after(response: httpx2.Response, default: float) -> float:
    """Return the seconds that the response asks a client to wait; `default` if it names none, or a date."""
    seconds = response.headers.get("retry-after", "")
    return float(seconds) if seconds.isdecimal() else default


def _detail(response: httpx2.Response) -> Any:
    with suppress(ValueError):
        return response.json().get("detail", response.text)
    return response.text[:500]
