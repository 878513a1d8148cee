"""The coverage and width of the intervals of mean differences, on samples of known distributions.

Every row draws samples of 3, 5, 10 or 30 differences in [-1, 1], as an evaluation of paired scores has them. Beside the
coverage stands half of the mean width. "shown" is the share of samples that have an interval, over which both are.

    python -m benchmarks.intervals
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp
from random import Random
from statistics import fmean
from typing import Annotated

import typer

from grandstand.play.ratings.statistics import Interval, bounded_interval, mean_interval, student_interval

SIZES = (3, 5, 10, 30)
Draw = Callable[[Random], float]


def _skewed(luck: Random) -> float:
    return min(1.0, luck.expovariate(10))


DISTRIBUTIONS: dict[str, tuple[Draw, float]] = {
    "normal, standard deviation .05": (lambda luck: luck.gauss(0.02, 0.05), 0.02),
    "ties, and ±1 in one of ten": (lambda luck: luck.choice((-1.0, 1.0)) if luck.random() < 0.1 else 0.0, 0.0),
    "ties, and +1 in one of ten": (lambda luck: float(luck.random() < 0.1), 0.1),
    "exponential, mean .1": (_skewed, 0.1 * (1 - exp(-10))),
    "difference of two exponentials": (lambda luck: _skewed(luck) - _skewed(luck), 0.0),
    "uniform": (lambda luck: luck.uniform(-1, 1), 0.0),
}
"""Name -> a draw, and its mean."""


def differences(values: Sequence[float]) -> Interval:
    """Return the interval of `grandstand eval`."""
    return mean_interval(values, bounds=(-1.0, 1.0))


def bounded(values: Sequence[float]) -> Interval:
    """Return the interval of scores, which adds a value at each bound."""
    return bounded_interval(values, -1.0, 1.0)


METHODS: dict[str, Callable[[Sequence[float]], Interval]] = {
    "`mean_interval`": differences,
    "Student": student_interval,
    "`bounded_interval`": bounded,
}


def cell(intervals: Sequence[Interval], truth: float) -> str:
    """Return the coverage, half of the mean width, and the share of samples that have an interval."""
    ends = [interval.ci95 for interval in intervals if interval.ci95 is not None]
    if not ends:
        return "none"
    share = fmean(low <= truth <= high for low, high in ends)
    width = fmean((high - low) / 2 for low, high in ends)
    shown = "" if len(ends) == len(intervals) else f", {len(ends) / len(intervals):.0%} shown"
    return f"{share:.1%} ± {width:.3f}{shown}"


def main(
    samples: Annotated[int, typer.Option(min=100)] = 10_000,
    seed: Annotated[int, typer.Option()] = 1,
) -> None:
    """Print the table."""
    print(f"| differences | n | {' | '.join(METHODS)} |\n|---|---|{'---|' * len(METHODS)}")
    for name, (draw, truth) in DISTRIBUTIONS.items():
        for n in SIZES:
            luck = Random(f"{seed}/{name}/{n}")
            drawn = [[draw(luck) for _ in range(n)] for _ in range(samples)]
            cells = [cell([method(values) for values in drawn], truth) for method in METHODS.values()]
            print(f"| {name} | {n} | {' | '.join(cells)} |")


if __name__ == "__main__":
    typer.run(main)
