"""Show the progress of a run: a live panel in a terminal, else a line per step and during long work, or JSON lines."""

from __future__ import annotations

import json
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Self, TextIO

from rich.console import Console
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from grandstand.campaigns.numbers import written
from grandstand.trainer.metrics import StepMetrics

WIDTH = 24
"""Steps that a sparkline shows."""
QUIET_SECONDS = 10.0
"""Seconds without a line after which the work in progress is reported where there is no terminal: enough not
to hide the lines of the steps, and few enough to show that the run goes on."""
_BARS = "▁▂▃▄▅▆▇█"
_NUMBERS: tuple[tuple[str, str, str], ...] = (
    ("reward", "benchmark/reward_mean", "{:+.3f}"),
    ("kl", "kl/mean", "{:.4f}"),
    ("kl max", "kl/max", "{:.3f}"),
    ("entropy", "policy/entropy_mean", "{:.3f}"),
    ("clipped", "ppo/clip_fraction", "{:.1%}"),
    ("tokens/s", "benchmark/tokens_per_s", "{:,.0f}"),
    ("play", "benchmark/rollout_time_s", "{:.1f} s"),
    ("learn", "benchmark/training_time_s", "{:.1f} s"),
)
"""(label, metric, format) of the numbers that a step may have, in the order of output."""


class RunProgress:
    """The progress of a run, shown while the context lasts.

    Call `step` after every step, and `doing` whenever there is news in between. `done` steps were over before, in a run
    that continues. With `as_json` every step is one line of JSON on `out`.
    """

    def __init__(
        self,
        name: str,
        steps: int,
        done: int = 0,
        *,
        as_json: bool = False,
        out: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name, self._steps, self._done = name, steps, done
        self._out = out or sys.stdout
        self._json = as_json
        self._clock = clock
        self._began, self._made = clock(), 0
        self._rewards: deque[float] = deque(maxlen=WIDTH)
        self._last: Mapping[str, float] = {}
        self._measured: dict[str, str] = {}
        self._now = ""
        self._said = -inf
        """Time of the last line."""
        self._console = Console(file=self._out, highlight=False)
        self._live: Live | None = None
        if self._console.is_terminal and not as_json:
            self._live = Live(get_renderable=self._panel, console=self._console, refresh_per_second=4)

    def __enter__(self) -> Self:
        self._began = self._clock()
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._now = ""
            self._live.stop()

    def doing(self, what: str, done: int = 0, whole: int = 0) -> None:
        """Report progress within the step, as in `doing("playing", 34, 96)`; without a terminal every QUIET_SECONDS."""
        self._now = f"{what} {done}/{whole}" if whole else what
        if self._live is None and not self._json and self._clock() - self._said >= QUIET_SECONDS:
            self._say(self._now)

    def step(self, taken: StepMetrics) -> None:
        """Report a finished step."""
        self._done, self._made, self._now = taken.step, self._made + 1, ""
        self._last = taken.metrics
        self._measured |= dict(_measured(taken))
        if "benchmark/reward_mean" in taken.metrics:
            self._rewards.append(taken.metrics["benchmark/reward_mean"])
        if self._json:
            self._say(json.dumps({"step": taken.step, "version": taken.step, **taken.metrics}))
        elif self._live is None:
            numbers = ", ".join(f"{name} {value}" for name, value in _numbers(taken.metrics))
            measured = "".join(f", {name} {value}" for name, value in _measured(taken))
            self._say(f"step {taken.step}/{self._steps}: {numbers}{measured}")

    @property
    def left(self) -> float | None:
        """Return the seconds to the last step at the pace so far; None before the first step."""
        if not self._made:
            return None
        return (self._clock() - self._began) / self._made * max(0, self._steps - self._done)

    def _say(self, line: str) -> None:
        self._said = self._clock()
        self._out.write(line + "\n")
        self._out.flush()

    def _panel(self) -> Panel:
        bar = ProgressBar(total=self._steps, completed=self._done, width=WIDTH)
        grid, head = Table.grid(padding=(0, 2)), Table.grid(padding=(0, 2))
        head.add_row(bar, self._time_left())
        grid.add_row(Text(f"step {self._done}/{self._steps}", "bold"), head)
        for name, value in _numbers(self._last):
            grid.add_row(Text(name, "dim"), f"{value}  {sparkline(self._rewards)}" if name == "reward" else value)
        for name, value in self._measured.items():
            grid.add_row(Text(name, "dim"), Text(value, "bold"))
        grid.add_row("", Text(self._now, "dim"))
        return Panel(grid, title=self._name, title_align="left", expand=False)

    def _time_left(self) -> str:
        left = self.left
        return "" if left is None or self._done >= self._steps else f"{written(left, 'seconds')} left"


def _numbers(metrics: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    """Return (label, value) of the numbers to show."""
    return ((name, form.format(metrics[key])) for name, key, form in _NUMBERS if key in metrics)


def _measured(taken: StepMetrics) -> Iterator[tuple[str, str]]:
    """Yield the evaluations of a step: the gain over the base with its 95 % interval, and when it was measured."""
    for key, gain in taken.metrics.items():
        if key.startswith("eval/") and key.endswith("/gain"):
            label = key.removeprefix("eval/").removesuffix("/gain")
            half = taken.metrics.get(f"eval/{label}/ci95")
            interval = "" if half is None else f" ± {half:.4f}"
            yield label.replace("_", " "), f"{gain:+.4f}{interval} at step {taken.step}"


def sparkline(values: Sequence[float]) -> str:
    """Return the values as bars, scaled from the lowest to the highest."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    scale = (len(_BARS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BARS[round((value - low) * scale)] for value in values)
