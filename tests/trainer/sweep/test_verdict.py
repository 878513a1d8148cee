"""Verdicts on planted truths: effects that are there, effects that are not, and how often each is called what it is."""

from __future__ import annotations

from collections.abc import Iterator
from math import log, nan, sqrt
from random import Random

import pytest

from grandstand.play.ratings.distributions import student
from grandstand.trainer.sweep.sweep_file import Direction
from grandstand.trainer.sweep.verdict import Verdict, decide, judge, power, seeds_needed

SWEEPS = 2000
ALPHA = 0.05


def simulated(
    effect: float, seeds: int, direction: Direction, least: float = 1.0, spread: float = 1.0
) -> list[Verdict]:
    """Return the verdicts of many sweeps, whose differences over seeds are normal about a known effect."""
    luck = Random(f"{effect}/{seeds}/{direction}/{least}/{spread}")
    return [
        judge([luck.gauss(effect, spread) for _ in range(seeds)], seeds, direction, least, ALPHA) for _ in range(SWEEPS)
    ]


def share(verdicts: list[Verdict], word: str) -> float:
    return sum(verdict.word == word for verdict in verdicts) / len(verdicts)


def error(chance: float) -> float:
    """Return four standard errors of a share of the simulated sweeps."""
    return 4 * sqrt(max(chance, 0.01) * (1 - chance) / SWEEPS)


@pytest.mark.long
@pytest.mark.parametrize("seeds", [2, 3, 5, 10])
@pytest.mark.parametrize("direction", ["greater", "less"])
def test_no_effect_is_called_one_at_most_at_alpha(seeds: int, direction: Direction) -> None:
    """At three seeds a normal approximation would be wrong in about three times as many sweeps as alpha allows."""
    assert share(simulated(0.0, seeds, direction), "supported") <= ALPHA / 2 + error(ALPHA / 2)


@pytest.mark.long
@pytest.mark.parametrize("seeds", [2, 3, 5, 10])
def test_an_effect_of_interest_is_refuted_at_most_at_alpha(seeds: int) -> None:
    assert share(simulated(1.0, seeds, "greater"), "refuted") <= ALPHA / 2 + error(ALPHA / 2)


@pytest.mark.long
@pytest.mark.parametrize(("seeds", "spread"), [(3, 0.2), (3, 0.5), (5, 0.5), (10, 1.0)])
def test_an_effect_of_known_size_is_found_at_the_stated_power(seeds: int, spread: float) -> None:
    stated = power(seeds, 1 / spread, "greater", ALPHA)
    assert share(simulated(1.0, seeds, "greater", spread=spread), "supported") == pytest.approx(
        stated, abs=error(stated)
    )
    assert share(simulated(-1.0, seeds, "less", spread=spread), "supported") == pytest.approx(stated, abs=error(stated))


@pytest.mark.long
@pytest.mark.parametrize("direction", ["not_less", "not_greater", "equivalent"])
@pytest.mark.parametrize("seeds", [3, 6])
def test_claims_of_no_loss_have_the_stated_power_and_errors(seeds: int, direction: Direction) -> None:
    stated = power(seeds, 1 / 0.4, direction, ALPHA)
    assert share(simulated(0.0, seeds, direction, spread=0.4), "supported") == pytest.approx(stated, abs=error(stated))
    loss = 1.0 if direction == "not_greater" else -1.0
    assert share(simulated(loss, seeds, direction, spread=0.4), "supported") <= ALPHA + error(ALPHA)
    assert share(simulated(0.0, seeds, direction, spread=0.4), "refuted") <= ALPHA + error(ALPHA)


def test_an_effect_below_that_of_interest_is_refuted_however_clear_it_is() -> None:
    verdicts = simulated(0.2, 10, "greater", spread=0.1)
    assert share(verdicts, "refuted") > 0.99
    assert {verdict.reason for verdict in verdicts if (verdict.difference.low or 0) > 0} == {
        "there is a difference, and it is below the least effect"
    }


@pytest.mark.parametrize(
    ("ends", "direction", "word"),
    [
        ((0.1, 2.0), "greater", "supported"),
        ((-0.1, 2.0), "greater", "undecided"),
        ((-2.0, 0.9), "greater", "refuted"),
        ((-2.0, -0.1), "less", "supported"),
        ((-0.9, 2.0), "less", "refuted"),
        ((-0.9, 2.0), "not_less", "supported"),
        ((-1.1, 2.0), "not_less", "undecided"),
        ((-1.1, -0.1), "not_less", "refuted"),
        ((-2.0, 0.9), "not_greater", "supported"),
        ((-0.9, 0.9), "equivalent", "supported"),
        ((-1.1, 0.9), "equivalent", "undecided"),
        ((1.1, 2.0), "equivalent", "refuted"),
    ],
)
def test_rules(ends: tuple[float, float], direction: Direction, word: str) -> None:
    assert decide(ends, direction, 1.0)[0] == word


