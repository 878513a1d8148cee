"""Python's garbage collection, in the idle moments of the event loop, and the memory that is given back in them.

A full collection visits every container of the process, which takes a third of a second where there are
hundreds of megabytes, and every match and viewer waits for it. So it does not begin in the middle of work, and
containers that survive one are exempt for some minutes.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import time
from collections.abc import Callable, Iterator, Mapping
from threading import Thread
from typing import Final, Literal

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

GENERATIONS: Final = 3

EVERY: Final = 1.0
"""Seconds between looks at whether the loop is idle."""

IDLE: Final = 0.1
"""Share of the time since the last look up to which the loop counts as idle, in CPU time of its thread."""

WANTED: Final = 10
"""Collections of the second generation after which a full one is wanted; Python's own threshold is the same."""

OVERDUE: Final = 200
"""Collections of the second generation after which a full one is made at once: each follows some 7,000 new containers,
about a megabyte.
"""

LONGEST_WAIT: Final = 60.0
"""The most seconds for which a wanted collection is put off."""

WHOLE_EVERY: Final = 600.0
"""Seconds after which what survived earlier collections is looked at again."""

GIVE_BACK_EVERY: Final = 10.0
"""Seconds after which free memory is given back in an idle moment, also if nothing was collected."""

ARENAS: Final = 2
"""The most heaps of glibc. It would make one for each thread, and each has free memory of its own."""

M_ARENA_MAX: Final = -8
"""The number of this limit in glibc's `mallopt`."""

NEVER: Final = 1_000_000
"""A threshold that is never reached."""


class GarbageCollector(Collector):
    """Makes the full collections of this process, and counts all collections."""

    def __init__(
        self,
        drop_unused: Callable[[], object],
        clock: Callable[[], float] = time.monotonic,
        cpu_clock: Callable[[], float] = time.thread_time,
    ) -> None:
        """`drop_unused` drops something that can be read again, if it is unused; `cpu_clock` gives the CPU time of the
        loop's thread.
        """
        self._drop_unused = drop_unused
        self._clock, self._cpu_clock = clock, cpu_clock
        self._timer: asyncio.TimerHandle | None = None
        self._thresholds = gc.get_threshold()
        self._looked_at = (0.0, 0.0)
        """The times of both clocks at the last look."""
        self._wanted_at: float | None = None
        self._whole_at = self._gave_back_at = 0.0
        self._began = 0.0
        self._counts = [0] * GENERATIONS
        self._trim = _in_thread(_of_glibc("malloc_trim"))
        self._longest = [0.0] * GENERATIONS
        """Seconds of the longest collection of each generation."""

    def begin(self) -> None:
        """Exempt the present containers from collections, and make the full collections from now on."""
        first, second, _ = self._thresholds
        gc.set_threshold(first, second, NEVER)
        gc.callbacks.append(self._observe)
        gc.freeze()
        _of_glibc("mallopt")(M_ARENA_MAX, ARENAS)
        self._looked_at = self._whole_at, _ = self._clock(), self._cpu_clock()
        self._gave_back_at = self._whole_at
        self._look_soon()

    def close(self) -> None:
        """Give the full collections back to Python."""
        if self._timer is not None:
            self._timer.cancel()
            gc.callbacks.remove(self._observe)
            gc.set_threshold(*self._thresholds)

    def want(self) -> None:
        """Request a full collection in the next idle moment, after much was read that stays in memory."""
        if self._wanted_at is None:
            self._wanted_at = self._clock()

    def look(self) -> None:
        """Collect if it is wanted and the loop is idle, or if it was put off for too long.

        In idle moments, drop what is unused and give free memory back.
        """
        now, cpu = self._clock(), self._cpu_clock()
        seconds, used = now - self._looked_at[0], cpu - self._looked_at[1]
        pending = gc.get_count()[GENERATIONS - 1]
        if pending >= WANTED:
            self.want()
        idle = used <= IDLE * seconds
        if idle:
            self._drop_unused()
        if self._wanted_at is not None:
            if idle or pending >= OVERDUE or now - self._wanted_at >= LONGEST_WAIT:
                self._collect(whole=idle and now - self._whole_at >= WHOLE_EVERY)
        elif idle and now - self._gave_back_at >= GIVE_BACK_EVERY:
            self._give_back()
        self._looked_at = self._clock(), self._cpu_clock()

    def _collect(self, *, whole: bool) -> None:
        """Collect, and exempt the survivors from the next collections; a whole one looks at earlier survivors too."""
        if whole:
            gc.unfreeze()
            self._whole_at = self._clock()
        gc.collect()
        gc.freeze()
        self._give_back()
        self._wanted_at = None

    def _give_back(self) -> None:
        """Give free memory back to the system; glibc itself does so at the top of the heap only."""
        self._trim(0)
        self._gave_back_at = self._clock()

    def _look_soon(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(EVERY, self._looked)

    def _looked(self) -> None:
        try:
            self.look()
        finally:
            self._look_soon()

    def _observe(self, phase: Literal["start", "stop"], info: Mapping[str, int]) -> None:
        """Count a collection. Python may be within any other code meanwhile, so that no lock may be taken here."""
        if phase == "start":
            self._began = time.perf_counter()
        else:
            generation = info["generation"]
            self._counts[generation] += 1
            self._longest[generation] = max(self._longest[generation], time.perf_counter() - self._began)

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics, as prometheus_client asks for them."""
        counts = CounterMetricFamily("grandstand_collections", "Garbage collections.", labels=["generation"])
        longest = GaugeMetricFamily(
            "grandstand_collection_longest_seconds", "The longest garbage collection.", labels=["generation"]
        )
        for generation in range(GENERATIONS):
            counts.add_metric([str(generation)], self._counts[generation])
            longest.add_metric([str(generation)], self._longest[generation])
        yield counts
        yield longest
        frozen = "Containers that survived a full collection, and are not looked at in the next."
        yield GaugeMetricFamily("grandstand_frozen_containers", frozen, value=gc.get_freeze_count())


def _in_thread(function: Callable[..., object]) -> Callable[..., object]:
    """Return what calls `function` in another thread: it takes up to 60 ms, in which it needs no lock of Python."""
    return lambda *arguments: Thread(target=function, args=arguments, daemon=True).start()


def _of_glibc(name: str) -> Callable[..., object]:
    """Return a function of glibc, or one that does nothing where there is another library in its place."""
    function: Callable[..., object] = getattr(ctypes.CDLL(None), name, lambda *_: None)
    return function
