"""Visitors share a server: each is told apart by its address, has a bound for what it takes, and waits in turn."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from grandstand.server.auth import visitor_at
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.waiting import until

FIFTY: dict[str, Any] = {"game": "cricket", "options": {"overs": 50}, "pace": 60}


@contextmanager
def public_server(data: Path, *flags: str, **env: Any) -> Iterator[LiveServer]:
    """Serve as a Space does: anybody reaches it, nobody is an operator. The tests' proxy names the visitors."""
    with live_server(data, "--host", "0.0.0.0", *flags, **env) as server:
        server.url = server.url.replace("0.0.0.0", "127.0.0.1")
        yield server


def ask(server: LiveServer, visitor: str, path: str, body: Any) -> httpx2.Response:
    return server.post(path, body, **{"X-Forwarded-For": visitor})


def started(server: LiveServer, visitor: str, path: str = "/api/episodes", **body: Any) -> str:
    return str(ask(server, visitor, path, body).raise_for_status().json()["episode_id"])


def status(server: LiveServer, episode: str) -> str:
    return str(server.get(f"/api/episodes/{episode}")["status"])


@pytest.mark.parametrize(
    ("address", "visitor"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
        ("testclient", "testclient"),
    ],
)
def test_a_visitor_is_an_ipv4_address_or_an_ipv6_network(address: str, visitor: str) -> None:
    assert visitor_at(address) == visitor


def test_the_addresses_of_one_ipv6_network_share_their_limits(tmp_path: Path) -> None:
    with public_server(tmp_path, GRANDSTAND_VISITOR_CREDITS="20") as server:
        codes = [ask(server, f"2001:db8::{n}", "/api/episodes", {"game": "cricket"}).status_code for n in range(1, 4)]
        assert codes == [201, 201, 429]
        assert ask(server, "2001:db8:0:1::1", "/api/episodes", {"game": "cricket"}).status_code == 201


@pytest.mark.long
def test_one_visitor_leaves_slots_for_other_visitors_and_for_people(tmp_path: Path) -> None:
    with public_server(tmp_path) as server:
        greedy = [started(server, "127.0.0.5", **FIFTY) for _ in range(4)]
        other = started(server, "127.0.0.6", **FIFTY)
        person = started(server, "127.0.0.7", "/api/play", game="cricket", clock=300)
        for begins in (*greedy[:2], other, person):
            server.wait_for(begins, status="live")
        assert [status(server, episode) for episode in greedy] == ["live", "live", "queued", "queued"]


@pytest.mark.long
def test_visitors_matches_without_a_person_leave_one_slot_free(tmp_path: Path) -> None:
    with public_server(tmp_path) as server:
        matches = [started(server, f"127.0.0.{n}", **FIFTY) for n in range(5, 9)]
        for begins in matches[:3]:
            server.wait_for(begins, status="live")
        assert status(server, matches[3]) == "queued"
        person = started(server, "127.0.0.5", "/api/play", game="cricket")
        server.wait_for(person, status="live")


def test_a_visitor_cannot_slow_a_match_down(tmp_path: Path) -> None:
    with public_server(tmp_path) as server:
        match = started(server, "127.0.0.5", **FIFTY)
        page = server.get(f"/api/episodes/{match}/events")
        controls = [f["event"]["data"] for f in page["frames"] if f.get("event", {}).get("type") == "ControlChanged"]
        assert {"command": "pace", "value": 2.5, "by": "api"} in controls


def test_a_full_queue_is_refused_in_plain_words(tmp_path: Path) -> None:
    with public_server(tmp_path, "--slots", "2", "--queue", "1") as server:
        for n in (5, 6):
            started(server, f"127.0.0.{n}", **FIFTY)
        refused = ask(server, "127.0.0.7", "/api/episodes", FIFTY)
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) > 0
        assert "another match is waiting" in refused.json()["detail"]
        assert "Watch one of the matches" in refused.json()["detail"]


@pytest.mark.long
def test_a_waiting_match_knows_its_place_and_its_time(tmp_path: Path) -> None:
    with public_server(tmp_path) as server:
        greedy = [started(server, "127.0.0.5", **FIFTY) for _ in range(4)]
        second = [started(server, "127.0.0.6", **FIFTY) for _ in range(2)]
        assert until(lambda: status(server, second[0]) == "live")
        places = {episode: server.get(f"/api/episodes/{episode}")["queue"] for episode in (*greedy, *second)}
        assert [places[episode] for episode in (*greedy[:2], second[0])] == [None] * 3
        waiting = [places[episode] for episode in (second[1], greedy[2], greedy[3])]
        assert [place["place"] for place in waiting] == [1, 2, 3]
        seconds = [place["seconds"] for place in waiting]
        assert 0 < seconds[0] <= seconds[1] <= seconds[2]
        listed = server.get("/api/episodes", status="queued")
        assert listed["queue"] == [second[1], greedy[2], greedy[3]]
        shown = {episode["episode_id"]: episode["queue"]["place"] for episode in listed["episodes"]}
        assert shown == {second[1]: 1, greedy[2]: 2, greedy[3]: 3}
        answer = http.post(server.url + "/api/episodes", json=FIFTY, headers={"X-Forwarded-For": "127.0.0.8"}).json()
        assert answer["queue"]["place"] == 1


def test_the_record_knows_which_matches_visitors_started(tmp_path: Path) -> None:
    quick: dict[str, Any] = {"game": "cricket", "options": {"overs": 1}, "pace": 0}
    with public_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN="let me in", GRANDSTAND_VISITOR_SEATS="true") as server:
        visitors = started(server, "127.0.0.5", "/api/play", **quick)
        ours = server.post("/api/episodes", quick, Authorization="Bearer let me in").raise_for_status().json()
        assert server.get(f"/api/episodes/{visitors}")["visitor"] is True
        assert server.get(f"/api/episodes/{ours['episode_id']}")["visitor"] is False
