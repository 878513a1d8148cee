"""Execute a command on a node of a Ray cluster as if it were executed here: `python -m grandstand.trainer.ray.command`.

Its output comes back when it ends, and its exit status is this process's. Ctrl-C interrupts it there, and a second one
kills it. If this process is killed, it is killed too; if its node is lost, the exit status is that of a killed process.
Folders must be on a disk that all nodes share, under the same paths.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from threading import Event
from typing import Any

import ray
from ray.exceptions import RayTaskError

from grandstand.trainer.model.sampler import BackendError
from grandstand.trainer.ray.cluster import LOST, ClusterConnection, Reservation, reason, resources
from grandstand.trainer.ray.parcel import process_info

MODULE = "grandstand.trainer.ray.command"
NOT_EXECUTED, LOST_STATUS = 126, 128 + signal.SIGKILL
PATIENCE = 120.0
"""Seconds that an interrupted command has to end by itself, for it may write a checkpoint.

A second interrupt kills it at once.
"""
PAUSES = (0.5, 2.0)
"""Seconds before a command whose process was lost while it started is started again."""
_DIE_WITH_PARENT = 1
"""Linux's PR_SET_PDEATHSIG."""


@dataclass(frozen=True)
class EndedCommand:
    """A command that has ended on a node."""

    status: int
    output: str
    errors: str


class RemoteCommand:
    """A command on this process's node, and its interrupt; both may be called at the same time."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._tried = Event()
        """Set when the process has started, or cannot."""

    def execute(self, words: Sequence[str], folder: str, path: str, code: str) -> EndedCommand:
        """Execute the command in the same folder as the caller's. Raises BackendError if that is impossible."""
        own = process_info()
        if own.code != code:
            raise BackendError(f"{own.host}: it has another version of Grandstand; install the same one on every node")
        try:
            self._process = process = subprocess.Popen(
                words,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": path},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
                preexec_fn=_begin,
            )
        except OSError as error:
            name = error.filename or words[0]
            raise BackendError(
                f"{own.host}: {name}: {error.strerror}; every node needs the same folders and programs"
            ) from error
        finally:
            self._tried.set()
        output, errors = process.communicate()
        return EndedCommand(process.returncode, output, errors)

    def interrupt(self) -> None:
        """Interrupt the command, once it has started. One that does not end by itself is killed."""
        self._tried.wait()
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGINT)
            try:
                self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)


def _begin() -> None:
    """End with this process, and take interrupts, which Ray's processes block."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)


def run(address: str, place: Reservation, words: Sequence[str]) -> int:
    """Execute a command on a node, write its output here, and return its exit status."""
    try:
        connection = ClusterConnection(address)
    except BackendError as error:
        return _not_executed(str(error).replace("backend.address", "address"))
    try:
        return _run(place, words)
    finally:
        connection.close()


def _run(place: Reservation, words: Sequence[str]) -> int:
    _check_resources(place)
    call = words, os.getcwd(), os.environ.get("PYTHONPATH", ""), process_info().code
    try:
        with ExitStack() as killed:
            command = _started(place, killed)
            return _outcome(command, command.execute.remote(*call))
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    except RayTaskError as error:
        if isinstance(error.cause, BackendError):
            return _not_executed(str(error.cause))
        raise
    except LOST as error:
        sys.stderr.write(f"the node or its process was lost: {reason(error)}\n")
        return LOST_STATUS


def _started(place: Reservation, killed: ExitStack) -> Any:
    """Return a RemoteCommand that is ready, one of those that `killed` kills.

    One that is lost before it is ready has done nothing, and another takes its place. Raises one of LOST.
    """
    remote: Any = ray.remote(RemoteCommand)
    size = {"num_cpus": place.cpus, "num_gpus": place.gpus}
    for pause in (*PAUSES, None):
        command = remote.options(max_concurrency=2, scheduling_strategy="SPREAD", **size).remote()
        killed.callback(ray.kill, command)
        try:
            ray.get(command.__ray_ready__.remote())
            break
        except LOST:
            if pause is None:
                raise
            time.sleep(pause)
    return command


def _outcome(command: Any, executed: ray.ObjectRef[EndedCommand]) -> int:
    """Wait for the end of the command, which the first Ctrl-C interrupts and the second one kills."""
    try:
        return _written(ray.get(executed))
    except KeyboardInterrupt:
        command.interrupt.remote()
        return _written(ray.get(executed))


def _check_resources(place: Reservation) -> None:
    """Print a notice if no node has the resources, so that the command has to wait."""
    nodes: list[dict[str, Any]] = ray.nodes()  # type: ignore[no-untyped-call]
    sizes = [node["Resources"] for node in nodes if node["Alive"]]
    if not any(size.get("CPU", 0) >= place.cpus and size.get("GPU", 0) >= place.gpus for size in sizes):
        sys.stderr.write(f"waiting for a node with {place}; the cluster has {resources()}\n")


def _written(outcome: EndedCommand) -> int:
    sys.stdout.write(outcome.output)
    sys.stderr.write(outcome.errors)
    return outcome.status if outcome.status >= 0 else 128 - outcome.status


def _not_executed(message: str) -> int:
    sys.stderr.write(f"{message}\n")
    return NOT_EXECUTED


def main() -> int:
    parser = argparse.ArgumentParser(prog=MODULE)
    parser.add_argument("--address", required=True)
    parser.add_argument("--cpus", type=float, required=True)
    parser.add_argument("--gpus", type=float, required=True)
    parser.add_argument("words", nargs="+")
    options = parser.parse_args()
    return run(options.address, Reservation(options.cpus, options.gpus, {}), options.words)


if __name__ == "__main__":
    from grandstand.trainer.ray import command  # nodes import what they execute from there

    sys.exit(command.main())
