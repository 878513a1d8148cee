"""Waiting for the first of several coroutines."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any


async def first_of(waits: Iterable[Coroutine[Any, Any, object]], seconds: float) -> None:
    """Wait for at most `seconds` until one of `waits` is done; cancel the others."""
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