def test_three_seeds_have_students_interval() -> None:
    """4.30 standard errors, not 1.96."""
    verdict = judge([0.0, 1.0, 2.0], 3, "greater", 1.0, ALPHA)
    assert student(2, 0.95) == pytest.approx(4.3027, abs=1e-4)
    assert verdict.difference.ci95 == pytest.approx((1 - 4.3027 / sqrt(3), 1 + 4.3027 / sqrt(3)), abs=1e-4)
    assert verdict.p == pytest.approx(0.2254, abs=1e-4)
    assert verdict.effect_size == pytest.approx(1 * (1 - 3 / 7))


@pytest.mark.parametrize(
    ("values", "planned", "reason"),
    [
        ([], 3, "A-s1 is planned"),
        ([5.0], 3, "A-s1 is planned"),
        ([5.0, 5.1], 3, "2 of 3 planned seeds have a value: A-s1 is planned"),
        ([5.0, 5.0, 5.0], 3, "A-s1 is planned"),
    ],
)
def test_there_is_no_verdict_without_the_planned_seeds(values: list[float], planned: int, reason: str) -> None:
    """However large the difference is: who stops when the results look good finds effects that are not there."""
    verdict = judge(values, planned, "greater", 1.0, ALPHA, "A-s1 is planned")
    assert (verdict.word, verdict.reason) == ("undecided", reason)


def test_equal_values_decide_nothing() -> None:
    verdict = judge([5.0, 5.0, 5.0], 3, "greater", 1.0, ALPHA)
    assert (verdict.word, verdict.reason) == ("undecided", "all seeds have the same value")
    assert verdict.power is None


@pytest.mark.parametrize(
    ("direction", "word"),
    [
        ("equivalent", "supported"),
        ("greater", "refuted"),
        ("less", "refuted"),
        ("not_less", "supported"),
        ("not_greater", "supported"),
    ],
)
def test_a_difference_of_exactly_0_in_every_seed_decides(direction: Direction, word: str) -> None:
    verdict = judge([0.0, 0.0, 0.0], 3, direction, 1e-6, ALPHA)
    assert (verdict.word, verdict.reason) == (word, "the difference is 0 in every seed")
    assert verdict.difference.ci95 is None
    assert judge([0.0, 0.0], 3, direction, 1e-6, ALPHA, "A-s3 is planned").word == "undecided"


def test_ratios_are_told_in_the_unit_of_the_metric() -> None:
    """A KL of 1 is compared with 10 at the logarithm: 8 is as far as the least effect, and the interval is below."""
    verdict = judge([log(0.05), log(0.1), log(0.2)], 3, "less", 2.0, ALPHA, reference=10.0)
    assert verdict.word == "supported"
    assert verdict.difference.mean == pytest.approx(-9.0)
    low, high = verdict.difference.ci95 or (nan, nan)
    assert (1 + low / 10) * (1 + high / 10) == pytest.approx(0.01), "the interval of the logarithm is symmetric"
    assert verdict.least == pytest.approx(log(10 / 8) / log(2))


@pytest.mark.parametrize("direction", ["less", "not_less"])
def test_no_value_falls_by_more_than_the_reference(direction: Direction) -> None:
    verdict = judge([-0.1, 0.1, 0.2], 3, direction, 0.5, ALPHA, reference=0.4)
    assert verdict.word == {"less": "refuted", "not_less": "supported"}[direction]
    assert (verdict.power, verdict.needed) == (0.0, None)


@pytest.mark.long
@pytest.mark.parametrize("seeds", [2, 3, 5, 10])
def test_skewed_differences_are_refuted_more_often_than_alpha_and_ratios_are_not(seeds: int) -> None:
    """Exponential differences, as in docs/experiments.md, and ratios whose logarithms are normal."""
    luck = Random(seeds)
    skewed = [judge([luck.expovariate(1) for _ in range(seeds)], seeds, "greater", 1.0, ALPHA) for _ in range(SWEEPS)]
    assert 0.08 - error(0.1) <= share(skewed, "refuted") <= 0.11 + error(0.1)
    ratios = [
        judge([luck.gauss(log(2), 1) for _ in range(seeds)], seeds, "greater", 1.0, ALPHA, reference=1.0)
        for _ in range(SWEEPS)
    ]
    assert share(ratios, "refuted") <= ALPHA / 2 + error(ALPHA / 2)


def test_the_seeds_needed_are_the_fewest_with_the_power() -> None:
    needed = seeds_needed(1.0, "greater", ALPHA)
    assert needed is not None
    assert power(needed - 1, 1.0, "greater", ALPHA) < 0.8 <= power(needed, 1.0, "greater", ALPHA)
    assert seeds_needed(0.01, "greater", ALPHA) is None


def looked_at(luck: Random, looks: tuple[int, ...]) -> Iterator[str]:
    """Yield the verdict at each look on a sweep without an effect, as a sweep with looks takes them."""
    values = [luck.gauss(0, 1) for _ in range(looks[-1])]
    for look in looks:
        yield judge(values[:look], look, "greater", 0.5, ALPHA / len(looks)).word


@pytest.mark.long
def test_several_looks_keep_alpha() -> None:
    luck = Random(5)
    wrong = sum("supported" in looked_at(luck, (3, 6, 9)) for _ in range(SWEEPS)) / SWEEPS
    assert wrong <= ALPHA / 2 + error(ALPHA / 2)
