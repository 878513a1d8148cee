"""A server among others: it renews the leases of its matches, and takes over those of a server that is gone."""

from __future__ import annotations

import asyncio
import logging
import random
import threading
import time
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from grandstand.spectator.errors import RecordError
from grandstand.spectator.store.interface import LEASE

if TYPE_CHECKING:
    from grandstand.spectator.store.leases import Leases

log = logging.getLogger(__name__)

RENEW_EVERY = 2.0
"""Seconds between renewals of the leases."""

CLAIM_EVERY = 0.5
"""Seconds between looks for matches whose owner is gone; more or less, so that the servers look at different times."""

SHOWCASE = "showcase"
"""The duty of playing the matches of the showcase."""


class Membership:
    """The thread in which a server renews and claims: a busy event loop must not lose its matches."""

    def __init__(
        self,
        leases: Leases,
        held: Callable[[], Mapping[str, int]],
        *,
        plays: bool,
        claimed: Callable[[Mapping[str, int]], None],
        lost: Callable[[Collection[str]], None],
        showcase: Callable[[bool], None],
    ) -> None:
        """`held` returns the episodes that this server owns, with their epochs. The others are called on the loop.

        A server that `plays` nothing claims nothing. `claimed` gets episodes to go on with, `lost` those that another
        server owns now; `showcase` is told whether the showcase is this server's.
        """
        self._leases = leases
        self._held = held
        self._plays = plays
        self._claimed = claimed
        self._lost = lost
        self._showcase = showcase
        self._has_showcase = False
        self._renewed_at = time.monotonic()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def away(self) -> bool:
        """Return whether the leases may have expired since they were renewed: this server was stopped, or cut off."""
        return time.monotonic() - self._renewed_at > LEASE - RENEW_EVERY

    def _confirmed(self, began: float) -> None:
        """Note a renewal, once the loop has heard what was lost."""
        self._renewed_at = began

    def begin(self) -> None:
        """Join the servers of the record."""
        loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, args=(loop,), name="leases", daemon=True)
        self._thread.start()

    async def close(self) -> None:
        """Leave: other servers take over at once. Call it when no match is played here any more."""
        self._stop.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, 5.0)
        try:
            await asyncio.to_thread(self._leases.end)
        except RecordError as error:
            log.warning("other servers take over after the leases of this one have expired: %s", error)
        self._leases.close()

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        wait = 0.0
        while not self._stop.wait(wait):
            try:
                self._renew(loop)
                wait = RENEW_EVERY
                while self._plays and wait > 0:
                    if claimed := self._leases.claim():
                        loop.call_soon_threadsafe(self._claimed, claimed)
                    pause = min(wait, CLAIM_EVERY * random.uniform(0.7, 1.3))
                    if self._stop.wait(pause):
                        return
                    wait -= pause
            except RecordError as error:
                log.warning("the leases of this server are not renewed for now: %s", error)
                wait = CLAIM_EVERY

    def _renew(self, loop: asyncio.AbstractEventLoop) -> None:
        began = time.monotonic()
        self._leases.be_present()
        if lost := self._leases.renew(dict(self._held())):
            loop.call_soon_threadsafe(self._lost, lost)
        loop.call_soon_threadsafe(self._confirmed, began)
        if self._plays and (has := self._leases.take(SHOWCASE)) != self._has_showcase:
            self._has_showcase = has
            loop.call_soon_threadsafe(self._showcase, has)
