"""A seat's token after the end: it brings the last frames and the close that says so, and the seat's own press."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import websockets

from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.server.private_batches import visible_events
from tests.support.waiting import PATIENCE

TOKEN = "an operator's token"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}
PRIVATE = "only Italy may read this"


def asked(server: LiveServer, episode: str, **headers: str) -> dict[str, Any]:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        view = http.get(f"{server.url}/api/episodes/{episode}/seats/FRANCE", headers=headers).json()
        if view.get("asked"):
            return dict(view)
        time.sleep(0.05)
    raise AssertionError(view)


async def rest(server: LiveServer, episode: str, after: str, **headers: str) -> tuple[list[int], int | None]:
    address = f"{server.url.replace('http', 'ws')}/api/episodes/{episode}/watch?as=seat:FRANCE&after={after}"
    numbers = []
    async with websockets.connect(address, additional_headers=headers) as socket:
        with suppress(websockets.ConnectionClosed):
            async for message in socket:
                frame = json.loads(message)
                numbers.append(frame["event"]["seq"] if frame["frame"] == "event" else frame["seq"])
    return numbers, socket.close_code


def own_press(server: LiveServer, episode: str, viewpoint: str, **headers: str) -> list[str] | int:
    answer = http.get(f"{server.url}/api/episodes/{episode}/events", params={"as": viewpoint}, headers=headers)
    if answer.status_code != 200:
        return answer.status_code
    return [
        event["data"]["text"] for event in visible_events(answer.json()["frames"]) if event["type"] == "MessageSent"
    ]


def test_a_seat_that_comes_back_after_the_end_gets_the_rest_and_may_look_but_not_act(tmp_path: Path) -> None:
    seats = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
    body = {"players": dict.fromkeys(seats, "hold") | {"FRANCE": "person"}, "pace": 0, "turns": 1}
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        episode = server.post("/api/episodes", body, **OPERATOR).raise_for_status().json()["episode_id"]
        path = f"/api/episodes/{episode}"
        opened = server.post(f"{path}/seats/FRANCE/token", None, **OPERATOR).raise_for_status().json()
        seat = {"Authorization": f"Bearer {opened['token']}"}
        asked(server, episode, **seat)
        message = {"action": {"message": {"to": ["ITALY"], "text": PRIVATE}}}
        server.post(f"{path}/seats/FRANCE", message, **seat).raise_for_status()
        had = server.get(path)
        asked(server, episode, **seat)
        server.post(f"{path}/seats/FRANCE", {"action": {"orders": []}}, **seat).raise_for_status()
        last = server.wait_for(episode, status="stopped")["last_seq"]
        position = f"{had['epoch']}.{had['last_seq']}"
        expected = (list(range(had["last_seq"] + 1, last + 1)), 4500)
        assert asyncio.run(rest(server, episode, position, **seat)) == expected
        refused = server.post(f"{path}/seats/FRANCE", {"action": {"orders": []}}, **seat)
        assert (refused.status_code, refused.json()["field"]) == (409, "episode")
        assert "good for looking on" in refused.json()["detail"]
        server.kill()
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        assert own_press(server, episode, "seat:FRANCE", **seat) == [PRIVATE]
        assert own_press(server, episode, "seat:ITALY", **seat) == 403
        assert own_press(server, episode, "operator", **seat) == 403
        assert own_press(server, episode, "seat:FRANCE") == 403
        assert asyncio.run(rest(server, episode, position, **seat)) == expected
        session = http.get(f"{server.url}/api/session", headers=seat).json()
        assert (session["role"], session["seat"], session["episode_id"]) == ("seat", "FRANCE", episode)
        server.stop()
    with sqlite3.connect(tmp_path / "grandstand.db") as record:
        record.execute("DELETE FROM events")
        record.execute("DELETE FROM episodes")
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        assert http.get(f"{server.url}/api/session", headers=seat).status_code == 401
