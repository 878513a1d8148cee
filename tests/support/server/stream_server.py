"""A real server with a stream and nothing else. A test publishes events and watches them over real sockets."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self, TypeVar

import uvicorn
from fastapi import FastAPI, WebSocket
from starlette.requests import HTTPConnection

from grandstand.events import EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted
from grandstand.models import Draft, Event
from grandstand.server.api import streams
from grandstand.server.http import install_problems
from grandstand.server.transport import sockets
from grandstand.spectator.bus import Bus
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.viewpoint import Viewpoint
from tests.support.waiting import PATIENCE

T = TypeVar("T")

SEATS = ("NORTH", "SOUTH")


def opening() -> list[Draft]:
    """Return the first three events of an invented match: 0 to 2."""
    created = EpisodeCreated(
        game="chess",
        title="A test",
        options={},
        seats=[SeatInfo(seat=seat, player="bot", kind="heuristic") for seat in SEATS],
        origin="api",
    )
    return [Draft.of(created), Draft.of(EpisodeStarted()), board(0)]


def board(number: int) -> Draft:
    """Return a public event that carries the whole position."""
    return Draft("Moved", {"number": number, "state": {"after": number}})


def press(text: str, seat: str = "NORTH") -> Draft:
    """Return a private event of one seat."""
    return Draft("MessageSent", {"text": text}, [seat])


def turn(number: int) -> Draft:
    return Draft.of(TurnStarted(index=number, turn=f"turn {number}", to_act=list(SEATS), scores={}))


def ending() -> Draft:
    return Draft.of(EpisodeEnded(status="finished"))


async def _prefetch(connection: HTTPConnection) -> None: ...


async def _echo(connection: WebSocket) -> None:
    """Serve an ordinary endpoint beside those of viewers."""
    await connection.accept()
    await connection.send_text(await connection.receive_text())
    await connection.close()


class StreamServer:
    """Uvicorn on a free port in a thread of its own, until the block ends."""

    recorder: Recorder
    history: History
    bus: Bus
    hub: Hub
    uvicorn: sockets.Server
    loop: asyncio.AbstractEventLoop
    port: int

    def __init__(self, path: Path | str = ":memory:") -> None:
        self._path = path
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()))

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self.uvicorn.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the server did not stop"

    async def _main(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.recorder = Recorder(self._path)
        self.history = History(self.recorder)
        self.hub = Hub(self.history)
        self.bus = Bus(self.recorder)
        self.bus.add(self.history)
        self.bus.add(self.hub)
        app = FastAPI()
        install_problems(app)
        app.state.parts = SimpleNamespace(hub=self.hub, access=SimpleNamespace(look=self._look, prefetch=_prefetch))
        app.include_router(streams.router, prefix="/api/episodes/{episode_id}")
        app.add_api_websocket_route("/echo", _echo)
        listener = sockets.server_socket("127.0.0.1", 0)
        self.port = listener.getsockname()[1]
        config = uvicorn.Config(app, log_config=None, lifespan="off", **sockets.uvicorn_options())
        self.uvicorn = sockets.Server(config, self.hub)
        self.loop.call_soon(self._ready.set)
        await self.uvicorn.serve(sockets=[listener])
        self.recorder.close()

    def _look(self, connection: HTTPConnection, viewpoint: str, episode_id: str) -> Viewpoint:
        self.recorder.summary(episode_id)
        look = Viewpoint.parse(viewpoint)
        if look.role == "operator" and connection.query_params.get("token") != "sesame":
            raise PermissionError("as: operator needs a token")
        return look

    def call(self, function: Callable[..., T], *args: Any) -> T:
        """Call `function(*args)` on the server's thread and return its result."""

        async def run() -> T:
            return function(*args)

        return asyncio.run_coroutine_threadsafe(run(), self.loop).result(PATIENCE)

    def open(self, episode_id: str, epoch: int = 1) -> str:
        """Begin a match: events 0 to 2."""
        self.call(self.bus.open, episode_id, epoch)
        self.publish(episode_id, *opening())
        return episode_id

    def publish(self, episode_id: str, *drafts: Draft) -> Sequence[Event]:
        return self.call(self.bus.publish, episode_id, drafts)

    def url(
        self, episode_id: str, viewpoint: str = "spectator", after: str | None = None, token: str = "sesame"
    ) -> str:
        words = {"as": viewpoint, "token": token} | ({"after": after} if after is not None else {})
        text = "&".join(f"{key}={value}" for key, value in words.items())
        return f"ws://127.0.0.1:{self.port}/api/episodes/{episode_id}/watch?{text}"

    def stream_url(self, episode_id: str) -> str:
        return f"http://127.0.0.1:{self.port}/api/episodes/{episode_id}/stream"

    def wait_for(self, condition: Callable[[], bool], seconds: float = PATIENCE) -> None:
        """Wait until `condition` holds on the server's thread."""
        end = time.monotonic() + seconds
        while not self.call(condition):
            assert time.monotonic() < end, "it did not happen"
            time.sleep(0.005)
