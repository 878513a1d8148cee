"""Several real servers of one record: one is killed, stopped, or stops; its matches go on, and viewers miss nothing."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from grandstand.models import Event
from tests.support import http
from tests.support.live_server import LiveServer
from tests.support.server.cluster import OPERATOR, Servers, begin, recorded
from tests.support.server.postgres import Postgres
from tests.support.waiting import PATIENCE, until

WITHIN = 8.0
"""Seconds in which a match goes on elsewhere."""


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.database()


@pytest.fixture
def servers(tmp_path: Path, url: str) -> Iterator[Servers]:
    with ExitStack() as stack:
        yield Servers(tmp_path, url, stack)


def steer(server: LiveServer, episode_id: str, **command: Any) -> Any:
    """Send a command as a client does, again where the answer says so."""
    while True:
        address = f"{server.url}/api/episodes/{episode_id}/commands"
        answer = http.post(address, json=command, headers=OPERATOR, timeout=PATIENCE)
        if "retry-after" not in answer.headers:
            return answer
        time.sleep(float(answer.headers["retry-after"]))


def shown(server: LiveServer, episode_id: str) -> Sequence[Any]:
    """Return the events that a server shows to an operator."""
    address = f"{server.url}/api/episodes/{episode_id}/events"
    page = http.get(address, params={"as": "operator"}, headers=OPERATOR).raise_for_status().json()
    assert len(page["frames"]) == page["last_seq"] + 1
    return [frame.get("event") or {"type": "withheld", "seq": frame["seq"]} for frame in page["frames"]]


def _resumes(event: Event) -> bool:
    return event.type == "EpisodeStarted" and event.data["resumed"] is not None


def resumed_at(server: LiveServer, episode_id: str, after: int, limit: float = 30.0) -> float:
    """Wait until the server shows that the match goes on behind event `after`; return when it did, in Unix time."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        for event in shown(server, episode_id):
            if event["type"] == "EpisodeStarted" and event["data"].get("resumed") and event["seq"] > after:
                return float(event["at"])
        time.sleep(0.2)
    raise AssertionError(f"{episode_id} does not go on after {after}\n{server.log.read_text()}")


def until_seq(server: LiveServer, episode_id: str, seq: int) -> None:
    server.wait_for(episode_id, seq=seq)


@pytest.mark.long
def test_a_match_of_a_killed_server_goes_on_elsewhere_from_the_same_event(servers: Servers) -> None:
    one, two = servers.start(), servers.start()
    match = begin(one)
    until_seq(two, match, 20)
    killed = time.time()
    one.kill()
    before = recorded(servers.url, match)
    assert resumed_at(two, match, len(before) - 1) - killed < WITHIN
    ended = two.wait_for(match, status="finished")
    events = recorded(servers.url, match)
    assert events[: len(before)] == before
    assert [event.seq for event in events] == list(range(ended["last_seq"] + 1))
    assert sum(_resumes(event) for event in events) == 1
    assert [one["seq"] for one in shown(two, match)] == [event.seq for event in events]


@pytest.mark.long
def test_a_server_that_wakes_writes_nothing_and_shows_what_goes_on(servers: Servers) -> None:
    one, two = servers.start(), servers.start()
    match = begin(one, pace=0.5)
    until_seq(two, match, 20)
    stopped = time.time()
    one.process.send_signal(signal.SIGSTOP)
    before = recorded(servers.url, match)
    assert resumed_at(two, match, len(before) - 1) - stopped < WITHIN
    one.process.send_signal(signal.SIGCONT)
    assert steer(one, match, command="pace", value=0).status_code == 200
    two.wait_for(match, status="finished")
    one.wait_for(match, status="finished")
    events = recorded(servers.url, match)
    assert events[: len(before)] == before
    assert [event.seq for event in events] == list(range(len(events)))
    (resumed,) = (event for event in events if _resumes(event))
    assert {event.epoch for event in events[resumed.seq :]} == {resumed.epoch}, "only the new owner wrote"
    assert until(lambda: bool(shown(one, match) == shown(two, match)))


