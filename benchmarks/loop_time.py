"""The longest turns of the server's event loop: `python -m benchmarks.loop_time`.

Runs a server in a thread of this process, sends it the most expensive requests that a viewer, a visitor, a seat, a
driver elsewhere and a client of OpenEnv can send, and prints for each the longest turn of the loop in CPU time of its
thread. The goal is at most 50 ms: for that long every other request and every stream waits. A full garbage collection
of Python, which follows from how much memory is in use and not from one request, is left out and printed at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import gzip
import json
import logging
import selectors
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import uvicorn
from websockets.sync.client import connect

from benchmarks.report import Cell, add_out, progress, publish, table
from grandstand.games.registry import game_spec
from grandstand.models import Event
from grandstand.play.exchange.importing import MAX_EVENTS
from grandstand.server.main import create_app
from grandstand.server.settings import Settings
from grandstand.server.transport.sockets import Server, server_socket, uvicorn_options
from grandstand.spectator.replay import to_lines
from grandstand.spectator.viewpoint import OPERATOR

PATIENCE = 120.0
TOKEN = "a token for this process"
CREATED: dict[str, Any] = {
    "game": "chess",
    "title": "A match played elsewhere",
    "options": {},
    "seats": [{"seat": "A", "player": "p", "kind": "remote"}],
    "origin": "publisher",
    "delay": 0.0,
}
LONG = "long-log"
"""The published episode of 20,000 small events and some large ones, without a state."""


class TurnSelector(selectors.DefaultSelector):
    """A selector that measures the turns of the loop that uses it: from one wait for events to the next."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """`clock` returns CPU seconds."""
        super().__init__()
        self._clock = clock
        self._began: float | None = None
        self.longest = 0.0
        """CPU seconds of the longest turn."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if self._began is not None:
            self.longest = max(self.longest, self._clock() - self._began)
        try:
            return super().select(timeout)
        finally:
            self._began = self._clock()


class MeasuredServer:
    """A server in a thread of this process that measures the turns of its event loop."""

    def __init__(self, data: Path) -> None:
        flags = {"data": str(data), "showcase": "", "publish_token": TOKEN, "visitor_credits": 100_000, "pace": 0.0}
        self._settings = Settings.load(flags)
        self._turns = TurnSelector(lambda: time.thread_time() - self._collected)
        self._collection_began = 0.0
        self._collected = 0.0
        """CPU seconds of garbage collections in the loop's thread."""
        self.longest_collection = 0.0
        """CPU seconds of the longest garbage collection in the loop's thread."""
        # Gives up an idle connection well before the server does, so that no request meets its end.
        limits = httpx2.Limits(keepalive_expiry=1.0)
        self._client = httpx2.Client(timeout=PATIENCE, limits=limits, verify=False)
        self._up = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> MeasuredServer:
        gc.callbacks.append(self._on_collection)
        self._thread.start()
        assert self._up.wait(PATIENCE), "the server did not start"
        return self

    def __exit__(self, *_: object) -> None:
        gc.callbacks.remove(self._on_collection)
        self._client.close()
        self._server.should_exit = True
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        app = create_app(self._settings)
        listener = server_socket("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        config = uvicorn.Config(app, log_config=None, access_log=False, **uvicorn_options())
        self._server = Server(config, app.state.parts.hub)

        async def serve() -> None:
            self._loop = asyncio.get_running_loop()
            self._loop.call_soon(self._up.set)
            await self._server.serve(sockets=[listener])

        with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(self._turns)) as runner:
            runner.run(serve())

    def _on_collection(self, phase: str, _: dict[str, int]) -> None:
        if threading.current_thread() is not self._thread:
            return
        if phase == "start":
            self._collection_began = time.thread_time()
        else:
            seconds = time.thread_time() - self._collection_began
            self._collected += seconds
            self.longest_collection = max(self.longest_collection, seconds)

    def longest_turn(self, call: Callable[[MeasuredServer], object]) -> float:
        """Return the CPU seconds of the longest turn while `call` runs and until its effects are done."""
        self.get("/api/health")
        self._turns.longest = 0.0
        call(self)
        self.get("/api/health")
        return self._turns.longest

    def call_in_loop(self, function: Callable[[], object]) -> None:
        """Call `function` in one turn of the loop."""
        self._loop.call_soon_threadsafe(function)

    def get(self, path: str) -> httpx2.Response:
        return self._client.get(self.url + path)

    def post(self, path: str, body: Any) -> httpx2.Response:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        if path.startswith("/api/publish/"):
            headers["Authorization"] = f"Bearer {TOKEN}"
        return self._client.post(self.url + path, content=content, headers=headers)

    def publish(self, episode: str, first: int, *events: tuple[str, Any], audience: str = "public") -> httpx2.Response:
        batch = [
            {"episode_id": episode, "epoch": 1, "seq": seq, "at": 1.0, "type": kind, "audience": audience, "data": data}
            for seq, (kind, data) in enumerate(events, first)
        ]
        return self.post(f"/api/publish/{episode}", {"events": batch})

    def play(self, game: str, **options: Any) -> None:
        """Play a match to its end, at full speed."""
        answer = self.post("/api/episodes", {"game": game, "seed": 1, "options": options, "pace": 0})
        episode = answer.raise_for_status().json()["episode_id"]
        while self.get(f"/api/episodes/{episode}").json()["ended_at"] is None:
            time.sleep(0.05)

    @contextmanager
    def session(self) -> Iterator[Callable[..., Any]]:
        """Open a session of OpenEnv; yields a function that sends a message and returns the answer."""
        with connect(self.url.replace("http", "ws") + "/ws", max_size=None) as socket:

            def ask(kind: str, **data: Any) -> Any:
                socket.send(json.dumps({"type": kind, "data": data}))
                return json.loads(socket.recv(timeout=PATIENCE))

            yield ask

    def watch(self, path: str) -> int:
        """Read a stream over a WebSocket until nothing comes for a second; return its bytes."""
        size = 0
        with connect(self.url.replace("http", "ws") + path, max_size=None) as socket, suppress(TimeoutError):
            while True:
                size += len(socket.recv(timeout=1.0))
        return size


