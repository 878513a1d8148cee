"""Ways to send one match to many viewers, each in a process of its own, for benchmarks/stream.py.

`python -m benchmarks.stream_servers KIND [STORE BUS]` prints its port and its path. A line `RATE SECONDS` on standard
input has it publish that many events a second for so long; then it prints how many it published. `follower` starts an
`owner` of the match, of which it learns by PostgreSQL and Redis.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import secrets
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from websockets.asyncio.server import ServerConnection, broadcast, serve

from grandstand.events import EpisodeCreated
from grandstand.models import Draft, Event
from grandstand.server.api import streams
from grandstand.server.cluster.following import RELIED_AFTER, Following
from grandstand.server.transport import sockets
from grandstand.spectator.bus import Bus
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.store.interface import OwningServer
from grandstand.spectator.store.leases import Leases
from grandstand.spectator.store.postgres import PostgresStore
from grandstand.spectator.store.redis_streams import StreamWriter
from grandstand.spectator.viewpoint import SPECTATOR

EPISODE = "bench"
PADDING = "x" * 860
"""Makes an event about 1 KB of JSON."""

Publish = Callable[[int], Awaitable[None]]
Drive = Callable[[], Awaitable[None]]


def event_data() -> dict[str, Any]:
    return {"t": time.monotonic_ns(), "text": PADDING}


def event_frame(seq: int) -> dict[str, Any]:
    """Return the message of the other servers: the same JSON as this one's."""
    event = {"episode_id": EPISODE, "epoch": 1, "seq": seq, "at": 1.0, "type": "Said", "audience": "public"}
    return {"frame": "event", "event": {**event, "data": event_data()}}


async def commands(publish: Publish) -> None:
    """Publish at an even pace as standard input says."""
    loop = asyncio.get_running_loop()
    seq = 1
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        rate, seconds = map(float, line.split())
        count, began = int(rate * seconds), loop.time()
        for number in range(count):
            await asyncio.sleep(max(0.0, began + number / rate - loop.time()))
            await publish(seq)
            seq += 1
        print(count, flush=True)


async def run_uvicorn(app: FastAPI, path: str, drive: Drive, hub: Hub | None = None, **options: Any) -> None:
    listener = sockets.server_socket("127.0.0.1", 0)
    config = uvicorn.Config(app, log_level="error", lifespan="off", **options)
    server = sockets.Server(config, hub) if hub else uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    gc.freeze()
    print(listener.getsockname()[1], path, flush=True)
    await drive()
    serving.cancel()


async def ours() -> None:
    """Publish as Grandstand does: numbered, committed to SQLite, redacted, encoded, sent."""
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(Path(folder) / "grandstand.db")
        history = History(recorder)
        hub = Hub(history)
        bus = Bus(recorder)
        bus.add(history)
        bus.add(hub)
        bus.open(EPISODE, 1)
        bus.publish(EPISODE, [first_event()])

        async def publish(seq: int) -> None:
            bus.publish(EPISODE, [Draft("Said", event_data())])

        await serve_streams(hub, EPISODE, partial(commands, publish))


def first_event() -> Draft:
    created = EpisodeCreated(game="none", title="", options={}, seats=[], origin="cli")
    return Draft("EpisodeCreated", created.model_dump())


async def serve_streams(hub: Hub, episode_id: str, drive: Drive) -> None:
    """Serve the streams of Grandstand."""
    app = FastAPI()
    app.state.parts = SimpleNamespace(hub=hub, access=SimpleNamespace(look=lambda *_: SPECTATOR))
    app.include_router(streams.router, prefix="/api/episodes/{episode_id}")
    await run_uvicorn(app, f"/api/episodes/{episode_id}/watch", drive, hub, **sockets.uvicorn_options())


async def owner(store_url: str, bus_url: str, episode_id: str) -> None:
    """Publish to PostgreSQL and Redis, as a server does that plays a match with others beside it. It has no viewers."""
    os.sched_setaffinity(0, range(os.cpu_count() or 1))  # not on the core of the follower, which started it
    store = PostgresStore(store_url, OwningServer(episode_id, "http://owner"))
    bus, writer = Bus(store), StreamWriter(bus_url)
    bus.add(writer)
    writer.begin()
    bus.open(episode_id, 1)
    bus.publish(episode_id, [first_event()])

    async def publish(seq: int) -> None:
        await bus.record(episode_id, [Draft("Said", event_data())])

    print("ready", flush=True)
    await commands(publish)
    writer.close()
    store.close()


