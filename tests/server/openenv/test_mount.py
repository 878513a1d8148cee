"""The way to OpenEnv's routes: loaded when asked for, shadowing nothing of ours, and where it is missing, said so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from grandstand.server.openenv.mount import PAGES, SOCKETS, LazyMount
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.requirements import installed

pytestmark = pytest.mark.long


def test_openenv_is_loaded_when_it_is_first_asked_for(tmp_path: Path) -> None:
    installed("openenv")
    with live_server(tmp_path) as server:
        maps = Path(f"/proc/{server.process.pid}/maps")
        server.get("/api/episodes")
        assert server.get("/health") == {"status": "healthy"}
        assert "pydantic_core" in maps.read_text()
        assert "rpds" not in maps.read_text()
        assert http.get(server.url + "/metadata").json()["name"] == "grandstand"
        assert "rpds" in maps.read_text()  # a library of OpenEnv's, which nothing else here needs
        with connect(server.url.replace("http", "ws") + "/ws") as socket:
            words = {"seat": "FRANCE", "opponents": {"GERMANY": "remote"}, "options": {"press": "none"}}
            socket.send(json.dumps({"type": "reset", "data": words}))
            socket.recv(timeout=30)
            socket.send(json.dumps({"type": "step", "data": {"action": {"orders": []}}}))  # waits for Germany
            server.stop()
        assert "graceful shutdown exceeded" not in server.log.read_text(), "the server waited for a session's step"
        assert "Traceback" not in server.log.read_text()


def test_none_of_our_addresses_is_shadowed(server: LiveServer) -> None:
    assert server.get("/api/health")["status"] == "ok"
    assert http.get(server.url + "/api/splits").status_code == 404
    assert server.post("/api/tasks", {"split": "x"}).status_code in (404, 405)
    assert "Grandstand" in server.get("/api/openapi.json")["info"]["title"]
    ours = {"/", "/cockpit", "/custom", "/metrics"}
    assert not ours & {*PAGES, *SOCKETS}


@contextmanager
def without(module: str, folder: Path) -> Iterator[LiveServer]:
    """A server for which there is no such module."""
    (folder / "sitecustomize.py").write_text(f"import sys\nsys.modules[{module!r}] = None\n")
    with live_server(folder / "data", PYTHONPATH=str(folder)) as server:
        yield server


def first_words(server: LiveServer) -> Any:
    with connect(server.url.replace("http", "ws") + "/ws") as socket:
        return json.loads(socket.recv(timeout=90))


def test_without_openenv_its_addresses_say_so(tmp_path: Path) -> None:
    with without("openenv", tmp_path) as server:
        for path in ("/schema", "/mcp-server", "/grandstand/splits"):
            answer = http.get(server.url + path)
            assert answer.status_code == 501
            assert answer.headers["content-type"] == "application/problem+json"
            assert "run `pip install 'grandstand[openenv]'`" in answer.json()["detail"], "a wheel has no scripts"
        assert server.get("/health") == {"status": "healthy"}
        error = first_words(server)
        assert error["type"] == "error"
        assert "pip install 'grandstand[openenv]'" in error["data"]["message"]


def test_what_fails_to_load_is_told_and_the_rest_goes_on(tmp_path: Path) -> None:
    installed("openenv")
    with without("fastmcp", tmp_path) as server:
        for _ in range(2):
            answer = http.get(server.url + "/schema")
            assert (answer.status_code, answer.json()["title"]) == (503, "OpenEnv could not be loaded")
            assert "fastmcp" in answer.json()["detail"]
        assert "could not be loaded" in first_words(server)["data"]["message"]
        assert server.get("/api/health")["status"] == "ok"


def test_matching_is_by_the_list_alone() -> None:
    gate = LazyMount.__new__(LazyMount)

    def matches(kind: str, path: str, accept: bytes = b"*/*") -> bool:
        return gate.matches({"type": kind, "path": path, "headers": [(b"accept", accept)]})[0].value > 0

    assert matches("websocket", "/ws")
    assert not matches("http", "/ws")
    assert not matches("websocket", "/api/episodes/x/watch")
    assert matches("http", "/health")
    assert not matches("http", "/health", b"text/html,application/xhtml+xml")
    assert not matches("http", "/")
    assert not matches("http", "/assets/tasks")
    assert matches("http", "/grandstand/tasks")
