"""Batches of one episode on their way to the store: their parts, their order, and what is told of their faults."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import NamedTuple

from grandstand.models import Draft, Event
from grandstand.spectator.errors import Fenced, RecordError, StorageError
from grandstand.spectator.record_rows import Request

TURN = 1.0
"""Seconds for which a command, or anything else beside the turns, waits for the commits before it."""


class Unrecorded(NamedTuple):
    """Drafts that are not known to be recorded, the events that they became, and the request that they answer."""

    drafts: Sequence[Draft] = ()
    events: Sequence[Event] = ()
    request: Request | None = None


@asynccontextmanager
async def in_turn(lock: asyncio.Lock, seconds: float | None = None) -> AsyncIterator[None]:
    """Hold `lock`, once those before have released it. Raises StorageError if they do not in `seconds`, or `TURN`."""
    try:
        async with asyncio.timeout(TURN if seconds is None else seconds):
            await lock.acquire()
    except TimeoutError:
        raise StorageError("earlier events are not recorded yet") from None
    try:
        yield
    finally:
        lock.release()


def gone(episode_id: str) -> Fenced:
    return Fenced(f"episode {episode_id} has ended, or is played by another server now")


@contextmanager
def told(events: Sequence[Event]) -> Iterator[None]:
    """Raise an error of the record as one that names `events`."""
    try:
        yield
    except Exception as error:
        first, last = events[0], events[-1]
        kind = type(error) if isinstance(error, StorageError | Fenced) else RecordError
        raise kind(f"episode {first.episode_id}: events {first.seq} to {last.seq} not recorded: {error}") from error


def parts(drafts: Sequence[Draft]) -> Iterator[Sequence[Draft]]:
    """Yield `drafts` in parts that end with the start of the next turn."""
    first = 0
    for number, draft in enumerate(drafts, 1):
        if draft.type == "TurnStarted" or number == len(drafts):
            yield drafts[first:number]
            first = number
