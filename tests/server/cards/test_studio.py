"""Pictures are made once, one at a time, in a process of their own."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path

import pytest

from grandstand.games.base import OptionError
from grandstand.players.workers import WorkLimits
from grandstand.server.cards.cache import FileCache
from grandstand.server.cards.studio import CARDS, LIMITS, Studio, Work
from grandstand.server.purse import Purse
from grandstand.server.turns import Busy
from grandstand.spectator.errors import StorageError
from tests.support.waiting import running, until


def process_id(_number: int) -> bytes:
    return str(os.getpid()).encode()


def never_done(begun: str) -> bytes:
    Path(begun).write_text(str(os.getpid()))
    threading.Event().wait()
    return b""


def die() -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def busy() -> bytes:
    while True:
        pass


def in_studio(folder: Path, scene: Callable[[Studio], Awaitable[None]], limits: WorkLimits = LIMITS) -> None:
    async def run() -> None:
        studio = Studio(FileCache(folder, 10_000), Purse(60), limits)
        try:
            await scene(studio)
        finally:
            await studio.close()

    asyncio.run(run())


def drawn(studio: Studio, name: str, prepare: Callable[[], Work]) -> Coroutine[None, None, Path]:
    """Return the card called `name`, which an operator asks for."""
    return studio.file(name, prepare, CARDS, "")


@pytest.mark.long
def test_a_picture_is_made_once_in_another_process(tmp_path: Path) -> None:
    prepared: list[int] = []

    def prepare() -> Work:
        prepared.append(threading.get_ident())
        return process_id, (1,)

    async def scene(studio: Studio) -> None:
        paths = await asyncio.gather(*(drawn(studio, "a.png", prepare) for _ in range(5)))
        assert len(set(paths)) == 1
        assert int(paths[0].read_bytes()) != os.getpid()
        await drawn(studio, "a.png", prepare)

    in_studio(tmp_path, scene)
    assert len(prepared) == 1
    assert prepared[0] != threading.get_ident()
    in_studio(tmp_path, scene)
    assert len(prepared) == 1


def test_too_many_at_once_are_refused(tmp_path: Path) -> None:
    release = threading.Event()

    def prepare() -> Work:
        release.wait(30)
        return process_id, (1,)

    async def scene(studio: Studio) -> None:
        waiting = [asyncio.create_task(drawn(studio, f"{number}.png", prepare)) for number in range(CARDS.most)]
        assert await asyncio.to_thread(until, lambda: len(studio._making) == CARDS.most)
        with pytest.raises(Busy, match="ask again"):
            await drawn(studio, "more.png", prepare)
        release.set()
        assert len(set(await asyncio.gather(*waiting))) == CARDS.most
        assert await drawn(studio, "more.png", prepare)

    in_studio(tmp_path, scene)


def test_an_error_is_raised_and_not_kept(tmp_path: Path) -> None:
    def broken() -> Work:
        raise ValueError("no such moment")

    async def scene(studio: Studio) -> None:
        for _ in range(2):
            with pytest.raises(ValueError, match="no such moment"):
                await drawn(studio, "a.png", broken)
        assert (await drawn(studio, "a.png", lambda: (process_id, (1,)))).is_file()

    in_studio(tmp_path, scene)


def test_a_disk_that_takes_no_file_is_named_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "cards"
    folder.write_text("a file where the folder would be")

    async def scene(studio: Studio) -> None:
        with pytest.raises(StorageError, match="the picture cannot be kept: ") as error:
            await drawn(studio, "a.png", lambda: (process_id, (1,)))
        assert str(folder) not in str(error.value)
        assert f"cannot be kept in {folder}" in caplog.text

    in_studio(folder, scene)


@pytest.mark.long
def test_a_process_that_dies_is_replaced(tmp_path: Path) -> None:
    async def scene(studio: Studio) -> None:
        with pytest.raises(Exception, match="died twice"):
            await drawn(studio, "a.png", lambda: (die, ()))
        assert (await drawn(studio, "b.png", lambda: (process_id, (1,)))).is_file()

    in_studio(tmp_path, scene)


@pytest.mark.long
def test_a_picture_that_takes_too_long_is_refused_and_the_next_is_made(tmp_path: Path) -> None:
    async def scene(studio: Studio) -> None:
        with pytest.raises(OptionError, match="drawing this picture takes more than 1 s of a processor"):
            await drawn(studio, "a.png", lambda: (busy, ()))
        assert (await drawn(studio, "b.png", lambda: (process_id, (1,)))).is_file()

    in_studio(tmp_path, scene, LIMITS._replace(seconds=1))


def test_nobody_waits_for_a_picture_when_the_server_stops(tmp_path: Path) -> None:
    pids: list[int] = []

    async def scene(studio: Studio) -> None:
        pids.append(int((await drawn(studio, "a.png", lambda: (process_id, (1,)))).read_bytes()))
        assert running(pids[0])

    in_studio(tmp_path, scene)
    assert until(lambda: not running(pids[0]))


def test_a_picture_in_the_making_does_not_delay_the_stop(tmp_path: Path) -> None:
    begun, pids = tmp_path / "begun", []

    async def scene(studio: Studio) -> None:
        making = asyncio.create_task(drawn(studio, "a.png", lambda: (never_done, (str(begun),))))
        assert await asyncio.to_thread(until, lambda: begun.is_file() and bool(begun.read_text()))
        pids.append(int(begun.read_text()))
        assert running(pids[0])
        await studio.close()
        with pytest.raises(asyncio.CancelledError):
            await making

    in_studio(tmp_path / "cards", scene)
    assert until(lambda: not running(pids[0]))


def test_the_name_depends_on_every_part_of_the_key() -> None:
    names = {
        Studio.name("a", 1, 2, suffix=".png"),
        Studio.name("a", 12, suffix=".png"),
        Studio.name("a", 1, suffix=".gif"),
    }
    assert len(names) == 3
    assert Studio.name("a", 1, suffix=".png") == Studio.name("a", 1, suffix=".png")
