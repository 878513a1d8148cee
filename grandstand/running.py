"""Many matches at a time: in one process where players wait for a provider, in many where they compute.

The first SIGINT or SIGTERM stops everything at once: matches are given up where they stand, connections are closed,
worker processes are ended. A second one ends this process without further ado.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

from games.base import GameSpec, OptionError
from grandstand.matches import BudgetExhausted, MatchPlan, MatchResult, play_match
from players.base import Player
from players.budget import Budget
from players.roster import Roster
from players.seated import SeatedPlayer

CONCURRENCY = 16
"""Matches at a time whose players wait for a provider, unless told otherwise."""

Done = Callable[[int, MatchResult], object]
"""Called with the number of a plan and its result as soon as the match has ended."""


@dataclass(frozen=True)
class Workers:
    """How matches are spread: `concurrency` of them in this process, or `jobs` processes with one each."""

    jobs: int
    concurrency: int

    @classmethod
    def of(cls, calls_provider: bool, jobs: int, concurrency: int) -> Workers:
        """Return the workers for such players; 0 stands for the default. Raises OptionError naming the wrong flag."""
        if calls_provider and jobs > 1:
            raise OptionError("jobs: a player calls a provider, so all matches share a process; set --concurrency")
        if not calls_provider and concurrency:
            raise OptionError("concurrency: no player calls a provider; set --jobs, the number of processes")
        if calls_provider:
            return cls(1, concurrency or CONCURRENCY)
        return cls(jobs or os.cpu_count() or 1, 1)


@dataclass(frozen=True)
class Stopped:
    """Why not everything was played: a signal's number, or None where the budget was spent."""

    signal: int | None

    @property
    def why(self) -> str:
        return "the budget is spent" if self.signal is None else f"interrupted by {signal.Signals(self.signal).name}"

    @property
    def exit_status(self) -> int:
        """What a shell expects of a command that stopped so."""
        return 1 if self.signal is None else 128 + self.signal


def check_seats(roster: Roster, spec: GameSpec, players: Sequence[tuple[str, str]]) -> list[Player]:
    """Return the players of (seat, name) as they would be seated.

    Raises OptionError naming a seat whose player cannot be, or would wait for somebody outside.
    """
    seating = roster.episode(spec)
    seated = []
    for seat, name in players:
        player = seating.player(name, seat)
        if isinstance(player, SeatedPlayer):
            raise OptionError(f"players.{seat}: {name} is played from outside, and nobody can answer without a server")
        seated.append(player)
    return seated


def play_all(plans: Sequence[MatchPlan], workers: Workers, done: Done, budget: Budget | None = None) -> Stopped | None:
    """Play all `plans` and pass on each result; return why some were not played, if so.

    `budget` is what all of them may spend together; it takes a single process.
    """
    if not plans:
        return None
    apart = workers.jobs > 1 and len(plans) > 1
    return asyncio.run(_apart(plans, workers.jobs, done) if apart else _together(plans, workers, done, budget))


async def _together(plans: Sequence[MatchPlan], workers: Workers, done: Done, budget: Budget | None) -> Stopped | None:
    """Play in this process."""
    left = iter(enumerate(plans))

    async def worker() -> None:
        for number, plan in left:
            done(number, await play_match(plan, budget))

    with _signals() as signalled:
        tasks = [asyncio.create_task(worker()) for _ in range(min(workers.concurrency, len(plans)))]
        try:
            if await _ended(tasks, signalled):
                return Stopped(signalled.result())
        except BudgetExhausted:
            return Stopped(None)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    return None


async def _apart(plans: Sequence[MatchPlan], jobs: int, done: Done) -> Stopped | None:
    """Play in processes."""
    loop = asyncio.get_running_loop()
    pool = ProcessPoolExecutor(min(jobs, len(plans)), initializer=_begin_worker, initargs=(os.getpid(),))
    with _signals() as signalled:

        async def follow(number: int, result: asyncio.Future[MatchResult]) -> None:
            done(number, await result)

        played = [loop.run_in_executor(pool, _play_alone, plan) for plan in plans]
        tasks = [asyncio.create_task(follow(number, result)) for number, result in enumerate(played)]
        try:
            return Stopped(signalled.result()) if await _ended(tasks, signalled) else None
        finally:
            for task, result in zip(tasks, played, strict=True):
                task.cancel()
                result.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if not all(task.done() and not task.cancelled() for task in tasks):
                for child in multiprocessing.active_children():
                    child.kill()
            pool.shutdown(wait=True, cancel_futures=True)


async def _ended(tasks: Sequence[asyncio.Task[None]], signalled: asyncio.Future[int]) -> bool:
    """Wait until all tasks are done, one has failed, or a signal came; return whether it was a signal.

    Raises what a task raised.
    """
    everything = asyncio.gather(*tasks)
    await asyncio.wait((everything, signalled), return_when=asyncio.FIRST_COMPLETED)
    if everything.done():
        everything.result()
        return False
    everything.cancel()
    return True


def _play_alone(plan: MatchPlan) -> MatchResult:
    return asyncio.run(play_match(plan))


def _begin_worker(parent: int) -> None:
    """Leave signals to the parent, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _signals() -> Iterator[asyncio.Future[int]]:
    """Give a future that gets the number of the first SIGINT or SIGTERM; the second one ends the process."""
    loop = asyncio.get_running_loop()
    signalled: asyncio.Future[int] = loop.create_future()

    def tell(number: int) -> None:
        if not signalled.done():
            signalled.set_result(number)

    def note(number: int, _: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        loop.call_soon_threadsafe(tell, number)

    if threading.current_thread() is not threading.main_thread():
        yield signalled
        return
    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield signalled
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
