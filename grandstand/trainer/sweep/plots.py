"""The plots of a sweep: the effect of each criterion, the arms' values, and their curves over the steps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from grandstand.trainer.metrics import read_lines
from grandstand.trainer.sweep.analysis import CriterionResult, SweepAnalysis
from grandstand.trainer.sweep.drawing import COLOURS, FAINT, Plot
from grandstand.trainer.sweep.expansion import Sweep
from grandstand.trainer.sweep.metric import Series, parse_metric

WIDTH, ROW, LEFT, RIGHT = 760, 34, 250, 30
PANEL, GAP = 150, 60
CURVES = ("benchmark/reward_mean", "kl/mean", "eval/vs_base/gain", "policy/entropy_mean")
"""Metrics whose curves are drawn besides those that the analysis names."""
VERDICT_COLOURS = {"supported": COLOURS[2], "refuted": COLOURS[1], "undecided": FAINT}


def effects_plot(decisions: Sequence[CriterionResult]) -> Plot:
    """Draw each criterion's difference in units of its least effect, with its interval and the seeds' values."""
    height = 60 + ROW * len(decisions) + 30
    picture = Plot(WIDTH, height, "Differences of the criteria with their intervals")
    ends = [1.5, -1.5]
    for decision in decisions:
        least, difference = decision.criterion.least_effect, decision.verdict.difference
        ends += [value / least for value in (*(difference.ci95 or ()), *decision.values.values())]
    at = _axis(max(min(ends), -8), min(max(ends), 8), LEFT, WIDTH - RIGHT)
    picture.rectangle(at(-1), 34, at(1) - at(-1), height - 64)
    picture.words(8, 20, "Difference of each criterion, in units of its least effect of interest")
    for mark, word in ((-1, "−1"), (0, "0"), (1, "+1")):
        picture.line([(at(mark), 34), (at(mark), height - 30)], FAINT, 1, dashed=mark != 0)
        picture.words(at(mark), height - 14, word, FAINT, "middle")
    for number, decision in enumerate(decisions):
        y, least = 56 + ROW * number, decision.criterion.least_effect
        colour = VERDICT_COLOURS[decision.verdict.word]
        picture.words(8, y - 2, _short(decision.criterion.name, 40))
        picture.words(8, y + 12, f"{decision.comparison}: {decision.verdict.word}", colour)
        for value in decision.values.values():
            picture.dot(at(value / least), y + 8, 2.5, FAINT)
        if (interval := decision.verdict.difference.ci95) is not None:
            picture.line([(at(end / least), y) for end in interval], colour, 2.5)
        if decision.verdict.difference.mean is not None:
            picture.dot(at(decision.verdict.difference.mean / least), y, 4.5, colour)
    return picture


def arms_plot(sweep: Sweep, analysis: SweepAnalysis) -> Plot:
    """Draw every metric's value of each seed, and each arm's mean with its interval."""
    metrics = [
        metric
        for metric in sweep.file.analysis.metrics
        if any(analysis.arms[arm][metric].values for arm in analysis.arms)
    ]
    arms = list(analysis.arms)
    tall = 18 * len(arms) + 44
    picture = Plot(WIDTH, max(60, 30 + tall * len(metrics)), "Values of the arms with intervals over seeds")
    picture.words(8, 20, "Each arm's mean over seeds with its 95 % interval, and the seeds' values")
    for number, metric in enumerate(metrics):
        top = 34 + tall * number
        values = {arm: analysis.arms[arm][metric] for arm in arms}
        every = [end for item in values.values() for end in (*item.values.values(), *(item.mean.ci95 or ()))]
        low, high = min(every), max(every)
        at = _axis(low, high, LEFT, WIDTH - RIGHT)
        picture.words(8, top + 14, metric)
        for row, arm in enumerate(arms):
            y, colour = top + 26 + 18 * row, COLOURS[row % len(COLOURS)]
            picture.words(20, y + 4, _short(f"{arm}  {sweep.file.arms[arm].name}", 34), colour)
            for value in values[arm].values.values():
                picture.dot(at(value), y, 2.5, FAINT)
            if (interval := values[arm].mean.ci95) is not None:
                picture.line([(at(end), y) for end in interval], colour, 2)
            if values[arm].mean.mean is not None:
                picture.dot(at(values[arm].mean.mean or 0.0), y, 4, colour)
        foot = top + 26 + 18 * len(arms)
        picture.words(at(low), foot + 6, f"{low:.3g}", FAINT, "middle")
        picture.words(at(high), foot + 6, f"{high:.3g}", FAINT, "middle")
        if low < 0 < high:
            picture.line([(at(0), top + 18), (at(0), foot - 6)], FAINT, 1, dashed=True)
    return picture


def curves_plot(sweep: Sweep) -> Plot:
    """Draw metrics over the steps: each seed thin, and the mean of an arm's seeds thick."""
    rows = {
        arm: [rows for run in sweep.of_arm(arm) if (rows := read_lines(run.train_folder))] for arm in sweep.file.arms
    }
    parsed = [parse_metric(metric) for metric in sweep.file.analysis.metrics]
    wanted = dict.fromkeys([*(item.name for item in parsed if isinstance(item, Series)), *CURVES])
    names = [name for name in wanted if any(name in row for of_arm in rows.values() for run in of_arm for row in run)]
    columns = 2
    height = 40 + (PANEL + GAP) * -(-len(names) // columns) + 20
    picture = Plot(WIDTH, height, "Metrics over the steps, by arm")
    x = 8.0
    for number, arm in enumerate(sweep.file.arms):
        picture.dot(x + 4, 16, 4, COLOURS[number % len(COLOURS)])
        label = _short(f"{arm} {sweep.file.arms[arm].name}", 22)
        picture.words(x + 12, 20, label)
        x += 26 + 6.6 * len(label)
    for number, name in enumerate(names):
        left = 56 + number % columns * (WIDTH // columns)
        top = 62 + number // columns * (PANEL + GAP)
        _panel(picture, left, top, WIDTH // columns - 80, name, rows)
    return picture


def _panel(
    picture: Plot,
    left: float,
    top: float,
    width: float,
    name: str,
    rows: Mapping[str, Sequence[Sequence[Mapping[str, float]]]],
) -> None:
    curves = {
        arm: [points for run in runs if (points := [(row["step"], row[name]) for row in run if name in row])]
        for arm, runs in rows.items()
    }
    every = [point for runs in curves.values() for points in runs for point in points]
    last, low, high = max(x for x, _ in every), min(y for _, y in every), max(y for _, y in every)
    across, down = _axis(0, last, left, left + width), _axis(low, high, top + PANEL, top)
    picture.rectangle(left, top, width, PANEL, "#ffffff")
    picture.line([(left, top), (left, top + PANEL), (left + width, top + PANEL)], FAINT, 1)
    picture.words(left, top - 8, name)
    for value in dict.fromkeys((low, high)):
        picture.words(left - 4, down(value) + 4, f"{value:.3g}", FAINT, "end")
    picture.words(left + width, top + PANEL + 16, f"step {last:g}", FAINT, "end")
    if low < 0 < high:
        picture.line([(left, down(0)), (left + width, down(0))], FAINT, 1, dashed=True)
    for number, runs in enumerate(curves.values()):
        colour, by_step = COLOURS[number % len(COLOURS)], defaultdict[float, list[float]](list)
        for points in runs:
            picture.line([(across(x), down(y)) for x, y in points], colour, 0.6)
            for step, value in points:
                by_step[step].append(value)
        mean = [(across(step), down(fmean(values))) for step, values in sorted(by_step.items())]
        if len(mean) > 1:
            picture.line(mean, colour, 2.2)


def _axis(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    """Return the place of a value on an axis; values outside are put at its ends."""
    span = (high - low) or 1.0

    def place(value: float) -> float:
        return start + min(1.0, max(0.0, (value - low) / span)) * (end - start)

    return place


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
