"""Requests to a server whose record is in PostgreSQL: none of them reads on the event loop."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from websockets.sync.client import ClientConnection, connect

from grandstand.server.main import create_app
from grandstand.server.settings import Settings
from tests.support import http
from tests.support.server.cluster import OPERATOR, TOKEN, Servers, begin
from tests.support.server.postgres import Postgres, postgres_server
from tests.support.spectator.logs import EPISODE, finished_log, short_log
from tests.support.spectator.stores import postgres_store

UNKNOWN = {"Authorization": "Bearer nobody"}

PARAMETERS = {"game": "diplomacy", "name": "bot", "clip": "0" * 64, "seat": "NORTH", "format": "jsonl"}

BODIES: dict[str, Any] = {
    "/api/episodes": {"game": "cricket", "options": {"overs": 1}, "pace": 60},
    "/api/episodes/{episode_id}/commands": {"command": "pause"},
    "/api/episodes/{episode_id}/fork": {"seq": 3},
    "/api/episodes/{episode_id}/sandbox": {"seq": 3},
    "/api/publish/{episode_id}": {"events": [event.model_dump(mode="json") for event in short_log()]},
}


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list of the reads that a thread with an event loop waits for, each as its stack."""
    from grandstand.spectator.store.connection import TimedConnection

    read, on_loop = TimedConnection.read, list[str]()

    def watched(self: Any, work: Any) -> Any:
        if asyncio._get_running_loop() is not None:
            on_loop.append("".join(traceback.format_stack()[-8:-1]))
        return read(self, work)

    monkeypatch.setattr(TimedConnection, "read", watched)
    return on_loop


def _recorded(url: str) -> list[str]:
    """Record an ended episode and one of another server, and return their ids."""
    store = postgres_store(url)
    store.on_events(finished_log())
    live = [event.model_copy(update={"episode_id": "live-1"}) for event in short_log()]
    store.on_events([live[0].model_copy(update={"data": {**live[0].data, "delay": 5.0}}), *live[1:]])
    store.close()
    return [EPISODE, "live-1", "unknown"]


@pytest.mark.long
def test_no_request_reads_on_the_event_loop(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: list[str]
) -> None:
    """Of an episode that has ended, one with a delay that another server plays, and one that does not exist."""
    url = postgres.database()
    episodes = _recorded(url)
    for name in ("index.html", "embed.html"):
        (tmp_path / name).write_text('<meta name="description" content="" /><title></title></head>')
    monkeypatch.setattr("grandstand.server.settings.PAGE", tmp_path)
    settings = {"data": tmp_path / "data", "store": url, "showcase": ""}

    async def scene() -> None:
        app = create_app(Settings.load({**settings, "operator_token": TOKEN, "publish_token": TOKEN}))
        async with app.router.lifespan_context(app):
            transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
            async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
                reads.clear()
                for path, method, episode_id in _operations(app, episodes):
                    address = path.replace("{name:path}", "bot").format(**PARAMETERS, episode_id=episode_id)
                    for headers in (OPERATOR, UNKNOWN):
                        keyed = {**headers, "Idempotency-Key": f"{path} {episode_id}"}
                        body = BODIES.get(path, {})
                        answer = await client.request(method, address, json=body, headers=keyed, timeout=60)
                        assert answer.status_code != 500, answer.text
                for page in ("/", f"/episode/{EPISODE}", "/embed/live-1", "/player/bot"):
                    assert (await client.get(page)).status_code == 200

    asyncio.run(scene())
    assert reads == [], "\n\n".join(reads)


def _operations(app: FastAPI, episodes: list[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the path and the method of each operation that ends, with each episode; those that delete are last."""
    paths = app.openapi()["paths"]
    for deletes in (False, True):
        for path, operations in paths.items():
            for episode_id in episodes if "{episode_id}" in path else episodes[:1]:
                for method in operations:
                    endless = path == "/api/lobby/changes" or (path.endswith("/stream") and episode_id == "live-1")
                    if not endless and (method == "delete") == deletes:
                        yield path, method.upper(), episode_id


@pytest.mark.long
def test_a_frozen_postgresql_does_not_stop_the_loop(tmp_path: Path) -> None:
    """Requests that read are refused in a bounded time. Everything else is answered meanwhile, and viewers stay."""
    with ExitStack() as stack:
        postgres = stack.enter_context(postgres_server())
        server = Servers(tmp_path, postgres.database(), stack).start()
        match = begin(server, pace=0.3)
        server.wait_for(match, seq=5)
        address = f"{server.url.replace('http', 'ws')}/api/episodes/{match}/watch"
        viewer = stack.enter_context(connect(address))
        seen = _numbers(viewer)
        next(seen)
        postgres.signal(signal.SIGSTOP)
        stack.callback(postgres.signal, signal.SIGCONT)
        refused: list[int] = []
        paths = ("", "?player=bot", "/nobody", f"/{match}x/events", f"/{match}x/card")
        urls = [f"{server.url}/api/episodes{path}" for path in paths] + [f"{server.url}/api/lobby"]
        threads = [threading.Thread(target=_status, args=(url, refused)) for url in urls]
        for thread in threads:
            thread.start()
        waits: list[float] = []
        while not refused:
            sent = time.monotonic()
            http.get(f"{server.url}/api/health").raise_for_status()
            waits.append(time.monotonic() - sent)
        print(f"{len(waits)} answers of /api/health, the slowest after {max(waits):.3f} s")  # noqa: T201
        assert len(waits) > 3, "the loop waited with the first request that reads"
        new = _numbers(stack.enter_context(connect(address)))
        shown = next(new)
        for thread in threads:
            thread.join()
        assert refused == [503] * len(urls)
        postgres.signal(signal.SIGCONT)
        for stream, last in ((seen, next(seen)), (new, shown)):
            assert [next(stream) for _ in range(3)] == list(range(last + 1, last + 4))


def _status(url: str, statuses: list[int]) -> None:
    statuses.append(http.get(url, headers=OPERATOR, timeout=60).status_code)


def _numbers(viewer: ClientConnection) -> Iterator[int]:
    """Yield the last number of the snapshot, and then that of each event."""
    for message in viewer:
        frame = json.loads(message)
        yield frame.get("snapshot", frame.get("event", frame))["seq"]
