"""Worker processes for long computations, so that the event loop does not wait.

`computed` is for players: the processes start with the first such decision, and work under one key always goes to the
same process, where results that the seats of a match share are computed once. `WorkerProcess` is a process of one kind
of work, with limits where the work is not trusted.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from multiprocessing.util import Finalize
from threading import Thread
from typing import NamedTuple, TypeVar
from zlib import crc32

from grandstand.games.match import Match
from grandstand.players.errors import PlayerError

Result = TypeVar("Result")

WORKERS = max(1, min(2, (os.cpu_count() or 2) - 1))
"""Number of processes."""
NICENESS = 5
"""The niceness by which they yield to the serving process."""
IDLE = 60.0
"""Seconds without work after which a process of `WorkerProcess` ends."""

_BEFORE_QUEUES = 20
"""Priority of a finalizer that runs before those of the queues through which an executor stops its process."""

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


def timed(function: Callable[..., Result], *arguments: object) -> tuple[Result, float]:
    """Return `function(*arguments)` and the CPU seconds that it took in this thread."""
    began = time.thread_time()
    result = function(*arguments)
    return result, time.thread_time() - began


class WorkLimits(NamedTuple):
    """The limits of one piece of work."""

    memory: int
    """Bytes of data of the process."""
    seconds: int
    """CPU seconds."""

    @property
    def memory_text(self) -> str:
        return f"{self.memory // 1024**2} MiB of memory"

    @property
    def seconds_text(self) -> str:
        return f"{self.seconds} s of a processor"


class WorkerDied(Exception):
    """The process has died."""


class LimitExceeded(WorkerDied):
    """The process was ended because the work needs more than a limit, which the message names."""


class WorkerProcess:
    """A process that is started when it is needed and ends when it is idle. It computes one thing after another."""

    def __init__(self, limits: WorkLimits | None = None) -> None:
        self._limits = limits
        self._executor: ProcessPoolExecutor | None = None
        self._turn = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None

    async def computed(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Return `function(*arguments)`, computed in the process. All must be picklable.

        A process that dies is replaced once. Raise what the function raises, LimitExceeded or WorkerDied.
        """
        async with self._turn:
            if self._idle:
                self._idle.cancel()
            try:
                try:
                    return await self._in_process(function, *arguments)
                except LimitExceeded:
                    raise
                except WorkerDied:
                    return await self._in_process(function, *arguments)
            finally:
                self._idle = asyncio.get_running_loop().call_later(IDLE, self._dismiss)

    def stop(self) -> None:
        """End the process at once, even if it computes."""
        if self._executor:
            stop_now(self._executor)
        self._dismiss()

    async def _in_process(self, function: Callable[..., Result], *arguments: object) -> Result:
        executor = self._executor = self._executor or new_executor(self._limits)
        processes: list[BaseProcess] = []
        try:
            work = asyncio.get_running_loop().run_in_executor(executor, _limited, self._limits, function, *arguments)
            processes += (executor._processes or {}).values()
            return await work
        except MemoryError as error:
            self.stop()  # its memory would count against the next computation
            raise LimitExceeded(self._limits.memory_text if self._limits else "the memory of this machine") from error
        except BrokenProcessPool as error:
            self._executor = None
            await asyncio.to_thread(executor.shutdown)
            if self._limits and -signal.SIGXCPU in [process.exitcode for process in processes]:
                raise LimitExceeded(self._limits.seconds_text) from error
            raise WorkerDied("the process that computes it died twice") from error

    def _dismiss(self) -> None:
        if self._idle:
            self._idle.cancel()
            self._idle = None
        if self._executor:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None


def new_executor(limits: WorkLimits | None = None) -> ProcessPoolExecutor:
    """Return an executor with one process, started afresh: a fork would copy the server's threads and sockets.

    A process that `multiprocessing` started waits for its own processes before it ends, so they are dismissed before.
    """
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(1, mp_context=context, initializer=_begin, initargs=(limits,))
    Finalize(executor, executor.shutdown, kwargs={"cancel_futures": True}, exitpriority=_BEFORE_QUEUES)
    return executor


def stop_now(executor: ProcessPoolExecutor) -> None:
    """Dismiss an executor and end its process at once: the program could not end before the process."""
    processes = list((executor._processes or {}).values())
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()


def _begin(limits: WorkLimits | None) -> None:
    """Yield the processor to the serving process, ignore Ctrl-C, and end when the serving process ends."""
    os.nice(NICENESS)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None
    Thread(target=_end_with, args=(parent,), daemon=True).start()
    if limits:
        os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each thread takes memory, and one is enough here
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (limits.memory, resource.RLIM_INFINITY))


def _limited(limits: WorkLimits | None, function: Callable[..., Result], *arguments: object) -> Result:
    """Return `function(*arguments)`; the kernel ends this process if that exceeds the CPU limit. The kernel counts from
    the start of the process, so the time of earlier work is added, and one second for rounding."""
    if limits:
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(used.ru_utime + used.ru_stime) + limits.seconds + 1
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.RLIM_INFINITY))
    return function(*arguments)


def _end_with(parent: BaseProcess) -> None:
    parent.join()
    os._exit(0)
