"""Building what a match needs before its next move, away from the event loop."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from grandstand.games.match import Match

THREAD: Final = "prepare"


def _builder() -> ThreadPoolExecutor:
    """Return an executor of one thread: what is built is large, and shared by all matches."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix=THREAD)


_executor = _builder()


def _after_fork() -> None:
    """A forked process has none of its parent's threads."""
    global _executor
    _executor = _builder()


os.register_at_fork(after_in_child=_after_fork)


async def prepared(match: Match) -> None:
    """Wait until the next move of `match` has all that it needs. Where nothing is missing, it does not give way."""
    while (build := match.spec.prepare(match.game)) is not None:
        await asyncio.get_running_loop().run_in_executor(_executor, build)