class Arrivals:
    """An observer that counts events."""

    def __init__(self) -> None:
        self.count = 0
        self.news = asyncio.Event()

    def on_events(self, events: Sequence[Event]) -> None:
        self.count += len(events)
        self.news.set()

    def on_released(self, episode_id: str) -> None: ...


async def follower(store_url: str, bus_url: str) -> None:
    """Send a match that another server plays: its events come by Redis."""
    episode_id = f"{EPISODE}-{secrets.token_hex(4)}"
    words = ["-m", "benchmarks.stream_servers", "owner", store_url, bus_url, episode_id]
    pipe = asyncio.subprocess.PIPE
    playing = await asyncio.create_subprocess_exec(sys.executable, *words, stdin=pipe, stdout=pipe)
    assert playing.stdout
    await playing.stdout.readline()
    store = PostgresStore(store_url)
    bus, history = Bus(store), History(store)
    hub = Hub(history)
    bus.add(history, follows=True)
    bus.add(hub, follows=True)
    bus.add(arrivals := Arrivals(), follows=True)
    await history.load(episode_id)
    following = Following(bus, history, hub, Leases(store_url, OwningServer("follower", "http://follower")))
    following.begin(bus_url)
    await asyncio.sleep(RELIED_AFTER + 1)

    async def pass_on() -> None:
        """Have the owner publish, and wait until everything has arrived here."""
        assert playing.stdin
        assert playing.stdout
        loop, total = asyncio.get_running_loop(), 0
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            playing.stdin.write(line.encode())
            published = int(await playing.stdout.readline())
            total += published
            while arrivals.count < total:
                arrivals.news.clear()
                await arrivals.news.wait()
            print(published, flush=True)

    await serve_streams(hub, episode_id, pass_on)


async def naive() -> None:
    """Publish as most tutorials do: encode and send for each viewer in turn."""
    app = FastAPI()
    viewers: list[WebSocket] = []

    async def watch(viewer: WebSocket) -> None:
        await viewer.accept()
        viewers.append(viewer)
        try:
            await viewer.receive_text()
        except WebSocketDisconnect:
            viewers.remove(viewer)

    async def publish(seq: int) -> None:
        frame = event_frame(seq)
        for viewer in list(viewers):
            await viewer.send_text(json.dumps(frame))

    app.add_api_websocket_route("/watch", watch)
    await run_uvicorn(app, "/watch", partial(commands, publish))


async def queue() -> None:
    """Encode once, with a bounded queue and a sending task for each viewer."""
    app = FastAPI()
    queues: set[asyncio.Queue[str]] = set()

    async def watch(viewer: WebSocket) -> None:
        await viewer.accept()
        mine: asyncio.Queue[str] = asyncio.Queue(1000)
        queues.add(mine)
        try:
            while True:
                await viewer.send_text(await mine.get())
        finally:
            queues.remove(mine)

    async def publish(seq: int) -> None:
        text = json.dumps(event_frame(seq))
        for each in queues:
            each.put_nowait(text)

    app.add_api_websocket_route("/watch", watch)
    await run_uvicorn(app, "/watch", partial(commands, publish))


async def websockets_broadcast() -> None:
    """Publish with the websockets library alone, by its own broadcast()."""
    viewers: set[ServerConnection] = set()

    async def watch(viewer: ServerConnection) -> None:
        viewers.add(viewer)
        await viewer.wait_closed()
        viewers.discard(viewer)

    async def publish(seq: int) -> None:
        broadcast(viewers, json.dumps(event_frame(seq)))

    async with serve(watch, "127.0.0.1", 0, backlog=2048) as server:
        gc.freeze()
        print(next(iter(server.sockets)).getsockname()[1], "/", flush=True)
        await commands(publish)


SERVERS: dict[str, Callable[..., Coroutine[Any, Any, None]]] = {
    "ours": ours,
    "naive": naive,
    "queue": queue,
    "broadcast": websockets_broadcast,
}
BY_REDIS: dict[str, Callable[..., Coroutine[Any, Any, None]]] = {"follower": follower, "owner": owner}

if __name__ == "__main__":
    asyncio.run({**SERVERS, **BY_REDIS}[sys.argv[1]](*sys.argv[2:]))
