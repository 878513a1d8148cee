"""The samples of deploy/ under the real nginx and the real Caddy, each before a real server."""

from __future__ import annotations

import gzip
import json
import re
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from grandstand.server.transport.sockets import PING_EVERY, PING_TIMEOUT
from grandstand.spectator.errors import CloseCode
from tests.support import http
from tests.support.deploy.proxies import (
    ProxiedServer,
    Proxy,
    caddy,
    fronted,
    nginx,
)
from tests.support.live_server import ROOT
from tests.support.waiting import PATIENCE


@pytest.fixture(scope="module", params=[nginx, caddy])
def front(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProxiedServer]:
    with fronted(tmp_path_factory.mktemp("front"), request.param) as front:
        yield front


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_a_socket_passes_and_is_told_that_the_server_stops(proxy: Proxy, tmp_path: Path) -> None:
    observed: list[int] = []
    with ExitStack() as stack:
        front = stack.enter_context(fronted(tmp_path, proxy))
        episode_id = front.server.start_match(game="diplomacy", seed=1, pace=0.2)
        watching = stack.enter_context(connect(f"{front.ws}/api/episodes/{episode_id}/watch"))
        while len(observed) < 40:
            frame = json.loads(watching.recv(timeout=PATIENCE))
            observed.append((frame.get("snapshot") or frame.get("event") or frame)["seq"])
        front.server.process.terminate()
        with suppress(ConnectionClosed):
            deque(watching, maxlen=0)
        assert watching.close_code == CloseCode.STOPPING
    assert observed == list(range(observed[0], observed[0] + len(observed)))


def test_an_event_stream_is_not_held_back(front: ProxiedServer) -> None:
    episode_id = front.server.start_match(game="diplomacy", seed=1, paused=True)
    with http.stream("GET", f"{front.url}/api/episodes/{episode_id}/stream") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        assert "content-encoding" not in response.headers
        data = (line for line in response.iter_lines() if line.startswith("data:"))
        next(data)
        front.server.post(f"/api/episodes/{episode_id}/commands", {"command": "step"}).raise_for_status()
        next(data)


def test_what_is_long_arrives_compressed_and_whole(front: ProxiedServer) -> None:
    episode_id = front.server.start_match(game="diplomacy", seed=1, pace=0, options={"last_year": 1901})
    front.server.wait_for(episode_id, status="finished")
    path = f"/api/episodes/{episode_id}/events"
    with http.stream("GET", front.url + path, headers={"Accept-Encoding": "gzip"}) as response:
        assert response.headers["content-encoding"] == "gzip"
        raw = b"".join(response.iter_raw())
    assert json.loads(gzip.decompress(raw)) == front.server.get(path)


def test_nobody_who_comes_through_is_taken_for_this_machine(front: ProxiedServer) -> None:
    """The server behind is open, as it listens on loopback and has no token, and the visitor names loopback."""
    assert http.get(f"{front.server.url}/metrics").status_code == 200
    assert http.get(f"{front.url}/metrics").status_code == 403


def test_what_a_visitor_claims_of_its_address_counts_for_nothing(front: ProxiedServer) -> None:
    codes = [
        http.post(
            f"{front.url}/api/episodes", json={"game": "cricket"}, headers={"X-Forwarded-For": f"203.0.113.{number}"}
        ).status_code
        for number in range(7)
    ]
    assert codes == [201] * 6 + [429]


def test_nginx_waits_far_longer_than_a_sign_of_life_takes() -> None:
    (hours,) = re.findall(r"proxy_read_timeout (\d+)h;", (ROOT / "deploy/nginx.conf").read_text())
    assert int(hours) * 3600 > 10 * (PING_EVERY + PING_TIMEOUT)
