"""Steps that are played ahead of the one that is learned from, in a thread of their own."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Self

Play = Callable[[int, int], None]
"""(step, version): play and record the step's groups with the policy of that version."""


def version_of(step: int, depth: int) -> int:
    """The version that plays a step."""
    return max(0, step - 1 - depth)


class Ahead:
    """Step n is played with version n - 1 - depth, or the first: as old as the depth says, whoever is faster.

    So what is played does not depend on timing, and a run that is repeated plays the same.
    """

    def __init__(self, play: Play, depth: int, first: int, last: int) -> None:
        """`first` and `last` are the steps that are to be played."""
        self._play, self._depth, self._next, self._last = play, depth, first, last
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="rollouts")
        self._played: dict[int, Future[float]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    @property
    def waiting(self) -> int:
        """Steps that are being played, or have been, and were not taken yet."""
        return len(self._played)

    def published(self, version: int) -> None:
        """A version can be played with: begin what waited for it."""
        while self._next <= min(self._last, version + 1 + self._depth):
            step = self._next
            self._played[step] = self._pool.submit(self._timed, step, self.version_of(step))
            self._next += 1

    def version_of(self, step: int) -> int:
        """The version that plays a step."""
        return version_of(step, self._depth)

    def take(self, step: int) -> float:
        """Wait until `step` has been played; answers how many seconds that took. Raises what went wrong in it."""
        return self._played.pop(step).result()

    def _timed(self, step: int, version: int) -> float:
        began = time.perf_counter()
        self._play(step, version)
        return time.perf_counter() - began
