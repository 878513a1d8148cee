"""Files of a sweep's folder, and the state of each run by these files."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from grandstand.atomic import lock_folder, replace_file
from grandstand.campaign_events import TRAINING
from grandstand.spectator.errors import RecordError
from grandstand.spectator.recorder import Recorder
from grandstand.trainer.config.files import SAVED
from grandstand.trainer.machine import MACHINES
from grandstand.trainer.metrics import read_lines
from grandstand.trainer.sweep.expansion import Sweep, SweepBase, SweepRun
from grandstand.trainer.sweep.metric import Version

State = Literal["planned", "running", "interrupted", "failed", "blocked", "completed"]
STATES: tuple[State, ...] = ("planned", "running", "interrupted", "failed", "blocked", "completed")
Cause = Literal["settings", "base", "training", "measurement", "killed", "command", "parent"]
"""The part that a failure is attributed to: `parent` is the run with whose policy another was to begin."""

SETTINGS, LOG, FAILURE, ATTEMPTS, MEASURES = "settings.toml", "log.txt", "failure.json", "attempts.jsonl", "measures"
BUFFER = "watch.db"
"""File in the folder of a sweep or a training run with the events that its server has received or is to receive."""
PILOT = "pilot"
"""Folder of the pilot in a sweep's folder."""
CHECKPOINTS = "checkpoints"
"""Folder in a training run's own folder."""
LABEL = "sweep"
"""Label of the situations of measurements; no run evaluates itself in these."""
_CHECKPOINT = re.compile(r"step-(\d{6})")


@dataclass(frozen=True)
class Failure:
    """The reason for which a run has no result."""

    cause: Cause
    stage: str
    message: str

    def save(self, folder: Path) -> None:
        _write_json(folder / FAILURE, {"cause": self.cause, "stage": self.stage, "message": self.message})


def failure_of(folder: Path) -> Failure | None:
    """Return the failure in a run's folder, or None."""
    data = _read_json(folder / FAILURE)
    return Failure(**data) if isinstance(data, dict) else None


def trained_steps(run: SweepRun) -> int:
    """Return the step of the newest checkpoint."""
    folder = run.train_folder / CHECKPOINTS
    names = [_CHECKPOINT.fullmatch(path.name) for path in folder.glob("step-*")] if folder.is_dir() else []
    return max((int(match[1]) for match in names if match), default=0)


def is_begun(run: SweepRun) -> bool:
    return (run.train_folder / SAVED).is_file()


def is_trained(run: SweepRun) -> bool:
    return is_begun(run) and trained_steps(run) >= run.config.run.steps


def best_step(run: SweepRun, select: str) -> int | None:
    """Return the step of the best version by the run's own evaluations, the earliest of equals; None if none is."""
    values = {int(row["step"]): row[select] for row in read_lines(run.train_folder) if select in row}
    kept = {step: value for step, value in values.items() if step in run.config.league.keep}
    return min(kept, key=lambda step: (-kept[step], step)) if kept else None


@dataclass(frozen=True)
class Measurement:
    """A version of a run against opponents, in new situations."""

    version: int
    against: str
    games: int
    file: Path


def eval_arguments(run: SweepRun, items: Sequence[Measurement]) -> list[str]:
    """Return the arguments of `grandstand` that make measurements of a run in one process."""
    versions = dict.fromkeys(str(item.version) for item in items)
    against = dict.fromkeys(item.against for item in items)
    return [
        *("train", "eval", "--out", str(run.train_folder), "--games", str(items[0].games), "--label", LABEL, "--json"),
        *(word for version in versions for word in ("--version", version)),
        *(word for name in against for word in ("--against", name)),
    ]


def measurement(sweep: Sweep, run: SweepRun, version: Version, against: str) -> Measurement | None:
    """Return a measurement of a trained run; None if no best version can be chosen."""
    step = run.config.run.steps if version == "last" else best_step(run, sweep.file.measure.select)
    if step is None:
        return None
    games = sweep.file.measure.games
    file = run.folder / MEASURES / f"v{step:06d}-{against}-{games}.json"
    return Measurement(step, against, games, file)


def measurements(sweep: Sweep, run: SweepRun) -> list[Measurement]:
    """Return all measurements of a trained run, each once."""
    measure = sweep.file.measure
    planned = [measurement(sweep, run, version, name) for version in measure.versions for name in measure.against]
    return list(dict.fromkeys(item for item in planned if item is not None))


def measured(item: Measurement) -> Mapping[str, Any] | None:
    """Return a stored measurement, or None."""
    data = _read_json(item.file)
    return data if isinstance(data, dict) else None


def is_complete(sweep: Sweep, run: SweepRun) -> bool:
    """Return whether a run is trained and all its measurements are made."""
    measure = sweep.file.measure
    chosen = "best" not in measure.versions or best_step(run, measure.select) is not None
    return is_trained(run) and chosen and all(measured(item) is not None for item in measurements(sweep, run))


def state_of(sweep: Sweep, run: SweepRun) -> State:
    """Return the state of a run."""
    if not run.folder.is_dir():
        return "blocked" if run.parent and state_of(sweep, run.parent) in ("failed", "blocked") else "planned"
    if is_complete(sweep, run):
        return "completed"
    if is_locked(run.folder) or (run.base is not None and not is_begun(run) and is_locked(run.base.folder)):
        return "running"
    if failure_of(run.folder) is not None:
        return "failed"
    return "interrupted" if is_begun(run) else "planned"


def is_locked(folder: Path) -> bool:
    """Return whether a process is at work in the folder."""
    try:
        with lock_folder(folder):
            return False
    except BlockingIOError:
        return True


def attempts(run: SweepRun | SweepBase) -> list[dict[str, Any]]:
    """Return the commands that were executed for a run or a base, with their times and exit statuses."""
    return [json.loads(line) for line in _whole_lines(run.folder / ATTEMPTS)]


def machines(run: SweepRun) -> Sequence[Mapping[str, Any]]:
    """Return the machines and versions that a run was trained with, each once."""
    return [json.loads(line) for line in dict.fromkeys(_whole_lines(run.train_folder / MACHINES))]


def published_training(folder: Path) -> str:
    """Return the id that the newest episode of a training run has on its server; '' if it has none there yet."""
    buffer = folder / BUFFER
    if not buffer.is_file():
        return ""
    try:
        with closing(Recorder.reading(buffer)) as recorder:
            summaries, _ = recorder.summaries(game=TRAINING, limit=1)
    except (RecordError, sqlite3.Error):  # the run is about to create it
        return ""
    return summaries[0].episode_id if summaries else ""


def _whole_lines(path: Path) -> list[str]:
    """Return the lines of a file without one that a kill cut short."""
    lines = path.read_text("utf-8").splitlines(keepends=True) if path.is_file() else []
    return [line for line in lines if line.endswith("\n")]


def _write_json(path: Path, data: Any) -> None:
    with replace_file(path) as part:
        part.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


def _read_json(path: Path) -> Any:
    """Return the data of a file; None if there is none, or it is damaged, so that it is made again."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return None


def progress_of(sweep: Sweep, run: SweepRun) -> dict[str, Any]:
    """Return the state of a run and how many of its steps are done, as data."""
    state, failure = state_of(sweep, run), failure_of(run.folder)
    rows = read_lines(run.train_folder)
    return {
        "id": run.id,
        "state": state,
        "step": int(rows[-1]["step"]) if rows else trained_steps(run),
        "steps": run.config.run.steps,
        "note": f"{failure.cause}: {failure.message}" if failure and state == "failed" else "",
        "folder": str(run.folder),
    }
