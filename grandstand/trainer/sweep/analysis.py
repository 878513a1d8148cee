"""Analyse a sweep: the arms' means over seeds, and the verdict on each criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import exp, log
from statistics import fmean

from grandstand.play.ratings.intervals import Interval, student_interval
from grandstand.play.ratings.table import holm
from grandstand.trainer.sweep.expansion import Sweep, SweepRun, compared_arms
from grandstand.trainer.sweep.layout import State, state_of
from grandstand.trainer.sweep.metric import RESOLUTION, Series, parse_metric
from grandstand.trainer.sweep.sweep_file import Criterion, SweepFile
from grandstand.trainer.sweep.values import NoValueError, over_situations, value_of
from grandstand.trainer.sweep.verdict import Verdict, judge


@dataclass(frozen=True)
class ArmValues:
    """A metric of an arm: its value for each seed that has one, and their mean."""

    values: Mapping[int, float]
    mean: Interval


@dataclass(frozen=True)
class CriterionResult:
    """A criterion and its verdict."""

    criterion: Criterion
    comparison: str
    """The arms that are compared, in words: `C - A`."""
    values: Mapping[int, float]
    """The difference for each seed."""
    verdict: Verdict
    situations: Interval | None
    """The difference over situations, for these runs only."""
    look: int
    """The number of seeds at which the criterion was decided."""
    holm: bool = False
    """True if the difference from 0 remains significant when all criteria are taken together."""


@dataclass(frozen=True)
class SweepAnalysis:
    """All results of a sweep so far."""

    states: Mapping[str, State]
    arms: Mapping[str, Mapping[str, ArmValues]]
    """Arm -> metric -> its values."""
    decisions: Sequence[CriterionResult]

    @property
    def complete(self) -> bool:
        return all(state == "completed" for state in self.states.values())

    @property
    def decided(self) -> bool:
        """Return whether every criterion is supported or refuted."""
        return all(decision.verdict.word != "undecided" for decision in self.decisions)


def analyse(sweep: Sweep) -> SweepAnalysis:
    """Return the analysis of the runs that are completed."""
    metrics = sweep.file.analysis.metrics
    arms = {arm: {metric: _arm(sweep, arm, metric) for metric in metrics} for arm in sweep.file.arms}
    states = {run.id: state_of(sweep, run) for run in sweep.runs}
    decisions = [_decide(sweep, states, arms, item) for item in sweep.file.analysis.success_criteria]
    chances = [decision.verdict.p if decision.verdict.p is not None else 1.0 for decision in decisions]
    alpha = min(item.alpha for item in sweep.file.analysis.success_criteria)
    together = holm(chances, 1 - alpha)
    decisions = [
        CriterionResult(**{**vars(decision), "holm": significant})
        for decision, significant in zip(decisions, together, strict=True)
    ]
    return SweepAnalysis(states, arms, decisions)


def contrast(file: SweepFile, criterion: Criterion) -> dict[str, float]:
    """Return the weight of each arm in a comparison.

    A main effect is the mean of the arms with the factor less that of those without it. An interaction is the effect of
    the first factor where the second is there, less its effect where it is not, over 2 to the power of further factors.
    """
    if not criterion.effect:
        against = {criterion.against: -1.0} if isinstance(criterion.against, str) else {}
        return {criterion.arm: 1.0, **against}
    factors = (criterion.effect,) if isinstance(criterion.effect, str) else criterion.effect
    scale = 2 ** (len(file.factors) - len(factors))
    signs = {}
    for arm, levels in zip(file.arms, file.factor_levels, strict=True):
        sign = 1.0
        for factor in factors:
            sign *= 1 if factor in levels else -1
        signs[arm] = sign / scale
    return signs


def _arm(sweep: Sweep, arm: str, metric: str) -> ArmValues:
    values = {}
    for run in sweep.of_arm(arm):
        try:
            values[run.seed] = value_of(sweep, run, parse_metric(metric))
        except NoValueError:
            continue
    return ArmValues(values, student_interval(list(values.values())))


def _decide(
    sweep: Sweep, states: Mapping[str, State], arms: Mapping[str, Mapping[str, ArmValues]], criterion: Criterion
) -> CriterionResult:
    """Decide at the first look with all runs and a decided verdict, or at the last look."""
    file = sweep.file
    weights = contrast(file, criterion)
    constant = criterion.against if isinstance(criterion.against, float | int) else 0.0
    alpha = criterion.alpha / len(file.all_looks)
    values = {
        seed: {arm: arms[arm][criterion.metric].values[seed] for arm in weights}
        for seed in file.seeds
        if all(seed in arms[arm][criterion.metric].values for arm in weights)
    }
    differences = {seed: _weighted(weights, own) - constant for seed, own in values.items()}
    reached = list(takewhile(lambda look: _at_look(sweep, states, criterion, look), file.all_looks))
    for look in [*reached[:-1], (reached or file.all_looks)[-1]]:
        seeds = [seed for seed in file.seeds[:look] if seed in differences]
        missing = "" if len(seeds) == look else _missing(sweep, criterion, file.seeds[:look])
        compared = [differences[seed] for seed in seeds]
        reference: float | None = None
        if seeds and _by_ratio(criterion, weights, constant):
            compared, reference = _ratios([values[seed] for seed in seeds], weights, constant)
        verdict = judge(compared, look, criterion.direction, criterion.least_effect, alpha, missing, reference)
        if verdict.word != "undecided":
            break
    situations = over_situations(sweep, parse_metric(criterion.metric), weights, file.seeds[:look], verdict.level)
    if situations is not None and situations.mean is not None and constant:
        low, high = situations.ci95 or (0.0, 0.0)
        situations = Interval(situations.mean - constant, low - constant, high - constant, situations.n)
    return CriterionResult(criterion, comparison(criterion), differences, verdict, situations, look)


def _weighted(weights: Mapping[str, float], values: Mapping[str, float]) -> float:
    return sum(weight * values[arm] for arm, weight in weights.items())


def _by_ratio(criterion: Criterion, weights: Mapping[str, float], constant: float) -> bool:
    """Return whether a criterion compares ratios: its metric is one of ratios, and the reference is an arm or above 0.

    An interaction has no reference of its own, and is compared as it is.
    """
    metric = parse_metric(criterion.metric)
    has_reference = constant > 0 or any(weight < 0 for weight in weights.values())
    return isinstance(metric, Series) and metric.by_ratio and has_reference and not isinstance(criterion.effect, tuple)


def _ratios(
    values: Sequence[Mapping[str, float]], weights: Mapping[str, float], constant: float
) -> tuple[list[float], float]:
    """Return the logarithm of each seed's ratio, and the reference: a number, or the other arms' geometric mean."""
    logarithms = [{arm: log(max(value, RESOLUTION)) for arm, value in own.items()} for own in values]
    if constant:
        return [_weighted(weights, own) - log(constant) for own in logarithms], constant
    against = {arm: -weight for arm, weight in weights.items() if weight < 0}
    return [_weighted(weights, own) for own in logarithms], exp(fmean(_weighted(against, own) for own in logarithms))


def comparison(criterion: Criterion) -> str:
    """Return the comparison in a few words."""
    if isinstance(criterion.effect, tuple):
        return f"interaction of {criterion.effect[0]} and {criterion.effect[1]}"
    if criterion.effect:
        return f"effect of {criterion.effect}"
    if isinstance(criterion.against, str):
        return f"{criterion.arm} − {criterion.against}"
    return f"{criterion.arm} − {criterion.against:g}" if criterion.against else criterion.arm


def _at_look(sweep: Sweep, states: Mapping[str, State], criterion: Criterion, look: int) -> bool:
    """Return whether all compared runs of the seeds of a look are completed."""
    arms = compared_arms(sweep.file, criterion)
    return all(states[run.id] == "completed" for run in sweep.until_look(look) if run.arm in arms)


def _missing(sweep: Sweep, criterion: Criterion, seeds: Sequence[int]) -> str:
    """Return the first reason for which a compared run has no value."""
    for arm in compared_arms(sweep.file, criterion):
        for seed in seeds:
            try:
                value_of(sweep, _run(sweep, arm, seed), parse_metric(criterion.metric))
            except NoValueError as error:
                return str(error)
    return ""


def _run(sweep: Sweep, arm: str, seed: int) -> SweepRun:
    return sweep.by_id[f"{arm}-s{seed}"]
