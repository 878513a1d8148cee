"""Tokens and tickets stay out of the log, at any level."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest
import websockets

from grandstand.server.log import cleaned
from tests.support import http
from tests.support.live_server import live_server

CANARY = "operator-canary-81723"


@pytest.mark.parametrize(
    "text",
    [
        f"< authorization: Bearer {CANARY}",
        f"headers [(b'authorization', b'Bearer {CANARY}')]",
        f"{{'Authorization': 'Basic {CANARY}'}}",
        f'127.0.0.1 - "WebSocket /api/episodes/a/watch?as=operator&ticket={CANARY}" [accepted]',
        f'{{"seat_token": "{CANARY}", "seat": "FRANCE"}}',
        f"the key was bearer {CANARY}, sir",
    ],
)
def test_a_secret_is_hidden_wherever_it_stands(text: str) -> None:
    assert CANARY not in cleaned(text)
    assert "[hidden]" in cleaned(text)


def test_anything_else_is_left_as_it_is() -> None:
    text = "match diplomacy-1: 1000 tokens=5 of the budget; the token of FRANCE was given out"
    assert cleaned("GET /api/episodes?limit=5 [accepted]") == "GET /api/episodes?limit=5 [accepted]"
    assert "diplomacy-1" in cleaned(text)


def test_a_server_at_debug_writes_no_token_of_any_request(tmp_path: Path) -> None:
    headers = {"Authorization": f"Bearer {CANARY}"}
    with live_server(tmp_path, "--log-level", "debug", GRANDSTAND_OPERATOR_TOKEN=CANARY) as server:
        body = {"game": "diplomacy", "players": {"FRANCE": "person"}, "pace": 60, "paused": True}
        episode = server.post("/api/episodes", body, **headers).raise_for_status().json()["episode_id"]
        path = f"/api/episodes/{episode}"
        seat = server.post(f"{path}/seats/FRANCE/token", None, **headers).raise_for_status().json()["token"]
        ticket = server.post("/api/tickets", None, **headers).raise_for_status().json()["ticket"]
        watch = f"{server.url.replace('http', 'ws')}{path}/watch"

        async def look() -> None:
            async with websockets.connect(f"{watch}?as=operator&ticket={ticket}") as socket:
                await socket.recv()
            for token, viewpoint in ((CANARY, "operator"), (seat, "seat:FRANCE")):
                async with websockets.connect(
                    f"{watch}?as={viewpoint}", additional_headers={"Authorization": f"Bearer {token}"}
                ) as socket:
                    await socket.recv()

        asyncio.run(look())
        wrong = f"Bearer wrong-{CANARY}"
        assert http.get(f"{server.url}/api/session", headers={"Authorization": wrong}).status_code == 401
        server.stop()
        log = server.log.read_text()
    assert logging.getLevelName(logging.DEBUG) in log, "the server was not at debug"
    assert "HTTP/1.1" in log, "no handshake was logged: this test would find nothing"
    for secret in (CANARY, seat, ticket):
        assert secret not in log
