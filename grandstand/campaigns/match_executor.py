"""Concurrent matches: in one process if players wait for a provider, in several processes if they compute.

The first SIGINT or SIGTERM stops everything: matches are abandoned, connections closed, and worker processes killed. A
second one ends this process immediately.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from grandstand.campaigns.campaign import BUDGET_SPENT, TIME_SPENT, CampaignObserver, CampaignRefused, Deadline, Stopped
from grandstand.campaigns.processes import Runner
from grandstand.games.base import OptionError
from grandstand.play.headless import BudgetExhausted, MatchPlan, MatchResult, play_match
from grandstand.players.llm.budget import Budget

CONCURRENCY = 16
"""Default number of concurrent matches whose players wait for a provider."""

MatchObserver = CampaignObserver[MatchPlan, MatchResult]

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Workers:
    """The distribution of matches: `concurrency` of them in this process, or `jobs` processes with one each.

    `runner` executes each match by a command, `jobs` at a time; None if they are played here.
    """

    jobs: int
    concurrency: int
    runner: Runner | None = None

    @classmethod
    def of(cls, calls_provider: bool, jobs: int, concurrency: int, runner: Runner | None = None) -> Workers:
        """Return the workers; 0 stands for the default. Raises OptionError naming a flag that does not apply."""
        if runner is not None:
            if concurrency:
                raise OptionError(
                    "concurrency: each match has a process of its own; set --jobs, the commands at a time"
                )
            return cls(jobs or os.cpu_count() or 1, 1, runner)
        if calls_provider and jobs > 1:
            raise OptionError("jobs: a player calls a provider, so all matches share a process; set --concurrency")
        if not calls_provider and concurrency:
            raise OptionError("concurrency: no player calls a provider; set --jobs, the number of processes")
        if calls_provider:
            return cls(1, concurrency or CONCURRENCY)
        return cls(jobs or os.cpu_count() or 1, 1)


class MatchExecutor:
    """Plays matches in this process or in processes of it.

    `budget` is shared by all matches; it needs a single process.
    """

    def __init__(self, workers: Workers, budget: Budget | None = None, deadline: Deadline | None = None) -> None:
        self.workers = workers
        self._budget = budget
        self._deadline = deadline or Deadline()

    def execute(self, matches: Sequence[MatchPlan], observer: MatchObserver) -> Stopped | None:
        """Play `matches`; return the reason of an early stop, if any.

        A match that ends by an error of our own is a result with status `error`. Raises OSError if no record can be
        written, and CampaignRefused if a process was killed.
        """
        if self.workers.jobs == 1 or len(matches) == 1:
            return asyncio.run(self._play_all(matches, self.workers.concurrency, self._play_here, observer))
        try:
            return asyncio.run(self._in_processes(matches, observer))
        except BrokenExecutor as error:
            raise CampaignRefused("a process that plays matches was killed; continue with --resume") from error

    async def _play_here(self, match: MatchPlan) -> MatchResult:
        return await play_match(match, self._budget)

    async def _in_processes(self, matches: Sequence[MatchPlan], observer: MatchObserver) -> Stopped | None:
        """Play in processes, which are killed after an early stop."""
        loop = asyncio.get_running_loop()
        jobs = min(self.workers.jobs, len(matches))
        pool = ProcessPoolExecutor(jobs, initializer=_begin_worker, initargs=(os.getpid(),))
        over = False
        try:
            ahead = 2 * jobs  # so that no process waits for its next match

            def play(match: MatchPlan) -> asyncio.Future[MatchResult]:
                return loop.run_in_executor(pool, _play_alone, match)

            stopped = await self._play_all(matches, ahead, play, observer)
            over = stopped is None or stopped == TIME_SPENT
            return stopped
        finally:
            if not over:
                for child in multiprocessing.active_children():
                    child.kill()
            pool.shutdown(wait=True, cancel_futures=True)

    async def _play_all(
        self,
        matches: Sequence[MatchPlan],
        width: int,
        play: Callable[[MatchPlan], Awaitable[MatchResult]],
        observer: MatchObserver,
    ) -> Stopped | None:
        """Play `width` matches at a time until all are played, the budget or the time is spent, or a signal arrives."""
        left = iter(matches)
        overdue = False

        async def worker() -> None:
            nonlocal overdue
            for match in left:
                if overdue := overdue or self._deadline.over:
                    return
                observer.began(match)
                observer.ended(match, await _result(match, play))

        with _signals() as signalled:
            tasks = {asyncio.create_task(worker()) for _ in range(min(width, len(matches)))}
            try:
                if await _ended(tasks, signalled):
                    return Stopped.by(signalled.result())
                return TIME_SPENT if overdue else None
            except BudgetExhausted:
                return BUDGET_SPENT
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)


async def _result(match: MatchPlan, play: Callable[[MatchPlan], Awaitable[MatchResult]]) -> MatchResult:
    """Return the result of a match; an error of our own is one too."""
    try:
        return await play(match)
    except (BudgetExhausted, BrokenExecutor, OSError):
        raise
    except Exception as error:
        _logger.exception("match %s ended by an error", match.episode_id)
        return failure(match, f"{type(error).__name__}: {error}")


def failure(match: MatchPlan, message: str) -> MatchResult:
    """Return the result of a match that ended by no fault of its players."""
    return MatchResult(
        seed=match.seed,
        file=None,
        status="error",
        reason="",
        message=message,
        winners=[],
        scores={},
        events=0,
        seats=[],
    )


async def _ended(tasks: set[asyncio.Task[None]], signalled: asyncio.Future[int]) -> bool:
    """Wait until all tasks are done or a signal arrives; return whether it was a signal. Raises errors of tasks."""
    left: set[asyncio.Future[Any]] = set(tasks)
    while left:
        done, _ = await asyncio.wait((*left, signalled), return_when=asyncio.FIRST_COMPLETED)
        if signalled in done:
            return True
        for task in done:
            task.result()
        left -= done
    return False


def _play_alone(plan: MatchPlan) -> MatchResult:
    return asyncio.run(play_match(plan))


def _begin_worker(parent: int) -> None:
    """Leave signals to the parent process, and exit when it exits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _signals() -> Iterator[asyncio.Future[int]]:
    """Yield a future for the number of the first SIGINT or SIGTERM; the second one ends the process."""
    loop = asyncio.get_running_loop()
    signalled: asyncio.Future[int] = loop.create_future()

    def resolve(number: int) -> None:
        if not signalled.done():
            signalled.set_result(number)

    def handle(number: int, _: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        loop.call_soon_threadsafe(resolve, number)

    if threading.current_thread() is not threading.main_thread():
        yield signalled
        return
    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield signalled
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
