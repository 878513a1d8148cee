"""`server.app:app` under plain uvicorn, as other people's tools start it: sockets work there too."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from grandstand.server.transport.observers import MAX_RECEIVED
from tests.support import http
from tests.support.live_server import ROOT, LiveServer
from tests.support.waiting import PATIENCE


@pytest.fixture(
    scope="module",
    params=["auto", *(pytest.param(each, marks=pytest.mark.long) for each in ("websockets", "websockets-sansio"))],
)
def foreign(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Uvicorn's own command, with each of its WebSocket implementations."""
    folder = tmp_path_factory.mktemp("foreign")
    env = {
        **os.environ,
        "GRANDSTAND_DATA": str(folder / "data"),
        "GRANDSTAND_SHOWCASE": "none",
        "GRANDSTAND_HOST": "127.0.0.1",
        "GRANDSTAND_PACE": "0",
    }
    command = [sys.executable, "-m", "uvicorn", "server.app:app", "--port", "0", "--ws", request.param]
    log = folder / "log"
    with log.open("w") as err:
        process = subprocess.Popen(command, cwd=ROOT, stderr=err, stdout=err, text=True, env=env)
    try:
        yield LiveServer(process, address(process, log), log)
    finally:
        process.kill()
        process.wait()


def address(process: subprocess.Popen[str], log: Path) -> str:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        running = re.search(r"running on (http://[\d.:]+)", log.read_text())
        if running:
            return running.group(1)
        time.sleep(0.05)
    raise AssertionError(log.read_text())


def watch(server: LiveServer, episode_id: str, **query: str) -> ClientConnection:
    words = "&".join(f"{name}={value}" for name, value in query.items())
    url = server.url.replace("http", "ws")
    return connect(f"{url}/api/episodes/{episode_id}/watch?{words}", max_queue=None)


def read_to_end(client: ClientConnection) -> tuple[list[int], int]:
    """The numbers that come, and the close code."""
    observed: list[int] = []
    try:
        while True:
            frame = json.loads(client.recv(20))
            observed.append((frame.get("snapshot") or frame.get("event") or frame)["seq"])
    except ConnectionClosed as closed:
        return observed, closed.rcvd.code if closed.rcvd else 1006


@pytest.mark.long
def test_a_match_is_watched_to_its_end(foreign: LiveServer) -> None:
    episode_id = foreign.start_match(game="diplomacy", seed=1, pace=0.2, options={"last_year": 1902})
    with watch(foreign, episode_id) as client:
        observed, code = read_to_end(client)
    last = foreign.get(f"/api/episodes/{episode_id}")["last_seq"]
    assert code == 4500
    assert observed == list(range(observed[0], last + 1))
    with watch(foreign, episode_id, after=f"{epoch(foreign, episode_id)}.3") as again:
        assert read_to_end(again) == (list(range(4, last + 1)), 4500)


def epoch(server: LiveServer, episode_id: str) -> int:
    return int(server.get(f"/api/episodes/{episode_id}/events", stop=1)["epoch"])


@pytest.mark.long
def test_a_foreign_program_watches_a_match_to_its_end(foreign: LiveServer) -> None:
    episode_id = foreign.start_match(game="diplomacy", seed=1, pace=0.2, options={"last_year": 1901})
    foreign.wait_for(episode_id, status="live")
    join = {"request_id": "1", "name": "join_game", "token": "t", "game_id": episode_id}
    with connect(foreign.url.replace("http", "ws") + "/", max_queue=None) as client:
        client.send(json.dumps(join))
        assert json.loads(client.recv(20))["data"]["game_id"] == episode_id
        while (message := json.loads(client.recv(20)))["name"] != "game_status_update":
            assert message["name"] == "game_processed"
        assert message["status"] == "completed"
        client.send("x" * (MAX_RECEIVED + 1))
        with pytest.raises(ConnectionClosed) as closed:
            client.recv(20)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


def test_refusals_have_their_codes(foreign: LiveServer) -> None:
    episode_id = foreign.start_match(game="diplomacy", seed=1, paused=True)
    for query, code in (({"as": "seat:MARS"}, 4505), ({"after": "x"}, 4505)):
        with watch(foreign, episode_id, **query) as client:
            assert read_to_end(client) == ([], code)
    with watch(foreign, "no-such") as client:
        assert read_to_end(client) == ([], 4504)


def test_a_viewer_that_speaks_is_told_that_it_only_listens(foreign: LiveServer) -> None:
    episode_id = foreign.start_match(game="diplomacy", seed=1, paused=True)
    with watch(foreign, episode_id) as client:
        client.recv(20)
        client.send("hello")
        assert read_to_end(client) == ([], 1003)


def test_whoever_leaves_is_forgotten_and_play_goes_on(foreign: LiveServer) -> None:
    episode_id = foreign.start_match(game="diplomacy", seed=1, pace=0.3)
    with ExitStack() as stack:
        leavers = [stack.enter_context(watch(foreign, episode_id)) for _ in range(5)]
        for client in leavers[2:]:
            client.socket.shutdown(socket.SHUT_RDWR)
    end = time.monotonic() + PATIENCE
    while foreign.get("/api/health")["viewers"]:
        assert time.monotonic() < end
        time.sleep(0.05)
    before = foreign.get(f"/api/episodes/{episode_id}")["last_seq"]
    foreign.wait_for(episode_id, seq=before + 5)
    assert "Traceback" not in foreign.log.read_text()


def test_its_answers_are_bounded_too(foreign: LiveServer) -> None:
    answer = http.post(f"{foreign.url}/api/episodes", content=b" " * (128 * 1024 + 1))
    assert answer.status_code == 413
    assert answer.headers["x-content-type-options"] == "nosniff"
