"""Ways to send one match to many viewers, each in a process of its own, for benchmarks/stream.py.

`python -m benchmarks.stream_servers KIND` prints its port and its path. A line `RATE SECONDS` on standard input has
it publish that many events a second for so long; then it prints how many it published.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
from websockets.asyncio.server import ServerConnection, broadcast, serve

from grandstand.events import EpisodeCreated
from grandstand.models import Draft
from grandstand.server.api import streams
from grandstand.server.transport import sockets
from grandstand.spectator.bus import Bus
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.viewpoint import SPECTATOR

EPISODE = "bench"
PADDING = "x" * 860
"""Makes an event about 1 KB of JSON."""

Publish = Callable[[int], Awaitable[None]]


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


async def run_uvicorn(app: FastAPI, path: str, publish: Publish, **options: Any) -> None:
    listener = sockets.server_socket("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", **options))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    gc.freeze()
    print(listener.getsockname()[1], path, flush=True)
    await commands(publish)
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
        created = EpisodeCreated(game="none", title="", options={}, seats=[], origin="cli")
        bus.publish(EPISODE, [Draft("EpisodeCreated", created.model_dump())])
        app = FastAPI()
        app.state.parts = SimpleNamespace(hub=hub, access=SimpleNamespace(look=lambda *_: SPECTATOR))
        app.include_router(streams.router, prefix="/api/episodes/{episode_id}")

        async def publish(seq: int) -> None:
            bus.publish(EPISODE, [Draft("Said", event_data())])

        await run_uvicorn(app, f"/api/episodes/{EPISODE}/watch", publish, **sockets.uvicorn_options())


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
    await run_uvicorn(app, "/watch", publish)


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
    await run_uvicorn(app, "/watch", publish)


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


SERVERS = {"ours": ours, "naive": naive, "queue": queue, "broadcast": websockets_broadcast}

if __name__ == "__main__":
    asyncio.run(SERVERS[sys.argv[1]]())
