"""The stream as server-sent events, where WebSockets cannot pass."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine

from fastapi import Response
from starlette.types import Receive, Scope, Send

from grandstand.spectator.channel import Subscriber
from grandstand.spectator.errors import CloseCode
from grandstand.spectator.hub import Hub

HIGH_WATER = 64 * 1024
"""Unsent bytes in our memory at which a viewer is paused."""

HEARTBEAT_EVERY = 15.0
"""Seconds without data after which a comment is sent: proxies cut a silent response."""

RETRY = b"retry: 1000\n\n"
HEARTBEAT = b": \n\n"


class Outbox(Subscriber):
    """The unsent data of one event stream: bounded, since a full one is paused."""

    __slots__ = ("_beat_at", "_hub", "_parts", "_size", "_wake", "code", "sender")

    def __init__(self, hub: Hub) -> None:
        super().__init__()
        self._hub = hub
        self._parts: list[bytes] = []
        self._size = 0
        self._wake = asyncio.Event()
        self._beat_at = 0.0
        self.code: CloseCode | None = None
        """Why the stream ended, once it has."""
        self.sender: asyncio.Task[None] | None = None

    @property
    def used_up(self) -> bool:
        """Return whether the viewer has everything already, and nothing will follow."""
        return self.code is CloseCode.COMPLETE and not self._parts

    def write(self, data: bytes) -> None:
        self._parts.append(data)
        self._size += len(data)
        self._wake.set()
        if self._size > HIGH_WATER:
            self._hub.pause(self)

    def close(self, code: CloseCode) -> None:
        self.code = code
        self._wake.set()
        if self.paused_at is not None and self.sender is not None:
            self.sender.cancel()

    def abort(self) -> None:
        self.close(CloseCode.INTERNAL)

    def keep_alive(self, now: float) -> None:
        if now - self._beat_at >= HEARTBEAT_EVERY:
            self._beat_at = now
            self.write(HEARTBEAT)

    async def send_all(self, send: Send) -> None:
        """Send the data until the stream is closed, then its close code."""
        self.sender = asyncio.current_task()
        await send({"type": "http.response.body", "body": RETRY, "more_body": True})
        while self._parts or self.code is None:
            await self._wake.wait()
            self._wake.clear()
            data = b"".join(self._parts)
            self._parts.clear()
            self._size = 0
            await send({"type": "http.response.body", "body": data, "more_body": True})
            self._hub.resume(self)
        farewell = b"event: close\ndata: %d\n\n" % self.code
        await send({"type": "http.response.body", "body": farewell, "more_body": False})


class EventStream(Response):
    """A response of server-sent events, in two tasks: one sends, one waits for the client to disconnect."""

    media_type = "text/event-stream"

    def __init__(self, send_all: Callable[[Send], Coroutine[None, None, None]], leave: Callable[[], None]) -> None:
        """`send_all` sends the body, `leave` is called when that or the connection has ended."""
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["Content-Length"]
        self._send_all = send_all
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        tasks: list[asyncio.Task[None]] = []
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            tasks = [asyncio.create_task(self._send_all(send)), asyncio.create_task(until_gone(receive))]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._leave()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def until_gone(receive: Receive) -> None:
    """Wait until the client of a request has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
