"""Whatever clients send, and whenever they leave: each viewer's stream is gapless, and no client hurts another.

The clients speak WebSocket by themselves, from RFC 6455 alone, so that they share no code with the server.
"""

from __future__ import annotations

import itertools
import json
import socket
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grandstand.models import Event
from grandstand.spectator.errors import CloseCode
from grandstand.spectator.viewpoint import Viewpoint
from tests.support.server.stream_server import StreamServer, ending
from tests.support.spectator.logs import VIEWPOINTS, drafts
from tests.support.waiting import PATIENCE

NUMBERS = itertools.count()

CODES = {1000, 1002, 1003, 1007, 1008, 1009, *CloseCode}
"""The codes with which a connection may be closed here: those of the protocol, and the documented ones."""


def client_frame(opcode: int, payload: bytes = b"", *, mask: bool = True, first: int = 0x80) -> bytes:
    size = bytes([len(payload)]) if len(payload) < 126 else struct.pack("!BH", 126, len(payload))
    length = bytes([size[0] | 0x80 * mask]) + size[1:]
    key = b"\1\2\3\4" if mask else b""
    body = bytes(byte ^ key[place % 4] for place, byte in enumerate(payload)) if mask else payload
    return bytes([first | opcode]) + length + key + body


said = st.one_of(
    st.binary(min_size=1, max_size=40),
    st.builds(client_frame, st.integers(0, 15), st.binary(max_size=200)),
    st.builds(client_frame, st.integers(0, 15), mask=st.just(False)),
    st.builds(client_frame, st.integers(0, 15), first=st.sampled_from([0, 0x90, 0xA0, 0xC0])),
    st.builds(lambda code: client_frame(8, struct.pack("!H", code)), st.integers(0, 5000)),
    st.just(b"\x81\xff" + struct.pack("!Q", 2**63) + b"\0\0\0\0"),
    st.just(client_frame(1, b"\xff\xfe")),
)
"""Bytes of a client that are no ping: frames of every kind, and what is no frame."""


DEEDS = ("publish", "publish", "say", "ping", "leave", "reset", "join", "astray", "read")


