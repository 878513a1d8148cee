"""The curves of a run, which only grow at their ends: a report sends the new points alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from statistics import fmean
from typing import Literal

from grandstand.report import Behind, Point

FULL = 200
"""Number of steps that have a point each; up to twice as many, two steps share a point, and so on."""
HALF = 2
"""Steps in which the weight of a step in the trend halves."""
DIGITS = 5

Kind = Literal["mean", "peak", "last"]
"""The value of a point for several steps: the mean of their values, the greatest, or the last."""

LINES: Mapping[str, Kind] = {
    "benchmark/reward_mean": "mean",
    "kl/mean": "mean",
    "kl/max": "peak",
    "kl/beta": "last",
    "policy/entropy_mean": "mean",
    "ppo/clip_fraction": "mean",
    "ppo/ratio_mean": "mean",
    "advantage/min": "mean",
    "advantage/max": "mean",
    "benchmark/grad_norm": "peak",
    "logprob/diff_max": "peak",
    "logprob/diff_mean": "peak",
    "processing/skip_rate": "mean",
    "rollout/masked_turns": "peak",
    "buffer/staleness": "peak",
    "buffer/dropped_stale": "peak",
    "rollout/straggler_count": "peak",
    "rollout/failed_count": "peak",
    "buffer/depth": "peak",
    "advantage/clipped_count": "peak",
}
"""Metric -> the kind of its curve."""
OPPONENT = re.compile(r"opponent/(.+)/(score_mean|reward_mean)")
MEETING = re.compile(r"league/(chance|met)/(.+)")
PAST = re.compile(r"v[1-9]\d*")
"""The labels of the run's own versions; v0 is its base."""
SUMS = ("step", "final")
"""Sums of reward components, which are not components themselves."""
BANDS: Mapping[str, tuple[str, str]] = {
    "reward band": ("benchmark/reward_mean", "benchmark/reward_std"),
    "ratio band": ("ppo/ratio_mean", "ppo/ratio_std"),
}
"""Curve -> the metrics of its middle and of the deviation to both sides."""


def width(number: int, full: int = FULL) -> int:
    """Return how many neighbours the point of the `number`-th of a series stands for: 1 of the first `full`."""
    size = 1
    while number > full * size:
        size *= 2
    return size


class Curve:
    """Values over the steps, the later ones by fewer points."""

    def __init__(self, kind: Kind = "mean", full: int = FULL) -> None:
        self.points: list[Point] = []
        self._kind, self._full = kind, full
        self._bucket: tuple[int, int] | None = None
        self._values: list[Point] = []

    def add(self, number: int, point: Point) -> None:
        """Add the value of the `number`-th step."""
        size = width(number, self._full)
        bucket = size, (number - 1) // size
        if bucket != self._bucket:
            self.end()
        self._bucket = bucket
        self._values.append(point)
        if number % size == 0:
            self.end()

    def end(self) -> None:
        """Merge the values that are not part of a point yet into a point."""
        if self._values:
            self.points.append(_merged(self._values, self._kind))
            self._values = []


def _merged(points: list[Point], kind: Kind) -> Point:
    """Return the point for several steps, which stands at the last of them."""
    last = points[-1]
    if len(points) == 1 or kind == "last":
        return last

    def of(values: list[float]) -> float:
        return _round(max(values) if kind == "peak" else fmean(values))

    low = None if last.low is None else of([point.low for point in points if point.low is not None])
    high = None if last.high is None else of([point.high for point in points if point.high is not None])
    behind = last.behind and last.behind.model_copy(
        update={
            "title": f"Matches of steps {points[0].x:g} to {last.x:g}",
            "first": points[0].behind.first if points[0].behind else last.behind.first,
        }
    )
    return Point(x=last.x, y=of([point.y for point in points]), low=low, high=high, behind=behind)


