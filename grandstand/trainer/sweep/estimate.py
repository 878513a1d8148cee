"""Estimate the time of a sweep's runs from measured ones: earlier runs, or a pilot of one step."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import rmtree
from statistics import fmean, median

from grandstand.atomic import lock_folder, replace_file
from grandstand.campaigns.campaign import CampaignEstimate
from grandstand.campaigns.processes import POLL, child_environment
from grandstand.campaigns.words import many
from grandstand.games.registry import game_spec
from grandstand.trainer.config.files import SAVED, ConfigError, load
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.learning.shared_base import is_prepared
from grandstand.trainer.metrics import read_lines
from grandstand.trainer.sweep.execution import base_arguments, command_line, note_attempt, write_settings
from grandstand.trainer.sweep.expansion import Sweep, SweepBase, SweepRun, expected_horizon, watched
from grandstand.trainer.sweep.layout import PILOT, attempts, state_of, trained_steps
from grandstand.trainer.sweep.sweep_file import SweepError

NO_ESTIMATE = "no estimate: nothing is measured yet; --pilot trains one step, --like RUN takes an earlier run's metrics"
_WITHOUT_BEGIN = ", without the time before a run's first step"
"""Remark on an estimate from metrics alone, which lack the time of the start."""
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
    """Seconds from the start of a run to its first step."""
    per_unit: float
    """Seconds of a step for each fork and unit of simulated time, playing and learning."""
    playing: float
    """The part of these seconds that playing takes."""
    base: float = 0.0
    """Seconds of the cloning of a base."""
    runs: int = 1
    """The number of runs that it was measured in."""

    def seconds(self, sweep: Sweep, run: SweepRun, done: int = 0) -> float:
        """Return the expected time of a run from step `done`, with its evaluations and measurements."""
        config, measure = run.config, sweep.file.measure
        steps = max(0, config.run.steps - done)
        training = steps * config.rollout.groups * config.rollout.samples * expected_horizon(config) * self.per_unit
        own = steps // config.run.eval_every * _EVALUATED * config.run.eval_games if config.run.eval_every else 0
        packs = game_spec(config.game.name).learning.tasks  # their matches may be as short as one decision
        against = [name for name in measure.against if name not in packs]
        after = len(measure.versions) * len(against) * measure.games
        match = expected_horizon(config) * self.playing
        return (0.0 if done else self.begin) + training + 2 * (own + after) * match


@dataclass(frozen=True)
class SweepEstimate(CampaignEstimate):
    """The expected time of the runs that are left, with as many at a time as the sweep has jobs."""

    bases: int = 0
    """Bases that are to be cloned before."""
    each: Mapping[str, float] = field(default_factory=dict)
    """Run -> its own seconds."""


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
    timings = [timing for run in sweep.runs if (timing := _timing(run)) is not None]
    if not timings:
        return _pilot_timing(sweep)
    return Timing(
        f"the metrics of {len(timings)} run{'s' if len(timings) > 1 else ''} of this sweep",
        fmean(timing.begin for timing in timings),
        fmean(timing.per_unit for timing in timings),
        fmean(timing.playing for timing in timings),
        _cloning(sweep),
        len(timings),
    )


def _timing(run: SweepRun) -> Timing | None:
    """Return the timing of a run that has taken a step."""
    elapsed = [attempt["ended"] - attempt["began"] for attempt in attempts(run) if attempt["stage"] == "train"]
    return timing_of(run.train_folder, run.id, sum(elapsed))


def _cloning(sweep: Sweep) -> float:
    """Return the mean time in which a base of the sweep was cloned; 0 if none was."""
    times = [
        attempt["ended"] - attempt["began"]
        for base in sweep.bases
        for attempt in attempts(base)
        if attempt["stage"] == "base" and not attempt["status"]
    ]
    return fmean(times) if times else 0.0


def estimate(sweep: Sweep, timing: Timing, jobs: int) -> SweepEstimate:
    """Return the expected time of the runs that are not completed, with the bases that they need.

    A run of an arm that has completed runs takes as long as these.
    """
    left = [run for run in sweep.runs if state_of(sweep, run) != "completed"]
    bases = {run.base.key for run in left if run.base is not None and not is_prepared(run.base.folder)}
    each = {}
    for run in left:
        same = _elapsed(sweep, run.arm)
        done = trained_steps(run)
        each[run.id] = fmean(same) if same and not done else timing.seconds(sweep, run, done)
    longest = max(each.values(), default=0.0) + (timing.base if bases else 0.0)
    whole = sum(each.values()) + len(bases) * timing.base
    cloned = f" and {many(len(bases), 'base')} to clone" if bases else ""
    return SweepEstimate(
        left=len(left),
        units=many(len(left), "run") + cloned,
        measured=timing.runs,
        source=timing.source,
        seconds=max(longest, whole / jobs),
        bases=len(bases),
        each=each,
    )


def _elapsed(sweep: Sweep, arm: str) -> Sequence[float]:
    """Return the wall times of the completed runs of an arm."""
    completed = [run for run in sweep.of_arm(arm) if state_of(sweep, run) == "completed"]
    return [sum(attempt["ended"] - attempt["began"] for attempt in attempts(run)) for run in completed]


def run_pilot(sweep: Sweep) -> Timing:
    """Train one step of the first run, in a folder of its own, and return its timing. Raises PilotError.

    The base of that run is cloned first if there is none, and the sweep uses it.
    """
    run, folder = sweep.runs[0], sweep.folder / PILOT
    config: TrainConfig = run.config.model_copy(
        update={"run": run.config.run.model_copy(update={"steps": 1, "eval_every": 0, "name": "pilot"})}
    )
    base = run.base
    with lock_folder(folder):
        if base is not None:
            with _locked(base.folder):
                if not is_prepared(base.folder):
                    write_settings(base)
                    began = time.time()
                    _executed(sweep, base, base_arguments(base))
                    note_attempt(base, "base", command_line(sweep, base, base_arguments(base)), began, None, 0)
        rmtree(folder / "run", ignore_errors=True)
        settings = folder / "settings.toml"
        settings.write_text(config.resolved(), "utf-8")
        arguments = ["train", "--config", str(settings), "--out", str(folder / "run"), "--json"]
        began = time.perf_counter()
        _executed(sweep, run, [*arguments, *(("--base", str(base.folder)) if base is not None else ())])
        with replace_file(folder / "pilot.json") as part:
            part.write_text(json.dumps({"seconds": time.perf_counter() - began}) + "\n", "utf-8")
    timing = _pilot_timing(sweep)
    if timing is None:
        raise PilotError(f"{folder}: the pilot has no metrics")
    return timing


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder, waiting until no other process is at work in it."""
    while True:
        try:
            with lock_folder(folder):
                yield
                return
        except BlockingIOError:
            time.sleep(POLL)


