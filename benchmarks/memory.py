"""Measure the memory of a server while matches of many kinds are played, and while many visitors read.

    python -m benchmarks.memory --seconds 60
    python -m benchmarks.memory --seconds 600 --viewers 1000

The matches are played at full speed, one after another, and visitors then read them for some seconds, while viewers
watch one more match. The memory is that of the server's own process: the processes in which it reads imports and draws
pictures are not in it.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import connect

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
CONNECTIONS = 100
"""Viewers who connect in a second."""
PARTS = 10
"""Rows of the table while visitors read for a minute or longer."""


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


@contextmanager
def watched(server: LiveServer, episode: str, viewers: int) -> Iterator[None]:
    """Let so many viewers watch an episode until the block ends. Raises the error of one that could not."""
    url = server.url.replace("http", "ws", 1) + f"/api/episodes/{episode}/watch"
    connected, over = threading.Event(), threading.Event()

    async def watch(number: int) -> None:
        visitor = {"X-Forwarded-For": f"198.51.100.{number % 250}"}
        async with connect(url, additional_headers=visitor, max_size=None, ping_interval=None) as socket:
            async for _ in socket:
                pass

    async def all_of_them() -> None:
        async with asyncio.TaskGroup() as group:
            tasks = []
            for number in range(viewers):
                tasks.append(group.create_task(watch(number)))
                await asyncio.sleep(1 / CONNECTIONS)
            connected.set()
            await asyncio.to_thread(over.wait)
            for task in tasks:
                task.cancel()

    with ThreadPoolExecutor(1) as pool:
        watching = pool.submit(asyncio.run, all_of_them())
        while not connected.wait(0.1) and not watching.done():
            pass
        try:
            yield
        finally:
            over.set()
            watching.result()


def measure(folder: Path, seconds: float, viewers: int) -> Iterator[list[Cell]]:
    """Yield the rows of the table."""
    episodes: list[str] = []
    with live_server(folder, PYTHONPATH=str(ROOT)) as server:
        yield measured(server, "the start", 0)
        for game, options in MATCHES:
            episodes.append(server.start_match(game=game, options=options, pace=0, seed=3))
            last = server.wait_for(episodes[-1], status="finished", timeout=600.0)["last_seq"]
            yield measured(server, f"{game}, {options}", last + 1)
        live = server.start_match(game="cricket", options={"overs": 50}, pace=2, seed=5) if viewers else ""
        with watched(server, live, viewers):
            if viewers:
                yield measured(server, f"{viewers} viewers came", 0)
            parts = PARTS if seconds >= 60 else 1
            for part in range(parts):
                with ThreadPoolExecutor(READERS) as pool:
                    readers = range(part * READERS, (part + 1) * READERS)
                    answers = sum(pool.map(lambda seed: read(server, episodes, seconds / parts, seed), readers))
                yield measured(server, f"{answers} reads", 0)
            time.sleep(IDLE)
            yield measured(server, f"{IDLE:g} s without requests", 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long visitors read")
    parser.add_argument("--viewers", type=int, default=0, help="who watch a match meanwhile")
    add_out(parser)
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = list(measure(Path(folder), flags.seconds, flags.viewers))
    publish("The memory of a server", "matches at full speed", [table("Memory", COLUMNS, rows)], flags.out)


if __name__ == "__main__":
    main()
