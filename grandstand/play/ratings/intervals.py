"""Confidence intervals.

All intervals of the project are computed here. Each covers 95 per cent, unless a caller that looks at results
repeatedly asks for more. If the sample is too small for an interval, `low` and `high` are None and `n` is the sample
size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cbrt, inf, isinf, log10, sqrt
from statistics import fmean, stdev

from grandstand.play.ratings.distributions import beta_quantile, student

LEVEL = 0.95
"""Share of samples whose interval contains the true value."""
FEWEST = 5
"""Independent values below which a mean without known bounds, or of differences, gets no interval."""
FEWEST_ELO = 20
"""Situations below which a difference of ratings gets no interval."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate from `n` independent values and its 95 per cent interval; None where it cannot be computed."""

    mean: float | None
    low: float | None
    high: float | None
    n: int

    @property
    def ci95(self) -> tuple[float, float] | None:
        """Return both ends, or None."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @property
    def half(self) -> float | None:
        """Return half of the width, or None."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    @property
    def margin(self) -> float | None:
        """Return the larger distance from the mean to an end: the mean plus or minus it includes the interval."""
        if self.mean is None or self.low is None or self.high is None:
            return None
        return max(self.mean - self.low, self.high - self.mean)

    def excludes(self, value: float) -> bool:
        """Return whether there is an interval and `value` lies outside."""
        ends = self.ci95
        return ends is not None and not ends[0] <= value <= ends[1]


NOTHING = Interval(None, None, None, 0)
"""The interval of an empty sample."""


def mean_interval(values: Sequence[float], level: float = LEVEL, bounds: tuple[float, float] | None = None) -> Interval:
    """Return the mean of independent values, such as paired differences of scores, with its interval.

    It is the union of Student's interval and of that of Hall's transformed t (P. Hall, On the removal of skewness by
    transformation, Journal of the Royal Statistical Society B 54, 1992), which reaches further to the side of the
    sample's tail. So it is nearly Student's for symmetric values. Where `bounds` of a value are known, it ends where
    that of `bounded_interval` ends, which is narrower for a small sample of results like -1, 0 and 1.
    docs/evaluation.md has the coverage.

    There is no interval below FEWEST values. If all are equal, they do not estimate a spread: the interval is that of
    `bounded_interval`, or there is none.
    """
    n = len(values)
    mean = fmean(values) if n else None
    if mean is None or n < FEWEST:
        return Interval(mean, None, None, n)
    low, high = (-inf, inf) if bounds is None else bounded_interval(values, *bounds, level).ci95 or (-inf, inf)
    if max(values) == min(values):
        return Interval(mean, None, None, n) if isinf(low) else Interval(mean, low, high, n)
    quantile, spread = student(n - 1, level) / sqrt(n), stdev(values)
    skewness = fmean((value - mean) ** 3 for value in values) / spread**3
    least = mean - spread * max(quantile, _hall(quantile, skewness, n))
    most = mean + spread * max(quantile, -_hall(-quantile, skewness, n))
    return Interval(mean, max(low, least), min(high, most), n)


def _hall(t: float, skewness: float, n: int) -> float:
    """Return where Hall's cubic transformation of (sample mean - true mean) / spread has the value `t`."""
    if abs(skewness) < 1e-6:
        return t
    return 3 / skewness * (cbrt(1 + skewness * (t - skewness / (6 * n))) - 1)


def student_interval(values: Sequence[float], level: float = LEVEL) -> Interval:
    """Return the mean of two or more independent values with Student's interval.

    It is for values that are means themselves, such as those of whole runs, which are nearly normal. There is no
    interval if all are equal: such a sample does not estimate the spread.
    """
    n = len(values)
    mean = fmean(values) if n else None
    if mean is None or n < 2 or max(values) == min(values):
        return Interval(mean, None, None, n)
    half = student(n - 1, level) * stdev(values) / sqrt(n)
    return Interval(mean, mean - half, mean + half, n)


