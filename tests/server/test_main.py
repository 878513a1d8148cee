"""The running process: where it looks for its files, what it logs, how it ends, and whom it believes."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import http
from tests.support.live_server import ROOT, live_server
from tests.support.waiting import PATIENCE

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (DEBUG|INFO|WARNING|ERROR) +[\w.]+  .+")


def test_a_stop_that_was_asked_for_ends_with_status_0(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        server.start_match(game="diplomacy", seed=1)
        assert server.stop() == 0


@pytest.mark.long
def test_the_page_is_found_from_any_folder_and_data_lies_in_the_current_one(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "grandstand", "serve", "--port", "0", "--showcase", ""]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address
        page = http.get(address.group(), timeout=PATIENCE)
        assert page.status_code == 200
        assert '<div id="app">' in page.text
    finally:
        process.terminate()
        _, log = process.communicate(timeout=PATIENCE)
    assert (tmp_path / "data/grandstand.db").is_file()
    assert f"the record is in {tmp_path / 'data'}" in log


def test_a_match_is_three_lines_and_every_line_has_one_format(tmp_path: Path) -> None:
    with live_server(tmp_path, "--pace", "0") as server:
        episode_id = server.start_match(
            game="diplomacy", seed=1, options={"last_year": 1901}, players={"FRANCE": "hold"}
        )
        ended = server.wait_for(episode_id, status="finished")
        server.stop()
        lines = server.log.read_text().splitlines()
    assert all(LINE.fullmatch(line) for line in lines), [line for line in lines if not LINE.fullmatch(line)]
    created, started, over = [line for line in lines if episode_id in line]
    assert f"match {episode_id} created: diplomacy by api, players AUSTRIA=" in created
    assert "FRANCE=hold" in created
    assert started.endswith(f"match {episode_id} started")
    turns_and_events = rf"\d+ turns, {ended['last_seq'] + 1} events"
    assert re.search(rf"match {episode_id} ended: finished \(.+\), \d+\.\d s, {turns_and_events}$", over)


def test_the_line_of_a_match_that_has_ended_has_its_turns_and_deliveries(tmp_path: Path) -> None:
    with live_server(tmp_path, "--pace", "0") as server:
        episode_id = server.start_match(game="cricket", seed=5, options={"overs": 1})
        server.wait_for(episode_id, status="finished")
        frames = server.get(f"/api/episodes/{episode_id}/events")["frames"]
        kinds = [frame["event"]["type"] for frame in frames if frame["frame"] == "event"]
        server.stop()
        over = [line for line in server.log.read_text().splitlines() if episode_id in line][-1]
    turns, deliveries = kinds.count("TurnStarted"), kinds.count("BallBowled")
    assert f" s, {turns} turns, {deliveries} deliveries, " in over


def test_the_log_level_is_a_setting(tmp_path: Path) -> None:
    with live_server(tmp_path, "--pace", "0", GRANDSTAND_LOG_LEVEL="warning") as server:
        episode_id = server.start_match(game="diplomacy", seed=1, options={"last_year": 1901})
        server.wait_for(episode_id, status="finished")
        lines = server.log.read_text().splitlines()
    assert [line for line in lines if "watchdog" not in line] == []  # which warns on a machine that is busy


def test_a_private_address_is_no_proxy_unless_it_is_named(tmp_path: Path) -> None:
    """Each claimed address would have credits of its own. The test's own is loopback, which is a proxy by
    default; here another one is named."""
    with live_server(tmp_path, "--host", "0.0.0.0", GRANDSTAND_TRUSTED_PROXIES="192.0.2.1") as server:
        codes = [
            server.post("/api/episodes", {"game": "cricket"}, **{"X-Forwarded-For": f"203.0.113.{n}"}).status_code
            for n in range(7)
        ]
    assert codes == [*[201] * 6, 429]


@pytest.mark.long
@pytest.mark.parametrize(
    ("host", "complaint"),
    [
        ("127.0.0.1", r"port \(--port\): cannot listen on 127.0.0.1:\d+: Address already in use; name another"),
        ("256.0.0.1", r"host \(--host\): cannot listen on 256.0.0.1:\d+: .+; name an address of this machine"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused_by_its_setting(tmp_path: Path, host: str, complaint: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "grandstand", "serve", "--host", host, "--port", port, "--showcase", ""]
        env = {**os.environ, "PYTHONPATH": str(ROOT)}
        refused = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=PATIENCE)
    assert refused.returncode == 2
    assert re.search(complaint, " ".join(refused.stderr.split()))
    assert "Traceback" not in refused.stderr


FIRST_REQUEST = """
import asyncio, sys
from pydantic import TypeAdapter
from grandstand.server.main import create_app
from grandstand.server.settings import Settings

async def start() -> None:
    app = create_app(Settings.load({"data": sys.argv[1], "showcase": ""}))
    built = []
    build = TypeAdapter.__init__
    async with app.router.lifespan_context(app):
        loaded = set(sys.modules)
        TypeAdapter.__init__ = lambda *args, **kwargs: built.append(1) or build(*args, **kwargs)
        scope = {"type": "http", "method": "GET", "path": "/api/nothing", "root_path": "", "query_string": b"",
                 "headers": [], "http_version": "1.1", "scheme": "http", "client": ("127.0.0.1", 1)}
        async def receive(): return {"type": "http.request", "body": b""}
        async def send(message): ...
        await app(scope, receive, send)
        on_the_loop = len(built)
        await app({**scope, "path": "/api/openapi.json"}, receive, send)  # is made in a thread
    print(on_the_loop, [name for name in set(sys.modules) - loaded if name.startswith("anyio")])

asyncio.run(start())
"""


def test_the_first_request_builds_no_route_and_loads_no_thread(tmp_path: Path) -> None:
    """FastAPI and anyio would do that on the event loop, for which all others would wait."""
    command = [sys.executable, "-c", FIRST_REQUEST, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout == "0 []\n", done.stderr
