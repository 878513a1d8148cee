"""A watching WebSocket over ASGI alone, for servers other than ours: `uvicorn server.app:app`, or hypercorn.

It costs a task and a copy of every frame for each viewer, which `sockets.Viewer` does not.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from grandstand.server.transport.event_stream import Outbox
from grandstand.spectator.framing import Framing, StreamPosition
from grandstand.spectator.hub import Hub
from grandstand.spectator.viewpoint import Viewpoint

LINES = Framing(lambda json, _: json + b"\n")
"""A line for each frame: an outbox joins them, and `messages` splits them."""


class Lines(Outbox):
    """The messages still to be sent to one viewer. The server underneath sends its own pings."""

    __slots__ = ()

    def keep_alive(self, now: float) -> None: ...

    async def messages(self) -> AsyncIterator[str]:
        """Yield messages until the stream is closed; `code` is then the reason."""
        while self._parts or self.code is None:
            await self._wake.wait()
            self._wake.clear()
            lines = b"".join(self._parts).splitlines()
            self._parts.clear()
            self._size = 0
            for line in lines:
                yield line.decode()
            self._hub.resume(self)

    async def send_messages(self, connection: WebSocket) -> None:
        """Send messages until the stream is closed, then close the socket with the reason."""
        async for message in self.messages():
            await connection.send_text(message)
        assert self.code is not None
        await connection.close(self.code, self.code.name.lower())


async def watch_plainly(
    connection: WebSocket, hub: Hub, episode_id: str, look: Viewpoint, position: StreamPosition | None
) -> None:
    """Send the stream over an accepted socket until either side ends it. Raises UnknownEpisode."""
    outbox = Lines(hub)
    hub.join(outbox, episode_id, look, LINES, position)
    outbox.sender = asyncio.create_task(outbox.send_messages(connection))
    listener = asyncio.create_task(_until_it_speaks(connection))
    try:
        await asyncio.wait({outbox.sender, listener}, return_when=asyncio.FIRST_COMPLETED)
        if not outbox.sender.done() and listener.result():
            await connection.close(1003, "a viewer only listens")
    finally:
        hub.leave(outbox)
        for task in (outbox.sender, listener):
            task.cancel()
        await asyncio.gather(outbox.sender, listener, return_exceptions=True)
    if outbox.sender.cancelled() and outbox.code is not None:  # cancelled, because the client took no bytes
        with suppress(RuntimeError, WebSocketDisconnect):
            await connection.close(outbox.code, outbox.code.name.lower())


async def _until_it_speaks(connection: WebSocket) -> bool:
    """Wait until the viewer sends something, or is gone; return whether it sent something."""
    message = await connection.receive()
    return bool(message["type"] == "websocket.receive")
