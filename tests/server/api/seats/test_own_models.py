"""Models that visitors pay for with keys of their own, over real sockets: a match, its limits, a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grandstand.players.own_models import RESTARTED, TIME_OVER
from tests.support import http
from tests.support.live_server import LiveServer
from tests.support.players.chat_server import ChatServer, hangs, says
from tests.support.server.own_models import (
    HOLD,
    KEY,
    OPERATOR,
    QUIET,
    faults,
    play,
    request,
    server_for,
)
from tests.support.waiting import until

SERVER = "grandstand.server"


@pytest.fixture
def endpoint() -> Iterator[ChatServer]:
    with ChatServer(HOLD) as running:
        yield running


def refused(server: LiveServer, **changes: Any) -> dict[str, Any]:
    answer = server.post("/api/play", request(**changes))
    assert KEY not in answer.text
    return {**answer.json(), "status": answer.status_code}


def models(server: LiveServer, seat: dict[str, Any]) -> list[dict[str, Any]]:
    headers = {"Authorization": f"Bearer {seat['token']}"}
    return list(http.get(f"{server.url}/api/episodes/{seat['episode_id']}/models", headers=headers).json())


def enter(server: LiveServer, seat: dict[str, Any], key: str = KEY, **changes: Any) -> Any:
    path = f"{server.url}/api/episodes/{seat['episode_id']}/models/key"
    headers = {"Authorization": f"Bearer {seat['token']}", **changes.pop("headers", {})}
    return http.request("PUT", path, json={"endpoint": "local", "api_key": key, **changes}, headers=headers)


def test_a_visitors_model_plays_with_the_visitors_key(endpoint: ChatServer, tmp_path: Path) -> None:
    with server_for(endpoint, tmp_path) as server:
        session = server.get("/api/session")
        assert session["endpoints"] == [{"name": "local", "url": endpoint.url, "signed_in": False}]
        seat = play(server)
        summary = server.wait_for(seat["episode_id"], status="finished")
        assert endpoint.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert endpoint.requests[0].body["model"] == "org/small-1"
        france = next(info for info in summary["seats"] if info["seat"] == "FRANCE")
        assert (france["player"], france["kind"]) == ("own:local:org/small-1", "llm")
        assert faults(server, seat["episode_id"]) == []
        assert enter(server, seat).status_code == 403, "the match has ended"


def test_no_endpoint_is_called_that_the_operator_has_not_named(endpoint: ChatServer, tmp_path: Path) -> None:
    with server_for(endpoint, tmp_path) as server:
        for name in (endpoint.url, "http://169.254.169.254", "router.huggingface.co", ""):
            answer = refused(server, model={"endpoint": name})
            assert (answer["status"], answer["field"]) == (422, "models.FRANCE.endpoint")
        answer = refused(server, model={"base_url": endpoint.url})
        assert (answer["status"], answer["field"]) == (422, "models.FRANCE.base_url")
    assert endpoint.requests == []


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"model": {"api_key": "short"}}, "models.FRANCE.api_key"),
        ({"model": {"api_key": "x" * 600}}, "models.FRANCE.api_key"),
        ({"model": {"api_key": "two words here"}}, "models.FRANCE.api_key"),
        ({"model": {"api_key": "a\r\nx-header: 1"}}, "models.FRANCE.api_key"),
        ({"model": {"api_key": "ключ-от-модели"}}, "models.FRANCE.api_key"),
        ({"model": {"api_key": None}}, "models.FRANCE.api_key"),
        ({"model": {"model": KEY}}, "models"),
        ({"model": {"model": "<script>"}}, "models.FRANCE.model"),
        ({"players": {"FRANCE": "hold"}}, "models.FRANCE"),
        (
            {"models": {seat: {"endpoint": "local", "model": "m", "api_key": KEY} for seat in ("FRANCE", "X")}},
            "players.X",
        ),
    ],
)
def test_an_error_names_the_field_and_never_the_key(
    endpoint: ChatServer, shared: LiveServer, changes: dict[str, Any], field: str
) -> None:
    answer = refused(shared, **changes)
    assert (answer["status"], answer.get("field")) == (422, field), answer


def test_a_key_in_a_field_that_is_recorded_is_refused(shared: LiveServer) -> None:
    answer = shared.post("/api/play", request(title=f"my {KEY} match"), **OPERATOR)
    assert (answer.status_code, answer.json()["field"]) == (422, "title")
    assert KEY not in answer.text


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with ChatServer(HOLD) as running, server_for(running, tmp_path_factory.mktemp("keys")) as server:
        yield server


def test_without_the_setting_no_key_is_taken(endpoint: ChatServer, tmp_path: Path) -> None:
    with server_for(endpoint, tmp_path, visitor_keys="false", visitor_seats="true") as server:
        assert server.get("/api/session")["endpoints"] == []
        answer = refused(server)
        assert (answer["status"], answer["detail"].partition(":")[0]) == (403, "models")
        answer = server.post("/api/play", request(), **OPERATOR).json()
        assert answer["field"] == "models.FRANCE.endpoint"


def test_a_visitor_starts_it_where_a_token_is_returned(shared: LiveServer) -> None:
    body = {name: value for name, value in request().items() if name != "seat"}
    assert shared.post("/api/episodes", body).status_code == 403
    assert shared.post("/api/episodes", body, **OPERATOR).status_code == 201


@pytest.mark.long
def test_after_a_restart_the_fallback_plays_until_the_key_is_entered_again(
    endpoint: ChatServer, tmp_path: Path
) -> None:
    endpoint.answer = hangs
    with server_for(endpoint, tmp_path) as server:
        seat = play(server, options={**QUIET, "last_year": 1990}, pace=0.5)
        endpoint.wait_for(1)
        assert models(server, seat)[0]["has_key"]
        server.kill()
    with server_for(endpoint, tmp_path) as server:
        episode = seat["episode_id"]
        assert until(lambda: bool(faults(server, episode)))
        assert set(faults(server, episode)) == {("provider", RESTARTED)}
        assert models(server, seat) == [
            {"seat": "FRANCE", "endpoint": "local", "model": "org/small-1", "has_key": False, "reason": RESTARTED}
        ]
        assert enter(server, seat, headers={"Authorization": ""}).status_code == 403
        assert enter(server, seat, key="short").json()["field"] == "api_key"
        assert enter(server, seat, endpoint="other").json()["field"] == "endpoint"
        calls = len(endpoint.requests)
        assert enter(server, seat, key="sk-another-key-42").json()[0]["has_key"]
        endpoint.wait_for(calls + 1)
        assert endpoint.requests[-1].headers["authorization"] == "Bearer sk-another-key-42"


def test_the_tokens_of_a_match_are_bounded_and_are_not_the_operators(endpoint: ChatServer, tmp_path: Path) -> None:
    endpoint.answer = says('{"orders": []}', usage=(1000, 500))
    with server_for(endpoint, tmp_path, {f"{SERVER}.matches.own_keys.KEY_TOKENS": 9000}, daily_tokens="1") as server:
        seat = play(server, options={**QUIET, "last_year": 1903})
        server.wait_for(seat["episode_id"], status="finished")
        assert {boundary for boundary, _ in faults(server, seat["episode_id"])} == {"budget"}
    assert 1 <= len(endpoint.requests) <= 9000 / 1500


def test_a_key_is_dropped_when_its_time_is_over(endpoint: ChatServer, tmp_path: Path) -> None:
    with server_for(endpoint, tmp_path, {f"{SERVER}.matches.own_keys.KEY_SECONDS": 0.5}, visitor_pace="0.3") as server:
        seat = play(server, options={**QUIET, "last_year": 1990})
        assert until(lambda: ("provider", TIME_OVER) in faults(server, seat["episode_id"]))
        assert not models(server, seat)[0]["has_key"]
        assert enter(server, seat).json()[0]["has_key"]


@pytest.mark.parametrize(("seats", "status"), [("false", 403), ("true", 201)])
def test_who_may_play_no_seat_takes_none_from_its_model(
    endpoint: ChatServer, tmp_path: Path, seats: str, status: int
) -> None:
    endpoint.answer = hangs
    with server_for(endpoint, tmp_path, visitor_seats=seats) as server:
        seat = play(server, pace=5)
        path = f"/api/episodes/{seat['episode_id']}/seats/FRANCE/take"
        assert server.post(path, None, Authorization=f"Bearer {seat['token']}").status_code == status


def test_a_repeated_request_starts_one_match_and_stores_no_key(endpoint: ChatServer, tmp_path: Path) -> None:
    endpoint.answer = hangs
    with server_for(endpoint, tmp_path) as server:
        body = {name: value for name, value in request().items() if name != "seat"}
        first, again = (
            server.post("/api/episodes", body, **OPERATOR, **{"Idempotency-Key": "k-1"}).json() for _ in range(2)
        )
        assert first["episode_id"] == again["episode_id"]
        server.stop()
    assert [path for path in tmp_path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()] == []
