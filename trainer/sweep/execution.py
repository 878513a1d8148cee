"""Execute the runs of a sweep as processes of `grandstand train`, a few at a time, and resume what was interrupted.

Each process holds the lock of its run's folder. So if the sweep itself is killed, its runs go on to their end, and the
next process of the sweep waits for them instead of starting them a second time.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from queue import SimpleQueue

import grandstand
from grandstand.atomic import lock_folder, replace_file
from grandstand.trainer.sweep.expansion import Sweep, SweepRun
from grandstand.trainer.sweep.layout import (
    ATTEMPTS,
    FAILURE,
    LOG,
    SETTINGS,
    Cause,
    Failure,
    Measurement,
    best_step,
    is_begun,
    is_trained,
    measured,
    measurements,
    state_of,
)

PATIENCE = 30.0
"""Seconds that an interrupted process has to end by itself."""
POLL = 0.3
"""Seconds from one look at a process to the next."""
OnChange = Callable[[SweepRun, str], object]
"""Called with a run and its stage: waiting, training, measuring, completed, failed or interrupted."""


class _Stopped(Exception):
    """The sweep was interrupted."""


class _Failed(Exception):
    """A run has failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def command_line(sweep: Sweep, run: SweepRun, arguments: Sequence[str], slot: int = 0) -> list[str]:
    """Return the command that executes `grandstand ARGUMENTS` for a run, by the template of the sweep if it has one.

    >>> RunnerSettings(command="ssh gpu{slot} 'cd grandstand && .venv/bin/grandstand {arguments}'")
    """
    template = sweep.file.runner.command
    if not template:
        return [sys.executable, "-m", "grandstand", *arguments]
    names = {"folder": str(run.folder), "name": run.config.run.name, "slot": slot}
    words: list[str] = []
    for word in shlex.split(template):
        if word == "{arguments}":
            words += arguments
        else:
            words.append(word.format(arguments=shlex.join(arguments), **names))
    return words


def train_arguments(run: SweepRun) -> list[str]:
    """Return the arguments of `grandstand` that begin the training of a run, or resume it."""
    start = ["--resume"] if is_begun(run) else ["--config", str(run.folder / SETTINGS)]
    return ["train", *start, "--out", str(run.train_folder), "--json"]