def publish_long(server: MeasuredServer) -> None:
    """Publish LONG."""
    server.publish(LONG, 0, ("EpisodeCreated", CREATED), ("EpisodeStarted", {})).raise_for_status()
    for first in range(2, 20_000, 1000):
        server.publish(LONG, first, *[("Moved", {"from": seq}) for seq in range(1000)]).raise_for_status()
    for first in range(20_002, 20_014, 2):
        server.publish(LONG, first, *[("Moved", {"list": [{"a": 1}] * 26_000})] * 2).raise_for_status()


def many(count: int, call: Callable[[int], object]) -> None:
    """Make `count` calls at the same time."""
    with ThreadPoolExecutor(count) as pool:
        list(pool.map(call, range(count)))


def keys(count: int) -> dict[str, int]:
    return {f"k{number}": 1 for number in range(count)}


def play_seat(server: MeasuredServer) -> None:
    """Play some turns through OpenEnv with every part of the observation, some of them with absurd actions."""
    for game, seat in (("diplomacy", "FRANCE"), ("cricket", "home")):
        with server.session() as ask:
            show = ["text", "view", "legal"]
            overs = {"options": {"overs": 50}} if game == "cricket" else {}
            ask("reset", game=game, seat=seat, show=show, opponents="random", seed=1, **overs)
            ask("step", action={"orders": ["A PAR - BUR"] * 4000})
            ask("step", action=keys(5000))
            ask("step", reply="[" * 50_000)
            ask("step", reply='{"orders": ["A PAR - BUR", ' * 2000)
            for _ in range(5):
                ask("step", reply="{}")


def draw(server: MeasuredServer) -> None:
    """Have cards and a clip drawn of a match of each game; twenty callers ask for the same card."""
    summaries = server.get("/api/episodes").json()["episodes"]
    for summary in {summary["game"]: summary for summary in summaries}.values():
        path, last = f"/api/episodes/{summary['episode_id']}", summary["last_seq"]
        many(20, lambda _, path=path: server.get(f"{path}/card"))  # type: ignore[misc]
        server.get(f"{path}/card?seq={last // 2}")
        server.get(f"{path}/clip?first=0&last={min(last, 300)}")


