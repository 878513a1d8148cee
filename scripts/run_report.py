"""Draw the curves of training runs, such as several seeds, from the metrics in their folders.

python scripts/run_report.py RUN... OUT.svg
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from grandstand.trainer.metrics import read_lines
from grandstand.trainer.sweep.drawing import COLOURS, FAINT, Plot

WIDE, HIGH = 300, 120
ACROSS, DOWN = 366, 166
"""Distance from one panel to the next."""
LEFT, TOP = 60, 26
COLUMNS = 3


class Panel(NamedTuple):
    """A curve. With `band`, the metric of half its interval, single values with their intervals are drawn instead."""

    title: str
    metric: str
    band: str = ""
    zero: bool = False
    """If set, the axis includes zero."""


PANELS = (
    Panel("reward", "benchmark/reward_mean"),
    Panel("gain over base, among copies of it", "eval/vs_base/gain", "eval/vs_base/ci95", zero=True),
    Panel("gain over base, in the field", "eval/vs_field/gain", "eval/vs_field/ci95", zero=True),
    Panel("KL to the base, mean (nats a token)", "kl/mean", zero=True),
    Panel("KL to the base, greatest", "kl/max", zero=True),
    Panel("entropy (nats a token)", "policy/entropy_mean", zero=True),
)
LARGEST = ("kl/max", "kl/mean", "logprob/diff_max")
"""Metrics of which the largest value of all steps is printed."""


def main(runs: Sequence[Path], out: Path) -> None:
    series = [read_lines(run) for run in runs]
    panels = [panel for panel in PANELS if any(panel.metric in row for rows in series for row in rows)]
    height = -(-len(panels) // COLUMNS) * DOWN + 10
    steps = max(len(rows) for rows in series)
    picture = Plot(COLUMNS * ACROSS + 10, height, f"Curves of {steps} steps of training, runs: {len(runs)}")
    for number, panel in enumerate(panels):
        draw(picture, panel, series, number % COLUMNS * ACROSS + LEFT, number // COLUMNS * DOWN + TOP)
    out.write_text(picture.svg(), "utf-8")
    for run, rows in zip(runs, series, strict=True):
        most = {name: max((row[name] for row in rows if name in row), default=None) for name in LARGEST}
        words = [f"{name} at most {value:.3g}" for name, value in most.items() if value is not None]
        print(f"{run.name}: {len(rows)} steps", *words, sep=", ")


def draw(picture: Plot, panel: Panel, series: Sequence[Sequence[Mapping[str, float]]], left: float, top: float) -> None:
    """Draw a panel whose corner is at `left` and `top`; a run without its metric has no curve."""
    picture.words(left, top - 8, panel.title)
    curves = [
        [(row["step"], row[panel.metric], row.get(panel.band, 0.0)) for row in rows if panel.metric in row]
        for rows in series
    ]
    points = [point for curve in curves for point in curve]
    ends = [value + side * half for _, value, half in points for side in (-1, 1)] + [0.0] * panel.zero
    low, high, last = min(ends), max(ends), max(row["step"] for rows in series for row in rows)

    def at(step: float, value: float) -> tuple[float, float]:
        return left + step / last * WIDE, top + HIGH - (value - low) / ((high - low) or 1) * HIGH

    picture.rectangle(left, top, WIDE, HIGH)
    for value in (low, high):
        picture.words(left - 4, at(0, value)[1] + 4, f"{value:.3g}", FAINT, "end")
    picture.words(left + WIDE, top + HIGH + 14, f"step {last:g}", FAINT, "end")
    if low < 0 < high:
        picture.line([at(0, 0), at(last, 0)], FAINT, 1, dashed=True)
    for curve, colour in zip(curves, cycle(COLOURS)):
        if not panel.band:
            picture.line([at(step, value) for step, value, _ in curve], colour, 2)
            continue
        for step, value, half in curve:
            picture.line([at(step, value - half), at(step, value + half)], colour, 2)
            picture.dot(*at(step, value), 4, colour)


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:-1]], Path(sys.argv[-1]))
