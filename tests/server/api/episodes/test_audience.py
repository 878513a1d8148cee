"""Calls and reactions over HTTP: who may make them, how often, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx2
import pytest

from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.waiting import until

VIEWER = "ab" * 16


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("calls")) as running:
        yield running


@pytest.fixture(scope="module")
def match(server: LiveServer) -> str:
    """Return a match that waits for its only person in its first turn."""
    episode = server.start_match(game="diplomacy", players={"FRANCE": "person"}, options={"press": "none"})
    until(lambda: server.get(f"/api/episodes/{episode}/audience")["questions"])
    return episode


def call(server: LiveServer, match: str, option: str, viewer: str = VIEWER, **headers: str) -> httpx2.Response:
    body = {"viewer": viewer, "question": "winner-1", "option": option}
    return server.post(f"/api/episodes/{match}/audience/calls", body, **headers)


def test_a_viewer_calls_once_and_sees_its_call(server: LiveServer, match: str) -> None:
    assert call(server, match, "FRANCE").raise_for_status().json()["questions"][-1]["call"]["option"] == "FRANCE"
    mine = {"Grandstand-Viewer": VIEWER}
    seen = http.get(f"{server.url}/api/episodes/{match}/audience", headers=mine).json()["questions"][-1]
    assert seen["call"] == {"option": "FRANCE", "points": None}
    assert call(server, match, "ITALY").status_code == 409
    others = server.get(f"/api/episodes/{match}/audience")["questions"][-1]
    assert others["call"] is None
    assert {option["chance"] for option in others["options"]} == {None}


@pytest.mark.parametrize(("option", "viewer", "field"), [("MARS", "cd" * 16, "option"), ("FRANCE", "me", "viewer")])
def test_a_call_that_cannot_be_names_its_field(
    server: LiveServer, match: str, option: str, viewer: str, field: str
) -> None:
    answer = call(server, match, option, viewer)
    assert (answer.status_code, answer.json()["field"]) == (422, field)


def test_whoever_plays_does_not_call(server: LiveServer, match: str) -> None:
    """What viewers think does not reach the match."""
    token = server.post(f"/api/episodes/{match}/seats/FRANCE/token", {}).raise_for_status().json()["token"]
    bearer = {"Authorization": f"Bearer {token}"}
    assert call(server, match, "FRANCE", "ef" * 16, **bearer).status_code == 403
    assert http.get(f"{server.url}/api/episodes/{match}/audience", headers=bearer).status_code == 403


def react(server: LiveServer, match: str, seq: int, reaction: str, viewer: str = VIEWER) -> httpx2.Response:
    body = {"viewer": viewer, "seq": seq, "reaction": reaction}
    return server.post(f"/api/episodes/{match}/audience/reactions", body)


def test_a_reaction_counts_once_and_comes_with_the_questions(server: LiveServer, match: str) -> None:
    react(server, match, 1, "ouch").raise_for_status()
    says = react(server, match, 1, "ouch").raise_for_status().json()
    assert says["questions"]
    assert says["reactions"] == [{"seq": 1, "counts": {"bravo": 0, "ouch": 1, "tense": 0}, "own": ["ouch"]}]
    (moment,) = server.get(f"/api/episodes/{match}/audience")["reactions"]
    assert (moment["counts"]["ouch"], moment["own"]) == (1, [])


@pytest.mark.parametrize(("seq", "reaction", "field"), [(10**6, "ouch", "seq"), (1, "\U0001f44f", "reaction")])
def test_a_reaction_that_cannot_be_names_its_field(
    server: LiveServer, match: str, seq: int, reaction: str, field: str
) -> None:
    answer = react(server, match, seq, reaction)
    assert (answer.status_code, answer.json()["field"]) == (422, field)


def test_the_record_has_no_reaction(server: LiveServer, match: str) -> None:
    react(server, match, 2, "tense").raise_for_status()
    record = json.dumps(server.get(f"/api/episodes/{match}/events"))
    assert '"EpisodeStarted"' in record
    assert VIEWER not in record
    assert '"tense"' not in record


def test_a_viewer_may_have_a_name(server: LiveServer) -> None:
    put = {"viewer": VIEWER, "name": "Ada L."}
    assert http.request("PUT", f"{server.url}/api/viewers/name", json=put).status_code == 204
    put["name"] = "<b>"
    answer = http.request("PUT", f"{server.url}/api/viewers/name", json=put)
    assert (answer.status_code, answer.json()["field"]) == (422, "name")
