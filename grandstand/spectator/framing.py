"""Positions in a stream, and the encoding of its frames for each transport. No I/O."""

from __future__ import annotations

import struct
from collections.abc import Callable
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


Framing = Callable[[bytes, StreamPosition | None], bytes]
"""(JSON, the viewer's position once it has received this, if any) -> bytes for every connection of one kind."""


def web_socket(json: bytes, position: StreamPosition | None) -> bytes:
    """Return `json` as one unmasked, uncompressed text frame (RFC 6455, section 5.2)."""
    size = len(json)
    if size < 126:
        return struct.pack("!BB", 0x81, size) + json
    if size < 1 << 16:
        return struct.pack("!BBH", 0x81, 126, size) + json
    return struct.pack("!BBQ", 0x81, 127, size) + json


def server_sent(json: bytes, position: StreamPosition | None) -> bytes:
    """Return `json`, which has no line breaks, as one message of an event stream (HTML standard, section 9.2)."""
    if position is None:
        return b"data: %b\n\n" % json
    return b"id: %d.%d\ndata: %b\n\n" % (*position, json)
