"""Keeps the first page from being empty: when nothing is played, showcase matches of bots begin, one of each game."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random

from grandstand.games.registry import game_spec
from grandstand.server.bodies import StartEpisode
from grandstand.server.matches.driver import Driver, Full
from grandstand.spectator.errors import StorageError
from grandstand.spectator.recorder import Recorder

log = logging.getLogger(__name__)

GAP = 8.0
"""Seconds between the end of one match and the next showcase: time to read how it ended."""


class Showcase:
    """Starts a showcase match of each of `games` whenever nothing is played; keeps the newest `kept` that ended."""

    def __init__(
        self, driver: Driver, recorder: Recorder, forget: Callable[[str], None], games: Sequence[str], kept: int
    ) -> None:
        """`forget` is told of every episode that is deleted from the record."""
        self._driver = driver
        self._recorder = recorder
        self._forget = forget
        self._games = games
        self._kept = kept
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Start the first matches at once where none is live, and follow every idle moment from now on."""
        if not self._games:
            return
        self._driver.on_idle = self._on_idle
        if self._driver.idle:
            self._play_next()

    def close(self) -> None:
        self._driver.on_idle = lambda: None
        if self._timer:
            self._timer.cancel()

    def _on_idle(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(GAP, self._play_next)

    def _play_next(self) -> None:
        if not self._driver.idle:
            return
        try:
            for game in self._games:
                self._start(game)
            for episode_id in self._recorder.prune("showcase", self._kept):
                self._forget(episode_id)
        except StorageError as error:
            log.error("the showcase waits until the record can be written: %s", error)
            if self._driver.idle:
                self._on_idle()

    def _start(self, game: str) -> None:
        spec = game_spec(game)
        seed = secrets.randbits(48)
        players = dict(zip(spec.seats, spec.showcase(Random(seed)), strict=True))
        request = StartEpisode(game=game, players=players, seed=seed, title=f"Showcase: {spec.title}", reveal="live")
        with suppress(Full):
            self._driver.start(request, origin="showcase")
