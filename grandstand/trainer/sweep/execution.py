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
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from queue import SimpleQueue

import grandstand
from grandstand.atomic import lock_folder, replace_file
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
    best_step,
    eval_arguments,
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
_SOON = 0.05
"""Seconds from one question whether a process has ended to the next."""
_ACTIVITIES = {"base": "preparing", "train": "training", "measure": "measuring"}
"""Stage of an attempt -> that of its run."""
OnChange = Callable[[SweepRun, str], object]
"""Called with a run and its stage: waiting, preparing, training, measuring, completed, failed or interrupted."""


class _Stopped(Exception):
    """The sweep was interrupted."""


class _Failed(Exception):
    """A run has failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def command_line(sweep: Sweep, item: SweepRun | SweepBase, arguments: Sequence[str], slot: int = 0) -> list[str]:
    """Return the command that executes `grandstand ARGUMENTS` for a run or base, by the sweep's template if it has one.

    >>> RunnerSettings(command="ssh gpu{slot} 'cd grandstand && .venv/bin/grandstand {arguments}'")
    """
    runner = sweep.file.runner
    words = _by_template(runner.command, item, arguments, slot)
    if runner.engine == "local":
        return words
    options = ["--address", runner.address, "--cpus", f"{runner.cpus:g}", "--gpus", f"{runner.gpus:g}"]
    return [sys.executable, "-m", "grandstand.trainer.ray.command", *options, "--", *words]


def _by_template(template: str, item: SweepRun | SweepBase, arguments: Sequence[str], slot: int) -> list[str]:
    if not template:
        return [sys.executable, "-m", "grandstand", *arguments]
    names = {"folder": str(item.folder), "name": item.config.run.name, "slot": slot}
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
    base = ["--base", str(run.base.folder)] if run.base is not None and not is_begun(run) else []
    return ["train", *start, "--out", str(run.train_folder), *base, "--json"]


def base_arguments(base: SweepBase) -> list[str]:
    """Return the arguments of `grandstand` that make a base."""
    return ["train", "bc", "--config", str(base.folder / SETTINGS), "--out", str(base.folder), "--json"]


class Execution:
    """The execution of a sweep's runs. Use as `Execution(sweep, jobs, on_change).execute(runs)`."""

    def __init__(self, sweep: Sweep, jobs: int, on_change: OnChange = lambda run, stage: None) -> None:
        self._sweep, self._jobs, self._on_change = sweep, jobs, on_change
        self._leaving = threading.Event()
        self._base_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._failed_bases: dict[str, Failure] = {}
        """Bases that could not be cloned; they are tried once for all runs."""
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
        self._on_change(run, "waiting")
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
        """Make the base that the run begins with, unless it is there. Raises _Failed or _Stopped."""
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
        """Make all measurements that are left, in one process. Raises _Failed or _Stopped."""
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
        """Execute a command while holding the lock of a run or base, unless nothing is left to do.

        `ended` is called before the lock is given up. Raises _Failed or _Stopped.
        """
        while not self._leaving.is_set():
            try:
                with lock_folder(item.folder) as lock:
                    words = arguments()
                    if words is None:
                        return
                    self._on_change(run, _ACTIVITIES[stage])
                    try:
                        self._attempt(item, run, stage, command_line(self._sweep, item, words, slot), lock, out)
                    finally:
                        ended()
                    return
            except BlockingIOError:  # another sweep, or a process that an earlier one left, is at work on it
                time.sleep(POLL)
        raise _Stopped

    def _attempt(
        self, item: SweepRun | SweepBase, run: SweepRun, stage: str, words: list[str], lock: int, out: Path | None
    ) -> None:
        (run.folder / FAILURE).unlink(missing_ok=True)
        began, log = time.time(), item.folder / LOG
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
                status, cpu = self._wait(process, lambda: self._on_change(run, _ACTIVITIES[stage]))
        runner = self._sweep.file.runner
        here = runner.engine == "local" and not runner.command
        note_attempt(item, stage, words, began, cpu if here else None, status)
        if self._leaving.is_set() and status:
            raise _Stopped
        if status:
            raise _Failed(Failure(_cause(status, stage), stage, _last_line(log, start, status)))

    def _wait(self, process: subprocess.Popen[bytes], look: Callable[[], object]) -> tuple[int, float]:
        """Return the exit status and the CPU seconds of a process.

        If the sweep is interrupted, the process is too, and it is killed if it does not end.
        """
        looked = time.monotonic()
        interrupted: float | None = None
        while (ended := _ended(process)) is None:
            now = time.monotonic()
            if interrupted is None and self._leaving.is_set():
                interrupted = now
                os.killpg(process.pid, signal.SIGINT)
            elif interrupted is not None and now - interrupted > PATIENCE:
                os.killpg(process.pid, signal.SIGKILL)
            elif now - looked >= POLL:
                looked = now
                look()
            time.sleep(_SOON)
        return ended


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


def _ended(process: subprocess.Popen[bytes]) -> tuple[int, float] | None:
    """Return the exit status and the CPU seconds of a process, with those of the processes that it waited for.

    None if it is at work.
    """
    pid, status, usage = os.wait4(process.pid, os.WNOHANG)
    if not pid:
        return None
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def child_environment() -> dict[str, str]:
    """Return an environment in which `python -m grandstand` is the same Grandstand as here."""
    root = str(Path(str(grandstand.__file__)).parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _keep_results(out: Path, items: Sequence[Measurement]) -> None:
    """Store the measurements in the output of a process, and delete it."""
    if not out.is_file():
        return
    wanted = {(item.version, item.against): item for item in items}
    for line in out.read_text("utf-8").splitlines():
        try:
            result = json.loads(line)["result"]
            item = wanted.get((result["version"], result["against"]))
        except (KeyError, TypeError, json.JSONDecodeError):  # a wrapper's own words, or a line that a kill cut short
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


def _last_line(log: Path, start: int, status: int) -> str:
    """Return the last line that an attempt wrote for people, with the name of the signal that ended it.

    A shell or a cluster passes on a signal as 128 and its number.
    """
    with log.open("rb") as file:
        file.seek(start)
        lines = [line.strip() for line in file.read().decode("utf-8", "replace").splitlines()]
    plain = [line for line in lines if line and not line.startswith("{")]
    number = -status if status < 0 else status - 128
    if number in set(signal.Signals):
        name = signal.Signals(number).name
        return " ".join([f"by {name}", *([f"after: {plain[-1]}"] if plain else [])])
    return plain[-1] if plain else f"exit status {status}"
