"""Read the value of a metric in a run: a measurement, or a statistic of the metrics of its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from grandstand.play.ratings.distributions import student
from grandstand.play.ratings.intervals import Interval
from grandstand.trainer.metrics import read_lines
from grandstand.trainer.sweep.expansion import Sweep, SweepRun
from grandstand.trainer.sweep.layout import PILOT, measured, measurement, state_of
from grandstand.trainer.sweep.metric import Measured, Metric, Series, parse_metric


class NoValueError(ValueError):
    """A run without a value of a metric; the message has the reason."""


def value_of(sweep: Sweep, run: SweepRun, metric: Metric) -> float:
    """Return the value of a metric in a completed run. Raises NoValueError."""
    state = state_of(sweep, run)
    if state != "completed":
        raise NoValueError(f"{run.id} is {state}")
    if isinstance(metric, Series):
        return statistic(read_lines(run.train_folder), metric, run.id)
    value = _measurement(sweep, run, metric).get("mean" if metric.value == "score" else metric.value)
    if value is None:
        raise NoValueError(f"{run.id} has no interval for its Elo difference; measure more games")
    return float(value)


def statistic(rows: Sequence[Mapping[str, float]], series: Series, where: str = "the run") -> float:
    """Return the statistic of a metric over the steps that have it. Raises NoValueError below two of them."""
    last = series.last if series.last is not None else float("inf")
    points = [(row["step"], row[series.name]) for row in rows if series.name in row]
    points = [(step, value) for step, value in points if series.first <= step <= last]
    if len(points) < 2:
        raise NoValueError(f"{where} has {series.name} in {len(points)} steps, too few for a statistic of many")
    values = [value for _, value in points]
    match series.over:
        case "mean":
            return fmean(values)
        case "max":
            return max(values)
        case "min":
            return min(values)
        case "slope":
            return slope(points)


def unknown_metrics(sweep: Sweep) -> list[str]:
    """Return a line for each metric of the analysis that no step has so far; none before the first step.

    Metrics of evaluations are excepted, since the first evaluation may still be to come.
    """
    folders = [sweep.folder / PILOT / "run", *(run.train_folder for run in sweep.runs)]
    known = {name for folder in folders for row in read_lines(folder) for name in row}
    parsed = [parse_metric(metric) for metric in sweep.file.analysis.metrics]
    names = dict.fromkeys(item.name for item in parsed if isinstance(item, Series))
    return [
        f"analysis: no step so far has {name}; near it are {', '.join(get_close_matches(name, known)) or 'none'}"
        for name in names
        if known and name not in known and not name.startswith("eval/")
    ]


def slope(points: Sequence[tuple[float, float]]) -> float:
    """Return the least-squares slope: the change in a step."""
    middle, mean = fmean(step for step, _ in points), fmean(value for _, value in points)
    return sum((step - middle) * (value - mean) for step, value in points) / sum(
        (step - middle) ** 2 for step, _ in points
    )


def over_situations(
    sweep: Sweep, metric: Metric, weights: Mapping[str, float], seeds: Sequence[int], level: float
) -> Interval | None:
    """Return the same contrast with its interval over situations: for these very runs, and not for other seeds.

    All arms of a seed play the same situations, so their scores are compared in pairs. Return None if the metric is not
    a mean over situations.
    """
    if not isinstance(metric, Measured) or metric.value == "elo":
        return None
    means, errors, count = [], [], 0
    for seed in seeds:
        pairs = {
            arm: _measurement(sweep, sweep.by_id[f"{arm}-s{seed}"], metric)["pairs"]
            for arm in weights
            if state_of(sweep, sweep.by_id[f"{arm}-s{seed}"]) == "completed"
        }
        if len(pairs) < len(weights):
            continue
        differences = _contrasts(pairs, weights, metric)
        means.append(fmean(differences))
        errors.append(stdev(differences) ** 2 / len(differences))
        count += len(differences)
    if not means or not sum(errors):
        return None
    half = student(count - len(means), level) * sqrt(sum(errors)) / len(means)
    return Interval(fmean(means), fmean(means) - half, fmean(means) + half, count)


def _contrasts(
    pairs: Mapping[str, Sequence[Sequence[float]]], weights: Mapping[str, float], metric: Measured
) -> list[float]:
    """Return the weighted sum of the arms' values in each situation."""
    gain = metric.value == "gain"
    values = {arm: [own - base if gain else own for own, base in scores] for arm, scores in pairs.items()}
    situations = zip(*values.values(), strict=True)
    return [sum(weights[arm] * value for arm, value in zip(values, row, strict=True)) for row in situations]


def _measurement(sweep: Sweep, run: SweepRun, metric: Measured) -> Mapping[str, Any]:
    item = measurement(sweep, run, metric.version, metric.against)
    result = None if item is None else measured(item)
    if result is None:
        raise NoValueError(f"{run.id} is not measured against {metric.against}")
    return result


@dataclass(frozen=True)
class RunCost:
    """The work of one run."""

    seconds: float
    """Wall time of all its processes, with measurements and attempts that broke off."""
    cpu: float | None
    """Their CPU time; None if it is not known of all of them."""
    playing: float
    learning: float
    samples: float
    """Decisions that were learned from."""
    attempts: int


def cost_of(run: SweepRun, attempts: Sequence[Mapping[str, Any]]) -> RunCost:
    """Return the work of a run, from its metrics and its attempts."""
    rows = read_lines(run.train_folder)

    def total(name: str) -> float:
        return sum(row.get(name, 0.0) for row in rows)

    cpu = [attempt.get("cpu") for attempt in attempts]
    known = [seconds for seconds in cpu if seconds is not None]
    return RunCost(
        seconds=sum(attempt["ended"] - attempt["began"] for attempt in attempts),
        cpu=sum(known) if len(known) == len(cpu) else None,
        playing=total("benchmark/rollout_time_s"),
        learning=total("benchmark/training_time_s"),
        samples=total("processing/effective_batch_size"),
        attempts=len(attempts),
    )