def bounded_interval(values: Sequence[float], low: float = 0.0, high: float = 1.0, level: float = LEVEL) -> Interval:
    """Return the mean of independent values in [low, high], with an interval within those bounds.

    If a value lies outside the bounds, the interval of `mean_interval` is returned.

    Values that are all either `low` or `high` get the exact interval of their share. For all others one value at
    each bound is added before Student's interval is computed (Agresti and Coull's idea): the interval then has a
    width even if all values are equal, and allows for a rare result that is absent from a small sample.
    """
    n = len(values)
    if not n:
        return NOTHING
    if min(values) < low or max(values) > high:
        return mean_interval(values, level)
    if all(value in (low, high) for value in values):
        share = share_interval(sum(value == high for value in values), n, level)
        assert share.low is not None
        assert share.high is not None
        return Interval(fmean(values), low + (high - low) * share.low, low + (high - low) * share.high, n)
    wider = [*values, low, high]
    half = student(n + 1, level) * stdev(wider) / sqrt(n + 2)
    middle, mean = fmean(wider), fmean(values)
    return Interval(mean, max(low, min(mean, middle - half)), min(high, max(mean, middle + half)), n)


def grouped_interval(groups: Sequence[Sequence[float]], level: float = LEVEL) -> Interval:
    """Return the mean over independent groups of values in [0, 1], of which those of one group are dependent.

    It is Wilson's interval of a share of as many independent trials as would have the variance that the groups' means
    show, with Student's quantile for that estimate. Where the means show no variance, or all groups have a single
    value, it is that of `bounded_interval`.

    Over 2 to 12 trials a group, 5 to 40 groups, shares of .5 to .95 and correlations of .1 to .5 in a group, it covers
    the true share in .91 to 1 of 4,000 samples, where Student's own interval does in .85 to 1. If a value of one in
    twenty decides the mean, both cover it in .90.
    """
    means = [fmean(group) for group in groups]
    n = len(means)
    outside = bool(n) and (min(means) < 0 or max(means) > 1)
    if outside or n < FEWEST or max(means) == min(means) or max(len(group) for group in groups) == 1:
        return bounded_interval(means, level=level)
    share, quantile = fmean(means), student(n - 1, level)
    variance = stdev(means) ** 2 / n
    trials = share * (1 - share) / variance
    middle = (share + quantile**2 / (2 * trials)) / (1 + quantile**2 / trials)
    half = quantile / (1 + quantile**2 / trials) * sqrt(variance + (quantile / (2 * trials)) ** 2)
    return Interval(share, middle - half, middle + half, n)


def share_interval(count: int, n: int, level: float = LEVEL) -> Interval:
    """Return a share of `n` independent trials with Clopper and Pearson's exact interval."""
    if not n:
        return NOTHING
    tail = (1 - level) / 2
    least = beta_quantile(tail, count, n - count + 1) if count else 0.0
    most = beta_quantile(1 - tail, count + 1, n - count) if count < n else 1.0
    return Interval(count / n, least, most, n)


def elo_interval(shares: Sequence[tuple[float, float]]) -> Interval:
    """Return the Elo difference of two players from their paired shares of opponents beaten, the first's first.

    Elo points are 400 log10 of the odds of beating an opponent; the interval is the jackknife's over situations.
    Neither is returned below FEWEST_ELO situations, nor if either player won or lost all but one of them: odds near 0
    or infinity have no reliable interval.
    """
    n = len(shares)
    first, second = (sum(column) for column in zip(*shares, strict=True)) if shares else (0.0, 0.0)
    if n < FEWEST_ELO or not all(1 < above < n - 1 for above in (first, second)):
        return Interval(None, None, None, n)
    gap = _points(first, n) - _points(second, n)
    without = [_points(first - own, n - 1) - _points(second - other, n - 1) for own, other in shares]
    if max(without) == min(without):
        return Interval(None, None, None, n)
    half = student(n - 1, LEVEL) * (n - 1) / sqrt(n) * stdev(without)
    return Interval(gap, gap - half, gap + half, n)


def _points(above: float, n: int) -> float:
    return 400 * log10(above / (n - above))
