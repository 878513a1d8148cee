"""Real reverse proxies before a real server."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.requirements import program
from tests.support.waiting import PATIENCE

NGINX = """
daemon off;
user root;  # where root runs the tests, as the folders of tests are root's
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

Proxy = Callable[..., list[str]]
"""(folder of its own, port to listen on, servers behind) -> the command that runs it."""


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
    return _nginx(folder, site)


def nginx_of_several(folder: Path, port: int, *servers: str) -> list[str]:
    lines = "\n".join(f"server {server} max_fails=1 fail_timeout=5s;" for server in servers)
    site = replaced(
        (ROOT / "deploy/nginx.scale.conf").read_text(),
        listen=("listen 80;", f"listen 127.0.0.1:{port};"),
        servers=("server watch:8000 max_fails=1 fail_timeout=5s;", lines),
        cache=("/var/cache/nginx/grandstand", f"{folder}/cache"),
    )
    return _nginx(folder, site)


def _nginx(folder: Path, site: str) -> list[str]:
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
    with live_server(folder / "data", *flags) as server, running(folder, proxy, server.url) as url:
        yield ProxiedServer(url, server)


@contextmanager
def running(folder: Path, proxy: Proxy, *servers: str) -> Iterator[str]:
    """Run a proxy before servers, given by their addresses; yield its own."""
    port = free_port()
    command = proxy(folder, port, *(server.removeprefix("http://") for server in servers))
    with (folder / "proxy.log").open("w") as log:
        env = {"HOME": str(folder), "PATH": "/usr/bin:/bin"}
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=env)
    try:
        wait_for_port(port, process, folder / "proxy.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=PATIENCE)


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
