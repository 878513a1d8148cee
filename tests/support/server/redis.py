"""A real server of Redis in a temporary folder, which keeps nothing on disk."""

from __future__ import annotations

import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.requirements import package, program
from tests.support.server.postgres import REMEDY


class RedisServer:
    """A server at one address that can be killed, frozen and started again."""

    def __init__(self, folder: Path) -> None:
        self.url = f"unix://{folder}/redis"
        self._command = [program("redis-server", remedy=REMEDY), "--port", "0", "--unixsocket", f"{folder}/redis"]
        self._command += ["--save", "", "--appendonly", "no", "--dir", str(folder)]
        self._process: subprocess.Popen[bytes] | None = None
        self.client = package("redis").Redis.from_url(self.url)

    def start(self) -> None:
        """Start it, empty, and wait until it answers."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        errors = package("redis").exceptions
        for _ in range(200):
            try:
                self.client.ping()
                return
            except errors.ConnectionError:
                time.sleep(0.05)
        raise RuntimeError("Redis did not start")

    def kill(self) -> None:
        """End it at once, with all that it holds."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    """Run a server for the block."""
    package("redis")
    with tempfile.TemporaryDirectory(prefix="redis-") as folder:
        server = RedisServer(Path(folder))
        server.start()
        try:
            yield server
        finally:
            server.kill()
