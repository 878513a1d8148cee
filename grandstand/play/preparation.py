"""Preparation of a game's code, and of the data that a match needs before its next move, outside the event loop."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec

THREAD: Final = "prepare"


def _new_executor() -> ThreadPoolExecutor:
    """Return an executor with one thread, so that the large data are not prepared twice."""
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix=THREAD)


_executor = _new_executor()


def _after_fork() -> None:
    """Replace the executor: a forked process has none of its parent's threads."""
    global _executor
    _executor = _new_executor()


os.register_at_fork(after_in_child=_after_fork)


async def loaded_spec(name: str) -> GameSpec:
    """Return the spec of the game called `name`, whose code is loaded in another thread. Raises OptionError."""
    return await asyncio.to_thread(game_spec, name)


async def prepared(match: Match) -> None:
    """Wait until the data for the next move of `match` are ready. Does not yield to the loop if nothing is missing."""
    while (build := match.spec.rules.prepare(match.game)) is not None:
        await asyncio.get_running_loop().run_in_executor(_executor, build)
