"""Intervals hold the truth as often as they say."""

from __future__ import annotations

from collections.abc import Callable
from math import log10, nan, sqrt
from random import Random
from statistics import fmean, stdev

import pytest

from grandstand.play.ratings.distributions import beta_quantile, incomplete_beta, student
from grandstand.play.ratings.intervals import (
    Interval,
    bounded_interval,
    elo_interval,
    grouped_interval,
    mean_interval,
    share_interval,
    student_interval,
)

# --- distributions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("freedom", "exact"),
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (9, 2.26216), (30, 2.04227), (1000, 1.96234)],
)
def test_students_t_has_the_values_of_the_tables(freedom: int, exact: float) -> None:
    assert student(freedom, 0.95) == pytest.approx(exact, rel=2e-5)


@pytest.mark.parametrize(
    ("a", "b", "x", "exact"), [(1, 1, 0.3, 0.3), (2, 3, 0.5, 0.6875), (0.5, 0.5, 0.25, 1 / 3), (5, 1, 0.9, 0.59049)]
)
def test_the_incomplete_beta_function_has_its_closed_forms(a: float, b: float, x: float, exact: float) -> None:
    assert incomplete_beta(a, b, x) == pytest.approx(exact, abs=1e-12)
    assert incomplete_beta(b, a, 1 - x) == pytest.approx(1 - exact, abs=1e-12)


def test_a_quantile_of_the_beta_distribution_is_where_it_says() -> None:
    for a, b in ((1, 4), (3, 8), (40, 2)):
        assert incomplete_beta(a, b, beta_quantile(0.025, a, b)) == pytest.approx(0.025, abs=1e-12)


# --- intervals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("interval", [mean_interval, student_interval])
def test_students_interval(interval: Callable[[list[float]], Interval]) -> None:
    """That of `mean_interval` is the same for a symmetric sample."""
    result = interval([1.0, 2.0, 3.0, 4.0, 5.0])
    assert (result.mean, result.n) == (3, 5)
    assert result.half == pytest.approx(2.77645 * 1.5811388 / 5**0.5, rel=1e-5)
    assert result.excludes(5.0)
    assert not result.excludes(3.0)


@pytest.mark.parametrize("values", [[], [3.0], [1.0, 2.0, 3.0, 4.0], [0.5] * 40])
def test_too_few_or_equal_values_have_no_interval(values: list[float]) -> None:
    result = mean_interval(values)
    assert (result.ci95, result.half, result.n) == (None, None, len(values))
    assert not result.excludes(1e9)


def test_means_of_whole_runs_have_an_interval_from_two_on() -> None:
    result = student_interval([1.0, 2.0, 3.0])
    assert result.half == pytest.approx(4.30265 / 3**0.5, rel=1e-5)
    assert student_interval([1.0]).ci95 is None
    assert student_interval([1.0, 1.0]).ci95 is None


def test_the_interval_of_a_skewed_sample_reaches_further_to_the_side_of_its_tail() -> None:
    values = [0.0, 0.0, 0.01, 0.01, 0.02, 0.03, 0.04, 0.3]
    low, high = student_interval(values).ci95 or (nan, nan)
    least, most = mean_interval(values).ci95 or (nan, nan)
    assert least == low
    assert most > high + 0.2
    assert mean_interval([-value for value in values]).ci95 == pytest.approx((-most, -least))
    assert mean_interval(values).margin == pytest.approx(most - fmean(values))


@pytest.mark.parametrize("values", [[0.0] * 8, [1.0] * 8, [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0]])
def test_equal_or_few_different_values_with_bounds_have_the_interval_of_scores(values: list[float]) -> None:
    """Hall's alone would reach from -.42 for the last: the skewness of seven values is too uncertain."""
    result, expected = mean_interval(values, bounds=(-1.0, 1.0)), bounded_interval(values, -1.0, 1.0)
    assert result.low == expected.low
    assert result.high == expected.high
    assert mean_interval(values[:4], bounds=(-1.0, 1.0)).ci95 is None


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [
        (0, 3, 0.0, 0.7076),
        (3, 3, 0.2924, 1.0),
        (1, 2, 0.0126, 0.9874),
        (7, 10, 0.3475, 0.9333),
        (50, 100, 0.3983, 0.6017),
    ],
)
def test_shares_have_clopper_and_pearsons_interval(count: int, n: int, low: float, high: float) -> None:
    result = share_interval(count, n)
    assert result.ci95 == pytest.approx((low, high), abs=5e-5)
    assert bounded_interval([1.0] * count + [0.0] * (n - count)) == result


@pytest.mark.parametrize("values", [[0.0] * 3, [1.0], [0.2] * 7, [1 / 7] * 30])
def test_equal_outcomes_do_not_make_a_sure_score(values: list[float]) -> None:
    result = bounded_interval(values)
    assert result.low is not None
    assert result.high is not None
    assert 0 <= result.low <= fmean(values) <= result.high <= 1
    assert result.high - result.low > 0.1


def test_scores_beyond_their_bounds_are_treated_as_any_numbers() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 5.0]
    assert bounded_interval(values) == mean_interval(values)


def test_no_elo_from_two_games_nor_from_a_clean_sweep() -> None:
    for shares in ([], [(1.0, 0.5), (0.5, 0.0)], [(1.0, 0.0)] * 100, [(0.5, 0.5)] * 100):
        assert elo_interval(shares) == Interval(None, None, None, len(shares))


