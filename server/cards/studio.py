"""Makes cards and clips: each once, one at a time, in a process of its own, and keeps the files."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from hashlib import sha256
from pathlib import Path
from typing import Any

from grandstand.players.workers import new_executor, stop_now
from grandstand.server.cards.cache import FileCache
from grandstand.spectator.errors import StorageError

log = logging.getLogger(__name__)

VERSION = 2
"""The version of the drawing. It grows with every change of how a card looks: older files are then not served."""
WAITING = 12
"""Pictures that may be in the making or wait; more requests are refused."""
IDLE = 60.0
"""Seconds without work after which the process ends."""

Work = tuple[Callable[..., bytes], tuple[Any, ...]]
"""A function for the process, and its arguments, all picklable."""


class Busy(Exception):
    """Too many pictures or files are asked for at once."""


class Studio:
    """The pictures of one server, by a key that determines their content."""

    def __init__(self, cache: FileCache) -> None:
        self._cache = cache
        self._making: dict[str, asyncio.Task[Path]] = {}
        self._turn = asyncio.Lock()
        self._executor: ProcessPoolExecutor | None = None
        self._idle: asyncio.TimerHandle | None = None

    @staticmethod
    def name(*key: object, suffix: str) -> str:
        """Return the name of the file for `key` and the version of the drawing."""
        return sha256(repr((VERSION, *key)).encode()).hexdigest()[:40] + suffix

    async def file(self, name: str, prepare: Callable[[], Work]) -> Path:
        """Return the file called `name`. If there is none, it is made by the work that `prepare` returns.

        `prepare` runs in a thread. Raise what it raises, Busy, or StorageError if the disk takes no file.
        """
        if path := await asyncio.to_thread(self._cache.get, name):
            return path
        if name not in self._making:
            if len(self._making) >= WAITING:
                raise Busy(f"{WAITING} cards or clips are being drawn; ask again in a few seconds")
            task = asyncio.create_task(self._make(name, prepare))
            self._making[name] = task
            task.add_done_callback(lambda done: self._made(name, done))
        return await asyncio.shield(self._making[name])

    async def close(self) -> None:
        """Stop. What is in the making is not finished."""
        for task in self._making.values():
            task.cancel()
        await asyncio.gather(*self._making.values(), return_exceptions=True)
        if self._executor:
            stop_now(self._executor)
        self._dismiss()

    def _made(self, name: str, task: asyncio.Task[Path]) -> None:
        del self._making[name]
        if not task.cancelled():
            task.exception()  # whoever waits has it; if nobody waits any more, it is not reported

    async def _make(self, name: str, prepare: Callable[[], Work]) -> Path:
        async with self._turn:
            if self._idle:
                self._idle.cancel()
            try:
                function, arguments = await asyncio.to_thread(prepare)
                content = await self._computed(function, arguments)
            finally:
                self._idle = asyncio.get_running_loop().call_later(IDLE, self._dismiss)
            try:
                return await asyncio.to_thread(self._cache.put, name, content)
            except OSError as error:
                # Anybody may ask for a picture; the folders of this machine are for its log.
                log.warning("a picture cannot be kept in %s: %s", self._cache.folder, error)
                raise StorageError(f"the picture cannot be kept: {error.strerror}") from error

    async def _computed(self, function: Callable[..., bytes], arguments: tuple[Any, ...]) -> bytes:
        """Return the result of the process. One that has died, as for want of memory, is replaced once."""
        loop = asyncio.get_running_loop()
        for attempt in (1, 2):
            self._executor = self._executor or new_executor()
            try:
                return await loop.run_in_executor(self._executor, function, *arguments)
            except BrokenProcessPool:
                log.warning("the process that draws cards died")
                self._executor = None
                if attempt == 2:
                    raise
        raise AssertionError("unreachable")

    def _dismiss(self) -> None:
        if self._idle:
            self._idle.cancel()
            self._idle = None
        if self._executor:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None
