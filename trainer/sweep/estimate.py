"""Estimate how long the runs of a sweep take, from runs that were measured: earlier ones, or a pilot of one step."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from statistics import fmean, median

from grandstand.atomic import lock_folder, replace_file
from grandstand.trainer.config.files import SAVED, ConfigError, load
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.metrics import read_lines
from grandstand.trainer.sweep.execution import child_environment, command_line
from grandstand.trainer.sweep.expansion import Sweep, SweepRun, expected_horizon
from grandstand.trainer.sweep.layout import attempts, state_of, trained_steps

PILOT = "pilot"
"""Folder of the pilot in a sweep's folder."""
_WITHOUT_BEGIN = ", without the time before a run's first step"
"""Remark on an estimate from metrics alone, which do not tell how long the cloning takes."""
_EVALUATED = 2
"""Sets of opponents that a run's own evaluation has."""


class PilotError(ValueError):
    """A pilot that could not be run; the message has the reason."""


@dataclass(frozen=True)
class Timing:
    """The speed of a machine at runs of one kind."""

    source: str
    """The runs that it was measured in."""
    begin: float
    """Seconds from the start of a run to its first step: imports, and the cloning of the base."""
    per_unit: float
    """Seconds of a step for each fork and unit of simulated time, playing and learning."""
    playing: float
    """The part of that for playing alone."""

    def seconds(self, sweep: Sweep, run: SweepRun, done: int = 0) -> float:
        """Return the expected time of a run from step `done`, with its evaluations and measurements."""
        config, measure = run.config, sweep.file.measure
        steps = max(0, config.run.steps - done)
        training = steps * config.rollout.groups * config.rollout.samples * expected_horizon(config) * self.per_unit
        own = steps // config.run.eval_every * _EVALUATED * config.run.eval_games if config.run.eval_every else 0
        after = len(measure.versions) * len(measure.against) * measure.games
        match = expected_horizon(config) * self.playing
        return (0.0 if done else self.begin) + training + 2 * (own + after) * match


@dataclass(frozen=True)
class SweepEstimate:
    """The expected time of the runs that are left."""

    runs: int
    seconds: float
    """With as many at a time as the sweep has jobs."""
    each: dict[str, float]
    """Run -> its own seconds."""
    source: str


def timing_of(folder: Path, source: str, began: float | None = None) -> Timing | None:
    """Return the timing of a training run by its metrics; None if it has no step yet.

    `began` is the wall time of all its processes, from which the time before the first step is computed.
    """
    try:
        config = load(folder / SAVED)
    except ConfigError:
        return None
    rows = [row for row in read_lines(folder) if "benchmark/rollout_time_s" in row]
    if not rows:
        return None
    units = config.rollout.groups * config.rollout.samples * expected_horizon(config)
    playing = median(row["benchmark/rollout_time_s"] for row in rows) / units
    learning = median(row["benchmark/training_time_s"] for row in rows) / units
    whole = sum(row["benchmark/rollout_time_s"] + row["benchmark/training_time_s"] for row in rows)
    return Timing(source, max(0.0, began - whole) if began is not None else 0.0, playing + learning, playing)


def known_timing(sweep: Sweep, like: Path | None = None) -> Timing | None:
    """Return a timing from the run that is named, the runs of the sweep, or its pilot; None if nothing is measured."""
    if like is not None:
        return timing_of(like, f"the metrics of {like}{_WITHOUT_BEGIN}")
    timings = [timing for run in sweep.runs if (timing := timing_of(run.train_folder, run.id)) is not None]
    pilot = _pilot_timing(sweep.folder / PILOT)
    if not timings:
        return pilot
    return Timing(
        f"the metrics of {len(timings)} run{'s' if len(timings) > 1 else ''} of this sweep"
        + ("" if pilot else _WITHOUT_BEGIN),
        pilot.begin if pilot else 0.0,
        fmean(timing.per_unit for timing in timings),
        fmean(timing.playing for timing in timings),
    )


def estimate(sweep: Sweep, timing: Timing, jobs: int) -> SweepEstimate:
    """Return the expected time of the runs that are not completed.

    A run of an arm that has completed runs takes as long as these.
    """
    left = [run for run in sweep.runs if state_of(sweep, run) != "completed"]
    each = {}
    for run in left:
        same = _elapsed(sweep, run.arm)
        done = trained_steps(run)
        each[run.id] = fmean(same) if same and not done else timing.seconds(sweep, run, done)
    longest = max(each.values(), default=0.0)
    return SweepEstimate(len(left), max(longest, sum(each.values()) / jobs), each, timing.source)


def _elapsed(sweep: Sweep, arm: str) -> Sequence[float]:
    """Return the wall times of the completed runs of an arm."""
    completed = [run for run in sweep.of_arm(arm) if state_of(sweep, run) == "completed"]
    return [sum(attempt["ended"] - attempt["began"] for attempt in attempts(run)) for run in completed]


def run_pilot(sweep: Sweep) -> Timing:
    """Train one step of the first run, in a folder of its own, and return its timing. Raises PilotError."""
    run, folder = sweep.runs[0], sweep.folder / PILOT
    config: TrainConfig = run.config.model_copy(
        update={"run": run.config.run.model_copy(update={"steps": 1, "eval_every": 0, "name": "pilot"})}
    )
    with lock_folder(folder):
        rmtree(folder / "run", ignore_errors=True)
        settings = folder / "settings.toml"
        settings.write_text(config.resolved(), "utf-8")
        arguments = ["train", "--config", str(settings), "--out", str(folder / "run"), "--json"]
        began = time.perf_counter()
        words = command_line(sweep, run, arguments)
        try:
            done = subprocess.run(words, capture_output=True, text=True, env=child_environment(), check=False)
        except OSError as error:
            raise PilotError(f"{words[0]}: {error.strerror}; check runner.command") from None
        if done.returncode:
            raise PilotError(f"the pilot ended with status {done.returncode}: {done.stderr.strip()[-500:]}")
        with replace_file(folder / "pilot.json") as part:
            part.write_text(json.dumps({"seconds": time.perf_counter() - began}) + "\n", "utf-8")
    timing = _pilot_timing(folder)
    if timing is None:
        raise PilotError(f"{folder}: the pilot has no metrics")
    return timing


def _pilot_timing(folder: Path) -> Timing | None:
    if not (folder / "pilot.json").is_file():
        return None
    seconds = json.loads((folder / "pilot.json").read_text("utf-8"))["seconds"]
    return timing_of(folder / "run", "a pilot of one step", seconds)