def _round(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


class Curves:
    """All curves of a run by name: of a metric, or of its parts."""

    def __init__(self, behind: Callable[[int], Behind]) -> None:
        """`behind` returns the matches that a step learned from."""
        self._behind = behind
        self._curves: dict[str, Curve] = {}
        self._sum = self._weight = 0.0

    def points(self, name: str) -> list[Point]:
        """Return the points of a curve, none if nothing was measured."""
        curve = self._curves.get(name)
        return curve.points if curve else []

    def names(self, prefix: str, suffix: str = "") -> list[str]:
        """Return what stands between `prefix` and `suffix` in the names of curves, sorted."""
        names = (name for name in self._curves if name.startswith(prefix) and name.endswith(suffix))
        return sorted(name[len(prefix) : len(name) - len(suffix)] for name in names)

    def add(self, number: int, step: int, metrics: Mapping[str, float]) -> None:
        """Take the metrics of the `number`-th step."""
        for name, kind, y, low, high in self._values(metrics):
            behind = self._behind(step) if name == "benchmark/reward_mean" else None
            curve = self._curves.setdefault(name, Curve(kind))
            bounds = (None if low is None else _round(low), None if high is None else _round(high))
            curve.add(number, Point(x=step, y=_round(y), low=bounds[0], high=bounds[1], behind=behind))

    def end(self) -> None:
        """Make points of all values that are not in one yet."""
        for curve in self._curves.values():
            curve.end()

    def _values(self, metrics: Mapping[str, float]) -> Iterator[tuple[str, Kind, float, float | None, float | None]]:
        for name, value in metrics.items():
            if name in LINES or name.startswith("game/") or OPPONENT.fullmatch(name):
                yield name, LINES.get(name, "mean"), value, None, None
        for name, (middle, spread) in BANDS.items():
            if middle in metrics and spread in metrics:
                mean, deviation = metrics[middle], metrics[spread]
                yield name, "mean", mean, mean - deviation, mean + deviation
        if "benchmark/reward_mean" in metrics:
            decay = 0.5 ** (1 / HALF)
            self._sum = decay * self._sum + metrics["benchmark/reward_mean"]
            self._weight = decay * self._weight + 1
            yield "reward trend", "mean", self._sum / self._weight, None, None
        for name, value in meetings(metrics).items():
            yield name, "mean", value, None, None
        for name, low, high in (*_components(metrics), *_times(metrics)):
            yield name, "mean", high, low, high
        if (whole := metrics.get("benchmark/step_time_s")) and "benchmark/training_time_s" in metrics:
            yield "idle", "mean", max(0.0, 1 - metrics["benchmark/training_time_s"] / whole), None, None


def meetings(metrics: Mapping[str, float]) -> dict[str, float]:
    """Return `chance/NAME` and `met/NAME` of each kind of opponent; the run's past versions are one kind."""
    sums: dict[str, float] = {}
    for metric, value in metrics.items():
        if match := MEETING.fullmatch(metric):
            name = f"{match[1]}/{'past versions' if PAST.fullmatch(match[2]) else match[2]}"
            sums[name] = sums.get(name, 0.0) + value
    return sums


def components(metrics: Mapping[str, float]) -> dict[str, float]:
    """Return the share of each component of the reward in its variance."""
    shares = {
        name.removeprefix("reward/").removesuffix("_share"): share
        for name, share in metrics.items()
        if name.startswith("reward/") and name.endswith("_share")
    }
    return {name: shares[name] for name in sorted(shares) if name not in SUMS}


def _components(metrics: Mapping[str, float]) -> Iterator[tuple[str, float, float]]:
    """Yield the components as layers from 0 to 1. A negative share, which compensates others, has no height."""
    shares = components(metrics)
    whole = sum(max(0.0, share) for share in shares.values())
    reached = 0.0
    for name, share in shares.items():
        top = reached + (max(0.0, share) / whole if whole else 0.0)
        yield f"component/{name}", reached, top
        reached = top


def _times(metrics: Mapping[str, float]) -> Iterator[tuple[str, float, float]]:
    """Yield the seconds of playing and of learning, one on the other."""
    playing, learning = metrics.get("benchmark/rollout_time_s"), metrics.get("benchmark/training_time_s")
    if playing is not None and learning is not None:
        yield "time/playing", 0.0, playing
        yield "time/learning", playing, playing + learning
