"""A restart with unfinished matches: `python benchmarks/restart.py [--matches N] [--seconds S]`.

Plays N matches of Diplomacy and N of cricket (50 overs) at full speed for S seconds, pauses them, kills the server, and
starts it again on the same record. Says the CPU time until the port answers and until every match is taken up, and the
longest time that `/api/health` took to answer meanwhile.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TICKS = os.sysconf("SC_CLK_TCK")


class Server:
    """`grandstand serve` in a process of its own."""

    def __init__(self, data: str, slots: int) -> None:
        command = ["serve", "--port", "0", "--data", data, "--showcase", "", "--slots", str(slots)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "grandstand", *command],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        match = re.search(r"http://\S+", self.process.stdout.readline())
        assert match, "the server did not start"
        self.url = match.group()

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def cpu(self) -> float:
        """CPU seconds of the process so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


@contextmanager
def serving(data: str, slots: int) -> Iterator[Server]:
    server = Server(data, slots)
    try:
        yield server
    finally:
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()


def play(data: str, matches: int, seconds: float) -> dict[str, int]:
    """Leave a record of unfinished matches; return their epochs by episode."""
    with serving(data, 2 * matches) as server:
        requests: list[dict[str, Any]] = [{"game": "diplomacy"}, {"game": "cricket", "options": {"overs": 50}}]
        for _ in range(matches):
            for request in requests:
                server.ask("/api/episodes", {**request, "pace": 0})
        time.sleep(seconds)
        live = server.ask("/api/episodes?status=live&limit=200")["episodes"]
        for episode in live:
            with suppress(urllib.error.HTTPError):  # it has just ended
                server.ask(f"/api/episodes/{episode['episode_id']}/commands", {"command": "pause"})
        live = server.ask("/api/episodes?status=live&limit=200")["episodes"]
        print(f"{len(live)} unfinished matches, {sum(episode['last_seq'] + 1 for episode in live):,} events")
        return {episode["episode_id"]: episode["epoch"] for episode in live}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60.0)
    wanted = parser.parse_args()
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as data:
        epochs = play(data, wanted.matches, wanted.seconds)
        began = time.perf_counter()
        with serving(data, 2 * wanted.matches) as server:
            server.ask("/api/health")
            print(f"the port answers after {time.perf_counter() - began:.2f} s, {server.cpu():.2f} CPU s")
            slowest = 0.0
            while server.ask("/api/health")["queued"]:
                asked = time.perf_counter()
                server.ask("/api/health")
                slowest = max(slowest, time.perf_counter() - asked)
                time.sleep(0.005)
            print(f"all are taken up after {time.perf_counter() - began:.2f} s, {server.cpu():.2f} CPU s")
            print(f"the slowest answer meanwhile took {slowest * 1000:.0f} ms")
            live = server.ask("/api/episodes?status=live&limit=200")["episodes"]
            assert all(episode["epoch"] > epochs[episode["episode_id"]] for episode in live)
            assert len(live) == len(epochs)


if __name__ == "__main__":
    main()
