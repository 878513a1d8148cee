"""Keep one server process running: start it, check its health, restart it with growing pauses, and end it."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grandstand.trainer.model.sampler import SamplerError

log = logging.getLogger(__name__)

GUARD = Path(__file__).parent / "guard.py"
LOOK_SECONDS = 1.0
"""Seconds between two checks of the server's health."""
DEAF = 5
"""Checks in a row that it may leave unanswered."""
STEADY_SECONDS = 60.0
"""Seconds of service after which earlier deaths are forgotten."""
LONGEST_PAUSE = 60.0
PROGRESS_SECONDS = 10.0


class Lost(Exception):
    """No answer from the server: it is away, or too slow."""


@dataclass(frozen=True)
class Service:
    """The server process to supervise."""

    name: str
    launch: Callable[[], tuple[Sequence[str], Mapping[str, str]]]
    """Command and environment of the next start."""
    healthy: Callable[[], bool]
    """Raises Lost if the server does not answer."""
    up: Callable[[], None]
    """Called after each start, before it is ready. May raise SamplerError or Lost."""
    log: Path
    start_seconds: float
    deaths: int
    """Deaths in a row after which it is given up; a server that never came up is given up after two."""


class Supervisor:
    """All methods may be called by any thread."""

    def __init__(self, service: Service) -> None:
        self.restarts = 0
        self._service = service
        self._changed = threading.Condition()
        self._ready = self._doubted = self._closing = False
        self._fault = self._condemned = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name=service.name, daemon=True)
        self._thread.start()

    @property
    def ready(self) -> bool:
        """Raises SamplerError where it was given up or closed."""
        with self._changed:
            if self._fault:
                raise SamplerError(self._fault)
            return self._ready and not (self._doubted or self._condemned)

    def wait(self) -> None:
        """Wait until it is ready. Raises SamplerError if it was given up or closed."""
        with self._changed:
            while not self.ready:
                self._changed.wait()

    def doubt(self) -> None:
        """Count it as not ready until the next check, because it did not answer."""
        with self._changed:
            self._doubted = True
            self._changed.notify_all()

    def condemn(self, reason: str) -> None:
        """Restart it, whatever its health."""
        self._tell(condemned=reason)

    def close(self) -> None:
        """End the server and all its processes."""
        self._tell(closing=True)
        if (process := self._process) and process.stdin:
            process.stdin.close()  # immediately, since its thread may be waiting for an answer
        self._thread.join()

    def _run(self) -> None:
        """Check the server until `close` is called; this is the supervisor's thread."""
        deaths, ever, service = 0, False, self._service
        while True:
            up_at = float("inf")
            try:
                self._start()
                ever, up_at = True, time.monotonic()
                reason = self._watch()
            except (SamplerError, Lost) as error:
                reason = str(error)
            self._tell(ready=False, doubted=False, condemned="")
            self._end()
            if self._closing:
                return self._tell(fault=f"{service.name} was closed")
            deaths = 1 if time.monotonic() - up_at > STEADY_SECONDS else deaths + 1
            if deaths >= (service.deaths if ever else 2):
                fault = f"{service.name} was given up after {deaths} deaths in a row, the last: {reason}"
                log.error("%s", fault)
                return self._tell(fault=f"{fault} (see {service.log})")
            self.restarts += 1
            pause = min(2.0 ** (deaths - 1), LONGEST_PAUSE)
            log.warning("%s: %s; restart %d in %.0f s", service.name, reason, self.restarts, pause)
            self._pause(pause)

    def _start(self) -> None:
        service = self._service
        command, environment = service.launch()
        with service.log.open("ab") as out:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(GUARD), *command],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=out,
                env=environment,
                cwd=service.log.parent,
                start_new_session=True,
            )
        began = logged = time.monotonic()
        while not self._answers():
            now = time.monotonic()
            if (status := self._process.poll()) is not None:
                raise SamplerError(f"it ended with status {status} while starting: {self._tail()}")
            if now - began > service.start_seconds:
                raise SamplerError(f"it was not up after {now - began:.0f} s: {self._tail()}")
            if now - logged > PROGRESS_SECONDS:
                logged = now
                log.info("%s: starting for %.0f s: %s", service.name, now - began, self._tail(1))
            self._pause(LOOK_SECONDS)
            if self._closing:
                return
        service.up()
        log.info("%s: up after %.0f s", service.name, time.monotonic() - began)
        self._tell(ready=True)

    def _answers(self) -> bool:
        try:
            return self._service.healthy()
        except Lost:
            return False

    def _watch(self) -> str:
        """Wait until it has to be restarted or is closed, and return the reason."""
        assert self._process is not None
        deaf = 0
        while not self._closing:
            if (status := self._process.poll()) is not None:
                return f"it ended with status {status}: {self._tail()}"
            if self._condemned:
                return self._condemned
            try:
                if not self._service.healthy():
                    return f"it says that it is not well: {self._tail()}"
            except Lost as error:
                deaf += 1
                if deaf >= DEAF:
                    return f"it does not answer: {error}"
                time.sleep(LOOK_SECONDS / 10)
                continue
            deaf = 0
            self._tell(doubted=False)
            self._pause(LOOK_SECONDS)
        return "closed"

    def _pause(self, seconds: float) -> None:
        with self._changed:
            self._changed.wait_for(
                lambda: self._closing or (self._ready and (self._doubted or self._condemned)), seconds
            )

    def _end(self) -> None:
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()  # at which the guard ends them all
            self._process.wait()
            self._process = None

    def _tell(self, **changes: bool | str) -> None:
        with self._changed:
            for name, value in changes.items():
                setattr(self, f"_{name}", value)
            self._changed.notify_all()

    def _tail(self, lines: int = 12) -> str:
        with self._service.log.open("rb") as file:
            return b" | ".join(line.strip() for line in deque(file, lines)).decode("utf-8", "replace")
