"""The stream over a WebSocket.

The request is an ordinary endpoint of `api/streams.py`, admission included. Once accepted, the connection leaves the
web framework: the endpoint returns, and a viewer keeps a transport, a parser and one `Viewer` that the hub writes to.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Sequence
from typing import Any

import uvicorn
from starlette.datastructures import Headers
from starlette.websockets import WebSocketDisconnect
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidHeader
from websockets.frames import Opcode
from websockets.headers import parse_extension
from websockets.protocol import OPEN
from websockets.server import ServerProtocol

from grandstand.server.transport.http_protocol import HttpProtocol
from grandstand.server.transport.listener import BACKLOG, Acceptor, connection_limit, raise_file_limit
from grandstand.server.transport.send_ring import SendRing
from grandstand.spectator.channel import Failures, Subscriber, write_each
from grandstand.spectator.errors import CloseCode
from grandstand.spectator.hub import BATCH, Hub

log = logging.getLogger(__name__)

SEND_BUFFER = 128 * 1024
"""Unsent bytes of a connection in the kernel's memory. With the default of megabytes, a stall would be noticed late."""

STALLED = 60
"""Seconds after which the kernel closes a connection whose peer takes no bytes."""

PING_EVERY = 20.0
PING_TIMEOUT = 20.0
CLOSE_TIMEOUT = 5.0
"""Seconds that a viewer has to answer a ping, and to answer a close, before its connection is cut."""

MAX_RECEIVED = 4096
"""Bytes that a viewer may send in one frame."""

MAX_FRAMES = 1000
"""Frames that a viewer may send between two of our pings; answering more would slow down other viewers."""

PING = b"\x89\x00"
PONG_HEAD = b"\x8a\x80"
PONG_SIZE = 6
"""The beginning and the size of the answer to PING: a masked frame without content."""

DEFLATE = [(b"sec-websocket-extensions", b"permessage-deflate; server_no_context_takeover; client_no_context_takeover")]
"""The answer to a client that reads compressed messages: each is compressed alone, once for all viewers."""

HAND_OVER = "grandstand.hand_over"
BOUND = "grandstand.bound"


def offers_deflate(headers: Headers) -> bool:
    """Return whether a client reads messages that are compressed with a window of 32 KiB (RFC 7692, section 7.1)."""
    try:
        offers = parse_extension(",".join(headers.getlist("sec-websocket-extensions")))
    except InvalidHeader:
        return False
    return any(
        name == "permessage-deflate" and all(parameter != "server_max_window_bits" for parameter, _ in parameters)
        for name, parameters in offers
    )


class Viewer(Subscriber, asyncio.Protocol):
    """A watching WebSocket. One-way: control frames are answered, anything else a viewer sends ends it."""

    __slots__ = ("_connections", "_frames", "_heard", "_hub", "_loop", "_parser", "_pinged", "_transport", "descriptor")

    def __init__(
        self, hub: Hub, transport: asyncio.Transport, parser: ServerProtocol | None, connections: set[Any]
    ) -> None:
        """Take over an open connection. `connections` is where uvicorn finds those to shut down.

        `parser` has a part of what the client sent since it was accepted; None if it has sent nothing.
        """
        super().__init__()
        self._hub = hub
        self._loop = asyncio.get_running_loop()
        self._transport = transport
        self.descriptor: int = transport.get_extra_info("socket").fileno()
        self._parser = parser
        self._connections = connections
        self._heard = self._pinged = self._loop.time()
        self._frames = 0
        connections.add(self)
        transport.set_write_buffer_limits(0)  # what the kernel does not take pauses the viewer
        transport.set_protocol(self)
        transport.resume_reading()

    def write(self, data: bytes) -> None:
        """Send `data`; what the kernel does not take waits in the transport, whose own `write` costs a third more."""
        try:
            sent = os.write(self.descriptor, data)
        except OSError:  # the kernel's buffer is full, or the transport meets the same error and closes the connection
            sent = 0
        if sent < len(data):
            self.write_rest(data[sent:])

    def write_rest(self, data: bytes) -> None:
        """Let the transport send what the kernel did not take."""
        self._transport.write(data)

    def close(self, code: CloseCode) -> None:
        parser = self._parse()
        if parser.state is OPEN:
            parser.send_close(code, code.name.lower())
            self._answer(parser)
        self._loop.call_later(CLOSE_TIMEOUT, self._transport.abort)

    def abort(self) -> None:
        self._transport.abort()

    def keep_alive(self, now: float) -> None:
        if now - self._heard > PING_EVERY + PING_TIMEOUT:
            self._hub.leave(self)
            self.abort()
        elif now - self._pinged >= PING_EVERY:
            self._pinged = now
            self._frames = 0
            self._transport.write(PING)

    def data_received(self, data: bytes) -> None:
        self._heard = self._loop.time()
        if self._parser is None and len(data) == PONG_SIZE and data.startswith(PONG_HEAD):
            self._frames += 1
            return
        parser = self._parse()
        for start in range(0, len(data), MAX_RECEIVED):
            parser.receive_data(data[start : start + MAX_RECEIVED])
            for frame in parser.events_received():
                self._frames += 1
                if getattr(frame, "opcode", None) in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                    parser.fail(1003, "a viewer only listens")
            if self._frames > MAX_FRAMES:
                parser.fail(1008, "too many frames")
            if parser.state is not OPEN:
                break
        self._answer(parser)

    def _parse(self) -> ServerProtocol:
        """Return the parser, made when it is first needed: most viewers send nothing but the answers to pings."""
        if self._parser is None:
            self._parser = ServerProtocol(state=OPEN)
        self._parser.max_message_size = MAX_RECEIVED
        return self._parser

    def _answer(self, parser: ServerProtocol) -> None:
        """Write the parser's data; an empty string means that the connection is over."""
        for data in parser.data_to_send():
            if data:
                self._transport.write(data)
            else:
                self._hub.leave(self)
                self._transport.close()

    def pause_writing(self) -> None:
        """Stop sending, and stop reading: the answers to pings of a viewer that reads nothing would pile up."""
        self._hub.pause(self)
        self._transport.pause_reading()

    def resume_writing(self) -> None:
        self._transport.resume_reading()
        self._heard = self._loop.time()
        self._hub.resume(self)

    def eof_received(self) -> None:
        self._hub.leave(self)
        self.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._hub.leave(self)
        self._connections.discard(self)

    def shutdown(self) -> None:
        """Close the connection, since uvicorn stops."""
        self._hub.leave(self)
        self.close(CloseCode.STOPPING)


