"""Quantiles of Student's t and of the beta distribution, for intervals."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import exp, lgamma, log, log1p, sqrt


@cache
def student(freedom: int, level: float) -> float:
    """Return the point t that Student's t exceeds, in either direction, in a share of `1 - level`."""

    return _solve(lambda t: 1 - student_tails(freedom, t), level, 0.0, 700.0)


def student_tails(freedom: int, t: float) -> float:
    """Return the probability that Student's t exceeds `t` in either direction: the p-value of a two-sided test."""
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def mean_over_spread(freedom: int, function: Callable[[float], float]) -> float:
    """Return the mean of a function of w, a sample's standard deviation in units of the true one.

    The sample is of normal variables, so freedom * w^2 has the chi-squared distribution. Simpson's rule.
    """
    steps, most = 400, 1 + 9 / sqrt(freedom)
    scale = log(2) + freedom / 2 * log(freedom / 2) - lgamma(freedom / 2)
    width, total = most / steps, 0.0
    for number in range(1, steps + 1):
        w = number * width
        density = exp(scale + (freedom - 1) * log(w) - freedom * w * w / 2)
        total += (1 if number == steps else 4 if number % 2 else 2) * density * function(w)
    if freedom == 1:  # the density at 0 is not 0
        total += exp(scale) * function(0.0)
    return total * width / 3


def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the point below which a beta variable lies with `probability`."""
    return _solve(lambda x: incomplete_beta(a, b, x), probability, 0.0, 1.0)


def incomplete_beta(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function I_x(a, b), by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    c, d = 1.0, 1 / _nonzero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 10_000):
        change = 1.0
        for factor in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _nonzero(1 + factor * d)
            c = _nonzero(1 + factor / c)
            change = c * d
            value *= change
        if abs(change - 1) < 1e-15:
            break
    return front * value


def _nonzero(value: float) -> float:
    return value if abs(value) > 1e-300 else 1e-300


def _solve(rising: Callable[[float], float], target: float, low: float, high: float) -> float:
    """Return where a rising function reaches `target` between `low` and `high`, by bisection."""
    for _ in range(100):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if rising(middle) < target:
            low = middle
        else:
            high = middle
    return (low + high) / 2
