"""Carries out units by commands: `grandstand ARGUMENTS` as processes here, by a template, or on a Ray cluster."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from string import Formatter
from types import FrameType
from typing import IO, Generic, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

import grandstand
from grandstand.campaigns.campaign import TIME_SPENT, CampaignObserver, Deadline, Outcome, Stopped, Unit

PATIENCE = 30.0
"""Seconds that an interrupted process has to end by itself."""
POLL = 0.3
"""Seconds between calls of `look` while a process runs."""
_SOON = 0.05
"""Seconds between checks whether a process has ended."""
PLACEHOLDERS = ("arguments", "folder", "name", "slot")
RAY_COMMAND = "grandstand.trainer.ray.command"
"""The module that executes a command on a node of a Ray cluster."""


class Runner(BaseModel):
    """The command that executes `grandstand ARGUMENTS`, and where."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True)

    command: str = ""
    """A command line with placeholders; empty for this installation of Grandstand."""
    engine: Literal["local", "ray"] = "local"
    """`local` executes on this machine, `ray` on the nodes of a Ray cluster."""
    address: str = "auto"
    """Address of the cluster."""
    cpus: float = Field(default=1, ge=0)
    """Processors of its node that a command reserves."""
    gpus: float = Field(default=0, ge=0)

    @model_validator(mode="after")
    def _placeholders(self) -> Self:
        try:
            names = [name for _, name, _, _ in Formatter().parse(self.command) if name is not None]
        except ValueError as error:
            raise ValueError(f"command: {error}; a brace of its own is written twice") from None
        if unknown := [name for name in names if name not in PLACEHOLDERS]:
            raise ValueError(f"command: there is no placeholder {unknown[0]!r}; there are {', '.join(PLACEHOLDERS)}")
        if self.command and "arguments" not in names:
            raise ValueError("command: it lacks {arguments}, the arguments of `grandstand`")
        return self

    @property
    def here(self) -> bool:
        """Return whether commands are children of this process on this machine."""
        return self.engine == "local" and not self.command

    def command_line(self, arguments: Sequence[str], folder: Path, name: str, slot: int = 0) -> list[str]:
        """Return the command that executes `grandstand ARGUMENTS` in `folder` for the unit `name`.

        >>> Runner(command="ssh gpu{slot} 'cd grandstand && .venv/bin/grandstand {arguments}'")
        """
        words = self._by_template(arguments, {"folder": str(folder), "name": name, "slot": slot})
        if self.engine == "local":
            return words
        options = ["--address", self.address, "--cpus", f"{self.cpus:g}", "--gpus", f"{self.gpus:g}"]
        return [sys.executable, "-m", RAY_COMMAND, *options, "--", *words]

    def _by_template(self, arguments: Sequence[str], names: Mapping[str, object]) -> list[str]:
        if not self.command:
            return [sys.executable, "-m", "grandstand", *arguments]
        words: list[str] = []
        for word in shlex.split(self.command):
            if word == "{arguments}":
                words += arguments
            else:
                words.append(word.format(arguments=shlex.join(arguments), **names))
        return words


class Interrupted(Exception):
    """The campaign was interrupted while the unit was carried out: the unit has no outcome."""


class ProcessExecutor(ABC, Generic[Unit, Outcome]):
    """Carries out units, `jobs` at a time, each in a thread that executes commands in a slot of its own."""

    def __init__(self, jobs: int, deadline: Deadline | None = None) -> None:
        self._jobs, self._deadline = jobs, deadline or Deadline()
        self.leaving = threading.Event()
        """Set when the campaign was interrupted: commands are interrupted too, and no further one begins."""
        self.observer: CampaignObserver[Unit, Outcome] = CampaignObserver()
        """The observer of the execution in progress."""
        self._slots: SimpleQueue[int] = SimpleQueue()
        for slot in range(jobs):
            self._slots.put(slot)

    @abstractmethod
    def carry_out(self, unit: Unit, slot: int) -> Outcome:
        """Carry out a unit, in a thread of its own. Raises Interrupted."""

    def ready(self, left: Sequence[Unit], active: Sequence[Unit]) -> Sequence[Unit]:
        """Return the units of `left` that can begin now: all, unless they depend on others."""
        return left

    def execute(self, units: Sequence[Unit], observer: CampaignObserver[Unit, Outcome] | None = None) -> Stopped | None:
        """Carry out units; return the reason of an early stop, if any. After an interrupt, the commands are ended."""
        self.observer = observer or CampaignObserver()
        with _interruptible() as signals, ThreadPoolExecutor(self._jobs) as pool:
            try:
                return self._execute(list(units), pool)
            except KeyboardInterrupt:
                self.leaving.set()
                return Stopped.by(signals[0] if signals else signal.SIGINT)
            except BaseException:
                self.leaving.set()
                raise

    def _execute(self, left: list[Unit], pool: ThreadPoolExecutor) -> Stopped | None:
        active: dict[Future[Outcome], Unit] = {}
        while active or left:
            if left and self._deadline.over:
                if not active:
                    return TIME_SPENT
            else:
                for unit in self.ready(left, list(active.values()))[: self._jobs - len(active)]:
                    left.remove(unit)
                    self.observer.began(unit)
                    active[pool.submit(self._in_slot, unit)] = unit
            done, _ = wait(active, timeout=POLL, return_when=FIRST_COMPLETED)
            for future in done:
                self.observer.ended(active.pop(future), future.result())
        return None

    def _in_slot(self, unit: Unit) -> Outcome:
        slot = self._slots.get()
        try:
            return self.carry_out(unit, slot)
        finally:
            self._slots.put(slot)

    def run(
        self,
        words: Sequence[str],
        out: IO[bytes],
        errors: IO[bytes],
        descriptors: Sequence[int] = (),
        look: Callable[[], object] = lambda: None,
    ) -> tuple[int, float]:
        """Execute a command, and return its exit status and CPU seconds. `look` is called now and then.

        If the campaign is interrupted, the command is too, and it is killed if it does not end. Raises OSError.
        """
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=errors,
            pass_fds=tuple(descriptors),
            start_new_session=True,  # so that Ctrl-C reaches only the campaign, which ends its processes in order
            env=child_environment(),
        )
        looked = time.monotonic()
        interrupted: float | None = None
        while (ended := _ended(process)) is None:
            now = time.monotonic()
            if interrupted is None and self.leaving.is_set():
                interrupted = now
                os.killpg(process.pid, signal.SIGINT)
            elif interrupted is not None and now - interrupted > PATIENCE:
                os.killpg(process.pid, signal.SIGKILL)
            elif now - looked >= POLL:
                looked = now
                look()
            time.sleep(_SOON)
        return ended


def child_environment() -> dict[str, str]:
    """Return an environment in which `python -m grandstand` is the same Grandstand as here."""
    root = str(Path(str(grandstand.__file__)).parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def last_line(log: Path, start: int, status: int) -> str:
    """Return the last line that a command wrote into `log` after `start` bytes, or else its exit status.

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


def _ended(process: subprocess.Popen[bytes]) -> tuple[int, float] | None:
    """Return the exit status and the CPU seconds of a process, with those of the processes that it waited for.

    None while it runs.
    """
    pid, status, usage = os.wait4(process.pid, os.WNOHANG)
    if not pid:
        return None
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


@contextmanager
def _interruptible() -> Iterator[list[int]]:
    """Let SIGTERM interrupt like Ctrl-C, and yield the signals that arrive."""
    signals: list[int] = []

    def interrupt(number: int, frame: FrameType | None) -> None:
        signals.append(number)
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield signals
        return
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, interrupt) for number in numbers}
    try:
        yield signals
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