def test_elo_is_the_difference_of_log_odds() -> None:
    shares = [(1.0, 1.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)] * 10
    result = elo_interval(shares)
    assert result.mean == pytest.approx(400 * log10(30 / 10))
    assert result.ci95 is not None
    assert result.mean is not None
    assert result.ci95[0] < result.mean < result.ci95[1]


# --- planted truths: over many samples, the truth is in the interval as often as is claimed ---------------------------

RANDOM = Random(20)


def _mixed() -> float:
    """A skewed score: mostly nothing, now and then a share, rarely everything."""
    drawn = RANDOM.random()
    return 0.0 if drawn < 0.4 else RANDOM.betavariate(2, 8) if drawn < 0.93 else 1.0


BOUNDED: dict[str, tuple[Callable[[], float], float]] = {
    "even win": (lambda: float(RANDOM.random() < 0.5), 0.5),
    "likely win": (lambda: float(RANDOM.random() < 0.9), 0.9),
    "win or draw": (lambda: RANDOM.choice((0.0, 0.5, 1.0)), 0.5),
    "uniform": (RANDOM.random, 0.5),
    "skewed": (lambda: RANDOM.betavariate(0.5, 3), 0.5 / 3.5),
    "mixed": (_mixed, 0.53 * 0.2 + 0.07),
    "rare": (lambda: 1.0 if RANDOM.random() < 0.05 else 0.1, 0.145),
}


def covered(
    interval: Callable[[list[float]], Interval], draw: Callable[[], float], truth: float, n: int, samples: int = 800
) -> float:
    hits = 0
    for _ in range(samples):
        ends = interval([draw() for _ in range(n)]).ci95
        assert ends is not None
        hits += ends[0] <= truth <= ends[1]
    return hits / samples


@pytest.mark.long
@pytest.mark.parametrize("n", [5, 10, 30])
@pytest.mark.parametrize("name", BOUNDED)
def test_intervals_of_scores_cover(name: str, n: int) -> None:
    draw, truth = BOUNDED[name]
    assert covered(bounded_interval, draw, truth, n) >= 0.93


@pytest.mark.long
@pytest.mark.parametrize("n", [5, 10, 30])
@pytest.mark.parametrize("name", BOUNDED)
def test_intervals_of_dependent_scores_cover(name: str, n: int) -> None:
    """Four values a group, of which each is the first one again in three cases of ten."""
    draw, truth = BOUNDED[name]

    def group() -> list[float]:
        first = draw()
        return [first, *(first if RANDOM.random() < 0.3 else draw() for _ in range(3))]

    hits = 0
    for _ in range(800):
        ends = grouped_interval([group() for _ in range(n)]).ci95
        assert ends is not None
        assert 0 <= ends[0] < ends[1] <= 1
        hits += ends[0] <= truth <= ends[1]
    assert hits / 800 >= (0.86 if name == "rare" else 0.92), "a result of one value in twenty escapes some samples"


def test_the_interval_of_dependent_scores_is_wilsons() -> None:
    """At each end, the mean is as many standard errors away as Student's quantile says."""
    means = [0.5, 1.0] * 5 + [0.75]
    result = grouped_interval([[0.0, 1.0], [1.0, 1.0]] * 5 + [[0.5, 1.0]])
    mean = fmean(means)
    trials = mean * (1 - mean) * 11 / stdev(means) ** 2
    assert (result.mean, result.n) == (mean, 11)
    assert result.ci95 is not None
    for end in result.ci95:
        assert abs(mean - end) / sqrt(end * (1 - end) / trials) == pytest.approx(student(10, 0.95))


@pytest.mark.parametrize("n", [5, 10, 30])
def test_intervals_of_means_cover(n: int) -> None:
    assert 0.93 <= covered(mean_interval, lambda: RANDOM.gauss(3, 2), 3, n, samples=2000) <= 0.975


DIFFERENCES: dict[str, tuple[Callable[[], float], float]] = {
    "normal": (lambda: RANDOM.gauss(0.02, 0.05), 0.02),
    "mostly ties": (lambda: RANDOM.choice((-1.0, 1.0)) if RANDOM.random() < 0.1 else 0.0, 0.0),
    "a win in ten": (lambda: float(RANDOM.random() < 0.1), 0.1),
    "skewed": (lambda: RANDOM.expovariate(10), 0.1),
}


@pytest.mark.long
@pytest.mark.parametrize(("n", "least"), [(5, 0.9), (10, 0.925), (30, 0.935)])
@pytest.mark.parametrize("name", DIFFERENCES)
def test_intervals_of_paired_differences_cover(name: str, n: int, least: float) -> None:
    """The bounds are three standard errors of 3,000 samples below the coverage of the skewed ones."""
    draw, truth = DIFFERENCES[name]

    def interval(values: list[float]) -> Interval:
        return mean_interval(values, bounds=(-1.0, 1.0))

    assert covered(interval, draw, truth, n, samples=3000) >= least


@pytest.mark.parametrize(("own", "other"), [(0.5, 0.5), (0.7, 0.5), (0.9, 0.6)])
def test_intervals_of_elo_cover(own: float, other: float) -> None:
    """Of the samples that give one: shares of six opponents in thirty situations."""
    truth = 400 * (log10(own / (1 - own)) - log10(other / (1 - other)))
    hits = []
    for _ in range(400):
        drawn = [[fmean(RANDOM.random() < chance for _ in range(6)) for chance in (own, other)] for _ in range(30)]
        ends = elo_interval([(first, second) for first, second in drawn]).ci95
        if ends is not None:
            hits.append(ends[0] <= truth <= ends[1])
    assert len(hits) > 300
    assert fmean(hits) >= 0.93
