"""Makes cards and clips: each once, one at a time, in a process of its own, and keeps the files."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from grandstand.games.base import OptionError
from grandstand.players.workers import LimitExceeded, WorkerProcess, WorkLimits, timed
from grandstand.server.cards.cache import FileCache
from grandstand.server.purse import Purse
from grandstand.server.turns import Turns, WorkKind, WorkTurn
from grandstand.spectator.errors import StorageError

log = logging.getLogger(__name__)

VERSION = 4
"""The version of the drawing. It grows with every change of how a card looks: older files are then not served."""
CARDS = WorkKind("cards", cost=1 / 20, rank=0, most=12)
CLIPS = WorkKind("clips", cost=1 / 10, rank=1, most=8)
"""Clips wait for cards: a card is shown to somebody at once, while a clip is a download and takes longer."""
LIMITS = WorkLimits(memory=1024**3, seconds=60)
"""Limits of drawing one picture: anybody may publish a match that takes long to draw."""

Work = tuple[Callable[..., bytes], tuple[Any, ...]]
"""A function to run in the process, and its arguments, all picklable."""


class Studio:
    """The pictures of one server, by a key that determines their content."""

    def __init__(self, cache: FileCache, purse: Purse, limits: WorkLimits = LIMITS) -> None:
        self._cache = cache
        self._making: dict[str, asyncio.Task[Path]] = {}
        self._limits = limits
        self._turns = Turns(purse)
        self._process = WorkerProcess(limits)

    @staticmethod
    def name(*key: object, suffix: str) -> str:
        """Return the name of the file for `key` and the version of the drawing."""
        return sha256(repr((VERSION, *key)).encode()).hexdigest()[:40] + suffix

    async def file(self, name: str, prepare: Callable[[], Work], kind: WorkKind, visitor: str) -> Path:
        """Return the file called `name`. If there is none, it is made for `visitor` by the work that `prepare` returns.

        `prepare` runs in a thread. Raise what it raises, CannotAfford, Busy, OptionError if the picture takes
        too long, or StorageError if the disk takes no file.
        """
        if path := await asyncio.to_thread(self._cache.get, name):
            return path
        if name not in self._making:
            task = asyncio.create_task(self._make(name, prepare, self._turns.enter(visitor, kind)))
            self._making[name] = task
            task.add_done_callback(lambda done: self._made(name, done))
        return await asyncio.shield(self._making[name])

    async def close(self) -> None:
        """Stop. Unfinished pictures are dropped."""
        for task in self._making.values():
            task.cancel()
        await asyncio.gather(*self._making.values(), return_exceptions=True)
        self._process.stop()

    def _made(self, name: str, task: asyncio.Task[Path]) -> None:
        del self._making[name]
        if not task.cancelled():
            task.exception()  # whoever waits has it; if nobody waits any more, it is not reported

    async def _make(self, name: str, prepare: Callable[[], Work], turn: WorkTurn) -> Path:
        async with turn:
            function, arguments = await asyncio.to_thread(prepare)
            try:
                content, seconds = await self._process.computed(timed, function, *arguments)
            except LimitExceeded as error:
                turn.used(self._limits.seconds)
                raise OptionError(f"episode: drawing this picture takes more than {error}") from error
            turn.used(seconds, len(content))
            try:
                return await asyncio.to_thread(self._cache.put, name, content)
            except OSError as error:
                # Anybody may ask for a picture; the folders of this machine are for its log.
                log.warning("a picture cannot be kept in %s: %s", self._cache.folder, error)
                raise StorageError(f"the picture cannot be kept: {error.strerror}") from error
