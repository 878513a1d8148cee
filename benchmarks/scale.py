"""Measures several servers of one record: commits, and how long a match stands still when its server is killed.

    python benchmarks/scale.py postgresql://user@/database [--kills 5]

The database is filled with events of made-up episodes, which are deleted at the end. Each kill starts two servers, and
a match at one of them, which is then killed; the seconds are those from the kill to the event with which the match goes
on.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx2
import psycopg

from grandstand.events import EpisodeCreated, SeatInfo
from grandstand.models import Draft, Event
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.store.interface import EpisodeStore, OwningServer
from grandstand.spectator.store.postgres import PostgresStore

TOKEN = "benchmark-of-several-servers"
BATCHES = (1, 5, 20)
EVENTS = 2000


def events(episode_id: str) -> list[Event]:
    """Return events of about 1 KB each."""
    seats = [SeatInfo(seat="A", player="random", kind="bot")]
    created = Draft.of(EpisodeCreated(game="cricket", title="A match", options={}, seats=seats, origin="imported"))
    drafts = [created, *[Draft("Moved", {"text": "x" * 900, "number": number}) for number in range(EVENTS)]]
    return [
        Event(episode_id=episode_id, epoch=1, seq=seq, at=1.0, type=kind, audience=audience, data=data)
        for seq, (kind, data, audience) in enumerate(drafts)
    ]


def commits(store: EpisodeStore, name: str) -> list[str]:
    """Return the lines of a table: commits of each size of batch."""
    lines, ids = [], []
    for size in BATCHES:
        log = events(f"benchmark-{name}-{size}")
        ids.append(log[0].episode_id)
        store.on_events(log[:1])
        took = []
        for first in range(1, len(log), size):
            began = time.perf_counter()
            store.on_events(log[first : first + size])
            took.append(1000 * (time.perf_counter() - began))
        took.sort()
        p50, p99 = took[len(took) // 2], took[int(len(took) * 0.99)]
        lines.append(f"| {name} | {size} | {1000 * EVENTS / sum(took):,.0f} | {p50:.2f} | {p99:.2f} |")
    store.delete(ids)
    return lines


def served(url: str, folder: Path) -> tuple[subprocess.Popen[str], str]:
    """Start a server and return it with its address."""
    command = [sys.executable, "-m", "grandstand", "serve", "--port", "0", "--data", str(folder), "--showcase", "none"]
    folder.mkdir()
    env = {"GRANDSTAND_OPERATOR_TOKEN": TOKEN, "GRANDSTAND_STORE": url, "PATH": "/usr/bin:/bin"}
    env["PYTHONPATH"] = ":".join(filter(None, sys.path))
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=env)
    assert process.stdout is not None
    address = re.search(r"http://\S+", process.stdout.readline())
    if address is None:
        raise SystemExit(f"the server did not start: {(folder / 'log').read_text()}")
    return process, address.group()


def standstill(url: str, folder: Path) -> float:
    """Return the seconds for which a match stands still when its server is killed."""
    servers = [served(url, folder / name) for name in ("one", "two")]
    try:
        body = {"game": "cricket", "seed": 7, "pace": 0.3, "options": {"overs": 5}}
        headers = {"Authorization": f"Bearer {TOKEN}"}
        answer = httpx2.post(f"{servers[0][1]}/api/episodes", json=body, headers=headers, timeout=60)
        episode = answer.raise_for_status().json()["episode_id"]
        with psycopg.connect(url, autocommit=True) as db:
            _until(db, "SELECT next > 30 FROM episodes WHERE episode_id = %s", episode)
            killed = time.time()
            servers[0][0].kill()
            resumed = "SELECT at FROM events WHERE type = 'EpisodeResumed' AND episode_id = %s"
            seconds = _until(db, resumed, episode) - killed
        command = {"command": "stop"}
        address = f"{servers[1][1]}/api/episodes/{episode}"
        httpx2.post(f"{address}/commands", json=command, headers=headers, timeout=60).raise_for_status()
        time.sleep(1.0)
        httpx2.delete(address, headers=headers, timeout=60).raise_for_status()
        return seconds
    finally:
        for process, _ in servers:
            process.kill()
            process.wait()


def _until(db: psycopg.Connection[tuple[float]], sql: str, episode: str) -> float:
    for _ in range(1200):
        row = db.execute(sql, (episode,)).fetchone()
        if row and row[0]:
            return row[0]
        time.sleep(0.05)
    raise SystemExit(f"nothing came of {sql}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url", help="a database that may be written to")
    parser.add_argument("--kills", type=int, default=5)
    flags = parser.parse_args()
    print("| record | events a batch | events/s | p50 ms | p99 ms |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(Path(folder) / "grandstand.db")
        shared = PostgresStore(flags.url, OwningServer("benchmark", "http://nowhere"))
        for name, store in (("SQLite", recorder), ("PostgreSQL", shared)):
            print("\n".join(commits(store, name)), flush=True)
            store.close()
        seconds = []
        for number in range(flags.kills):
            place = Path(folder) / str(number)
            place.mkdir()
            seconds.append(standstill(flags.url, place))
            print(f"kill {number + 1}: {seconds[-1]:.2f} s", flush=True)
        if seconds:
            print(f"{len(seconds)} kills: median {statistics.median(seconds):.2f} s, longest {max(seconds):.2f} s")


if __name__ == "__main__":
    main()
