"""Measure the cost of OpenEnv and the speed of a session's steps: `python -m benchmarks.openenv [--steps N]`.

Loads OpenEnv in a running server while the page's own answers are timed; then plays sessions one after another over a
socket and times each step; then 16 sessions at the same time.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx2
from websockets.sync.client import ClientConnection, connect

from benchmarks.report import Cell, add_out, publish, table
from tests.support.live_server import ROOT, LiveServer, live_server

SESSIONS = 16
MATCHES: dict[str, dict[str, Any]] = {
    "Diplomacy against holding powers": {"seat": "FRANCE", "opponents": "hold", "wait": 5},
    "Diplomacy against random powers": {"seat": "FRANCE", "opponents": "random", "wait": 5},
    "cricket against a random captain": {"game": "cricket", "opponents": "random", "wait": 5},
}


def imported(module: str) -> tuple[float, float]:
    """Return the processor seconds and the peak memory, in bytes, of a process that imports `module`."""
    code = f"import {module}, resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return seconds, 1e6 * float(done.stdout)


def load(server: LiveServer) -> tuple[float, list[float]]:
    """Load OpenEnv; return the seconds that it takes, and those of the page's answers meanwhile."""
    took: list[float] = []
    done = threading.Event()

    def watch() -> None:
        with httpx2.Client(timeout=30) as client:
            while not done.is_set():
                began = time.perf_counter()
                client.get(server.url + "/api/health")
                took.append(time.perf_counter() - began)
                time.sleep(0.01)

    thread = threading.Thread(target=watch)
    thread.start()
    began = time.perf_counter()
    httpx2.get(server.url + "/schema", timeout=60).raise_for_status()
    loaded = time.perf_counter() - began
    done.set()
    thread.join()
    return loaded, took


def spread(seconds: Sequence[float]) -> list[Cell]:
    """Return the median, the 99th percentile and the greatest, in milliseconds."""
    ordered = sorted(seconds)
    return [1000 * value for value in (statistics.median(ordered), ordered[int(len(ordered) * 0.99)], ordered[-1])]


def ask(socket: ClientConnection, kind: str, data: Any) -> Any:
    socket.send(json.dumps({"type": kind, "data": data}))
    return json.loads(socket.recv())["data"]


def play(url: str, words: dict[str, Any], steps: int, took: list[float]) -> None:
    """Step through one match after another."""
    with connect(url.replace("http", "ws") + "/ws") as socket:
        observed = ask(socket, "reset", {**words, "show": ["legal"]})
        for _ in range(steps):
            legal = observed["observation"]["legal"] or {}
            action = {"tool": legal["must"], "arguments": {}} if "must" in legal else {"orders": []}
            began = time.perf_counter()
            observed = ask(socket, "step", {"action": action})
            took.append(time.perf_counter() - began)
            if observed["done"]:
                observed = ask(socket, "reset", {**words, "show": ["legal"]})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=300)
    add_out(parser)
    options = parser.parse_args()
    steps = options.steps
    costs = [[module, *imported(module)] for module in ("server.app", "grandstand.server.openenv.app")]
    with tempfile.TemporaryDirectory() as folder, live_server(Path(folder)) as server:
        loaded, answers = load(server)
        rows: list[list[Cell]] = [
            [f"answers of the server, while OpenEnv loads in {loaded:.1f} s", None, *spread(answers)]
        ]
        for name, words in MATCHES.items():
            took: list[float] = []
            play(server.url, words, steps, took)
            rows.append([name, len(took) / sum(took), *spread(took)])
        took = []
        words = MATCHES["cricket against a random captain"]
        threads = [threading.Thread(target=play, args=(server.url, words, steps, took)) for _ in range(SESSIONS)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rate = len(took) / (time.perf_counter() - began)
        rows.append([f"{SESSIONS} sessions of that at the same time", rate, *spread(took)])
    sections = [
        table("Imports", ["module", ("CPU", "seconds"), ("peak memory", "bytes")], costs),
        table("Steps", ["session", ("steps/s", "count"), "p50 ms", "p99 ms", "max ms"], rows),
    ]
    publish("OpenEnv", f"{steps} steps of each session", sections, options.out)


if __name__ == "__main__":
    main()
