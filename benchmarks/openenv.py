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

from tests.support.live_server import ROOT, LiveServer, live_server

SESSIONS = 16
MATCHES: dict[str, dict[str, Any]] = {
    "Diplomacy against holding powers": {"seat": "FRANCE", "opponents": "hold", "wait": 5},
    "Diplomacy against random powers": {"seat": "FRANCE", "opponents": "random", "wait": 5},
    "cricket against a random captain": {"game": "cricket", "opponents": "random", "wait": 5},
}


def imported(module: str) -> str:
    """Processor seconds and peak memory of a process that imports `module`."""
    code = f"import {module}, resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return f"{seconds:.1f} s of CPU, {done.stdout.strip()} MB"


def load(server: LiveServer) -> str:
    """Load OpenEnv and time the page's answers meanwhile."""
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
    return f"{loaded:.1f} s; meanwhile {len(took)} answers of the server: {spread(took)}"


def spread(seconds: Sequence[float]) -> str:
    ordered = sorted(seconds)
    p50, p99 = statistics.median(ordered), ordered[int(len(ordered) * 0.99)]
    return f"p50 {p50 * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms, max {ordered[-1] * 1000:.1f} ms"


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
    steps = parser.parse_args().steps
    for module in ("server.app", "grandstand.server.openenv.app"):
        print(f"import {module}: {imported(module)}")
    with tempfile.TemporaryDirectory() as folder, live_server(Path(folder)) as server:
        print(f"loading: {load(server)}")
        for name, words in MATCHES.items():
            took: list[float] = []
            play(server.url, words, steps, took)
            print(f"{name}: {len(took) / sum(took):.0f} steps/s; {spread(took)}")
        took = []
        words = MATCHES["cricket against a random captain"]
        threads = [threading.Thread(target=play, args=(server.url, words, steps, took)) for _ in range(SESSIONS)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        rate = len(took) / (time.perf_counter() - began)
        print(f"{SESSIONS} sessions of that at the same time: {rate:.0f} steps/s; {spread(took)}")


if __name__ == "__main__":
    main()
