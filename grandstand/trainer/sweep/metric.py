"""Metrics of a run by which arms are compared: a measurement after the training, or a statistic of many steps.

`best/base/gain` is a measurement: the version (`last`, or `best` by the run's own evaluations), its opponents, and
its `score`, its `gain` over the policy that the run began with, or that gain in Elo points. `kl/max:max` is a statistic
of a metric over the steps: `mean`, `max`, `min` or `slope`; `kl/mean:mean[1:20]` is that of some steps. The value of a
single step is no statistic, and is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

Version = Literal["last", "best"]
Value = Literal["score", "gain", "elo"]
Over = Literal["mean", "max", "min", "slope"]
BY_RATIO = frozenset({"kl/mean", "kl/max", "kl/std", "kl/ema", "benchmark/kl", "benchmark/grad_norm"})
"""Metrics that are above 0 by nature, and differ by factors between seeds: they are compared by their logarithms."""
RESOLUTION = 1e-6
"""The least value of such a metric: sums in float32 are rounded by about as much."""
_SERIES = re.compile(r"(?P<name>[^:\[\]\s]+):(?P<over>[a-z]+)(?:\[(?P<first>\d+):(?P<last>\d+)\])?")


class MetricError(ValueError):
    """A text that names no metric; the message has the remedy."""


@dataclass(frozen=True)
class Measured:
    """A value of a version, measured in new situations after the training."""

    version: Version
    against: str
    value: Value

    @property
    def depends_on_base(self) -> bool:
        """Return whether the policy that the run began with takes part."""
        return self.value != "score" or self.against in ("base", "field")


@dataclass(frozen=True)
class Series:
    """A statistic of a metric over the steps of the training, or over some of them."""

    name: str
    over: Over
    first: int = 1
    last: int | None = None

    @property
    def by_ratio(self) -> bool:
        """Return whether values are compared by their logarithms."""
        return self.name in BY_RATIO and self.over != "slope"


Metric = Measured | Series


def parse_metric(text: str) -> Metric:
    """Return the metric that the text names. Raises MetricError."""
    parts = text.split("/")
    if parts[0] in get_args(Version) and ":" not in text:
        if len(parts) != 3 or parts[2] not in get_args(Value) or not parts[1]:
            raise MetricError(f"{text!r} is not {parts[0]}/OPPONENTS/VALUE with a value of {_or(Value)}")
        return Measured(parts[0], parts[1], parts[2])  # type: ignore[arg-type]
    match = _SERIES.fullmatch(text)
    if match is None:
        raise MetricError(
            f"{text!r} is neither a measurement, such as best/base/gain, nor a statistic of many steps, such as "
            f"kl/max:max (of {_or(Over)}); a single step's value decides nothing"
        )
    if match["over"] not in get_args(Over):
        raise MetricError(f"{text!r}: there is no statistic {match['over']!r}; there are {_or(Over)}")
    if match["first"] is None:
        return Series(match["name"], match["over"])  # type: ignore[arg-type]
    first, last = int(match["first"]), int(match["last"])
    if not 1 <= first < last:
        raise MetricError(f"{text!r}: steps {first} to {last} are not several, counted from 1; take [1:20], say")
    return Series(match["name"], match["over"], first, last)  # type: ignore[arg-type]


def _or(literal: object) -> str:
    return " or ".join(get_args(literal))
