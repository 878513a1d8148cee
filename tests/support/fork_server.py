"""A process that has imported the command, and forks one for each request of a test, so that a start costs no imports.

    python -m tests.support.fork_server FD MODULE...

Each server or command is a process of its own, with its own arguments, environment, output and process id, and can be
killed like any other. The start of a fresh interpreter is tested with the command itself.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parent.parent.parent
COMMANDS = ("grandstand.main", "grandstand.commands.evaluate", "grandstand.commands.tournament")
SERVER = ("grandstand.commands.serve", "grandstand.server.main", "grandstand.server.log")
GAMES = "tests.support.loaded_games"
LONGEST = 1 << 20
"""Bytes of the longest request: arguments and environment."""


class ForkedProcess:
    """A process of the fork server, with those methods of `subprocess.Popen` that tests use."""

    def __init__(self, pid: int, stdout: IO[str], status: int) -> None:
        self.pid = pid
        self.stdout = stdout
        self.returncode: int | None = None
        self._status = status

    def poll(self) -> int | None:
        """Return the exit status, negative for a signal, or None while the process runs."""
        return self._read(0)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit status once the process has ended; raise TimeoutExpired after `timeout` seconds."""
        status = self._read(timeout)
        if status is None:
            raise subprocess.TimeoutExpired("grandstand", timeout or 0)
        return status

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL."""
        self.send_signal(signal.SIGKILL)

    def _read(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._status], [], [], timeout)[0]:
            text = os.read(self._status, 16).decode()
            os.close(self._status)
            self.returncode = (
                int(text) if text else -signal.SIGKILL
            )  # no text means that the fork server itself was killed
        return self.returncode


class ForkServer:
    """A running fork server of this test process."""

    def __init__(self, modules: Sequence[str], python: Path | None = None) -> None:
        """`python` is the interpreter of another environment, in which the checkout is not to be imported."""
        self._socket, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        with other:
            program = [python, "-P", __file__] if python else [sys.executable, "-m", "tests.support.fork_server"]
            command = [*map(str, program), str(other.fileno()), *modules]
            self._process = subprocess.Popen(
                command, cwd=ROOT, pass_fds=[other.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
            )
        atexit.register(self.close)

    def start(
        self,
        arguments: Sequence[str],
        *,
        stderr: int,
        env: Mapping[str, str],
        cwd: Path = ROOT,
        constants: Mapping[str, object] | None = None,
    ) -> ForkedProcess:
        """Run `grandstand ARGUMENTS` in a new process."""
        output, child_output = os.pipe()
        status, child_status = os.pipe()
        about = {"arguments": list(arguments), "env": dict(env), "cwd": str(cwd), "constants": dict(constants or {})}
        request = json.dumps(about).encode()
        try:
            with self._lock:
                socket.send_fds(self._socket, [request], [child_output, stderr, child_status])
                pid = int(self._socket.recv(16))
        finally:
            os.close(child_output)
            os.close(child_status)
        return ForkedProcess(pid, os.fdopen(output, encoding="utf-8"), status)

    def close(self) -> None:
        """End the fork server and every process of it."""
        self._socket.close()
        self._process.wait()


@cache
def fork_server() -> ForkServer:
    """Return the fork server of this process, started at the first call."""
    return ForkServer((*COMMANDS, *SERVER, GAMES))


def _serve(connection: socket.socket, modules: Sequence[str]) -> None:
    """Fork on request until the other side is gone; report how each child ends."""
    gc.disable()
    for name in modules:
        importlib.import_module(name)
    gc.freeze()
    gc.enable()
    wake, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker)
    children: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([connection.fileno(), wake], [], [])
        if wake in ready:
            os.read(wake, 4096)
            _report(children)
        if connection.fileno() not in ready:
            continue
        data, files, _, _ = socket.recv_fds(connection, LONGEST, 3)
        if not data:
            break
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for file in (wake, waker, connection.fileno(), files[2], *children.values()):
                os.close(file)
            _run(json.loads(data), *files[:2])
        for file in files[:2]:
            os.close(file)
        children[pid] = files[2]
        connection.send(str(pid).encode())
    for pid in children:
        os.kill(pid, signal.SIGKILL)


def _report(children: dict[int, int]) -> None:
    for pid in list(children):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            file = children.pop(pid)
            with contextlib.suppress(BrokenPipeError):
                os.write(file, str(os.waitstatus_to_exitcode(status)).encode())
            os.close(file)


def _run(request: Mapping[str, Any], stdout: int, stderr: int) -> None:
    """Become `grandstand ARGUMENTS`; never return."""
    status = 1
    try:
        os.dup2(stdout, 1)
        os.dup2(stderr, 2)
        os.close(stdout)
        os.close(stderr)
        os.environ.clear()
        os.environ.update(request["env"])
        os.chdir(request["cwd"])
        if request["constants"]:
            from tests.support.constants import set_constants

            set_constants(request["constants"])
        sys.argv = ["grandstand", *request["arguments"]]
        status = _exit_status()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(status)


def _exit_status() -> int:
    from grandstand.main import app

    try:
        app()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        return 1
    return 0


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2:])
