"""The clock of one request: it runs down, and can be stopped and started again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable


class TurnClock:
    """The time left for a decision. `expired` is called once it has run out. Without a limit it never does."""

    def __init__(self, seconds: float | None, expired: Callable[[], None]) -> None:
        self._left = seconds
        self._expired = expired
        self._timer: asyncio.TimerHandle | None = None
        self.deadline: float | None = None
        """Unix time at which it runs out; None while it is stopped, and if there is no limit."""

    @property
    def left(self) -> float | None:
        """Return the seconds left; None if there is no limit."""
        if self._timer is None or self._left is None:
            return self._left
        return max(0.0, self._timer.when() - asyncio.get_running_loop().time())

    def start(self) -> None:
        """Start the clock; do nothing if it runs already."""
        if self._left is not None and self._timer is None:
            self.deadline = time.time() + self._left
            self._timer = asyncio.get_running_loop().call_later(self._left, self._run_out)

    def stop(self) -> None:
        """Stop the clock and keep the remaining time."""
        if self._timer is not None:
            self._left = self.left
            self._timer.cancel()
            self._timer = self.deadline = None

    def _run_out(self) -> None:
        self._left = 0.0
        self._timer = None
        self._expired()
