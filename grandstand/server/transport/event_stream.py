"""`GET /api/episodes/{episode_id}/stream`: the same stream as server-sent events, where WebSockets cannot pass."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from starlette.types import Receive, Scope, Send

from grandstand.games.base import OptionError
from grandstand.server.api.parameters import Admit, ViewpointText, admitted
from grandstand.spectator.channel import Subscriber
from grandstand.spectator.errors import CloseCode
from grandstand.spectator.framing import StreamPosition, server_sent
from grandstand.spectator.hub import Hub

HIGH_WATER = 64 * 1024
"""Unsent bytes of a viewer, in our memory, at which it is paused."""

HEARTBEAT_EVERY = 15.0
"""Seconds of quiet after which a comment is sent: intermediaries cut a silent response."""

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
        """Send what comes until the stream is closed, then say why it was."""
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
    """A response of server-sent events. Two small tasks: one sends, one notices that the client has gone."""

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


def router(hub: Hub, admit: Admit) -> APIRouter:
    """Return the route."""
    api = APIRouter()

    @api.get(
        "/api/episodes/{episode_id}/stream",
        tags=["episodes"],
        response_class=Response,
        responses={
            200: {"content": {"text/event-stream": {}}, "description": "Frames, one a message; `id` is epoch.seq."},
            204: {"description": "The episode has ended and the client has all of it: do not reconnect."},
        },
    )
    async def stream(
        connection: Request,
        episode_id: str,
        viewpoint: ViewpointText = "spectator",
        after: Annotated[str | None, Query(description="Resume behind this position, `epoch.seq`.")] = None,
        last_event_id: Annotated[str | None, Header(description="As `after`, and before it.")] = None,
    ) -> Response:
        """Stream an episode as server-sent events, where WebSockets cannot be used."""
        await hub.ready(episode_id)
        look = admitted(admit, connection, viewpoint, episode_id)
        text = last_event_id or after
        try:
            position = None if text is None else StreamPosition.parse(text)
        except ValueError as error:
            raise OptionError(str(error)) from error
        outbox = Outbox(hub)
        hub.join(outbox, episode_id, look, server_sent, position)
        return Response(status_code=204) if outbox.used_up else EventStream(outbox.send_all, lambda: hub.leave(outbox))

    return api