def _executed(sweep: Sweep, item: SweepRun | SweepBase, arguments: Sequence[str]) -> None:
    """Execute `grandstand ARGUMENTS`. Raises PilotError if it fails."""
    words = command_line(sweep, item, arguments)
    try:
        done = subprocess.run(words, capture_output=True, text=True, env=child_environment(), check=False)
    except OSError as error:
        raise PilotError(f"{words[0]}: {error.strerror}; check runner.command") from None
    if done.returncode:
        raise PilotError(f"the pilot ended with status {done.returncode}: {done.stderr.strip()[-500:]}")


def _pilot_timing(sweep: Sweep) -> Timing | None:
    folder = sweep.folder / PILOT
    if not (folder / "pilot.json").is_file():
        return None
    seconds = json.loads((folder / "pilot.json").read_text("utf-8"))["seconds"]
    timing = timing_of(folder / "run", "a pilot of one step", seconds)
    return None if timing is None else replace(timing, base=_cloning(sweep))


def estimate_of(sweep: Sweep, jobs: int, pilot: bool, like: Path | None) -> SweepEstimate | None:
    """Return the estimate from earlier runs, the run `like` or a pilot; None without any. Raises SweepError."""
    timing = known_timing(sweep, like)
    if like is not None and timing is None:
        raise SweepError(f"--like: {like} is no training run with a step in it")
    if timing is None and pilot:
        timing = run_pilot(watched(sweep, ""))
    return None if timing is None else estimate(sweep, timing, jobs or sweep.file.runner.jobs)
