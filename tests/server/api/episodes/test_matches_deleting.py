"""Deleting an episode over a real socket: for operators, with all that is kept of it, for good."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.waiting import until

TOKEN = "an operator's token"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}


def played(server: LiveServer, seed: int = 1) -> str:
    """Play a short match to its end."""
    body = {"game": "diplomacy", "seed": seed, "pace": 0, "options": {"last_year": 1901}}
    episode = str(server.post("/api/episodes", body, **OPERATOR).raise_for_status().json()["episode_id"])
    server.wait_for(episode, status="finished")
    return episode


def delete(server: LiveServer, episode: str, **headers: str) -> tuple[int, str]:
    answer = http.request("DELETE", f"{server.url}/api/episodes/{episode}", headers=headers)
    return answer.status_code, answer.json()["detail"] if answer.content else ""


def statuses(server: LiveServer, episode: str) -> set[int]:
    """Return the statuses of every way to read an episode."""
    paths = ["", "/events", "/snapshot", "/glance", "/replay", "/export/html", "/clips", "/card", "/decisions"]
    return {
        http.get(f"{server.url}/api/episodes/{episode}{path}", headers=OPERATOR, follow_redirects=True).status_code
        for path in paths
    }


def seats_counted(server: LiveServer) -> int:
    return sum(record["seats"] for record in server.get("/api/players", game="diplomacy"))


@pytest.mark.long
def test_a_deleted_match_is_gone_on_every_path_and_stays_so(tmp_path: Path) -> None:
    bucket = tmp_path / "bucket"
    bucket.mkdir()
    settings: Any = {"GRANDSTAND_OPERATOR_TOKEN": TOKEN, "GRANDSTAND_BUCKET": str(bucket)}
    with live_server(tmp_path / "data", **settings) as server:
        kept, deleted = played(server), played(server)
        assert statuses(server, deleted) == {200}
        assert delete(server, deleted)[0] == 403
        assert delete(server, "nothing", **OPERATOR)[0] == 404
        assert statuses(server, deleted) == {200}
        assert delete(server, deleted, **OPERATOR) == (204, "")
        assert statuses(server, deleted) == {404}
        assert delete(server, deleted, **OPERATOR)[0] == 404
        assert [episode["episode_id"] for episode in server.get("/api/episodes")["episodes"]] == [kept]
        log = server.log.read_text()
        assert f"episode {deleted} was deleted" in log
        assert "Traceback" not in log
        server.stop()
    assert [path.name for path in (bucket / "episodes").iterdir()] == [f"{kept}.jsonl.gz"]
    with live_server(tmp_path / "data", **settings) as server:
        assert statuses(server, kept) == {200}
        assert statuses(server, deleted) == {404}


def test_a_live_match_is_refused_and_plays_on(tmp_path: Path) -> None:
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        body = {"game": "diplomacy", "seed": 1, "pace": 0.05}
        episode = server.post("/api/episodes", body, **OPERATOR).raise_for_status().json()["episode_id"]
        status, detail = delete(server, episode, **OPERATOR)
        assert (status, "has not ended; stop it" in detail) == (409, True)
        last = server.get(f"/api/episodes/{episode}")["last_seq"]
        assert until(lambda: server.get(f"/api/episodes/{episode}")["last_seq"] > last)
        server.post(f"/api/episodes/{episode}/commands", {"command": "stop"}, **OPERATOR).raise_for_status()
        server.wait_for(episode, status="stopped")
        assert delete(server, episode, **OPERATOR) == (204, "")


@pytest.mark.long
def test_a_deleted_match_is_counted_in_no_statistics(tmp_path: Path) -> None:
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        played(server)
        once = seats_counted(server)
        episode = played(server, seed=2)
        assert until(lambda: seats_counted(server) == 2 * once)
        assert delete(server, episode, **OPERATOR) == (204, "")
        assert until(lambda: seats_counted(server) == once)