class Execution:
    """The execution of a sweep's runs. Use as `Execution(sweep, jobs, on_change).execute(runs)`."""

    def __init__(self, sweep: Sweep, jobs: int, on_change: OnChange = lambda run, stage: None) -> None:
        self._sweep, self._jobs, self._on_change = sweep, jobs, on_change
        self._leaving = threading.Event()
        self._slots: SimpleQueue[int] = SimpleQueue()
        for slot in range(jobs):
            self._slots.put(slot)

    def execute(self, runs: Sequence[SweepRun]) -> None:
        """Execute the runs that have no complete result; one that fails does not stop the others.

        KeyboardInterrupt ends the processes, after which everything can be resumed.
        """
        left = [run for run in runs if state_of(self._sweep, run) != "completed"]
        with ThreadPoolExecutor(self._jobs) as pool:
            active: dict[Future[None], SweepRun] = {}
            try:
                while left or active:
                    for run in self._ready(left, list(active.values())):
                        left.remove(run)
                        active[pool.submit(self._execute, run)] = run
                    done, _ = wait(active, timeout=POLL, return_when=FIRST_COMPLETED)
                    for future in done:
                        del active[future]
                        future.result()
            finally:
                self._leaving.set()

    def _ready(self, left: Sequence[SweepRun], active: Sequence[SweepRun]) -> list[SweepRun]:
        """Return the runs to start now: those for which there is a slot, and that wait for no other."""
        waiting = {run.id for run in (*left, *active)}
        ready = [run for run in left if run.parent is None or run.parent.id not in waiting]
        return ready[: self._jobs - len(active)]

    def _execute(self, run: SweepRun) -> None:
        slot = self._slots.get()
        try:
            self._complete(run, slot)
        except _Failed as failed:
            failed.failure.save(run.folder)
            self._on_change(run, "failed")
        except _Stopped:
            self._on_change(run, "interrupted")
        else:
            self._on_change(run, "completed")
        finally:
            self._slots.put(slot)

    def _complete(self, run: SweepRun, slot: int) -> None:
        """Train and measure, from the point that was reached. Raises _Failed or _Stopped."""
        run.folder.mkdir(parents=True, exist_ok=True)
        if run.parent is not None and not is_trained(run.parent):
            raise _Failed(Failure("parent", "train", f"{run.parent.id}, with whose policy it begins, has no result"))
        with replace_file(run.folder / SETTINGS) as part:
            part.write_text(run.config.resolved(), "utf-8")
        self._on_change(run, "waiting")
        self._process(run, "train", lambda: None if is_trained(run) else train_arguments(run), slot)
        if not is_trained(run):
            raise _Failed(Failure("training", "train", "the command ended without an error and without the last step"))
        select = self._sweep.file.measure.select
        if "best" in self._sweep.file.measure.versions and best_step(run, select) is None:
            raise _Failed(Failure("measurement", "select", f"no kept version has {select}; change measure.select"))
        for item in measurements(self._sweep, run):
            self._measure(run, item, slot)

    def _measure(self, run: SweepRun, item: Measurement, slot: int) -> None:
        item.file.parent.mkdir(exist_ok=True)
        part = item.file.with_suffix(".part")
        stage = f"measure {item.file.stem}"
        self._process(run, stage, lambda: None if measured(item) is not None else item.arguments(run), slot, part)
        if measured(item) is None:
            part.replace(item.file)

    def _process(
        self,
        run: SweepRun,
        stage: str,
        arguments: Callable[[], list[str] | None],
        slot: int,
        out: Path | None = None,
    ) -> None:
        """Execute a command while holding the run's lock, unless nothing is left to do. Raises _Failed or _Stopped."""
        while not self._leaving.is_set():
            try:
                with lock_folder(run.folder) as lock:
                    words = arguments()
                    if words is None:
                        return
                    self._on_change(run, _activity(stage))
                    self._attempt(run, stage, command_line(self._sweep, run, words, slot), lock, out)
                    return
            except BlockingIOError:  # a process that an earlier sweep left is at work on it
                time.sleep(POLL)
        raise _Stopped

    def _attempt(self, run: SweepRun, stage: str, words: list[str], lock: int, out: Path | None) -> None:
        (run.folder / FAILURE).unlink(missing_ok=True)
        began, log = time.time(), run.folder / LOG
        with log.open("ab") as errors:
            start = errors.seek(0, os.SEEK_END)
            with (out or log).open("wb" if out else "ab") as output:
                try:
                    process = subprocess.Popen(
                        words,
                        stdin=subprocess.DEVNULL,
                        stdout=output,
                        stderr=errors,
                        pass_fds=(lock,),
                        start_new_session=True,  # Ctrl-C reaches the sweep alone, which ends its processes in order
                        env=child_environment(),
                    )
                except OSError as error:
                    message = f"{words[0]}: {error.strerror}"
                    raise _Failed(Failure("command", stage, f"{message}; check runner.command")) from None
                status = self._wait(process, lambda: self._on_change(run, _activity(stage)))
        record = {"stage": stage, "command": shlex.join(words), "began": began, "ended": time.time(), "status": status}
        with (run.folder / ATTEMPTS).open("a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
        if self._leaving.is_set() and status:
            raise _Stopped
        if out is not None and not status:
            _keep_result(out, stage)
        if status:
            raise _Failed(Failure(_cause(status, stage), stage, _last_line(log, start, status)))

    def _wait(self, process: subprocess.Popen[bytes], look: Callable[[], object]) -> int:
        """Return the exit status; interrupt the process when the sweep is, and kill it if it does not end."""
        while True:
            try:
                return process.wait(POLL)
            except subprocess.TimeoutExpired:
                if self._leaving.is_set():
                    break
                look()
        os.killpg(process.pid, signal.SIGINT)
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return process.wait()


def _activity(stage: str) -> str:
    return "training" if stage == "train" else "measuring"


def child_environment() -> dict[str, str]:
    """Return an environment in which `python -m grandstand` is the same Grandstand as here."""
    root = str(Path(str(grandstand.__file__)).parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _keep_result(out: Path, stage: str) -> None:
    """Reduce the output of a measurement to its result. Raises _Failed if there is none."""
    lines = out.read_text("utf-8").splitlines()
    try:
        result = json.loads(lines[-1])["result"]
    except (IndexError, KeyError, TypeError, json.JSONDecodeError):
        raise _Failed(
            Failure("command", stage, "the command printed no result; its output must be that of grandstand")
        ) from None
    out.write_text(json.dumps(result) + "\n", "utf-8")


def _cause(status: int, stage: str) -> Cause:
    """Attribute an exit status."""
    if status < 0 or status >= 128:
        return "killed"
    if status in (126, 127):
        return "command"
    if stage != "train":
        return "measurement"
    return "settings" if status == 2 else "training"


def _last_line(log: Path, start: int, status: int) -> str:
    """Return the last line that an attempt wrote for people, with the name of the signal that ended it."""
    with log.open("rb") as file:
        file.seek(start)
        lines = [line.strip() for line in file.read().decode("utf-8", "replace").splitlines()]
    plain = [line for line in lines if line and not line.startswith("{")]
    if status < 0:
        return " ".join([f"by {signal.Signals(-status).name}", *([f"after: {plain[-1]}"] if plain else [])])
    return plain[-1] if plain else f"exit status {status}"
