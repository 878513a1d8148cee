"""Decide a criterion from one value for each seed, by Student's t and rules that are fixed before any run.

The interval has the level 1 - alpha. For the claim that a difference is `greater`:

- supported: the interval is above 0, and the least effect of interest is not above the interval;
- refuted: the interval is below the least effect of interest, so a difference that matters is excluded;
- undecided: both are possible, or not all planned seeds have a value.

`not_less` is supported if the interval is above minus the least effect, and refuted if it is below 0. `equivalent` is
supported if the interval lies between plus and minus the least effect, and refuted if it lies outside. A difference
that is exactly 0 in every seed is an interval of no width.

A wrong verdict has a probability of at most alpha if the differences are distributed symmetrically over the seeds. If
they are exponential, 8 to 11 per cent of true effects are refuted with 2 to 10 seeds and alpha = .05. Metrics like the
KL, whose logarithms are more symmetric than they are themselves, are therefore compared by their logarithms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import expm1, inf, log1p, sqrt
from statistics import NormalDist, fmean, stdev
from typing import Literal

from grandstand.play.ratings.distributions import mean_over_spread, student, student_tails
from grandstand.play.ratings.intervals import Interval, student_interval
from grandstand.trainer.sweep.sweep_file import Direction

VerdictWord = Literal["supported", "refuted", "undecided"]
FEWEST_SEEDS = 2
GOAL = 0.8
"""Power of a sweep that is large enough."""
MOST_SEEDS = 100
"""Seeds up to which the number that would be needed is told."""
LARGEST_LOGARITHM = 700.0
"""Largest logarithm whose exponential is a finite float."""
_NORMAL = NormalDist()


@dataclass(frozen=True)
class Verdict:
    """The decision on a criterion, and the numbers that it rests on."""

    word: VerdictWord
    reason: str
    difference: Interval
    """The mean difference over seeds, with its interval of level 1 - alpha."""
    level: float
    p: float | None
    """P-value of the two-sided test that the difference is 0."""
    effect_size: float | None
    """The difference in standard deviations over seeds, less its bias in small samples (Hedges' g)."""
    direction: Direction
    least: float | None
    """The least effect in standard deviations over seeds; None if these are unknown."""

    @cached_property
    def power(self) -> float | None:
        """Return the probability of `supported` if the claim were true by the least effect, with that spread."""
        return None if self.least is None else power(self.difference.n, self.least, self.direction, 1 - self.level)

    @cached_property
    def needed(self) -> int | None:
        """Return the seeds for a power of GOAL with that spread; None if they are more than MOST_SEEDS, or unknown."""
        return None if self.least is None else seeds_needed(self.least, self.direction, 1 - self.level)


def judge(
    values: Sequence[float],
    planned: int,
    direction: Direction,
    least: float,
    alpha: float,
    missing: str = "",
    reference: float | None = None,
) -> Verdict:
    """Return the verdict on the differences `values` of the seeds measured so far, out of `planned` seeds.

    `missing` is the reason why the others have none. With a `reference`, the values are logarithms of ratios to it:
    the verdict is on these, and its difference and interval are converted to the unit of `reference`.
    """
    level = 1 - alpha
    measured = student_interval(values, level)
    difference = measured if reference is None else _of_reference(measured, reference)
    ends = difference.ci95
    equal = len(values) >= FEWEST_SEEDS and not any(values)
    if equal and len(values) == planned:
        word, _ = decide((0.0, 0.0), direction, least)
        return Verdict(word, "the difference is 0 in every seed", difference, level, None, None, direction, None)
    if ends is None:
        reason = missing or (
            "all seeds have the same value" if len(values) > 1 else "fewer than two seeds have a value"
        )
        return Verdict("undecided", reason, difference, level, None, None, direction, None)
    spread, n = stdev(values), len(values)
    t = fmean(values) / (spread / sqrt(n))
    word, reason = decide(ends, direction, least)
    if n < planned:
        word, reason = "undecided", f"{n} of {planned} planned seeds have a value: {missing or 'they are not run yet'}"
    return Verdict(
        word,
        reason,
        difference,
        level,
        p=student_tails(n - 1, t),
        effect_size=fmean(values) / spread * (1 - 3 / (4 * (n - 1) - 1)) if n > 2 else None,
        direction=direction,
        least=_logarithm(least, direction, reference) / spread,
    )


def _of_reference(measured: Interval, reference: float) -> Interval:
    """Return the interval of log-ratios as differences from `reference`."""
    mean, low, high = (
        None if value is None else reference * expm1(min(value, LARGEST_LOGARITHM))
        for value in (measured.mean, measured.low, measured.high)
    )
    return Interval(mean, low, high, measured.n)


def _logarithm(least: float, direction: Direction, reference: float | None) -> float:
    """Return the least effect as the logarithm of a ratio to `reference`; infinite if no fall is as large."""
    if reference is None:
        return least
    if direction in ("less", "not_less"):
        return -log1p(-least / reference) if least < reference else inf
    return log1p(least / reference)


def decide(ends: tuple[float, float], direction: Direction, least: float) -> tuple[VerdictWord, str]:
    """Return the verdict on the claim by the ends of the interval, and the reason."""
    low, high = ends
    match direction:
        case "less" | "not_greater":
            mirrored: Direction = "greater" if direction == "less" else "not_less"
            return decide((-high, -low), mirrored, least)
        case "greater":
            if high < least:
                too_small = "there is a difference, and it is below the least effect" if low > 0 else ""
                return "refuted", too_small or "a difference of the least effect is outside the interval"
            if low > 0:
                return "supported", "0 is outside the interval"
            return "undecided", "the interval has both 0 and the least effect"
        case "not_less":
            if low > -least:
                return "supported", "a loss of the least effect is outside the interval"
            if high < 0:
                return "refuted", "the interval is on the wrong side of 0"
            return "undecided", "the interval has both 0 and a loss of the least effect"
        case "equivalent":
            if -least < low and high < least:
                return "supported", "the interval is within plus and minus the least effect"
            if low >= least or high <= -least:
                return "refuted", "the interval is beyond the least effect"
            return "undecided", "the interval has the least effect inside"


def power(n: int, effect: float, direction: Direction, alpha: float) -> float:
    """Return the probability of `supported` with `n` seeds, if the truth is what the claim asks.

    `effect` is the least effect in standard deviations over seeds. The truth is that effect for `greater` and `less`,
    and 0 for the others, whose least effect is a margin.
    """
    if n < FEWEST_SEEDS or effect == inf:
        return 0.0
    bound, shift = student(n - 1, 1 - alpha), effect * sqrt(n)

    def greater(w: float) -> float:
        return _NORMAL.cdf(shift - max(bound * w, shift - bound * w))

    def not_less(w: float) -> float:
        return _NORMAL.cdf(shift - bound * w)

    def equivalent(w: float) -> float:
        return max(0.0, 2 * _NORMAL.cdf(shift - bound * w) - 1)

    chance = {"greater": greater, "less": greater, "equivalent": equivalent}.get(direction, not_less)
    return mean_over_spread(n - 1, chance)


def seeds_needed(effect: float, direction: Direction, alpha: float) -> int | None:
    """Return the fewest seeds with a power of GOAL; None if they are more than MOST_SEEDS."""
    if effect == inf or power(MOST_SEEDS, effect, direction, alpha) < GOAL:
        return None
    low, high = FEWEST_SEEDS - 1, MOST_SEEDS
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle, effect, direction, alpha) >= GOAL else (middle, high)
    return high
