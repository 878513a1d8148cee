"""Draws a training run's curves: `python scripts/run_report.py RUN OUT.svg`, from the metrics in the run's folder."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

WIDE, HIGH, GAP = 300, 120, 46
COLUMNS = 3


class Panel(NamedTuple):
    """One curve; `band` is the metric that it goes up and down by, `bars` whether it is drawn where it was measured."""

    title: str
    metric: str
    band: str = ""
    bars: bool = False
    zero: bool = False


PANELS = (
    Panel("reward", "benchmark/reward_mean"),
    Panel("gain over base, among copies of it", "eval/vs_base/gain", "eval/vs_base/ci95", bars=True, zero=True),
    Panel("gain over base, in the field", "eval/vs_field/gain", "eval/vs_field/ci95", bars=True, zero=True),
    Panel("KL to the base, mean (nats a token)", "kl/mean", zero=True),
    Panel("KL to the base, greatest", "kl/max", zero=True),
    Panel("entropy (nats a token)", "policy/entropy_mean", zero=True),
)


def main(run: Path, out: Path) -> None:
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text("utf-8").splitlines()]
    height = -(-len(PANELS) // COLUMNS) * (HIGH + GAP) + 10
    width = COLUMNS * (WIDE + GAP) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"',
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fdfcf8"/>',
    ]
    for number, panel in enumerate(PANELS):
        x, y = number % COLUMNS * (WIDE + GAP) + 40, number // COLUMNS * (HIGH + GAP) + 26
        parts.append(f'<g transform="translate({x} {y})">{draw(panel, rows)}</g>')
    out.write_text("\n".join([*parts, "</svg>"]) + "\n", "utf-8")
    reports = {
        name: max(row[name] for row in rows if name in row) for name in ("kl/max", "kl/mean", "logprob/diff_max")
    }
    print("steps", len(rows), *(f"{name} at most {value:.3g}" for name, value in reports.items()), sep=", ")


def draw(panel: Panel, rows: list[dict[str, float]]) -> str:
    """The panel's picture, as parts of an SVG."""
    points = [(row["step"], row[panel.metric], row.get(panel.band, 0.0)) for row in rows if panel.metric in row]
    title = f'<text y="-8" fill="#222">{escape(panel.title)}</text>'
    if not points:
        return title
    ends = [value + side * band for _, value, band in points for side in (-1, 1)] + [0.0] * panel.zero
    low, high = min(ends), max(ends)
    last = max(row["step"] for row in rows)

    def at(step: float, value: float) -> tuple[float, float]:
        return round(step / last * WIDE, 1), round(HIGH - (value - low) / ((high - low) or 1) * HIGH, 1)

    parts = [title, f'<rect width="{WIDE}" height="{HIGH}" fill="#fff" stroke="#d8d4c8"/>']
    for value in (low, high):
        parts.append(f'<text x="-4" y="{at(0, value)[1] + 4}" text-anchor="end" fill="#777">{value:.3g}</text>')
    parts.append(f'<text x="{WIDE}" y="{HIGH + 14}" text-anchor="end" fill="#777">step {last:g}</text>')
    if low < 0 < high:
        parts.append(f'<path d="M0 {at(0, 0)[1]}H{WIDE}" stroke="#999" stroke-dasharray="3 3"/>')
    if panel.bars:
        for step, value, band in points:
            (x, top), (_, foot) = at(step, value + band), at(step, value - band)
            parts.append(f'<path d="M{x} {top}V{foot}" stroke="#1f5f8b" stroke-width="2"/>')
            parts.append(f'<circle cx="{x}" cy="{at(step, value)[1]}" r="4" fill="#1f5f8b"/>')
    else:
        line = " ".join(f"{x},{y}" for x, y in (at(step, value) for step, value, _ in points))
        parts.append(f'<polyline points="{line}" fill="none" stroke="#1f5f8b" stroke-width="2"/>')
    return "".join(parts)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