class BatchWriter:
    """Writes a piece to many viewers by one system call, where the kernel has one."""

    def __init__(self) -> None:
        self._ring: SendRing | None = None

    def open(self) -> None:
        try:
            self._ring = SendRing(BATCH)
        except OSError as error:
            log.info("no io_uring, so each viewer costs a system call: %s", error)

    def close(self) -> None:
        ring, self._ring = self._ring, None
        if ring is not None:
            ring.close()

    def write(self, viewers: Sequence[Subscriber], data: bytes) -> Failures:
        """Write `data` to viewers of one channel. If the kernel fails, all of them have to join again."""
        ours = [viewer for viewer in viewers if isinstance(viewer, Viewer)]
        if self._ring is None or not 1 < len(ours) == len(viewers):
            yield from write_each(viewers, data)
            return
        try:
            incomplete = self._ring.send([viewer.descriptor for viewer in ours], data)
        except OSError as error:
            log.warning("io_uring fails, so each viewer costs a system call from now on: %s", error)
            self.close()
            yield from ((viewer, error) for viewer in viewers)
            return
        for index, taken in incomplete:
            try:
                ours[index].write_rest(data[taken:])
            except Exception as error:
                yield ours[index], error


class WatchProtocol(WebSocketsSansIOProtocol):
    """Uvicorn's WebSocket protocol, made able to give an accepted connection away."""

    _reads = 0
    """How often data arrived: the first are the request."""

    async def run_asgi(self) -> None:
        self.scope["extensions"][HAND_OVER] = {"to": self.hand_over}
        self.scope["extensions"][BOUND] = {"messages": self.bound_messages}
        await super().run_asgi()
        self.scope["extensions"].clear()  # no cycle is left, so that a viewer keeps no memory of its request

    def data_received(self, data: bytes) -> None:
        self._reads += 1
        super().data_received(data)

    def handle_ping(self) -> None:
        """Answer a ping, unless the client reads nothing: the answers would pile up."""
        answer = b"".join(self.conn.data_to_send())
        if self.writable.is_set():
            self.transport.write(answer)

    def bound_messages(self, size: int) -> None:
        """Limit messages to `size` bytes; a larger one closes the connection with 1009 before it is read."""
        self.conn.max_message_size = size

    def hand_over(self, hub: Hub) -> Viewer:
        """Return the connection, detached from uvicorn. Raise WebSocketDisconnect if it is closed."""
        if self.disconnected or self.transport.is_closing() or self.conn.state is not OPEN:
            raise WebSocketDisconnect(1006)
        self.stop_keepalive()
        self.connections.discard(self)
        parser = self.conn if self._reads > 1 else None
        if parser is None:
            self.conn.parser.close()
        viewer = Viewer(hub, self.transport, parser, self.connections)
        self.transport = _Elsewhere()
        return viewer


class _Elsewhere(asyncio.Transport):
    """The transport that uvicorn keeps after a hand-over: closing it has no effect."""

    def close(self) -> None: ...


class Server(uvicorn.Server):
    """Uvicorn with our own listener. When it stops, it tells every viewer before it waits for the connections."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub
        self._writer = BatchWriter()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the app, then accept connections on `sockets`."""
        self._writer.open()
        self._hub.write_all = self._writer.write
        await super().startup(sockets=[])
        limit = connection_limit(raise_file_limit())
        acceptors = [Acceptor(item, self._protocol, self.server_state.connections, limit) for item in sockets or []]
        self.servers = [*self.servers, *acceptors]  # type: ignore[list-item] # closed and waited for, nothing else
        log.debug("at most %s connections at a time", limit)

    def _protocol(self) -> HttpProtocol:
        return HttpProtocol(self.config, self.server_state, self.lifespan.state)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hub.close(CloseCode.STOPPING)
        await super().shutdown(sockets)
        self._writer.close()


def uvicorn_options() -> dict[str, Any]:
    """Return the options of `uvicorn.Config`: the one combination that is tested."""
    return {
        "ws": WatchProtocol,
        "ws_per_message_deflate": False,
        "http": "h11",
        "loop": "asyncio",
    }


def server_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket whose connections send at once, and hold few bytes for a reader that stalls.

    Raises OSError.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STALLED * 1000)
    return listener
