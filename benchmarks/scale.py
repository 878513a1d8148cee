"""Measures several servers of one record: commits, how soon other servers have an event, and how long a match stands
still when its server is killed.

    python benchmarks/scale.py postgresql://user@/database [--bus redis://host:6379] [--kills 5]

The database is filled with events of made-up episodes, which are deleted at the end. Each kill starts two servers, and
a match at one of them, which is then killed; the seconds are those from the kill to the event with which the match goes
on.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

import httpx2
import psycopg

from grandstand.events import EpisodeCreated, SeatInfo
from grandstand.models import Draft, Event
from grandstand.server.cluster.following import Following
from grandstand.spectator.bus import Bus
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.store.interface import EpisodeStore, OwningServer
from grandstand.spectator.store.leases import Leases
from grandstand.spectator.store.postgres import PostgresStore
from grandstand.spectator.store.redis_streams import StreamReader, StreamWriter, connected

TOKEN = "benchmark-of-several-servers"
BATCHES = (1, 5, 20)
EVENTS = 2000
DELIVERED = 200
"""Events whose delivery at another server is timed."""
SKIPPED = 5000
"""Batches of matches that a server reads from Redis and drops."""
RESUMED = "SELECT at FROM events WHERE type = 'EpisodeStarted' AND data->>'resumed' <> '' AND episode_id = %s"


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


class Arrivals:
    """An observer that notes when it is told of each event."""

    def __init__(self) -> None:
        self.at: dict[int, float] = {}
        self.complete = asyncio.Event()

    def on_events(self, events: Sequence[Event]) -> None:
        self.at |= dict.fromkeys((event.seq for event in events), time.perf_counter())
        if len(self.at) == DELIVERED:
            self.complete.set()

    def on_released(self, episode_id: str) -> None: ...


async def delays(url: str, redis_url: str) -> list[float]:
    """Return the milliseconds from before each commit to the delivery at another server, which follows the match."""
    log = events(f"benchmark-{secrets.token_hex(4)}")
    owner, other = PostgresStore(url, OwningServer("one", "http://one")), PostgresStore(url)
    bus, elsewhere, history, arrivals = Bus(owner), Bus(other), History(other), Arrivals()
    writer = StreamWriter(redis_url) if redis_url else None
    if writer is not None:
        bus.add(writer)
        writer.begin()
    name = log[0].episode_id
    bus.open(name, 1)
    drafts = [Draft(event.type, event.data, event.audience) for event in log]
    bus.publish(name, drafts[:1])
    elsewhere.add(history, follows=True)
    elsewhere.add(arrivals, follows=True)
    await history.load(name)
    following = Following(elsewhere, history, Hub(history), Leases(url, OwningServer("two", "http://two")))
    following.begin(redis_url)
    await asyncio.sleep(6.0)  # Redis is relied on after some seconds without a failure
    began = []
    for draft in drafts[1 : DELIVERED + 1]:
        began.append(time.perf_counter())
        await bus.record(name, [draft])
        await asyncio.sleep(0.05)
    await arrivals.complete.wait()
    if writer is not None:
        writer.close()
    await following.close()
    owner.delete([name])
    for store in (owner, other):
        store.close()
    return sorted(1000 * (arrivals.at[seq] - at) for seq, at in enumerate(began, 1))


def fill(redis_url: str) -> None:
    """Send SKIPPED batches of five events, of a hundred episodes."""
    writer, five = StreamWriter(redis_url), events("")[1:6]
    mark = secrets.token_hex(4)
    for number in range(0, SKIPPED, 20):
        batches = []
        for batch in range(number, number + 20):
            again = {"episode_id": f"benchmark-{mark}-{batch % 100}"}
            batches.append([event.model_copy(update=again | {"seq": event.seq + 5 * batch}) for event in five])
        writer._send(batches)


def skipping(redis_url: str) -> tuple[float, float]:
    """Return CPU µs of a server, and bytes from Redis, for a batch of a match that nobody looks at there."""
    count = 0

    def wants(episode_id: str) -> bool:
        nonlocal count
        count += 1
        return False

    reader = StreamReader(redis_url, wants=wants, arrived=lambda batch: None, failed=lambda: None)
    reader.begin()
    time.sleep(1.0)
    client = connected(redis_url)
    began, sent = time.process_time(), client.info("stats")["total_net_output_bytes"]
    filling = get_context("spawn").Process(target=fill, args=(redis_url,))
    filling.start()
    filling.join()
    while count < SKIPPED:
        time.sleep(0.1)
    cpu, received = time.process_time() - began, client.info("stats")["total_net_output_bytes"] - sent
    reader.close()
    return 1e6 * cpu / SKIPPED, received / SKIPPED


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
            seconds = _until(db, RESUMED, episode) - killed
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
    parser.add_argument("--bus", default="", help="a Redis, to time deliveries by it as well")
    parser.add_argument("--kills", type=int, default=5)
    flags = parser.parse_args()
    print("| record | events a batch | events/s | p50 ms | p99 ms |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(Path(folder) / "grandstand.db")
        shared = PostgresStore(flags.url, OwningServer("benchmark", "http://nowhere"))
        for name, store in (("SQLite", recorder), ("PostgreSQL", shared)):
            print("\n".join(commits(store, name)), flush=True)
            store.close()
        if flags.bus:
            micros, received = skipping(flags.bus)
            print(f"a batch of five events that nobody looks at: {micros:.0f} µs, {received:,.0f} bytes", flush=True)
        for redis_url in dict.fromkeys(("", flags.bus)):
            took = asyncio.run(delays(flags.url, redis_url))
            p50, p99 = took[len(took) // 2], took[int(len(took) * 0.99)]
            by = "Redis" if redis_url else "PostgreSQL"
            print(f"at another server by {by}: p50 {p50:.1f} ms, p99 {p99:.1f} ms", flush=True)
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