@pytest.mark.long
def test_a_server_that_stops_hands_its_matches_over_at_once(servers: Servers) -> None:
    one, two = servers.start(), servers.start()
    match = begin(one)
    until_seq(two, match, 20)
    assert one.stop() == 0
    stopped = time.time()
    before = recorded(servers.url, match)
    assert resumed_at(two, match, 20) - stopped < 3.0
    assert recorded(servers.url, match)[: len(before)] == before
    assert steer(two, match, command="stop").status_code == 200
    two.wait_for(match, status="stopped")


@pytest.mark.long
def test_any_server_takes_commands_seats_and_drafts(servers: Servers) -> None:
    """They reach the owner, also from a server that plays nothing; a start there goes to one that plays."""
    play, watch = servers.start("drive"), servers.start("watch")
    match = begin(watch, game="diplomacy", options={"last_year": 1901}, players={"FRANCE": "person"}, pace=0)
    seat = f"{watch.url}/api/episodes/{match}/seats/FRANCE"
    token = http.post(f"{seat}/token", headers=OPERATOR).raise_for_status().json()["token"]
    headers = {"Authorization": f"Bearer {token}"}
    view = http.get(seat, params={"wait": 10}, headers=headers, timeout=PATIENCE).raise_for_status().json()
    draft = {"index": view["index"], "action": {"orders": ["A PAR H"]}}
    assert http.request("PUT", f"{seat}/draft", json=draft, headers=headers).status_code == 204
    kept = http.get(f"{play.url}/api/episodes/{match}/seats/FRANCE", headers=headers).raise_for_status().json()
    assert kept["draft"] == draft["action"]
    assert http.post(seat, json={"action": {"orders": ["A PAR H"]}}, headers=headers).status_code == 202
    assert http.post(seat, json={"action": {"orders": ["nonsense"]}}, headers=headers).status_code in (409, 422)
    assert steer(watch, match, command="leave", seat="FRANCE").status_code == 200
    watch.wait_for(match, status="finished")
    assert len(shown(watch, match)) == len(recorded(servers.url, match))
    assert http.get(f"{watch.url}/api/episodes/{match}/seats/FRANCE", headers=headers).status_code == 409


@pytest.mark.long
def test_without_a_server_that_plays_a_start_is_to_be_tried_again(servers: Servers) -> None:
    watch = servers.start("watch")
    answer = http.post(f"{watch.url}/api/episodes", json={"game": "cricket"}, headers=OPERATOR)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")


@pytest.mark.long
def test_the_showcase_is_played_by_one_server_and_then_by_another(servers: Servers) -> None:
    one = servers.start("all", "--showcase", "cricket")
    one_lane = _lane(one)
    two = servers.start("all", "--showcase", "cricket")
    time.sleep(3.0)
    assert [episode["episode_id"] for episode in two.get("/api/episodes")["episodes"]] == [one_lane]
    one.kill()
    assert _lane(two) == one_lane


def _lane(server: LiveServer) -> str:
    """Return the match of the server's lane, once it has one."""
    matches: list[str] = []

    def found() -> bool:
        lanes = server.get("/api/episodes")["lanes"]
        matches.extend(str(lane["episode_id"]) for lane in lanes[:1] if lane["episode_id"])
        return bool(matches)

    assert until(found)
    return matches[0]


@pytest.mark.long
def test_a_delayed_match_is_shown_nowhere_before_its_time(servers: Servers) -> None:
    one, two = servers.start("drive"), servers.start("watch")
    match = begin(one, delay=3)
    until_shown = time.monotonic() + 60
    last = 0
    while last < 20 and time.monotonic() < until_shown:
        page = two.get(f"/api/episodes/{match}/events", **{"as": "spectator"})
        now = time.time()
        assert page["last_seq"] >= last, "what was shown stays"
        last = page["last_seq"]
        times = [frame["event"]["at"] for frame in page["frames"][1:] if frame["frame"] == "event"]
        assert all(at <= now - 3.0 + 0.01 for at in times)
        time.sleep(0.2)
    assert last >= 20
    assert len(recorded(servers.url, match)) > last + 1, "spectators are behind"
