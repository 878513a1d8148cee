"""Slow players compute in processes of their own: the event loop goes on, and results do not depend on the place."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.players import workers
from grandstand.players.bot import BotPlayer
from grandstand.players.errors import PlayerError
from grandstand.players.workers import LimitExceeded, WorkerDied, WorkerProcess, WorkLimits, computed
from tests.support.waiting import PATIENCE, running, until

pytestmark = pytest.mark.long

GAME = game_spec("diplomacy")
LIMITS = WorkLimits(memory=512 * 1024**2, seconds=2)


def process_when(file: str) -> int:
    """Return the process's id once the file exists."""
    while not os.path.exists(file):
        time.sleep(0.01)
    return os.getpid()


def die(file: str, times: int) -> int:
    """End the process without a word, the first `times` times."""
    path = Path(file)
    deaths = len(path.read_text()) if path.exists() else 0
    if deaths < times:
        path.write_text("x" * (deaths + 1))
        os._exit(1)
    return deaths


def note(file: str) -> int:
    """Append a letter to the file; return how many it has now."""
    with open(file, "a+") as lines:
        lines.write("x")
        return lines.tell()


def fill_memory() -> int:
    """Use more than 1 GiB."""
    return len([{} for _ in range(20_000_000)])


def never_end() -> None:
    """Use a processor without end."""
    while True:
        pass


def fail() -> None:
    raise ValueError("no such moment")


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(scene, PATIENCE))


def test_the_loop_goes_on_while_a_worker_computes(tmp_path: Path) -> None:
    async def scene() -> None:
        file = tmp_path / "go"
        task = asyncio.ensure_future(computed("key", process_when, str(file)))
        for _ in range(3):
            await asyncio.sleep(0)
        assert not task.done()
        file.touch()
        assert await task != os.getpid()

    run(scene())


def test_one_key_is_one_process(tmp_path: Path) -> None:
    async def scene() -> None:
        assert len({await computed("key", os.getpid) for _ in range(3)}) == 1

    run(scene())


@pytest.mark.long
def test_a_process_that_dies_is_replaced_once(tmp_path: Path) -> None:
    async def scene() -> None:
        assert await computed("key", die, str(tmp_path / "one"), 1) == 1
        with pytest.raises(PlayerError, match="died twice") as error:
            await computed("key", die, str(tmp_path / "more"), 9)
        assert error.value.boundary == "ours"
        assert await computed("key", os.getpid) != os.getpid()

    run(scene())


def test_a_cancelled_caller_leaves_nothing_in_the_queue(tmp_path: Path) -> None:
    """At most the two calls that the pool hands to the process in advance are carried out."""

    async def scene() -> None:
        busy = asyncio.ensure_future(computed("key", process_when, str(tmp_path / "go")))
        waiting = [asyncio.ensure_future(computed("key", note, str(tmp_path / "notes"))) for _ in range(6)]
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        (tmp_path / "go").touch()
        await busy
        assert await computed("key", note, str(tmp_path / "notes")) <= 3

    run(scene())


SERVER = """
import asyncio, os, sys, time
from grandstand.players import workers
from grandstand.players.workers import LimitExceeded, WorkLimits, WorkerDied, WorkerProcess, computed
if __name__ == "__main__":
    print(asyncio.run(computed("key", os.getpid)), flush=True)
    time.sleep(60)
"""


def test_a_worker_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen([sys.executable, tmp_path / "server.py"], stdout=subprocess.PIPE, env=environment) as server:
        assert server.stdout is not None
        worker = int(server.stdout.readline())
        assert running(worker)
        server.kill()
    assert until(lambda: not running(worker))


def test_a_slow_bot_decides_the_same_in_its_process() -> None:
    match = Match(GAME, {}, 7)
    for seat in list(match.waiting):
        match.apply(seat, {"orders": []})
    player = BotPlayer(GAME, "search-fast")
    direct = GAME.bots.players["search-fast"](match.game, "FRANCE", match.rng("FRANCE"))

    async def scene() -> None:
        for choice in await asyncio.gather(player.choose(match, "FRANCE"), player.choose(match, "FRANCE")):
            assert choice.action == direct

    run(scene())


def test_its_stand_in_answers_at_once() -> None:
    assert BotPlayer(GAME, "search").stand_in is GAME.bots.players["coordinated"]
    assert BotPlayer(GAME, "dumbbot").stand_in is GAME.bots.players["dumbbot"]
    assert GAME.bots.default not in GAME.bots.slow


def use_and_end(file: str) -> None:
    """Compute something in a worker, as a process of an evaluation does, and end."""
    Path(file).write_text(str(asyncio.run(computed("key", os.getpid))))


def test_a_process_of_a_pool_that_used_a_worker_ends(tmp_path: Path) -> None:
    file = tmp_path / "worker"
    process = multiprocessing.get_context("fork").Process(target=use_and_end, args=(str(file),))
    process.start()
    process.join(PATIENCE)
    assert process.exitcode == 0
    assert not running(int(file.read_text()))


@pytest.mark.long
@pytest.mark.parametrize(
    ("work", "limit"), [(fill_memory, "512 MiB of memory"), (never_end, "2 s of a processor")], ids=["memory", "time"]
)
def test_work_beyond_a_limit_ends_and_names_it(work: Callable[[], object], limit: str) -> None:
    async def scene() -> None:
        process = WorkerProcess(LIMITS)
        first = await process.computed(os.getpid)
        with pytest.raises(LimitExceeded, match=f"^{limit}$"):
            await process.computed(work)
        assert await asyncio.to_thread(until, lambda: not running(first))
        assert await process.computed(os.getpid) not in (first, os.getpid())
        process.stop()

    run(scene())


@pytest.mark.long
def test_the_limit_of_time_is_that_of_one_piece_of_work() -> None:
    async def scene() -> None:
        process = WorkerProcess(WorkLimits(LIMITS.memory, 60))
        first = await process.computed(os.getpid)
        before = await process.computed(resource.getrlimit, resource.RLIMIT_CPU)
        await process.computed(sum, range(100_000_000))
        assert (await process.computed(resource.getrlimit, resource.RLIMIT_CPU))[0] > before[0]
        assert await process.computed(os.getpid) == first
        process.stop()
        assert resource.getrlimit(resource.RLIMIT_CPU)[0] == resource.RLIM_INFINITY, "of the other process alone"

    run(scene())


@pytest.mark.long
def test_a_process_of_one_kind_of_work_is_replaced_when_it_dies_and_ends_when_it_is_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        process = WorkerProcess()
        assert await process.computed(die, str(tmp_path / "one"), 1) == 1
        with pytest.raises(WorkerDied, match="died twice"):
            await process.computed(die, str(tmp_path / "more"), 9)
        last = await process.computed(os.getpid)
        monkeypatch.setattr(workers, "IDLE", 0.0)
        with pytest.raises(ValueError, match="no such moment"):
            await process.computed(fail)
        assert await asyncio.to_thread(until, lambda: not running(last))

    run(scene())
