"""Measures how long the turns of the event loop are, and finds what the long ones were doing.

A timer of the loop tells when it is late. A thread looks at the stack of the loop while that lasts, so that the cause
is known also of a call that never returns. Both cost about a millisecond in a second.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType

from prometheus_client.core import GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

log = logging.getLogger(__name__)

EVERY = 0.05
"""Seconds between looks at the loop."""

LONG = 0.05
"""Seconds after which a turn is long, so that its cause is looked for."""

REPORTED = 1.0
"""Seconds after which a turn is logged, if it is the longest of its cause."""

CAUSES = 32
"""The most causes that are kept."""

BOUNDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)

OWN = __name__.partition(".")[0] + "."
PASSED = f"{OWN}server.transport.edge."
"""The functions that every request passes."""


class Watchdog(Collector):
    """Watches the loop on which it was begun."""

    def __init__(self) -> None:
        self._longest: dict[str, float] = {}
        """Seconds of the longest turn of each cause."""
        self._counts = [0] * (len(BOUNDS) + 1)
        self._late = 0.0
        """The sum of all waits, in seconds."""
        self._due = time.perf_counter()
        self.cause = ""
        """What the present turn does, if it is long."""
        self._timer: asyncio.TimerHandle | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self) -> None:
        """Watch the running loop until closed."""
        self._set_timer(asyncio.get_running_loop())
        self._thread = threading.Thread(target=self._watch, args=(threading.get_ident(),), name="watchdog", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop watching."""
        self._stop.set()
        if self._timer is not None:
            self._timer.cancel()

    def _set_timer(self, loop: asyncio.AbstractEventLoop) -> None:
        self._due = time.perf_counter() + EVERY
        self._timer = loop.call_later(EVERY, self._on_time, loop)

    def _on_time(self, loop: asyncio.AbstractEventLoop) -> None:
        """Note how late this timer is: as long as the turn before it, or longer."""
        late = max(0.0, time.perf_counter() - self._due)
        self._counts[sum(late > bound for bound in BOUNDS)] += 1
        self._late += late
        if late > LONG:
            self._note(self.cause or "unknown", late)
        self.cause = ""
        self._set_timer(loop)

    def _note(self, cause: str, seconds: float) -> None:
        if cause not in self._longest and len(self._longest) >= CAUSES:
            cause = "other"
        if seconds > self._longest.get(cause, 0.0):
            self._longest[cause] = seconds
            if seconds > REPORTED:
                log.warning("the event loop stood still for %.1f s in %s", seconds, cause)

    def _watch(self, loop_thread: int) -> None:
        while not self._stop.wait(EVERY):
            if not self.cause and time.perf_counter() - self._due > LONG:
                self.cause = _cause(sys._current_frames().get(loop_thread))

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics, as prometheus_client asks for them."""
        lag = HistogramMetricFamily("grandstand_loop_lag_seconds", "How late a timer of the event loop is.")
        below = [sum(self._counts[: number + 1]) for number in range(len(self._counts))]
        names = [*map(str, BOUNDS), "+Inf"]
        lag.add_metric([], list(zip(names, below, strict=True)), self._late)
        yield lag
        longest = GaugeMetricFamily(
            "grandstand_loop_longest_turn_seconds", "The longest turn of the event loop, by cause.", labels=["cause"]
        )
        for cause, seconds in list(self._longest.items()):
            longest.add_metric([cause], seconds)
        yield longest


def _cause(frame: FrameType | None) -> str:
    """Return the functions of this package in which a turn of the loop began and is now, of the stack from `frame`.

    If there is none, return the innermost function of all.
    """
    names = []
    while frame is not None and frame.f_globals.get("__name__") != asyncio.events.__name__:
        names.append(f"{frame.f_globals.get('__name__')}.{frame.f_code.co_qualname}")
        frame = frame.f_back
    own = [name for name in names if name.startswith(OWN) and not name.startswith(PASSED)] or names[:1]
    return " > ".join(dict.fromkeys((own[-1], own[0]))) if own else "unknown"
