"""The API's acting half over a real socket: who may do what, and what it does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.waiting import until

OPERATOR = {"Authorization": "Bearer let me in"}
ORDERS = {"action": {"orders": ["A PAR - BUR"]}}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server with an operator's token."""
    data = tmp_path_factory.mktemp("guarded")
    with live_server(data, "--pace", "0", GRANDSTAND_OPERATOR_TOKEN="let me in") as running:
        yield running


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server that anybody can reach, with no token."""
    data = tmp_path_factory.mktemp("closed")
    with live_server(data, "--pace", "0", "--host", "0.0.0.0") as running:
        running.url = running.url.replace("0.0.0.0", "127.0.0.1")
        yield running


def start(server: LiveServer, **fields: Any) -> str:
    body = {"game": "diplomacy", "seed": 1, "options": {"last_year": 1902}, **fields}
    return str(server.post("/api/episodes", body, **OPERATOR).raise_for_status().json()["episode_id"])


def wait_until_asked(server: LiveServer, path: str, headers: dict[str, str]) -> Any:
    views: list[Any] = []

    def asked() -> bool:
        views.append(http.get(server.url + path, headers=headers).raise_for_status().json())
        return bool(views[-1]["asked"])

    assert until(asked), "the seat was not asked"
    return views[-1]


def test_the_session_says_who_you_are(guarded: LiveServer, closed: LiveServer) -> None:
    assert guarded.get("/api/session")["role"] == "spectator"
    assert http.get(guarded.url + "/api/session", headers=OPERATOR).json()["role"] == "operator"
    visitor = {"role": "spectator", "seat": None, "episode_id": None, "mode": "closed", "plays": True, "imports": False}
    session = closed.get("/api/session")
    assert session.pop("purse")["credits"] == 60
    assert session == {**visitor, "endpoints": [], "sign_in": None}
    assert http.get(guarded.url + "/api/session", headers=OPERATOR).json()["purse"] is None


def test_a_wrong_token_is_refused_not_ignored(guarded: LiveServer) -> None:
    refused = http.get(guarded.url + "/api/session", headers={"Authorization": "Bearer guess"})
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"


def test_only_an_operator_starts_and_steers(guarded: LiveServer) -> None:
    assert guarded.post("/api/episodes", {"game": "diplomacy"}).status_code == 403
    episode = start(guarded, pace=60)
    path = f"/api/episodes/{episode}"
    assert guarded.post(path + "/commands", {"command": "stop"}).status_code == 403
    assert guarded.post(path + "/fork", {}).status_code == 403
    assert guarded.post(path + "/commands", {"command": "stop"}, **OPERATOR).status_code == 200
    guarded.wait_for(episode, status="stopped")
    assert guarded.post(path + "/commands", {"command": "stop"}, **OPERATOR).status_code == 409


def test_a_match_starts_from_a_position_or_is_refused_with_the_field(guarded: LiveServer) -> None:
    position = {"phase": "F1901M", "units": {"FRANCE": ["A BUR"]}, "centers": {"FRANCE": ["PAR"]}}
    episode = start(guarded, options={"last_year": 1901, "start": position})
    guarded.wait_for(episode, status="finished")
    assert guarded.get(f"/api/episodes/{episode}")["options"]["start"] == position
    bad = {"game": "diplomacy", "options": {"start": {**position, "units": {"FRANCE": ["F BUR"]}}}}
    refused = guarded.post("/api/episodes", bad, **OPERATOR)
    assert refused.status_code == 422
    assert "options.start.units.FRANCE[0]: 'F BUR'" in refused.json()["detail"]


def test_a_visitor_starts_bounded_matches_of_built_in_players_only(closed: LiveServer) -> None:
    paid = closed.post("/api/episodes", {"game": "diplomacy", "players": {"FRANCE": "person"}})
    assert paid.status_code == 403
    assert "built-in players only" in paid.json()["detail"]
    worded = closed.post("/api/episodes", {"game": "diplomacy", "commentator": "gpt-oss"})
    assert worded.status_code == 403
    assert "commentator: a visitor" in worded.json()["detail"]
    started = closed.post("/api/episodes", {"game": "diplomacy", "pace": 0, "title": "<b>mine</b>"})
    assert started.status_code == 201
    assert started.json()["title"] == "Diplomacy"
    page = closed.get(f"/api/episodes/{started.json()['episode_id']}/events")
    controls = [f["event"]["data"] for f in page["frames"] if f.get("event", {}).get("type") == "ControlChanged"]
    assert {"command": "pace", "value": 0.5, "by": "api"} in controls
    assert {"command": "turns", "value": 400, "by": "api"} in controls


def test_a_commentator_that_is_no_language_model_is_refused_by_its_field(guarded: LiveServer) -> None:
    refused = guarded.post("/api/episodes", {"game": "diplomacy", "commentator": "random"}, **OPERATOR)
    assert refused.status_code == 422
    assert refused.json()["field"] == "commentator"
    assert "there are gpt-oss" in refused.json()["detail"]


def test_a_seat_token_plays_its_seat_and_nothing_else(guarded: LiveServer) -> None:
    episode = start(guarded, players={"FRANCE": "person"}, clock=600)
    seats = f"/api/episodes/{episode}/seats"
    token = guarded.post(f"{seats}/FRANCE/token", {}, **OPERATOR).raise_for_status().json()["token"]
    france = {"Authorization": f"Bearer {token}"}
    view = wait_until_asked(guarded, f"{seats}/FRANCE", france)
    assert view["turn"] == "S1901M"
    assert "A PAR - BUR" in view["legal"]["orders"]["A PAR"]
    assert guarded.post(f"{seats}/FRANCE", ORDERS).status_code == 403
    assert guarded.post(f"{seats}/ITALY", ORDERS, **france).status_code == 403
    wrong = guarded.post(f"{seats}/FRANCE", {"action": {"orders": ["A PAR - MOS"]}}, **france)
    assert wrong.status_code == 422
    assert wrong.json()["field"] == "orders[0]"
    assert guarded.post(f"{seats}/FRANCE", ORDERS, **france).status_code == 202
    wait_until_asked(guarded, f"{seats}/FRANCE", france)
    guarded.post(f"/api/episodes/{episode}/commands", {"command": "stop"}, **OPERATOR)
    guarded.wait_for(episode, status="stopped")
    assert http.get(guarded.url + f"{seats}/FRANCE", headers=france).status_code == 409


def test_no_path_shows_a_spectator_what_only_seats_know(guarded: LiveServer) -> None:
    episode = start(guarded)
    guarded.wait_for(episode, status="finished")
    path = f"{guarded.url}/api/episodes/{episode}"
    for viewpoint in ("seat:FRANCE", "analyst", "operator"):
        for route in ("events", "snapshot", "replay", "stream"):
            refused = http.get(f"{path}/{route}", params={"as": viewpoint})
            assert refused.status_code == 403, (route, viewpoint)
            assert "ActionChosen" not in refused.text
    for route in ("events", "snapshot", "replay", "export/saved-game", ""):
        shown = http.text(f"{path}/{route}".rstrip("/"))
        assert "ActionChosen" not in shown
        assert "SeedSet" not in shown


@pytest.mark.parametrize(("reveal", "after"), [("live", 200), ("after", 200), ("never", 403)])
def test_reveal_opens_the_lens_when_it_says(guarded: LiveServer, reveal: str, after: int) -> None:
    episode = start(guarded, reveal=reveal, pace=60)
    look = f"{guarded.url}/api/episodes/{episode}/events"
    during = http.get(look, params={"as": "seat:FRANCE"}).status_code
    assert during == (200 if reveal == "live" else 403)
    guarded.post(f"/api/episodes/{episode}/commands", {"command": "pace", "value": 0}, **OPERATOR)
    guarded.wait_for(episode, status="finished")
    for viewpoint in ("seat:FRANCE", "analyst"):
        assert http.get(look, params={"as": viewpoint}).status_code == after
    assert http.get(look, params={"as": "operator"}).status_code == 403
    if after == 200:
        assert "SeedSet" not in http.text(look, params={"as": "analyst"})


def test_a_delay_holds_on_every_path(guarded: LiveServer) -> None:
    episode = start(guarded, delay=3600)

    def newest() -> str:
        address = f"{guarded.url}/api/episodes/{episode}/events"
        frames = http.get(address, params={"as": "operator"}, headers=OPERATOR).json()["frames"]
        return str(frames[-1]["event"]["type"])

    assert until(lambda: newest() == "EpisodeEnded")
    path = f"/api/episodes/{episode}"
    assert guarded.get(f"{path}/events")["last_seq"] == 0
    assert guarded.get(f"{path}/snapshot")["seq"] == 0
    assert guarded.get(path)["status"] == "queued"
    assert len(http.text(f"{guarded.url}{path}/replay").splitlines()) == 2
    assert guarded.get(f"{path}/export/saved-game")["phases"] == []
    listed = guarded.get("/api/episodes")["episodes"]
    assert next(item for item in listed if item["episode_id"] == episode)["status"] == "queued"
    finished = guarded.get("/api/episodes", status="finished")["episodes"]
    assert episode not in [item["episode_id"] for item in finished]


def test_a_ticket_stands_in_for_a_token(guarded: LiveServer) -> None:
    episode = start(guarded)
    ticket = guarded.post("/api/tickets", {}, **OPERATOR).json()["ticket"]
    path = f"/api/episodes/{episode}/events"
    assert guarded.get(path, ticket=ticket, **{"as": "operator"})["viewpoint"] == "operator"
    assert http.get(guarded.url + path, params={"ticket": ticket, "as": "operator"}).status_code == 401


def test_a_key_survives_a_kill(tmp_path: Path) -> None:
    body = {"game": "diplomacy", "seed": 1, "paused": True}
    with live_server(tmp_path) as server:
        first = server.post("/api/episodes", body, **{"Idempotency-Key": "k1"}).json()["episode_id"]
        server.kill()
    with live_server(tmp_path) as server:
        again = server.post("/api/episodes", body, **{"Idempotency-Key": "k1"})
        assert (again.status_code, again.json()["episode_id"]) == (201, first)
        other = server.post("/api/episodes", {**body, "seed": 2}, **{"Idempotency-Key": "k1"})
        assert (other.status_code, other.json()["field"]) == (422, "Idempotency-Key")
        assert server.get("/api/episodes")["total"] == 1


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/api/episodes?offset=9223372036854775808", "offset"),
        ("/api/episodes/x/events?first=9223372036854775808", "first"),
        ("/api/episodes/x/snapshot?seq=9223372036854775808", "seq"),
        ("/api/episodes/x/glance?seq=9223372036854775808", "seq"),
    ],
)
def test_a_number_that_is_too_large_is_refused_by_name(guarded: LiveServer, path: str, field: str) -> None:
    refused = http.get(guarded.url + path)
    assert (refused.status_code, refused.json()["field"]) == (422, field)
