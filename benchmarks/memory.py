"""Measure the memory of a server while matches of many kinds are played, and while many visitors read.

    python -m benchmarks.memory --seconds 60

The matches are played at full speed, one after another, and visitors then read them for some seconds. The memory is
that of the server's own process: the processes in which it reads imports and draws pictures are not in it.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2

from benchmarks.report import Cell, add_out, publish, table
from benchmarks.siege_faults import READS
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.server.metrics import samples

MATCHES: Sequence[tuple[str, dict[str, Any]]] = (
    ("cricket", {"overs": 20}),
    ("diplomacy", {"last_year": 1908}),
    ("cricket", {"overs": 50}),
    ("cricket", {"overs": 40}),
    ("cricket", {"overs": 50}),
)
COLUMNS = ("after", "events", "MiB of the server", "CPU seconds of it")
READERS = 24
"""Connections of visitors at the same time."""
IDLE = 20.0
"""Seconds in which nothing is asked, so that the server can give memory back."""


def measured(server: LiveServer, after: str, events: Cell) -> list[Cell]:
    """Return a row of the table."""
    now = samples(server)
    return [after, events, now["process_resident_memory_bytes[]"] / 2**20, now["process_cpu_seconds_total[]"]]


def read(server: LiveServer, episodes: Sequence[str], seconds: float, seed: int) -> int:
    """Read as a visitor for some seconds; return the number of answers."""
    rng, end, count = random.Random(seed), time.monotonic() + seconds, 0
    with httpx2.Client(verify=False, timeout=60.0) as client:
        while time.monotonic() < end:
            visitor = {"X-Forwarded-For": f"203.0.113.{rng.randrange(250)}"}
            client.get(server.url + rng.choice(READS).format(rng.choice(episodes)), headers=visitor)
            count += 1
    return count


def measure(folder: Path, seconds: float) -> Iterator[list[Cell]]:
    """Yield the rows of the table."""
    episodes: list[str] = []
    with live_server(folder, PYTHONPATH=str(ROOT)) as server:
        yield measured(server, "the start", 0)
        for game, options in MATCHES:
            episodes.append(server.start_match(game=game, options=options, pace=0, seed=3))
            last = server.wait_for(episodes[-1], status="finished", timeout=600.0)["last_seq"]
            yield measured(server, f"{game}, {options}", last + 1)
        with ThreadPoolExecutor(READERS) as pool:
            answers = sum(pool.map(lambda seed: read(server, episodes, seconds, seed), range(READERS)))
        yield measured(server, f"{answers} reads", 0)
        time.sleep(IDLE)
        yield measured(server, f"{IDLE:g} s without requests", 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    add_out(parser)
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = list(measure(Path(folder), flags.seconds))
    publish("The memory of a server", "matches at full speed", [table("Memory", COLUMNS, rows)], flags.out)


if __name__ == "__main__":
    main()