class ModelClient:
    """A viewer as docs/protocol.md describes one."""

    def __init__(self, server: StreamServer, episode: str, viewpoint: Viewpoint) -> None:
        self._server, self._episode, self._viewpoint = server, episode, viewpoint
        self.known: dict[int, Any] = {}
        """What it has received, by number: an event, or None if it was withheld."""
        self.position: tuple[int, int] | None = None
        self._socket: socket.socket | None = None
        self._bytes = b""
        self._pings: list[bytes] = []
        self._rude = False
        self.code: int | None = None

    def join(self, after: str | None = None) -> None:
        """Connect, after the last position or at `after`."""
        self.leave()
        place = after if after is not None else "{}.{}".format(*self.position) if self.position else None
        url = self._server.url(self._episode, str(self._viewpoint), place)
        self._socket = socket.create_connection(("127.0.0.1", self._server.port), PATIENCE)
        head = f"GET {url.partition(str(self._server.port))[2]} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
        head += (
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        self._socket.sendall(head.encode())
        while b"\r\n\r\n" not in self._bytes:
            self._bytes += self._socket.recv(65536)
        answer, _, self._bytes = self._bytes.partition(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 101")
        assert b"extensions" not in answer.lower()
        if after is not None:
            self.position = None

    def close(self) -> None:
        self.leave()

    def leave(self, *, reset: bool = False) -> None:
        if self._socket is not None:
            if reset:
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._socket.close()
        self._socket, self._bytes, self._pings, self._rude, self.code = None, b"", [], False, None

    def say(self, data: bytes) -> None:
        self._rude = True
        self._send(data)

    def ping(self, payload: bytes) -> None:
        self._pings.append(payload)
        self._send(client_frame(9, payload))

    def _send(self, data: bytes) -> None:
        if self._socket is not None:
            with suppress(OSError):  # it was cut for what it said before
                self._socket.sendall(data)

    def read_until(self, done: Callable[[ModelClient], bool]) -> None:
        """Read until `done`, or until the server has ended the connection."""
        end = time.monotonic() + PATIENCE
        while self._socket is not None:
            for opcode, payload in self._frames():
                self._take(opcode, payload)
            if done(self) and (self._rude or not self._pings):
                break
            assert time.monotonic() < end, "it did not come"
            try:
                data = self._socket.recv(65536)
            except ConnectionResetError:
                data = b""
            self._bytes += data
            if not data:
                assert self._rude or self.code is not None, "it was cut without a reason"
                self.leave()

    def _frames(self) -> Iterator[tuple[int, bytes]]:
        while len(self._bytes) >= 2:
            head, size = self._bytes[0], self._bytes[1]
            assert (head & 0xF0, size & 0x80) == (0x80, 0), "a server's frame is whole, without extension or mask"
            form = {126: "!H", 127: "!Q"}.get(size)
            start = 2 + (struct.calcsize(form) if form else 0)
            if len(self._bytes) < start:
                return
            length = struct.unpack(form, self._bytes[2:start])[0] if form else size
            if len(self._bytes) < start + length:
                return
            payload, self._bytes = self._bytes[start : start + length], self._bytes[start + length :]
            yield head & 0x0F, payload

    def _take(self, opcode: int, payload: bytes) -> None:
        assert self.code is None, "nothing follows the close"
        match opcode:
            case 1:
                self._read(json.loads(payload.decode()))
            case 8:
                self.code = struct.unpack("!H", payload[:2])[0]
                assert self.code in CODES or self._rude
                payload[2:].decode()
            case 9:
                self._send(client_frame(10, payload))
            case 10:
                if self._pings and not self._rude:
                    assert payload == self._pings.pop(0)
            case _:
                raise AssertionError(f"opcode {opcode}")

    def _read(self, frame: dict[str, Any]) -> None:
        match frame["frame"]:
            case "resync":
                assert self.position is None
            case "snapshot":
                assert self.position is None
                self.position = (frame["snapshot"]["epoch"], frame["snapshot"]["seq"])
            case "event":
                self._add(frame["event"]["seq"], frame["event"], frame["event"]["epoch"])
            case "withheld":
                assert set(frame) == {"frame", "seq"}
                self._add(frame["seq"], None, self.position[0] if self.position else 1)

    def _add(self, seq: int, event: Any, epoch: int) -> None:
        if self.position is not None:
            assert seq == self.position[1] + 1, "each number follows the last"
        assert seq not in self.known or self.known[seq] == event
        self.known[seq] = event
        self.position = (epoch, seq)


def may_see(viewpoint: Viewpoint, audience: Any) -> bool:
    """Return whether a viewpoint may see an event of this audience, by docs/protocol.md."""
    allowed = {"spectator": {"public"}, "seat": {"public"}, "analyst": {"public", "analyst"}}
    if isinstance(audience, list):
        return viewpoint.role in ("operator", "analyst") or viewpoint.seat in audience
    return audience in allowed.get(viewpoint.role, {"public", "analyst", "operator"})


@pytest.fixture(scope="module")
def server() -> Iterator[StreamServer]:
    with StreamServer() as server:
        yield server


@pytest.mark.long
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_no_client_breaks_a_stream(server: StreamServer, data: st.DataObject) -> None:
    episode = server.open(f"f{next(NUMBERS)}")
    views = data.draw(st.lists(st.sampled_from(VIEWPOINTS), min_size=1, max_size=3))
    with ExitStack() as stack:
        clients = [stack.enter_context(closing(ModelClient(server, episode, view))) for view in views]
        play(server, episode, clients, data)
    server.wait_for(lambda: server.hub.viewers(episode) == 0)


def play(server: StreamServer, episode: str, clients: Sequence[ModelClient], data: st.DataObject) -> None:
    """Play a match before clients that come, leave and send what they should not; then check what they have."""
    record: list[Event] = [*server.call(server.history.events, episode)]
    for client in clients:
        client.join()
    for _ in range(data.draw(st.integers(1, 12))):
        client = data.draw(st.sampled_from(clients))
        match data.draw(st.sampled_from(DEEDS)):
            case "publish":
                record += server.publish(episode, *data.draw(st.lists(drafts, min_size=1, max_size=4)))
            case "say":
                client.say(data.draw(said))
            case "ping":
                client.ping(data.draw(st.binary(max_size=125)))
            case "leave":
                client.leave()
            case "reset":
                client.leave(reset=True)
            case "join":
                client.join()
            case "astray":
                epoch, seq = data.draw(st.integers(0, 3)), data.draw(st.integers(0, 2**40))
                client.join(f"{epoch}.{seq}")
            case "read":
                client.read_until(lambda one: one.position is not None)
    record += server.publish(episode, ending())
    for client in clients:
        if client.position != (1, record[-1].seq):
            client.join()
        client.read_until(lambda one: one.code is not None)
        client.leave()
        assert client.position == (1, record[-1].seq)
        for seq, event in client.known.items():
            seen = may_see(client._viewpoint, record[seq].audience)
            assert event == (json.loads(record[seq].model_dump_json()) if seen else None)
