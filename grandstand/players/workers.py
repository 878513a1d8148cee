"""Processes that compute for players whose decisions take long, so that the event loop never waits for one.

They start with the first such decision. Work under one key always goes to the same process, where results that the
seats of a match share are computed once.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from threading import Thread
from typing import TypeVar
from zlib import crc32

from grandstand.games.match import Match
from grandstand.players.base import PlayerError

Result = TypeVar("Result")

WORKERS = max(1, min(2, (os.cpu_count() or 2) - 1))
"""Number of processes."""
NICENESS = 5
"""By how much they stand back behind the process that serves."""

_BEFORE_QUEUES = 20
"""Priority at the end of a process that is above that of queues, over which an executor dismisses its process."""

_executors: dict[int, ProcessPoolExecutor] = {}

os.register_at_fork(after_in_child=_executors.clear)


def key_of(match: Match) -> str:
    """Return the key under which all of a match is computed in one process."""
    return f"{match.spec.name}/{match.seed}"


async def computed(key: str, function: Callable[..., Result], *arguments: object) -> Result:
    """Return `function(*arguments)`, computed in the process of `key`. All three must be picklable.

    A process that dies is replaced and the work is done once more; if that dies too, PlayerError is raised. When the
    caller is cancelled, work that has not begun is dropped.
    """
    number = crc32(key.encode()) % WORKERS
    loop = asyncio.get_running_loop()
    for _ in range(2):
        executor = _executors.get(number) or _executors.setdefault(number, new_executor())
        try:
            return await loop.run_in_executor(executor, function, *arguments)
        except BrokenProcessPool:
            if _executors.get(number) is executor:
                del _executors[number]
    raise PlayerError("ours", "the process that computes for this player died twice")


def new_executor() -> ProcessPoolExecutor:
    """Return an executor with one process, started afresh: a fork would copy the server's threads and sockets.

    A process that `multiprocessing` started waits for its own processes before it ends, so they are dismissed before.
    """
    executor = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=_stand_back)
    Finalize(executor, executor.shutdown, kwargs={"cancel_futures": True}, exitpriority=_BEFORE_QUEUES)
    return executor


def stop_now(executor: ProcessPoolExecutor) -> None:
    """Dismiss an executor and end its process, whatever it computes: the end of a program would wait for it."""
    processes = list((executor._processes or {}).values())
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()


def _stand_back() -> None:
    """Leave the processor to the process that serves, and Ctrl-C to it too; end with it, however it ends."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
