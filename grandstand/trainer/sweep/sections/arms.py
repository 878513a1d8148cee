"""The arms of a sweep: their means over seeds, the settings in which they differ, and curves over the steps."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import Any

from grandstand.campaigns.numbers import estimate, finite
from grandstand.report import Axis, Chart, Column, Mark, Point, Row, Section, Table, Value
from grandstand.trainer.sweep.expansion import Sweep, differences
from grandstand.trainer.sweep.sections.state import Points, SweepState, curve_metrics

TAB = "Arms"
CURVES = "Curves"
_MEANS = "Means over seeds with Student's 95 % intervals; small dots are single seeds. Two alone have a wide interval."


def arm_sections(state: SweepState) -> Iterator[Section]:
    """Yield a table for each metric, and the changes from the baseline."""
    for number, metric in enumerate(state.sweep.file.analysis.metrics):
        yield Section(
            id=f"arms-{metric}",
            title=metric if number else f"{metric} (primary)",
            note="" if number else _MEANS,
            tab=TAB,
            body=_means(state, metric),
        )
    first = state.sweep.file.first_arm
    yield Section(id="changes", title=f"Changes from {first}", tab=TAB, body=_changes(state.sweep))


def _means(state: SweepState, metric: str) -> Table:
    columns = [
        Column(id="arm", title="Arm"),
        Column(id="mean", title="Mean", shape="whisker"),
        Column(id="seeds", title="Seeds", drop=1),
    ]
    file, rows = state.sweep.file, []
    for arm, definition in file.arms.items():
        result = state.analysis.arms[arm][metric]
        dots = [value for value in result.values.values() if finite(value) is not None]
        mean = estimate(result.mean, none="" if dots else "no run is completed yet")
        mean = mean.model_copy(update={"dots": dots, "strong": True})
        seeds = Value(value=f"{len(dots)} of {len(file.seeds)}")
        rows.append(Row(id=arm, owner=arm, cells=[Value(value=arm, note=definition.name), mean, seeds]))
    return Table(columns=columns, rows=rows)


def changes(sweep: Sweep, arm: str) -> list[tuple[str, str, str]]:
    """Return the settings in which an arm differs from the baseline: key, value of the baseline, its own."""
    base, own = (sweep.of_arm(name)[0].config for name in (sweep.file.first_arm, arm))
    return [(key, plain(was), plain(now)) for key, (was, now) in differences(base, own).items()]


def plain(value: Any) -> str:
    """Return a setting as it stands in a file."""
    return json.dumps(value, ensure_ascii=False)


def _changes(sweep: Sweep) -> Table:
    """Return a row for each setting; the first one of an arm has its name."""
    first, rows = sweep.file.first_arm, []
    columns = [
        Column(id="arm", title="Arm"),
        Column(id="setting", title="Setting"),
        Column(id="was", title=f"In {first}", drop=1),
        Column(id="now", title="In this arm"),
    ]
    for arm, definition in sweep.file.arms.items():
        lines: list[tuple[str, tuple[str, str | None, str | None]]]
        lines = [(f"{arm} {key}", (key, was, now)) for key, was, now in changes(sweep, arm)]
        if definition.starts_from:
            lines.append((f"{arm} begins", (f"begins with the policy of {definition.starts_from}", None, None)))
        lines = lines or [(arm, ("the baseline" if arm == first else "none", None, None))]
        words = f"{definition.name}: {definition.description}" if definition.description else definition.name
        for number, (row, (key, was, now)) in enumerate(lines):
            name = Value(value=arm, note="" if number else words)
            cells = [name, Value(value=key), Value(value=was), Value(value=now, strong=True)]
            rows.append(Row(id=row, owner=arm, cells=cells))
    return Table(columns=columns, rows=rows)


def curve_sections(state: SweepState) -> Iterator[Section]:
    """Yield a chart for each metric that a run has over its steps.

    The mean of an arm is drawn once all its runs are completed: until then it would change with each of them.
    """
    for name in curve_metrics(state.sweep):
        if not any(name in record.curves for record in state.records.values()):
            continue
        marks: list[Mark] = []
        for arm, definition in state.sweep.file.arms.items():
            records = [(run.id, state.records[run.id]) for run in state.sweep.of_arm(arm)]
            for run, record in records:
                marks.append(Mark(id=run, kind="line", owner=arm, points=_points(record.curves.get(name, ()))))
            whole = all(record.state == "completed" for _, record in records)
            mean = _mean([record.curves.get(name, ()) for _, record in records]) if whole else ()
            label = f"{arm} {definition.name}"
            marks.append(Mark(id=arm, kind="line", name=label, owner=arm, strong=True, points=_points(mean)))
        yield Section(
            id=f"curve-{name}",
            title=name,
            tab=CURVES,
            width="half",
            body=Chart(
                x=Axis(title="Step", unit="count", low=0),
                y=Axis(),
                marks=marks,
                describe=f"{name} over the steps: a line for each run, and a strong one for the mean of each arm.",
                size="small",
            ),
        )


def _points(curve: Points) -> list[Point]:
    return [Point(x=step, y=value) for step, value in curve]


def _mean(curves: Sequence[Points]) -> Points:
    """Return the mean over the runs that have a value at a step."""
    by_step: defaultdict[int, list[float]] = defaultdict(list)
    for curve in curves:
        for step, value in curve:
            by_step[step].append(value)
    return [(step, fmean(values)) for step, values in sorted(by_step.items())]
