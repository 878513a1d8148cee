"""Repeated looks at growing results, with intervals that hold simultaneously, so that a tournament may end at any look.

The intervals are repeated confidence intervals (Jennison and Turnbull 1989). The risk of an error is spent over the
looks by the function of Lan and DeMets (1983) that resembles Pocock's boundaries; the boundaries follow from the
recursion of Armitage, McPherson and Rowe (1969). Each boundary gives the level of the interval at its look, whichever
the distribution by which the interval is then computed (Jennison and Turnbull 2000, section 3.8).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import ceil, e, erfc, log, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

GROWTH = 1.3
"""Factor from one look to the next, in independent units."""
GRID = 801
"""Points at which a density is evaluated."""
_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Looks:
    """The numbers of independent units at each look at the results, and the level of the intervals there."""

    at: tuple[int, ...]
    levels: tuple[float, ...]

    def level(self, units: int) -> float:
        """Return the level of intervals at the first look that has at least `units`."""
        return next(
            (level for count, level in zip(self.at, self.levels, strict=True) if count >= units), self.levels[-1]
        )


@cache
def looks(first: int, last: int, alpha: float) -> Looks:
    """Return looks from `first` to `last` units whose intervals all hold together with probability `1 - alpha`."""
    at = [min(first, last)]
    while at[-1] < last:
        at.append(min(last, ceil(at[-1] * GROWTH)))
    boundaries = spending_boundaries([count / last for count in at], alpha)
    return Looks(tuple(at), tuple(2 * _NORMAL.cdf(boundary) - 1 for boundary in boundaries))


def spending_boundaries(fractions: Sequence[float], alpha: float) -> list[float]:
    """Return the two-sided boundary of a normal statistic at each look, after a fraction of the information.

    The probability that a statistic without an effect has crossed a boundary by a look at fraction `t` is
    `alpha * log(1 + (e - 1) * t)`.
    """
    boundaries: list[float] = []
    points = weights = np.zeros(0)
    before = spent = 0.0
    for fraction in fractions:
        target = alpha * log(1 + (e - 1) * fraction)
        step = sqrt(fraction - before)
        low, high = 0.0, 10.0
        for _ in range(60):
            middle = (low + high) / 2
            if _crossing(points, weights, step, middle * sqrt(fraction)) > target - spent:
                low = middle
            else:
                high = middle
        boundaries.append(high)
        points, weights = _carried(points, weights, step, high * sqrt(fraction))
        before, spent = fraction, target
    return boundaries


def _crossing(points: Floats, weights: Floats, step: float, edge: float) -> float:
    """Return the probability that the sum, which is at `points` with `weights`, moves beyond `edge` in one step."""
    if not len(points):
        return 2 * _NORMAL.cdf(-edge / step)
    beyond = _tail((edge - points) / step) + _tail((edge + points) / step)
    return float(weights @ beyond)


def _tail(values: Floats) -> Floats:
    return np.array([erfc(value / sqrt(2)) / 2 for value in values])


def _carried(points: Floats, weights: Floats, step: float, edge: float) -> tuple[Floats, Floats]:
    """Return the points and weights of the sum after one step, within `edge` (Simpson's rule)."""
    grid = np.linspace(-edge, edge, GRID)
    simpson = np.ones(GRID)
    simpson[1:-1:2], simpson[2:-1:2] = 4, 2
    simpson *= (grid[1] - grid[0]) / 3
    if len(points):
        density = np.exp(-(((grid[:, None] - points) / step) ** 2) / 2) @ weights
    else:
        density = np.exp(-((grid / step) ** 2) / 2)
    return grid, simpson * density / (step * sqrt(2 * np.pi))
