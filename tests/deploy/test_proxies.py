"""The samples of deploy/ under the real nginx and the real Caddy, each before a real server."""

from __future__ import annotations

import gzip
import json
import re
import socket
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from grandstand.server.transport.sockets import PING_EVERY, PING_TIMEOUT
from grandstand.spectator.errors import CloseCode
from tests.support import http
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.requirements import program
from tests.support.waiting import PATIENCE

NGINX = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""

CADDY = """
{{
    admin off
    auto_https off
}}
{site}
"""


Proxy = Callable[[Path, int, str], list[str]]
"""(folder of its own, port to listen on, server behind) -> the command that runs it."""


class ProxiedServer:
    """A reverse proxy, and the server behind it."""

    def __init__(self, url: str, server: LiveServer) -> None:
        self.url = url
        self.ws = url.replace("http", "ws")
        self.server = server


REMEDY = "run scripts/setup/deploy"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def replaced(text: str, **pairs: tuple[str, str]) -> str:
    """`text` with the first of each pair replaced by the second. The sample must have it."""
    for old, new in pairs.values():
        assert old in text
        text = text.replace(old, new)
    return text


def nginx(folder: Path, port: int, server: str) -> list[str]:
    site = replaced(
        (ROOT / "deploy/nginx.conf").read_text(),
        listen=("listen 80;", f"listen 127.0.0.1:{port};"),
        server=("server 127.0.0.1:8000;", f"server {server};"),
    )
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder))
    return [
        program("nginx", remedy=REMEDY),
        "-p",
        str(folder),
        "-c",
        str(folder / "nginx.conf"),
        "-e",
        str(folder / "error.log"),
    ]


def caddy(folder: Path, port: int, server: str) -> list[str]:
    site = replaced(
        (ROOT / "deploy/Caddyfile").read_text(),
        listen=("grandstand.example.org {", f"http://127.0.0.1:{port} {{"),
        server=("127.0.0.1:8000", server),
    )
    (folder / "Caddyfile").write_text(CADDY.format(site=site))
    return [program("caddy", remedy=REMEDY), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


@contextmanager
def fronted(folder: Path, proxy: Proxy, *flags: str) -> Iterator[ProxiedServer]:
    with live_server(folder / "data", *flags) as server:
        port = free_port()
        command = proxy(folder, port, server.url.removeprefix("http://"))
        with (folder / "proxy.log").open("w") as log:
            env = {"HOME": str(folder), "PATH": "/usr/bin:/bin"}
            process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=env)
        try:
            wait_for_port(port, process, folder / "proxy.log")
            yield ProxiedServer(f"http://127.0.0.1:{port}", server)
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)


@pytest.fixture(scope="module", params=[nginx, caddy])
def front(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProxiedServer]:
    with fronted(tmp_path_factory.mktemp("front"), request.param) as front:
        yield front


def wait_for_port(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, log.read_text()
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            time.sleep(0.02)
    raise AssertionError(f"nothing listens: {log.read_text()}")


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
        for number in range(5)
    ]
    assert codes == [201, 201, 201, 201, 429]


def test_nginx_waits_far_longer_than_a_sign_of_life_takes() -> None:
    (hours,) = re.findall(r"proxy_read_timeout (\d+)h;", (ROOT / "deploy/nginx.conf").read_text())
    assert int(hours) * 3600 > 10 * (PING_EVERY + PING_TIMEOUT)
