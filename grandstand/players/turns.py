"""Turns of the event loop for players that compute: one computes per turn, so that the loop can serve others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

_locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


@asynccontextmanager
async def own_turn() -> AsyncIterator[None]:
    """Run the block in a turn of the loop in which no other such block of any match runs. The block must not wait."""
    lock = _locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())
    async with lock:
        await asyncio.sleep(0)
        yield
