"""A place in a stream, and how one frame of it looks on the wire. Bytes in, bytes out: no connection is known here."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import NamedTuple


class Position(NamedTuple):
    """What a viewer has: everything up to event `seq`, as numbered in `epoch`. On the wire `epoch.seq`."""

    epoch: int
    seq: int

    @classmethod
    def parse(cls, text: str) -> Position:
        """The inverse of `str`. Raises ValueError."""
        epoch, _, seq = text.partition(".")
        if not all(part.isascii() and part.isdigit() and len(part) < 20 for part in (epoch, seq)):
            raise ValueError(f"after: {text[:40]!r} is not a position; it looks like 3.41 (epoch.seq)")
        return cls(int(epoch), int(seq))

    def __str__(self) -> str:
        return f"{self.epoch}.{self.seq}"


Framing = Callable[[bytes, Position | None], bytes]
"""(JSON, the position that the viewer has once it holds this, if any) -> bytes for every connection of one kind."""


def web_socket(json: bytes, position: Position | None) -> bytes:
    """`json` as one unmasked, uncompressed text frame (RFC 6455, section 5.2)."""
    size = len(json)
    if size < 126:
        return struct.pack("!BB", 0x81, size) + json
    if size < 1 << 16:
        return struct.pack("!BBH", 0x81, 126, size) + json
    return struct.pack("!BBQ", 0x81, 127, size) + json


def server_sent(json: bytes, position: Position | None) -> bytes:
    """`json`, which has no line breaks, as one message of an event stream (HTML standard, section 9.2)."""
    if position is None:
        return b"data: %b\n\n" % json
    return b"id: %d.%d\ndata: %b\n\n" % (*position, json)
