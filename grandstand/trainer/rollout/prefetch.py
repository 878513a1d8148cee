"""Play steps ahead of learning, in a thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Self

Play = Callable[[int, int], None]
"""Play and record a step's groups: (step, version of the policy)."""


def version_of(step: int, depth: int) -> int:
    """Return the version that plays a step."""
    return max(0, step - 1 - depth)


class Prefetcher:
    """A thread that plays step n with version n - 1 - depth, or version 0.

    The version depends on the depth alone, never on timing, so a repeated run plays the same matches.
    """

    def __init__(self, play: Play, depth: int, first: int, last: int) -> None:
        """Create the thread for the steps from `first` to `last`."""
        self._play, self._depth, self._next, self._last = play, depth, first, last
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="rollouts")
        self._played: dict[int, Future[float]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    @property
    def waiting(self) -> int:
        """Return the number of steps that are played, or being played, and not taken yet."""
        return len(self._played)

    def published(self, version: int) -> None:
        """Start the steps that waited for `version`, which is now available."""
        while self._next <= min(self._last, version + 1 + self._depth):
            step = self._next
            self._played[step] = self._pool.submit(self._timed, step, self.version_of(step))
            self._next += 1

    def version_of(self, step: int) -> int:
        """Return the version that plays a step."""
        return version_of(step, self._depth)

    def take(self, step: int) -> float:
        """Wait until `step` has been played and return its duration in seconds. Raises the error that ended it."""
        return self._played.pop(step).result()

    def _timed(self, step: int, version: int) -> float:
        began = time.perf_counter()
        self._play(step, version)
        return time.perf_counter() - began
