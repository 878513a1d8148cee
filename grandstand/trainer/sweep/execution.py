"""Execute the runs of a sweep as processes of `grandstand train`, a few at a time, and resume what was interrupted.

Each process holds the lock of its run's folder. So if the sweep itself is killed, its runs go on to their end, and the
next process of the sweep waits for them instead of starting them a second time.
"""

from __future__ import annotations

import json
import shlex
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

from grandstand.atomic import lock_folder, replace_file
from grandstand.campaigns.campaign import CampaignObserver, Deadline
from grandstand.campaigns.processes import POLL, Interrupted, ProcessExecutor, last_line
from grandstand.trainer.learning.shared_base import is_prepared
from grandstand.trainer.sweep.expansion import Sweep, SweepBase, SweepRun
from grandstand.trainer.sweep.layout import (
    ATTEMPTS,
    FAILURE,
    LOG,
    MEASURES,
    SETTINGS,
    Cause,
    Failure,
    Measurement,
    State,
    best_step,
    eval_arguments,
    is_begun,
    is_trained,
    measured,
    measurements,
)

_ACTIVITIES = {"base": "preparing", "train": "training", "measure": "measuring"}
"""Stage of an attempt -> that of its run."""
RunObserver = CampaignObserver[SweepRun, State]
"""Called with the stages waiting, preparing, training, measuring and interrupted, and the outcome, completed or failed.
"""


class _Failed(Exception):
    """A run has failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def command_line(sweep: Sweep, item: SweepRun | SweepBase, arguments: Sequence[str], slot: int = 0) -> list[str]:
    """Return the command that executes `grandstand ARGUMENTS` for a run or base."""
    return sweep.file.runner.command_line(arguments, item.folder, item.config.run.name, slot)


def train_arguments(run: SweepRun) -> list[str]:
    """Return the arguments of `grandstand` that begin the training of a run, or resume it."""
    start = ["--resume"] if is_begun(run) else ["--config", str(run.folder / SETTINGS)]
    base = ["--base", str(run.base.folder)] if run.base is not None and not is_begun(run) else []
    return ["train", *start, "--out", str(run.train_folder), *base, "--json"]


def base_arguments(base: SweepBase) -> list[str]:
    """Return the arguments of `grandstand` that make a base."""
    return ["train", "bc", "--config", str(base.folder / SETTINGS), "--out", str(base.folder), "--json"]


class Execution(ProcessExecutor[SweepRun, State]):
    """The execution of a sweep's runs."""

    def __init__(self, sweep: Sweep, jobs: int, deadline: Deadline | None = None) -> None:
        super().__init__(jobs, deadline)
        self._sweep = sweep
        self._base_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._failed_bases: dict[str, Failure] = {}
        """Bases that could not be cloned; they are tried once for all runs."""

    def ready(self, left: Sequence[SweepRun], active: Sequence[SweepRun]) -> Sequence[SweepRun]:
        """Return the runs that wait for no other."""
        waiting = {run.id for run in (*left, *active)}
        return [run for run in left if run.parent is None or run.parent.id not in waiting]

    def carry_out(self, unit: SweepRun, slot: int) -> State:
        """Train and measure a run, from the point that was reached. Raises Interrupted."""
        try:
            self._complete(unit, slot)
        except _Failed as failed:
            failed.failure.save(unit.folder)
            return "failed"
        except Interrupted:
            self.observer.changed(unit, "interrupted")
            raise
        return "completed"

    def _complete(self, run: SweepRun, slot: int) -> None:
        """Train and measure, from the point that was reached. Raises _Failed or Interrupted."""
        run.folder.mkdir(parents=True, exist_ok=True)
        if run.parent is not None and not is_trained(run.parent):
            raise _Failed(Failure("parent", "train", f"{run.parent.id}, with whose policy it begins, has no result"))
        self.observer.changed(run, "waiting")
        self._prepare(run, slot)

        def arguments() -> list[str] | None:
            if is_trained(run):
                return None
            write_settings(run)
            return train_arguments(run)

        self._process(run, run, "train", arguments, slot)
        if not is_trained(run):
            raise _Failed(Failure("training", "train", "the command ended without an error and without the last step"))
        select = self._sweep.file.measure.select
        if "best" in self._sweep.file.measure.versions and best_step(run, select) is None:
            raise _Failed(Failure("measurement", "select", f"no kept version has {select}; change measure.select"))
        self._measure(run, slot)

    def _prepare(self, run: SweepRun, slot: int) -> None:
        """Make the base that the run begins with, unless it is there. Raises _Failed or Interrupted."""
        base = run.base
        if base is None or is_begun(run):
            return
        with self._base_locks[base.key]:
            if base.key in self._failed_bases:
                raise _Failed(self._failed_bases[base.key])
            try:
                self._clone(base, run, slot)
            except _Failed as failed:
                self._failed_bases[base.key] = failed.failure
                raise

    def _clone(self, base: SweepBase, run: SweepRun, slot: int) -> None:
        def arguments() -> list[str] | None:
            if is_prepared(base.folder):
                return None
            write_settings(base)
            return base_arguments(base)

        self._process(base, run, "base", arguments, slot)
        if not is_prepared(base.folder):
            raise _Failed(Failure("base", "base", "the command ended without an error and without a base"))

    def _measure(self, run: SweepRun, slot: int) -> None:
        """Make all measurements that are left, in one process. Raises _Failed or Interrupted."""
        items = measurements(self._sweep, run)
        part = run.folder / MEASURES / f"results-{self._sweep.file.measure.games}.part"
        part.parent.mkdir(exist_ok=True)

        def arguments() -> list[str] | None:
            _keep_results(part, items)  # of a process that was killed, or that an earlier sweep left
            left = [item for item in items if measured(item) is None]
            return eval_arguments(run, left) if left else None

        self._process(run, run, "measure", arguments, slot, part, lambda: _keep_results(part, items))
        if any(measured(item) is None for item in items):
            text = "the command printed no result; its output must be that of grandstand"
            raise _Failed(Failure("command", "measure", text))

    def _process(
        self,
        item: SweepRun | SweepBase,
        run: SweepRun,
        stage: str,
        arguments: Callable[[], list[str] | None],
        slot: int,
        out: Path | None = None,
        ended: Callable[[], object] = lambda: None,
    ) -> None:
        """Execute a command while holding the lock of a run or base, unless its work is done.

        `ended` is called before the lock is given up. Raises _Failed or Interrupted.
        """
        while not self.leaving.is_set():
            try:
                with lock_folder(item.folder) as lock:
                    words = arguments()
                    if words is None:
                        return
                    self._look(run, stage)
                    try:
                        self._attempt(item, run, stage, command_line(self._sweep, item, words, slot), lock, out)
                    finally:
                        ended()
                    return
            except BlockingIOError:  # another sweep, or a process that an earlier one left, is at work on it
                time.sleep(POLL)
        raise Interrupted

    def _attempt(
        self, item: SweepRun | SweepBase, run: SweepRun, stage: str, words: list[str], lock: int, out: Path | None
    ) -> None:
        (run.folder / FAILURE).unlink(missing_ok=True)
        began, log = time.time(), item.folder / LOG
        with log.open("ab") as errors:
            start = errors.tell()
            with (out or log).open("wb" if out else "ab") as output:
                try:
                    status, cpu = self.run(words, output, errors, [lock], lambda: self._look(run, stage))
                except OSError as error:
                    message = f"{words[0]}: {error.strerror}"
                    raise _Failed(Failure("command", stage, f"{message}; check runner.command")) from None
        note_attempt(item, stage, words, began, cpu if self._sweep.file.runner.here else None, status)
        if self.leaving.is_set() and status:
            raise Interrupted
        if status:
            raise _Failed(Failure(_cause(status, stage), stage, last_line(log, start, status)))

    def _look(self, run: SweepRun, stage: str) -> None:
        self.observer.changed(run, _ACTIVITIES[stage])


