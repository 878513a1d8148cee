"""Positions in a stream, and the encoding of its frames for each transport. No I/O."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class StreamPosition(NamedTuple):
    """A viewer's position: it has every event up to `seq`, as numbered in `epoch`. On the wire `epoch.seq`."""

    epoch: int
    seq: int

    @classmethod
    def parse(cls, text: str) -> StreamPosition:
        """Parse the result of `str`. Raises ValueError."""
        epoch, _, seq = text.partition(".")
        if not all(part.isascii() and part.isdigit() and len(part) < 20 for part in (epoch, seq)):
            raise ValueError(f"after: {text[:40]!r} is not a position; it looks like 3.41 (epoch.seq)")
        return cls(int(epoch), int(seq))

    def __str__(self) -> str:
        return f"{self.epoch}.{self.seq}"


@dataclass(frozen=True)
class Framing:
    """How the JSON of frames, which has no line breaks, becomes bytes for every connection of one kind."""

    one: Callable[[bytes, StreamPosition | None], bytes]
    """(JSON, the viewer's position once it has received this, if any) -> a message."""
    several: Callable[[Sequence[bytes]], bytes] | None = None
    """The JSON of frames that were published together -> one message; None where each is a message of its own."""


def _message(head: int, data: bytes) -> bytes:
    """Return `data` as one unmasked frame whose first byte is `head` (RFC 6455, section 5.2)."""
    size = len(data)
    if size < 126:
        return struct.pack("!BB", head, size) + data
    if size < 1 << 16:
        return struct.pack("!BBH", head, 126, size) + data
    return struct.pack("!BBQ", head, 127, size) + data


def _text(json: bytes, position: StreamPosition | None) -> bytes:
    return _message(0x81, json)


def _deflated(jsons: Sequence[bytes]) -> bytes:
    """Return one compressed text message, a line for each frame (RFC 7692, section 7.2.1, without a kept context)."""
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    data = deflate.compress(b"\n".join(jsons)) + deflate.flush(zlib.Z_SYNC_FLUSH)
    return _message(0xC1, data[:-4])


def _server_sent(json: bytes, position: StreamPosition | None) -> bytes:
    """Return `json`, which has no line breaks, as one message of an event stream (HTML standard, section 9.2)."""
    if position is None:
        return b"data: %b\n\n" % json
    return b"id: %d.%d\ndata: %b\n\n" % (*position, json)


WEB_SOCKET = Framing(_text)
WEB_SOCKET_DEFLATED = Framing(lambda json, _: _deflated([json]), _deflated)
SERVER_SENT = Framing(_server_sent)
