"""A sweep at a moment, as its report shows it: the analysis, and what the files of each run say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any, Literal

from grandstand.trainer.metrics import read_lines
from grandstand.trainer.sweep.analysis import SweepAnalysis
from grandstand.trainer.sweep.estimate import SweepEstimate
from grandstand.trainer.sweep.expansion import Sweep, SweepRun
from grandstand.trainer.sweep.layout import (
    Failure,
    State,
    attempts,
    best_step,
    failure_of,
    machines,
    measured,
    measurement,
    trained_steps,
)
from grandstand.trainer.sweep.metric import Series, Version, parse_metric
from grandstand.trainer.sweep.values import RunCost, cost_of

Stage = Literal["", "waiting", "preparing", "training", "measuring"]
Row = Mapping[str, float]
Points = Sequence[tuple[int, float]]

CURVES = ("benchmark/reward_mean", "kl/mean", "eval/vs_base/gain", "policy/entropy_mean")
"""Metrics whose curves are drawn besides those that the analysis names."""
POINTS = 40
"""The most points of a curve, about: a curve of more steps has only every second one, every third one, and so on."""
LEAGUE = ("league/rating/", "exploitation/")
"""Prefixes of the metrics whose last values are reported."""
SCORES = ("base", "mean", "gain", "elo")
"""Values of a measurement that are reported."""


@dataclass(frozen=True)
class RunRecord:
    """A run at a moment. `episode_id` is that of its training run on the server that shows the experiment, or ''."""

    state: State = "planned"
    stage: Stage = ""
    step: int = 0
    failure: Failure | None = None
    episode_id: str = ""
    curves: Mapping[str, Points] = field(default_factory=dict)
    """Metric -> its values by step."""
    last: Row = field(default_factory=dict)
    """The last value of each metric of the league."""
    measures: Mapping[tuple[Version, str], Mapping[str, float | None]] = field(default_factory=dict)
    """Version and opponents -> the values of that measurement."""
    selected: tuple[int, float | None] | None = None
    """The step of the best version, and the value by which it is the best; None if there is none."""
    cost: RunCost | None = None
    """None for a run that was never begun, or is at work."""
    machines: Sequence[str] = ()
    """The machines that it was trained on, in words."""


@dataclass(frozen=True)
class SweepState:
    """A sweep at a moment."""

    sweep: Sweep
    analysis: SweepAnalysis
    records: Mapping[str, RunRecord]
    estimated: SweepEstimate | None = None
    cloning: float = 0.0
    """Seconds that the cloning of the bases took."""

    @property
    def over(self) -> bool:
        """Return whether no run is left that would change a verdict."""
        return self.analysis.complete or self.analysis.decided

    def count(self, *states: State) -> int:
        """Return the number of runs in one of the states."""
        return sum(record.state in states for record in self.records.values())

    def record(self, arm: str, seed: int) -> RunRecord:
        return self.records[f"{arm}-s{seed}"]

    def of_arm(self, arm: str) -> list[RunRecord]:
        """Return the records of an arm's completed runs."""
        records = [self.records[run.id] for run in self.sweep.of_arm(arm)]
        return [record for record in records if record.state == "completed"]


def read_state(sweep: Sweep, analysis: SweepAnalysis) -> SweepState:
    """Return the state of a sweep as its files have it."""
    records = {run.id: read_record(sweep, run, analysis.states[run.id]) for run in sweep.runs}
    return SweepState(sweep, analysis, records, cloning=cloning_of(sweep))


def cloning_of(sweep: Sweep) -> float:
    """Return the seconds that the cloning of the bases took."""
    return sum(float(attempt["ended"] - attempt["began"]) for base in sweep.bases for attempt in attempts(base))


def read_record(sweep: Sweep, run: SweepRun, state: State, stage: Stage = "", episode_id: str = "") -> RunRecord:
    """Return the record of a run in this state, from its files."""
    rows = read_lines(run.train_folder)
    step = int(rows[-1]["step"]) if rows else trained_steps(run)
    begun = state not in ("planned", "blocked", "running")
    return RunRecord(
        state=state,
        stage=stage,
        step=step,
        failure=failure_of(run.folder) if state == "failed" else None,
        episode_id=episode_id,
        curves={name: points for name in curve_metrics(sweep) if (points := _curve(rows, name, run.config.run.steps))},
        last={name: value for row in rows for name, value in row.items() if name.startswith(LEAGUE)},
        measures=_measures(sweep, run) if state == "completed" else {},
        selected=_selected(sweep, run, rows) if begun else None,
        cost=cost_of(run, attempts(run)) if begun else None,
        machines=[machine_words(machine) for machine in machines(run)],
    )


def curve_metrics(sweep: Sweep) -> list[str]:
    """Return the metrics whose curves are drawn."""
    parsed = [parse_metric(metric) for metric in sweep.file.analysis.metrics]
    return list(dict.fromkeys([*(item.name for item in parsed if isinstance(item, Series)), *CURVES]))


def _curve(rows: Sequence[Row], name: str, steps: int) -> Points:
    """Return the first value of each stretch of steps, so that a curve that goes on keeps its points."""
    width = max(1, -(-steps // POINTS))
    points: dict[int, tuple[int, float]] = {}
    for row in rows:
        if isfinite(row.get(name, inf)):
            points.setdefault((int(row["step"]) - 1) // width, (int(row["step"]), row[name]))
    return list(points.values())


def _measures(sweep: Sweep, run: SweepRun) -> dict[tuple[Version, str], dict[str, float | None]]:
    measures: dict[tuple[Version, str], dict[str, float | None]] = {}
    for version in sweep.file.measure.versions:
        for against in sweep.file.measure.against:
            item = measurement(sweep, run, version, against)
            result = None if item is None else measured(item)
            if result is not None:
                measures[version, against] = {name: result[name] for name in SCORES}
    return measures


def _selected(sweep: Sweep, run: SweepRun, rows: Sequence[Row]) -> tuple[int, float | None] | None:
    select = sweep.file.measure.select
    step = best_step(run, select) if "best" in sweep.file.measure.versions else None
    if step is None:
        return None
    return step, next((row.get(select) for row in rows if row["step"] == step), None)


def machine_words(machine: Mapping[str, Any]) -> str:
    """Return a machine with its versions in a line."""
    packages = ", ".join(f"{name} {version}" for name, version in machine["packages"].items())
    gpus = f", {', '.join(machine['gpus'])}" if machine["gpus"] else ""
    commit = f", commit {machine['commit']}" if machine["commit"] else ""
    where = f"{machine['cpus']} CPUs ({machine['processor']}){gpus}, {machine['platform']}"
    return f"{where}; Python {machine['python']}, {packages}{commit}"
