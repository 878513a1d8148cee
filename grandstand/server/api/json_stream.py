"""Long responses, sent in pieces so that the event loop serves other requests in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence

from grandstand.models import Event
from grandstand.spectator.frames import EventPage, Snapshot
from grandstand.spectator.viewpoint import Viewpoint, redact

PIECE_BYTES = 64 * 1024
"""Bytes of a piece."""

PIECE_SECONDS = 0.01
"""CPU seconds for making one piece."""


async def pieces(lines: Iterator[str], turn: asyncio.Lock) -> AsyncIterator[bytes]:
    """Yield `lines`, encoded, many at a time.

    All long responses share `turn`, so that one piece is made in each turn of the event loop.
    """
    ended = False
    while not ended:
        async with turn:
            await asyncio.sleep(0)
            piece, ended = _piece(lines)
        yield piece


def _piece(lines: Iterator[str]) -> tuple[bytes, bool]:
    """Return the next of `lines` as one piece, and whether it is the last."""
    piece: list[bytes] = []
    size = 0
    began = time.thread_time()
    for line in lines:
        piece.append(line.encode())
        size += len(piece[-1])
        if size > PIECE_BYTES or time.thread_time() - began > PIECE_SECONDS:
            return b"".join(piece), False
    return b"".join(piece), True


async def with_frames(
    body: Snapshot | EventPage, events: Sequence[Event], viewpoint: Viewpoint, turn: asyncio.Lock
) -> AsyncIterator[bytes]:
    """Yield `body` as JSON, with the frames of `events` in its last field, which is an empty list."""
    head = body.model_dump_json().encode()
    assert head.endswith(b"[]}")
    yield head.removesuffix(b"]}")
    frames = (redact(event, viewpoint).model_dump_json() for event in events)
    async for piece in pieces((("," if number else "") + frame for number, frame in enumerate(frames)), turn):
        yield piece
    yield b"]}"