def note_attempt(
    item: SweepRun | SweepBase, stage: str, words: Sequence[str], began: float, cpu: float | None, status: int
) -> None:
    """Append a command that has just ended to the attempts; `cpu` is None if it may have run on another machine."""
    record = {"stage": stage, "command": shlex.join(words), "began": began, "ended": time.time(), "cpu": cpu}
    with (item.folder / ATTEMPTS).open("a", encoding="utf-8") as file:
        file.write(json.dumps({**record, "status": status}) + "\n")


def write_settings(item: SweepRun | SweepBase) -> None:
    with replace_file(item.folder / SETTINGS) as part:
        part.write_text(item.config.resolved(), "utf-8")


def _keep_results(out: Path, items: Sequence[Measurement]) -> None:
    """Store the measurements in the output of a process, and delete it."""
    if not out.is_file():
        return
    wanted = {(item.version, item.against): item for item in items}
    for line in out.read_text("utf-8").splitlines():
        try:
            result = json.loads(line)["result"]
            item = wanted.get((result["version"], result["against"]))
        except (KeyError, TypeError, json.JSONDecodeError):  # output of a wrapper, or a line that a kill cut short
            continue
        if item is not None:
            with replace_file(item.file) as part:
                part.write_text(json.dumps(result) + "\n", "utf-8")
    out.unlink()


def _cause(status: int, stage: str) -> Cause:
    """Attribute an exit status."""
    if status < 0 or status >= 128:
        return "killed"
    if status in (126, 127):
        return "command"
    if stage != "train":
        return "base" if stage == "base" else "measurement"
    return "settings" if status == 2 else "training"
