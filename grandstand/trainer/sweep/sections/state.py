"""A sweep at a moment, as its report shows it: the analysis, and what the files of each run say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite
from typing import Any, Literal

from grandstand.campaigns.numbers import MINUS, estimate, with_interval
from grandstand.campaigns.words import capital, many
from grandstand.play.ratings.intervals import Interval
from grandstand.report import Notes, Report, Tone
from grandstand.trainer.metrics import read_lines
from grandstand.trainer.sweep.analysis import CriterionResult, SweepAnalysis
from grandstand.trainer.sweep.estimate import SweepEstimate
from grandstand.trainer.sweep.expansion import Sweep, SweepRun, compared_arms
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
from grandstand.trainer.sweep.sweep_file import Criterion
from grandstand.trainer.sweep.values import RunCost, cost_of
from grandstand.trainer.sweep.verdict import MOST_SEEDS

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


MISSING = "Not decided yet"
"""The verdict on a criterion that waits for runs."""
VERDICTS = "verdicts"
"""The section with a note for each criterion: its name as text, and its verdict as title."""
TONES: dict[str, Tone] = {"Supported": "good", "Refuted": "bad", "Undecided": "", MISSING: "faint"}
STATES: tuple[State, ...] = ("completed", "running", "failed", "blocked", "interrupted", "planned")
SOME = 4
"""The most runs that a sentence names."""
_CAUSES = {
    "settings": "Its settings were refused",
    "base": "The base could not be cloned",
    "training": "The training broke off",
    "measurement": "A measurement failed",
    "killed": "It was killed",
    "command": "The command template failed",
    "parent": "The run that it begins with has no result",
}


def with_ends(interval: Interval) -> str:
    """Return a mean with its interval in a line; a dash where there is none."""
    value = estimate(interval)
    bounds = "" if value.low is not None or value.value is None else " (no interval)"
    return f"{with_interval(value)}{bounds}"


def claim(decision: CriterionResult) -> str:
    """Return the claim of a criterion, with the least effect that would matter."""
    criterion = decision.criterion
    least = f"{criterion.least_effect:g}".replace("-", MINUS)
    words = {
        "greater": f"is above 0; {least} would matter",
        "less": f"is below 0; {MINUS}{least} would matter",
        "not_less": f"is not below {MINUS}{least}",
        "not_greater": f"is not above {least}",
        "equivalent": f"is within ±{least}",
    }
    return f"{capital(decision.comparison)} in {criterion.metric} {words[criterion.direction]}"


def missing_runs(state: SweepState, decision: CriterionResult) -> list[str]:
    """Return the runs without which a criterion is not decided."""
    arms, states = compared_arms(state.sweep.file, decision.criterion), state.analysis.states
    runs = state.sweep.until_look(decision.look)
    return [run.id for run in runs if run.arm in arms and states[run.id] != "completed"]


def verdict_word(state: SweepState, decision: CriterionResult) -> str:
    """Return a verdict in a word. Only a verdict of all planned runs is a claim."""
    return MISSING if missing_runs(state, decision) else capital(decision.verdict.word)


def reason(state: SweepState, decision: CriterionResult) -> str:
    """Return the reason of a verdict, or the runs that it waits for."""
    missing = missing_runs(state, decision)
    if not missing:
        return f"{capital(decision.verdict.reason)}."
    rest = f" and {len(missing) - SOME} more" if len(missing) > SOME else ""
    return f"It waits for {many(len(missing), 'run')}: {', '.join(missing[:SOME])}{rest}."


def truth(criterion: Criterion) -> str:
    """Return the assumption under which the power of a verdict is computed."""
    effect = criterion.direction in ("greater", "less")
    return "the least effect were true" if effect else "there were no difference"


def seeds_needed(decision: CriterionResult) -> str | None:
    """Return the seeds for a power of GOAL in words; None if the spread is unknown."""
    if decision.verdict.power is None:
        return None
    needed = decision.verdict.needed
    return f"more than {MOST_SEEDS} seeds" if needed is None else many(needed, "seed")


def cause_words(record: RunRecord) -> str:
    """Return the cause of a failure in words that name the boundary."""
    if record.state == "blocked":
        return "It waits for a run that failed"
    cause = record.failure.cause if record.failure else "unknown cause"
    return _CAUSES.get(cause, capital(cause))


def state_word(state: SweepState, run_id: str) -> str:
    """Return the state of a run in a word."""
    run, record, file = state.sweep.by_id[run_id], state.records[run_id], state.sweep.file
    if record.state == "running":
        return record.stage or "running"
    spare = file.seeds.index(run.seed) >= file.all_looks[0]
    return "if undecided" if record.state == "planned" and spare else record.state


def step_words(sweep: Sweep, run_id: str, record: RunRecord) -> str:
    """Return the current step of a run in words; '' for one that has ended or was never begun."""
    at_work = record.state not in ("completed", "planned", "blocked")
    return f"step {record.step} of {sweep.by_id[run_id].config.run.steps}" if at_work else ""


def run_words(state: SweepState, run_id: str) -> str:
    """Return the state of a run in a sentence."""
    record = state.records[run_id]
    parts = [f"{run_id}: {state_word(state, run_id)}"]
    if step := step_words(state.sweep, run_id, record):
        parts.append(step)
    if record.failure:
        parts.append(f"{record.failure.cause}: {record.failure.message}")
    return ", ".join(parts)


def progress_words(state: SweepState) -> str:
    """Return the runs by state: `4 completed, 2 running`."""
    return ", ".join(f"{count} {name}" for name in STATES if (count := state.count(name)))


def tally(state: SweepState) -> str:
    """Return the number of criteria with each verdict: `2 supported, 1 refuted`; '' before the first one."""
    words = [verdict_word(state, decision) for decision in state.analysis.decisions]
    if set(words) == {MISSING}:
        return ""
    if len(words) == 1:
        return words[0]
    names = {word: word.lower() for word in TONES} | {MISSING: "waiting for runs"}
    return ", ".join(f"{words.count(word)} {name}" for word, name in names.items() if word in words)


def verdict_changes(before: Report | None, after: Report) -> str:
    """Return the verdicts that are new in `after`, in sentences; '' for none."""
    known = _verdicts(before) if before else {}
    changed = [(name, word) for name, word in _verdicts(after).items() if word != MISSING and known.get(name) != word]
    return ". ".join(f"{name}: {word.lower()}" for name, word in changed)


def _verdicts(report: Report) -> dict[str, str]:
    bodies = [section.body for section in report.sections if section.id == VERDICTS]
    return {note.text: note.title for body in bodies if isinstance(body, Notes) for note in body.notes}