def record_file(count: int) -> bytes:
    """Return a record of Diplomacy of so many events, as a file to import."""
    seats = [{"seat": seat, "player": "p", "kind": "human"} for seat in game_spec("diplomacy").seats()]
    created = {**CREATED, "game": "diplomacy", "seats": seats, "rules": 0}
    comment = {"text": "A comment. " * 20, "importance": 0.5, "rests_on": list(range(30)), "beat": "turn"}
    kinds = [("EpisodeCreated", created), ("EpisodeStarted", {}), *[("CommentAdded", comment)] * (count - 3)]
    events = [
        Event(episode_id="long-1", epoch=1, seq=seq, at=1.0, type=kind, audience="public", data=data)
        for seq, (kind, data) in enumerate([*kinds, ("EpisodeEnded", {"status": "stopped"})])
    ]
    return "".join(to_lines(events, OPERATOR)).encode()


def import_record(server: MeasuredServer) -> None:
    """Import as many events as an episode may have, and read them."""
    answer = server.post("/api/imports", gzip.compress(record_file(MAX_EVENTS), 1)).raise_for_status()
    episode = answer.json()["episode"]["episode_id"]
    server.get(f"/api/episodes/{episode}/snapshot").raise_for_status()


def import_innings(server: MeasuredServer) -> None:
    """Send a file with its innings many times over, and one of many empty objects."""
    for content in (b'{"info": {}, "innings": [' + b'{"overs": []},' * 200_000 + b"{}]}", b"[" + b"{}," * 10_000_000):
        assert server.post("/api/imports", gzip.compress(content, 1)).status_code == 422


CASES: dict[str, Callable[[MeasuredServer], object]] = {
    "the list of games": lambda server: server.get("/api/games"),
    "the OpenAPI document": lambda server: server.get("/api/openapi.json"),
    "a body of 4,000 unknown fields": lambda server: server.post("/api/episodes", {"game": "cricket", **keys(4000)}),
    "a body of nested lists": lambda server: server.post("/api/episodes", b"[" * 128_000),
    "a match of Diplomacy": lambda server: server.play("diplomacy", last_year=1905),
    "a match of cricket, 50 overs": lambda server: server.play("cricket", overs=50),
    "ten matches at once": lambda server: many(10, lambda _: server.play("diplomacy", last_year=1902)),
    "OpenEnv: two matches, and absurd actions": play_seat,
    "OpenEnv: twenty sessions at once": lambda server: many(20, lambda _: reset(server)),
    "publishing 20,000 small events and 12 large ones": publish_long,
    "publishing 20,000 unknown fields": lambda server: server.publish(
        "bad-1", 0, ("EpisodeCreated", {**CREATED, **keys(20_000)})
    ),
    "publishing events with 60,000 unknown fields": lambda server: server.post(
        "/api/publish/bad-2", {"events": [keys(60_000)]}
    ),
    "a snapshot of the long log": lambda server: server.get(f"/api/episodes/{LONG}/snapshot"),
    "the record of the long log": lambda server: server.get(f"/api/episodes/{LONG}/replay"),
    "twenty snapshots at once": lambda server: many(20, lambda _: server.get(f"/api/episodes/{LONG}/snapshot")),
    "a WebSocket on the long log": lambda server: server.watch(f"/api/episodes/{LONG}/watch"),
    "twenty WebSockets, from its start": lambda server: many(
        20, lambda _: server.watch(f"/api/episodes/{LONG}/watch?after=1.0")
    ),
    "cards and clips": draw,
    "an import of 50,000 events": import_record,
    "imports that are refused": import_innings,
    "the players' records": lambda server: server.get("/api/players"),
}
"""Name -> what is sent, in this order: later cases use what earlier ones have made."""


def reset(server: MeasuredServer) -> None:
    with server.session() as ask:
        ask("reset", game="cricket", seat="home", opponents="random", options={"overs": 50}, show=["text", "legal"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_out(parser)
    options = parser.parse_args()
    logging.disable()
    with tempfile.TemporaryDirectory() as data, MeasuredServer(Path(data)) as server:
        server.get("/schema")  # OpenEnv is loaded, in a thread of its own
        cases = progress(CASES.items(), description="requests", total=len(CASES))
        rows: list[list[Cell]] = [[name, server.longest_turn(call) * 1000] for name, call in cases]
        rows.append(["the longest garbage collection", server.longest_collection * 1000])
    section = table("Longest turns", ["what is sent", "ms"], rows)
    publish("The longest turns of the event loop", "CPU time of the loop's thread", [section], options.out)


if __name__ == "__main__":
    main()
