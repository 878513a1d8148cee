"""A delayed match, played to its end: nobody who is delayed can tell, on any path, before the release."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
import websockets

from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.server.private_batches import visible_events
from tests.support.waiting import PATIENCE, until

TOKEN = "an operator's token"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}
BODY = {
    "game": "diplomacy",
    "players": dict.fromkeys(("AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY"), "hold"),
    "options": {"last_year": 1901},
    "pace": 0,
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with live_server(tmp_path, "--slots", "1", GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        yield server


def start(server: LiveServer, **more: Any) -> str:
    answer = server.post("/api/episodes", {**BODY, **more}, **OPERATOR).raise_for_status()
    return str(answer.json()["episode_id"])


def truth(server: LiveServer, episode: str) -> list[dict[str, Any]]:
    answer = http.get(
        f"{server.url}/api/episodes/{episode}/events", params={"as": "operator"}, headers=OPERATOR, timeout=PATIENCE
    )
    return list(visible_events(answer.raise_for_status().json()["frames"]))


def wait_for_end(server: LiveServer, episode: str) -> int:
    assert until(lambda: truth(server, episode)[-1]["type"] == "EpisodeEnded"), "the match did not end"
    return int(truth(server, episode)[-1]["seq"])


def paths(server: LiveServer, episode: str, last: int) -> list[str]:
    """Every GET address of the API, with every parameter that could tell how far the match is."""
    known = http.get(f"{server.url}/api/openapi.json").json()["paths"]
    streams = ("/stream", "/lobby/changes")
    results = [path for path, methods in known.items() if "get" in methods and not path.endswith(streams)]
    values = {"episode_id": episode, "seat": "FRANCE", "format": "saved-game", "clip": "5e" * 32, "name": "dumbbot"}
    values |= {"game": "diplomacy"}
    plain = [path.format_map(values) for path in results]
    assert f"/api/episodes/{episode}/replay" in plain
    item = f"/api/episodes/{episode}"
    numbers = [0, 1, last // 2, last, last + 1]
    return [
        *plain,
        *(f"/api/episodes?status={status}" for status in ("queued", "live", "finished", "stopped", "error")),
        "/api/episodes?status=live&status=queued&limit=1",
        "/api/episodes?game=diplomacy&offset=1",
        "/api/players?game=diplomacy",
        *(f"{item}/{path}?seq={seq}" for path in ("snapshot", "glance") for seq in numbers),
        *(f"{item}/events?first={seq}" for seq in numbers),
        *(f"{item}/{what}?as={who}" for what in ("events", "snapshot", "replay") for who in ("seat:FRANCE", "analyst")),
        *(f"{item}/card?seq={seq}" for seq in numbers),
        *(f"{item}/clip?first=0&last={seq}" for seq in numbers),
        *(f"/episode/{episode}?seq={seq}" for seq in numbers),
        f"/episode/{episode}",
        f"/embed/{episode}",
        "/metrics",
    ]


def answers(server: LiveServer, addresses: list[str]) -> dict[str, tuple[Any, ...]]:
    result: dict[str, tuple[Any, ...]] = {}
    for path in addresses:
        answer = http.get(server.url + path, headers={"Accept-Encoding": "identity"})
        headers = {name: value for name, value in answer.headers.items() if name not in ("date", "content-length")}
        # The time that a waiting match is given depends on the present time alone.
        result[path] = (
            answer.status_code,
            headers,
            re.sub(rb'("place":\d+,"seconds":)[0-9.]+', rb"\1", answer.content),
        )
    join = {"match": addresses[0], "seat": "FRANCE", "seat_token": "junk"}
    for name, path, body in (
        ("take", f"{addresses[0]}/seats/FRANCE/token", None),
        ("act", f"{addresses[0]}/seats/FRANCE", {"action": {}}),
        ("stop", f"{addresses[0]}/commands", {"command": "stop"}),
        ("fork", f"{addresses[0]}/fork", {}),
        ("reset", "/reset", {**join, "match": addresses[0].rpartition("/")[2]}),
    ):
        refused = http.post(server.url + path, json=body)
        result[name] = (refused.status_code, refused.content)
    return result


async def opening(server: LiveServer, episode: str, after: str) -> list[Any]:
    """Return the first frames of a socket for a viewer who claims to have everything up to `after`."""
    address = f"{server.url.replace('http', 'ws')}/api/episodes/{episode}/watch"
    async with websockets.connect(f"{address}?after={after}") as socket:
        return [json.loads(await socket.recv()) for _ in range(2)]


@pytest.mark.long
def test_no_path_tells_that_a_delayed_match_goes_on_and_ends(server: LiveServer) -> None:
    """Two matches wait behind it for its slot: they begin when spectators have seen its end."""
    rehearsal = start(server, seed=5)
    last = wait_for_end(server, rehearsal)
    match = start(server, seed=5, delay=3600, paused=True)
    behind = start(server, seed=6)
    server.wait_for(behind, status="queued")
    # A viewer who is not delayed comes, and goes at the true end.
    addresses = [f"/api/episodes/{match}", *paths(server, match, last)]
    before = answers(server, addresses)
    epoch = truth(server, match)[0]["epoch"]
    claimed = asyncio.run(opening(server, match, f"{epoch}.{last}"))
    watching = httpx2.Client(timeout=PATIENCE, verify=False)
    with watching.stream("GET", f"{server.url}/api/episodes/{match}/stream") as held:
        before_seen = answers(server, [f"/api/episodes/{match}", "/api/health", "/api/episodes"])
        server.post(f"/api/episodes/{match}/commands", {"command": "resume"}, **OPERATOR).raise_for_status()
        assert wait_for_end(server, match) == last + 2  # paused, and resumed
        assert answers(server, [f"/api/episodes/{match}", "/api/health", "/api/episodes"]) == before_seen
        assert not held.is_stream_consumed
        assert not held.is_closed
    assert until(lambda: not server.get("/api/health")["viewers"])
    after = answers(server, addresses)
    for path, answer in before.items():
        assert after[path] == answer, path
    assert asyncio.run(opening(server, match, f"{epoch}.{last}")) == claimed
    assert server.get(f"/api/episodes/{match}")["status"] == "queued"
    assert server.get(f"/api/episodes/{behind}")["status"] == "queued"
    assert server.get("/api/episodes", status="queued")["total"] == 2


def test_a_fork_of_a_delayed_match_does_not_tell_how_far_it_is(server: LiveServer) -> None:
    match = start(server, delay=3600)
    wait_for_end(server, match)
    cut = next(event["seq"] for event in truth(server, match) if event["type"] == "TurnStarted") + 1
    body = {"seq": cut, "paused": True}
    answer = server.post(f"/api/episodes/{match}/fork", body, **OPERATOR).raise_for_status().json()
    assert answer["parent"] == {"episode_id": match, "seq": cut}
    assert server.get(f"/api/episodes/{answer['episode_id']}")["parent"] is None


def test_a_started_match_is_told_to_its_visitor_as_to_the_public(tmp_path: Path) -> None:
    with live_server(tmp_path, GRANDSTAND_HOST="0.0.0.0") as server:
        visitor = {"Idempotency-Key": "mine", "Forwarded": "for=1.2.3.4"}
        first = server.post("/api/episodes", {**BODY, "delay": 3600}, **visitor).raise_for_status().json()
        assert until(lambda: f"match {first['episode_id']} started" in server.log.read_text())
        again = server.post("/api/episodes", {**BODY, "delay": 3600}, **visitor).raise_for_status().json()
        assert again == first
        assert (first["status"], first["last_seq"]) == ("queued", 0)


def test_the_release_comes_to_viewers_also_after_a_restart(tmp_path: Path) -> None:
    """A match ends, the server is killed, and viewers who join before the release get the rest and the end."""

    async def rest(server: LiveServer, episode: str) -> tuple[int, int]:
        address = f"{server.url.replace('http', 'ws')}/api/episodes/{episode}/watch"
        async with websockets.connect(address) as socket:
            snapshot = json.loads(await socket.recv())["snapshot"]
            numbers = [snapshot["seq"]]
            with suppress(websockets.ConnectionClosedError):
                async for message in socket:
                    frame = json.loads(message)
                    numbers.append(frame["event"]["seq"] if frame["frame"] == "event" else frame["seq"])
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        assert socket.close_code is not None
        return numbers[-1], socket.close_code

    def restarted(folder: Path, delay: int) -> bool:
        """Return whether the server was back before the release, and check what a viewer gets then."""
        with live_server(folder, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
            match = start(server, delay=delay)
            last = wait_for_end(server, match)
            server.kill()
        with live_server(folder, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
            if server.get(f"/api/episodes/{match}")["status"] == "finished":
                return False
            assert asyncio.run(asyncio.wait_for(rest(server, match), delay + PATIENCE)) == (last, 4500)
            assert server.get(f"/api/episodes/{match}")["status"] == "finished"
            return True

    # On a busy machine a short delay may be over before the server is back; then a longer one is tried.
    assert any(restarted(tmp_path / str(delay), delay) for delay in (3, 12, 60))
