"""A real server in a process of its own, for tests that need a socket, a kill or a browser."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from tests.support import http
from tests.support.fork_server import ForkedProcess, fork_server
from tests.support.waiting import PATIENCE

ROOT = Path(__file__).parent.parent.parent


@dataclass
class LiveServer:
    """A running `grandstand serve` on a free loopback port.

    Requests go by plain HTTP: `verify=False` saves reading the certificates of this machine for each of them.
    """

    process: subprocess.Popen[str] | ForkedProcess
    url: str
    log: Path

    def kill(self) -> None:
        """Send SIGKILL and wait: the server cannot clean up."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """Send SIGTERM and wait for a graceful stop."""
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE)

    def get(self, path: str, **params: Any) -> Any:
        return http.get(self.url + path, params=params, timeout=PATIENCE).raise_for_status().json()

    def post(self, path: str, body: Any, **headers: str) -> httpx2.Response:
        return http.post(self.url + path, json=body, headers=headers, timeout=PATIENCE)

    def start_match(self, **request: Any) -> str:
        """Start a match and return its episode id."""
        started = self.post("/api/episodes", request).raise_for_status().json()
        return str(started["episode_id"])

    def command(self, episode_id: str, command: str, **arguments: Any) -> None:
        """Steer a match: `pause`, `resume`, `pace`, `stop` and so on."""
        self.post(f"/api/episodes/{episode_id}/commands", {"command": command, **arguments}).raise_for_status()

    def wait_for(self, episode_id: str, *, status: str | None = None, seq: int = 0, timeout: float = PATIENCE) -> Any:
        """Wait until the episode has that status and at least that many events."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            summary = self.get(f"/api/episodes/{episode_id}")
            if summary["last_seq"] >= seq and status in (None, summary["status"]):
                return summary
            time.sleep(0.05)
        raise AssertionError(f"{episode_id} did not come to {status or seq}: {summary}\n{self.log.read_text()}")


@contextmanager
def live_server(
    data: Path,
    *flags: str,
    port: int = 0,
    within: Sequence[str] = (),
    program: str = "",
    constants: Mapping[str, object] | None = None,
    **env: str,
) -> Iterator[LiveServer]:
    """Serve from `data` until the block ends. There is no showcase match unless a flag asks for one.

    `within` is a command that runs the command that follows it, in a sandbox for example. `program` is the console
    command of another environment. `constants` are other values, by the dotted name under which the code reads them. A
    server with one of these, or with a PYTHONPATH, has an interpreter of its own; any
    other is forked.
    """
    data.mkdir(parents=True, exist_ok=True)
    log = data / "grandstand.server.log"
    env = {"CARTESIA_API_KEY": "", **env}  # the tests do not use the key of the person who runs them
    arguments = ["serve", "--port", str(port), "--data", str(data), *flags]
    if "--showcase" not in flags:
        arguments += ["--showcase", ""]
    process: subprocess.Popen[str] | ForkedProcess
    with log.open("a") as errors:
        if within or program or "PYTHONPATH" in env:
            start = [program] if program else [sys.executable, "-m", "grandstand"]
            if constants:
                start = [sys.executable, "-m", "tests.support.constants", json.dumps(constants)]
            command = [*within, *start, *arguments]
            process = subprocess.Popen(
                command, cwd=ROOT, stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ, **env}
            )
        else:
            process = fork_server().start(
                arguments, stderr=errors.fileno(), env={**os.environ, **env}, constants=constants or {}
            )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        address = re.search(r"http://\S+", line)
        assert address, f"the server did not start: {log.read_text()}"
        server = LiveServer(process, address.group(), log)
        _wait_until_up(server)
        yield server
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def _wait_until_up(server: LiveServer) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            http.get(server.url + "/api/health", timeout=PATIENCE).raise_for_status()
            return
        except httpx2.TransportError:
            assert server.process.poll() is None, server.log.read_text()
            time.sleep(0.02)
    raise AssertionError("the server did not answer")
