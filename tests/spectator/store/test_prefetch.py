"""Requests to a server whose record is in PostgreSQL: none of them reads or commits on the event loop."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from websockets.sync.client import ClientConnection, connect

from grandstand.models import MatchAction
from grandstand.server.bodies.matches import Command
from grandstand.server.main import create_app
from grandstand.server.openenv.reset import Reset
from grandstand.server.settings import Settings
from tests.support import http
from tests.support.server.cluster import OPERATOR, TOKEN, Servers, begin
from tests.support.server.environment_services import OPERATING
from tests.support.server.match_services import until
from tests.support.server.postgres import Postgres, postgres_server
from tests.support.spectator.logs import EPISODE, finished_log, short_log
from tests.support.spectator.stores import calls_on_loop, forget_reads, postgres_store

COMMANDS: list[dict[str, Any]] = [
    {"command": "pause"},
    {"command": "step", "value": 2},
    {"command": "resume"},
    {"command": "pace", "value": 60},
    {"command": "extend", "value": 1},
    {"command": "take_over", "seat": "ITALY"},
    {"command": "hand_back", "seat": "ITALY"},
    {"command": "leave", "seat": "FRANCE"},
    {"command": "take_over", "seat": "FRANCE"},
]

UNKNOWN = {"Authorization": "Bearer nobody"}

PARAMETERS = {"game": "diplomacy", "name": "bot", "clip": "0" * 64, "seat": "NORTH", "format": "jsonl"}

BODIES: dict[str, Any] = {
    "/api/episodes": {"game": "cricket", "options": {"overs": 1}, "pace": 60},
    "/api/episodes/{episode_id}/commands": {"command": "pause"},
    "/api/episodes/{episode_id}/fork": {"seq": 3},
    "/api/episodes/{episode_id}/sandbox": {"seq": 3},
    "/api/publish/{episode_id}": {"events": [event.model_dump(mode="json") for event in short_log()]},
}


def _recorded(url: str) -> list[str]:
    """Record an ended episode and one of another server, and return their ids."""
    store = postgres_store(url)
    store.on_events(finished_log())
    live = [event.model_copy(update={"episode_id": "live-1"}) for event in short_log()]
    store.on_events([live[0].model_copy(update={"data": {**live[0].data, "delay": 5.0}}), *live[1:]])
    store.close()
    return [EPISODE, "live-1", "unknown"]


@pytest.mark.long
def test_no_request_reads_or_commits_on_the_event_loop(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an episode that has ended, one with a delay that another server plays, and one that does not exist."""
    url, calls = postgres.database(), calls_on_loop(monkeypatch)
    episodes = _recorded(url)
    for name in ("index.html", "embed.html"):
        (tmp_path / name).write_text('<meta name="description" content="" /><title></title></head>')
    monkeypatch.setattr("grandstand.server.settings.PAGE", tmp_path)
    settings = {"data": tmp_path / "data", "store": url, "showcase": "", "slots": 1}

    async def scene() -> None:
        app = create_app(Settings.load({**settings, "operator_token": TOKEN, "publish_token": TOKEN}))
        async with app.router.lifespan_context(app):
            transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
            async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
                calls.clear()
                for path, method, episode_id in _operations(app, episodes):
                    address = path.replace("{name:path}", "bot").format(**PARAMETERS, episode_id=episode_id)
                    for headers in (OPERATOR, UNKNOWN):
                        keyed = {**headers, "Idempotency-Key": f"{path} {episode_id}"}
                        body = BODIES.get(path, {})
                        forget_reads(app.state.parts.recorder)
                        answer = await client.request(method, address, json=body, headers=keyed, timeout=60)
                        assert answer.status_code != 500, answer.text
                await _play_here(app, client)
                for page in ("/", f"/episode/{EPISODE}", "/embed/live-1", "/player/bot"):
                    forget_reads(app.state.parts.recorder)
                    assert (await client.get(page)).status_code == 200

    asyncio.run(scene())
    assert calls == [], "\n\n".join(calls)


async def _play_here(app: FastAPI, client: httpx2.AsyncClient) -> None:
    """Do whatever is published beside the turns of matches of this server."""

    async def send(method: str, path: str, body: object = None, key: str = "") -> Any:
        headers = {**OPERATOR, "Idempotency-Key": key} if key else OPERATOR
        forget_reads(app.state.parts.recorder)
        answer = await client.request(method, f"/api/{path}", json=body, headers=headers, timeout=60)
        assert answer.is_success, f"{path} {body}: {answer.text}"
        return answer.json() if answer.content else None

    driver = app.state.parts.driver
    for episode in (*driver.queued, *driver.playing):
        await send("POST", f"episodes/{episode}/commands", {"command": "stop"})
    match = {"game": "diplomacy", "options": {"press": "none"}, "turns": 9, "pace": 0, "seat": "FRANCE"}
    episode = (await send("POST", "play", match))["episode_id"]
    address = f"episodes/{episode}/seats/FRANCE"
    await until(lambda: driver.match(episode).person("FRANCE").asked)
    await send("PUT", f"{address}/draft", {"index": 0, "action": {"orders": ["A PAR H"]}})
    await send("POST", address, {"action": {"orders": ["A PAR - BUR"]}})
    for command in COMMANDS:
        for key in ("", f"{command} twice", f"{command} twice"):
            await send("POST", f"episodes/{episode}/commands", command, key)
    for path in ("token", "leave", "take"):
        await send("POST", f"{address}/{path}")
    queued = (await send("POST", "episodes", BODIES["/api/episodes"]))["episode_id"]
    for name in ("to_front", "stop"):
        await send("POST", f"episodes/{queued}/commands", {"command": name}, name)
    seats = app.state.parts.remote_seats
    seat = await seats.take(Reset.read({"game": "diplomacy", "seat": "FRANCE", "wait": 0}), OPERATING)
    await seat.first()
    await seat.match.live.command(Command(command="leave", seat="FRANCE"), "absence")
    await seat.step(MatchAction(reply="hold"))
    seat.leave(0)
    await until(seat.match.over.is_set)
    await send("POST", f"episodes/{episode}/commands", {"command": "stop"})
    tournament = {"game": "cricket", "players": ["heuristic", "random"], "options": {"overs": 1}, "matches": 2}
    episode = (await send("POST", "tournaments", {**tournament, "pace": 60}, "tournament"))["episode_id"]
    for name in ("pause", "resume", "stop"):
        await send("POST", f"episodes/{episode}/commands", {"command": name}, f"{name} a tournament")


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
