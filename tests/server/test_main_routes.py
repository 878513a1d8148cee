"""The API as a client meets it, over a real socket."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx2
import pytest
from fastapi import FastAPI

from grandstand.play.verification import verify
from grandstand.server.access import Access
from grandstand.server.api.episodes import records
from grandstand.server.api.episodes.segments import SEGMENT
from grandstand.server.api.json_stream import PIECE_BYTES
from grandstand.server.auth import Auth
from grandstand.spectator.replay import from_lines
from tests.support import http
from tests.support.command import grandstand, words
from tests.support.live_server import LiveServer, live_server
from tests.support.server.match_services import MatchServices
from tests.support.server.private_batches import visible_events
from tests.support.server.stream_server import ending, opening, turn
from tests.support.waiting import until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("routes"), "--pace", "0") as running:
        yield running


@pytest.fixture(scope="module")
def finished(server: LiveServer) -> str:
    episode = server.start_match(game="diplomacy", seed=5, options={"last_year": 1902})
    server.wait_for(episode, status="finished")
    return episode


def test_health_says_what_goes_on(server: LiveServer) -> None:
    health = server.get("/api/health")
    assert health["status"] == "ok"
    assert set(health) == {"status", "version", "live", "queued", "viewers", "storage", "voice"}


def test_games_name_their_seats_options_and_players(server: LiveServer) -> None:
    diplomacy = next(game for game in server.get("/api/games") if game["name"] == "diplomacy")
    assert len(diplomacy["seats"]) == 7
    assert "last_year" in diplomacy["options"]["properties"]
    assert diplomacy["options"]["properties"]["press"]["enum"] == ["none", "public", "full"]
    assert all(player["description"] for player in diplomacy["players"])


def test_the_list_names_the_person_whom_a_match_waits_for(server: LiveServer) -> None:
    players = {"FRANCE": "person", **dict.fromkeys(("AUSTRIA", "ENGLAND"), "hold")}
    options = {"press": "none"}
    episode = server.start_match(game="diplomacy", players=players, clock=600, options=options)
    delayed = server.start_match(game="diplomacy", players=players, clock=600, options=options, delay=60)

    def awaited() -> dict[str, tuple[str, float | None]]:
        listed = server.get("/api/episodes", status="live")["awaited"]
        return {each["episode_id"]: (each["seat"], each["deadline"]) for each in listed}

    assert until(lambda: episode in awaited())
    seat, deadline = awaited()[episode]
    assert seat == "FRANCE"
    assert deadline is not None
    assert deadline > time.time()
    assert delayed not in awaited()
    server.command(episode, "pause")
    assert episode not in awaited()
    for each in (episode, delayed):
        server.command(each, "stop")
    assert until(lambda: not awaited())
    assert server.get("/api/episodes", player="hold", game="diplomacy")["total"] == 2
    assert server.get("/api/episodes", player="nobody")["total"] == 0


def test_events_are_contiguous_and_ranged(server: LiveServer, finished: str) -> None:
    last = server.get(f"/api/episodes/{finished}")["last_seq"]
    page = server.get(f"/api/episodes/{finished}/events")
    numbers = [frame["event"]["seq"] if frame["frame"] == "event" else frame["seq"] for frame in page["frames"]]
    assert numbers == list(range(last + 1))
    part = server.get(f"/api/episodes/{finished}/events", first=3, stop=7)
    assert part["frames"] == page["frames"][3:7]


def test_a_spectator_gets_no_orders_before_they_are_resolved(server: LiveServer, finished: str) -> None:
    page = server.get(f"/api/episodes/{finished}/events")
    kinds = {event["type"] for event in visible_events(page["frames"])}
    assert "ActionChosen" not in kinds
    assert "SeedSet" not in kinds
    france = server.get(f"/api/episodes/{finished}/events", **{"as": "seat:FRANCE"})
    chosen = [event["data"]["seat"] for event in visible_events(france["frames"]) if event["type"] == "ActionChosen"]
    assert set(chosen) == {"FRANCE"}


def test_a_snapshot_of_any_moment(server: LiveServer, finished: str) -> None:
    last = server.get(f"/api/episodes/{finished}")["last_seq"]
    for seq in (0, 5, last // 2, last):
        snapshot = server.get(f"/api/episodes/{finished}/snapshot", seq=seq)
        assert snapshot["seq"] == seq == snapshot["episode"]["last_seq"]
        base = -1 if snapshot["state_seq"] is None else snapshot["state_seq"]
        assert len(snapshot["recent"]) == seq - base


def test_the_download_replays_through_the_rules(server: LiveServer, finished: str, tmp_path: Path) -> None:
    response = http.get(f"{server.url}/api/episodes/{finished}/replay", params={"as": "operator"})
    file = tmp_path / "episode.jsonl"
    file.write_text(response.text)
    with file.open() as lines:
        episode = from_lines(lines)
    assert episode.episode_id == finished
    assert verify(episode.events).over


def test_the_lobby_filters_and_pages(server: LiveServer, finished: str) -> None:
    result = server.get("/api/episodes", status="finished", game="diplomacy", limit=1)
    assert result["total"] >= 1
    assert len(result["episodes"]) == 1
    assert server.get("/api/episodes", status="live")["total"] == 0


def test_a_double_click_starts_once(server: LiveServer) -> None:
    body = {"game": "diplomacy", "options": {"last_year": 1901}}
    answers = [server.post("/api/episodes", body, **{"Idempotency-Key": "one-click"}).json() for _ in range(2)]
    assert answers[0]["episode_id"] == answers[1]["episode_id"]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "field"),
    [
        ("POST", "/api/episodes", {"game": "chess"}, 422, "game"),
        ("POST", "/api/episodes", {"gme": "chess"}, 422, "gme"),
        ("POST", "/api/episodes", {"options": {"press": "loud"}}, 422, "options.press"),
        ("POST", "/api/episodes", {"pace": -1}, 422, "pace"),
        ("POST", "/api/episodes", {"pace": True}, 422, "pace"),
        ("POST", "/api/episodes", {"delay": True}, 422, "delay"),
        ("POST", "/api/episodes", {"clock": True}, 422, "clock"),
        ("GET", "/api/episodes/nope", None, 404, None),
        ("GET", "/api/episodes/nope/events", None, 404, None),
        ("GET", "/api/episodes?status=dead", None, 422, "status.0"),
        ("GET", "/api/nothing", None, 404, None),
    ],
)
def test_refusals_are_problem_details(
    server: LiveServer, method: str, path: str, body: object, status: int, field: str | None
) -> None:
    response = http.request(method, server.url + path, json=body)
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = json.loads(response.text)
    assert problem["status"] == status
    assert problem.get("field") == field
    assert problem["detail"]


@pytest.mark.parametrize(
    ("content", "kind", "status", "detail"),
    [
        (b"", "application/json", 422, "body: send a JSON object"),
        (b"[]", "application/json", 422, "body: send a JSON object"),
        (b"{}", "text/plain", 422, "with the header `Content-Type: application/json`"),
        (b"{", "application/json", 422, "body: is not JSON: Expecting property name"),
        (b"\xff", "application/json", 400, "body: is not JSON in UTF-8"),
        (b"[" * 50_000, "application/json", 400, "or is nested too deeply"),
    ],
)
def test_a_body_that_cannot_be_read_is_refused_with_the_remedy(
    server: LiveServer, content: bytes, kind: str, status: int, detail: str
) -> None:
    answer = http.post(f"{server.url}/api/episodes", content=content, headers={"Content-Type": kind})
    problem = answer.json()
    assert (answer.status_code, problem["field"]) == (status, "body")
    assert detail in problem["detail"]


def test_a_wrong_address_and_a_wrong_method_are_told_where_the_right_ones_are(server: LiveServer) -> None:
    nowhere = http.get(f"{server.url}/api/nothing/here")
    assert (nowhere.status_code, "/api/docs" in nowhere.json()["detail"]) == (404, True)
    wrong = http.request("DELETE", f"{server.url}/api/health")
    assert (wrong.status_code, "/api/docs" in wrong.json()["detail"]) == (405, True)
    assert wrong.headers["allow"] == "GET"


def test_a_wrong_header_is_refused_by_its_name(server: LiveServer) -> None:
    answer = http.post(f"{server.url}/api/episodes", json={}, headers={"Idempotency-Key": "k" * 1000})
    assert (answer.status_code, answer.json()["field"]) == (422, "Idempotency-Key")


def test_a_viewpoint_that_is_none_is_refused(server: LiveServer, finished: str) -> None:
    response = http.get(f"{server.url}/api/episodes/{finished}/events", params={"as": "god"})
    assert response.status_code == 422
    assert response.json()["field"] == "as"


def test_the_openapi_document_reads(server: LiveServer) -> None:
    document = server.get("/api/openapi.json")
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert operation.get("summary"), path
            assert operation.get("description"), path


def test_over_the_queue_a_start_is_refused_and_says_when_to_try_again(tmp_path: Path) -> None:
    with live_server(tmp_path, "--slots", "1", "--queue", "1", "--pace", "60") as small:
        small.start_match(game="diplomacy")
        waiting = small.start_match(game="diplomacy")
        assert small.get("/api/episodes")["queue"] == [waiting]
        refused = small.post("/api/episodes", {"game": "diplomacy"})
        assert refused.status_code == 429
        assert refused.json()["title"] == "The queue is full"
        assert int(refused.headers["retry-after"]) > 0


def test_a_second_server_on_the_same_record_is_refused(tmp_path: Path) -> None:
    with live_server(tmp_path):
        second = grandstand("serve", "--port", "0", "--data", str(tmp_path), status=2)
        assert "another server uses" in words(second.stderr)


@pytest.mark.long
def test_a_stopped_server_tells_its_matches_to_wait_and_goes_on_later(tmp_path: Path) -> None:
    with live_server(tmp_path, "--pace", "0.2") as first:
        episode = first.start_match(game="diplomacy", options={"last_year": 1903})
        first.wait_for(episode, seq=30)
        first.stop()
        assert "shutdown complete" in first.log.read_text()
    with live_server(tmp_path) as second:
        pace = {"command": "pace", "value": 0}
        # 503 while the match is taken up from the record.
        assert until(lambda: second.post(f"/api/episodes/{episode}/commands", pace).status_code == 200)
        second.wait_for(episode, status="finished")
        kinds = [f["event"]["type"] for f in second.get(f"/api/episodes/{episode}/events")["frames"] if "event" in f]
        assert kinds.count("EpisodeStarted") == 2


@pytest.mark.long
def test_a_long_record_is_read_in_slices(tmp_path: Path) -> None:
    """Nothing that is asked of a record of 20,000 events holds the loop up until all of it is made."""

    async def scene() -> None:
        services = MatchServices(tmp_path / "g.db")
        services.bus.open("long", 1)
        services.bus.publish("long", [*opening(), *(turn(number) for number in range(20_000))])
        services.bus.publish("long", [ending()])
        app = FastAPI()
        access = Access(Auth("127.0.0.1", None), services.history)
        app.state.parts = SimpleNamespace(history=services.history, access=access, long_responses=asyncio.Lock())
        app.include_router(records.router, prefix="/api/episodes/{episode_id}")
        paths = {"/replay": 20_004, "/snapshot": 20_001, "/events": SEGMENT}
        for path, events in paths.items():
            turns = 0

            async def count() -> None:
                nonlocal turns
                while True:
                    turns += 1
                    await asyncio.sleep(0)

            counting = asyncio.create_task(count())
            transport = httpx2.ASGITransport(app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
                answer = await client.get(f"/api/episodes/long{path}")
            counting.cancel()
            assert answer.status_code == 200
            size = len(answer.content)
            assert turns > size / PIECE_BYTES, path
            frames = answer.text.splitlines()[1:] if path == "/replay" else None
            assert (
                len(frames if frames is not None else answer.json().get("recent", answer.json().get("frames")))
                == events
            )

    asyncio.run(scene())


def test_a_snapshot_of_any_moment_is_the_fold_of_what_came_before(server: LiveServer, finished: str) -> None:
    events = server.get(f"/api/episodes/{finished}/events")["frames"]
    for seq in (0, 3, len(events) // 2, len(events) - 1):
        moment = server.get(f"/api/episodes/{finished}/snapshot", seq=seq)
        assert moment["seq"] == moment["episode"]["last_seq"] == seq
        first = -1 if moment["state_seq"] is None else moment["state_seq"]
        assert moment["recent"] == events[first + 1 : seq + 1]
