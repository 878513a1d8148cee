"""Draw the curves of training runs, such as several seeds, from the metrics in their folders.

python scripts/run_report.py RUN... OUT.svg
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import vl_convert

from grandstand.campaigns.vega import SCHEMA, specification
from grandstand.report import Axis, Chart, Mark, Point
from grandstand.trainer.metrics import MetricsRow, read_lines

COLUMNS = 3
SIZE = {"width": 300, "height": 120}


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
    names, series = tuple(run.name for run in runs), [read_lines(run) for run in runs]
    panels = [panel for panel in PANELS if any(panel.metric in row for rows in series for row in rows)]
    specs = [specification(chart(panel, names, series), panel.title, names) | SIZE for panel in panels]
    picture = {"$schema": SCHEMA, "columns": COLUMNS, "concat": specs}
    out.write_text(vl_convert.vegalite_to_svg(json.dumps(picture)), "utf-8")
    for run, rows in zip(runs, series, strict=True):
        most = {name: max((row[name] for row in rows if name in row), default=None) for name in LARGEST}
        words = [f"{name} at most {value:.3g}" for name, value in most.items() if value is not None]
        print(f"{run.name}: {len(rows)} steps", *words, sep=", ")


def chart(panel: Panel, names: Sequence[str], series: Sequence[Sequence[MetricsRow]]) -> Chart:
    """Return the chart of a panel; a run without its metric has no points."""
    return Chart(
        x=Axis(title="step", low=0),
        y=Axis(low=0.0 if panel.zero else None),
        marks=[
            Mark(id=name, kind="dots" if panel.band else "line", owner=name, points=list(_points(panel, rows)))
            for name, rows in zip(names, series, strict=True)
        ],
        describe=f"{panel.title} over the steps of {', '.join(names)}",
    )


def _points(panel: Panel, rows: Sequence[MetricsRow]) -> Iterator[Point]:
    for row in rows:
        if panel.metric in row:
            value, half = row[panel.metric], row.get(panel.band)
            ends = (None, None) if half is None else (value - half, value + half)
            yield Point(x=row["step"], y=value, low=ends[0], high=ends[1])


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:-1]], Path(sys.argv[-1]))
