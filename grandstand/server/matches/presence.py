"""Gives the seat of a person who has closed the page back to a bot."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection
from contextlib import suppress

from grandstand.games.base import SeatId
from grandstand.players.external import ExternalPlayer
from grandstand.server.bodies.matches import Command
from grandstand.server.matches.commands import ABSENT_BY
from grandstand.server.matches.driver import Driver
from grandstand.server.matches.steering import CommandError
from grandstand.spectator.errors import RecordError, StorageError

log = logging.getLogger(__name__)

AWAY = 60.0
"""Seconds without a connection after which a person has left: a page that lost its connection is back in seconds."""
LONG = 600.0
"""Seconds of a turn's clock beyond which people need not keep the page open between their turns."""
CHECKED_EVERY = 5.0
"""Seconds between two checks."""


class Presence:
    """Watches the seats of people who play against a short clock and have had their page open since the server began.

    Others need not stay at their page, or play without it.
    """

    def __init__(
        self,
        driver: Driver,
        watching: Callable[[str], Collection[SeatId]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`watching` returns the seats of an episode whose players are connected."""
        self._driver = driver
        self._watching = watching
        self._clock = clock
        self._seen: dict[tuple[str, SeatId], float] = {}
        """(episode, seat) -> the last time at which its player was connected."""
        self._timer: asyncio.TimerHandle | None = None
        self._checking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Start the checks."""
        self._timer = asyncio.get_running_loop().call_later(CHECKED_EVERY, self._again)

    def close(self) -> None:
        """Stop the checks."""
        if self._timer is not None:
            self._timer.cancel()
        if self._checking is not None:
            self._checking.cancel()

    def _again(self) -> None:
        self._checking = asyncio.create_task(self.check(), name="presence")
        self.begin()

    async def check(self) -> None:
        """Note who is connected, and free the seats of those who have not been for AWAY seconds."""
        now, before, self._seen = self._clock(), self._seen, {}
        free: list[tuple[str, SeatId]] = []
        for episode_id in self._driver.playing:
            with suppress(CommandError, RecordError):  # it has just ended
                match = self._driver.match(episode_id)
                watching = self._watching(episode_id)
                for seat, player in match.runner.players.items():
                    if not isinstance(player, ExternalPlayer) or player.kind != "human" or not _short(player):
                        continue
                    seen = now if seat in watching else before.get((episode_id, seat))
                    last = None if seen is None else max(seen, player.acted_at)
                    if last is not None and now - last < AWAY:
                        self._seen[episode_id, seat] = last
                    elif last is not None:
                        free.append((episode_id, seat))
        for episode_id, seat in free:
            await self._free(episode_id, seat)

    async def _free(self, episode_id: str, seat: SeatId) -> None:
        log.info("%s of %s is free: its page has been closed for %.0f s", seat, episode_id, AWAY)
        with suppress(CommandError, StorageError):
            await self._driver.match(episode_id).command(Command(command="leave", seat=seat), ABSENT_BY)


def _short(player: ExternalPlayer) -> bool:
    return player.turn_seconds is not None and player.turn_seconds <= LONG
