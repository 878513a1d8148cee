"""Concurrent matches: in one process if players wait for a provider, in several processes if they compute.

The first SIGINT or SIGTERM stops everything: matches are abandoned, connections closed, and worker processes killed. A
second one ends this process immediately.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from grandstand.games.base import OptionError
from grandstand.games.spec import GameSpec
from grandstand.play.headless import BudgetExhausted, MatchPlan, MatchResult, play_match
from grandstand.players.base import Player
from grandstand.players.external import ExternalPlayer
from grandstand.players.llm.budget import Budget
from grandstand.players.roster import Roster

CONCURRENCY = 16
"""Default number of concurrent matches whose players wait for a provider."""

Done = Callable[[int, MatchResult], object]
"""Called with the number of a plan and its result as soon as the match has ended."""

Failed = Callable[[int, Exception], object]
"""Called with the number of a plan and the error of our own by which the match ended."""

Began = Callable[[int], object]
"""Called with the number of a plan before its match begins, or is queued for a process."""


@dataclass(frozen=True)
class Workers:
    """The distribution of matches: `concurrency` of them in this process, or `jobs` processes with one each."""

    jobs: int
    concurrency: int

    @classmethod
    def of(cls, calls_provider: bool, jobs: int, concurrency: int) -> Workers:
        """Return the workers; 0 stands for the default. Raises OptionError naming a flag that does not apply."""
        if calls_provider and jobs > 1:
            raise OptionError("jobs: a player calls a provider, so all matches share a process; set --concurrency")
        if not calls_provider and concurrency:
            raise OptionError("concurrency: no player calls a provider; set --jobs, the number of processes")
        if calls_provider:
            return cls(1, concurrency or CONCURRENCY)
        return cls(jobs or os.cpu_count() or 1, 1)


@dataclass(frozen=True)
class Stopped:
    """The reason for an early stop: a signal's number, or None if the budget was spent."""

    signal: int | None

    @property
    def why(self) -> str:
        return "the budget is spent" if self.signal is None else f"interrupted by {signal.Signals(self.signal).name}"

    @property
    def exit_status(self) -> int:
        """Return the exit status by the convention of shells."""
        return 1 if self.signal is None else 128 + self.signal


def check_seats(
    roster: Roster, spec: GameSpec, players: Sequence[tuple[str, str]], people: bool = False
) -> list[Player]:
    """Create the players of (seat, name) as a match would, and return them. With `people`, some can be people here.

    Raises OptionError naming a seat whose player is not available, or is played from outside.
    """
    seating = roster.episode(spec)
    seated = []
    for seat, name in players:
        player = seating.player(name, seat)
        if isinstance(player, ExternalPlayer) and not (people and player.kind == "human"):
            raise OptionError(f"players.{seat}: {name} is played from outside, and nobody can answer without a server")
        seated.append(player)
    return seated


def check_limits(roster: Roster, calls: Iterable[str], max_tokens: int | None, max_dollars: float | None) -> None:
    """Check that something is spent and has a price; `calls` are the players that call a provider.

    Raises OptionError.
    """
    players = sorted(calls)
    for name, limit in (("max_tokens", max_tokens), ("max_dollars", max_dollars)):
        if limit is not None and not players:
            raise OptionError(f"{name}: no player calls a provider, so nothing is spent; leave it out")
    for player in players if max_dollars is not None else ():
        if roster.price(player) is None:
            raise OptionError(f"max_dollars: {player} has no price; set price_in and price_out in the roster")


def play_all(
    plans: Sequence[MatchPlan],
    workers: Workers,
    done: Done,
    budget: Budget | None = None,
    failed: Failed | None = None,
    began: Began = lambda number: None,
) -> Stopped | None:
    """Play all `plans` and pass on each result; return the reason of an early stop, if any.

    `budget` is the shared budget of all matches; it requires a single process. An error of our own ends everything,
    unless `failed` takes it; an OSError always does, since no record can be written then.
    """
    if not plans:
        return None
    if workers.jobs > 1 and len(plans) > 1:
        return asyncio.run(_in_processes(plans, min(workers.jobs, len(plans)), done, failed, began))
    width = workers.concurrency
    return asyncio.run(_play_all(plans, width, lambda plan: play_match(plan, budget), done, failed, began))


async def _in_processes(
    plans: Sequence[MatchPlan], jobs: int, done: Done, failed: Failed | None, began: Began
) -> Stopped | None:
    """Play in `jobs` processes, which are killed after an early stop."""
    loop = asyncio.get_running_loop()
    pool = ProcessPoolExecutor(jobs, initializer=_begin_worker, initargs=(os.getpid(),))
    over = False
    try:
        ahead = 2 * jobs  # so that no process waits for its next match

        def play(plan: MatchPlan) -> asyncio.Future[MatchResult]:
            return loop.run_in_executor(pool, _play_alone, plan)

        stopped = await _play_all(plans, ahead, play, done, failed, began)
        over = stopped is None
        return stopped
    finally:
        if not over:
            for child in multiprocessing.active_children():
                child.kill()
        pool.shutdown(wait=True, cancel_futures=True)


async def _play_all(
    plans: Sequence[MatchPlan],
    width: int,
    play: Callable[[MatchPlan], Awaitable[MatchResult]],
    done: Done,
    failed: Failed | None,
    began: Began,
) -> Stopped | None:
    """Play `width` matches at a time until all are played, one raises, the budget is spent, or a signal arrives."""
    left = iter(enumerate(plans))

    async def worker() -> None:
        for number, plan in left:
            began(number)
            try:
                result = await play(plan)
            except (BudgetExhausted, BrokenExecutor, OSError):
                raise
            except Exception as error:
                if failed is None:
                    raise
                failed(number, error)
            else:
                done(number, result)

    with _signals() as signalled:
        tasks = {asyncio.create_task(worker()) for _ in range(min(width, len(plans)))}
        try:
            return Stopped(signalled.result()) if await _ended(tasks, signalled) else None
        except BudgetExhausted:
            return Stopped(None)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


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
