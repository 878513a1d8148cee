"""The voice of a running server: clips of real speech, their routes, and what is said where there is no key."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import re
import wave
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import httpx2
import pytest

from grandstand.server.settings import Settings, SettingsError
from grandstand.server.voice import voice_plan
from grandstand.spectator.voice.plan import OTHER_VOICE, VOICE, VoicePlan
from tests.support import http
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.players.chat_server import ChatServer
from tests.support.requirements import file, installed
from tests.support.spectator.speech_server import KEY, speaks, speech_server
from tests.support.waiting import PATIENCE, until

TOKEN = "let me in"
OPERATOR = {"Authorization": f"Bearer {TOKEN}"}
OVERS = {"overs": 1}


@pytest.fixture(scope="module")
def service() -> Iterator[ChatServer]:
    installed("cartesia")
    with speech_server() as running:
        yield running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, service: ChatServer) -> Iterator[LiveServer]:
    with live_server(
        tmp_path_factory.mktemp("voice"),
        CARTESIA_API_KEY=KEY,
        CARTESIA_BASE_URL=service.url,
        GRANDSTAND_VOICE_FORMAT="wav",
        GRANDSTAND_OPERATOR_TOKEN=TOKEN,
        GRANDSTAND_LOG_LEVEL="debug",
    ) as running:
        yield running


def start(server: LiveServer, **request: Any) -> str:
    request = {"game": "cricket", "options": OVERS, "pace": 0.05, "voice": True, "seed": 3, **request}
    answer = server.post("/api/episodes", request, **OPERATOR).raise_for_status().json()
    return str(answer["episode_id"])


def steer(server: LiveServer, match: str, command: str) -> None:
    server.post(f"/api/episodes/{match}/commands", {"command": command}, **OPERATOR)


def events(server: LiveServer, match: str, kind: str, **who: str) -> list[dict[str, Any]]:
    page = http.get(f"{server.url}/api/episodes/{match}/events", headers=who, params={"as": "operator"} if who else {})
    frames = page.raise_for_status().json()["frames"]
    return [frame["event"] for frame in frames if frame.get("event", {}).get("type") == kind]


def clips(server: LiveServer, match: str, **who: str) -> list[dict[str, Any]]:
    query = {"as": "operator"} if who else {}
    address = f"{server.url}/api/episodes/{match}/clips"
    listed: list[dict[str, Any]] = http.get(address, headers=who, params=query).raise_for_status().json()["clips"]
    return listed


@pytest.fixture(scope="module")
def spoken(server: LiveServer) -> str:
    """A finished match that was spoken."""
    match = start(server)
    server.wait_for(match, status="finished")
    assert until(lambda: bool(clips(server, match)))
    return match


def test_every_clip_is_announced_and_is_the_speech_of_its_line(server: LiveServer, spoken: str) -> None:
    lines = {event["seq"]: event["data"]["text"] for event in events(server, spoken, "CommentAdded")}
    ready = events(server, spoken, "VoiceReady")
    assert ready
    for event in ready:
        data = event["data"]
        assert event["audience"] == "public"
        assert event["seq"] > data["comment"]
        assert " ".join(word["text"] for word in data["words"]) == lines[data["comment"]]
        answer = http.get(f"{server.url}/api/clips/{data['clip']}")
        assert answer.headers["content-type"] == "audio/wav"
        with wave.open(io.BytesIO(answer.content)) as audio:
            assert audio.getnframes() / audio.getframerate() == pytest.approx(data["seconds"], abs=0.01)
    assert {data["comment"] for data in clips(server, spoken)} >= {event["data"]["comment"] for event in ready}
    assert events(server, spoken, "VoiceChanged")[0]["data"] == {"kind": "clips", "reason": ""}


def test_a_clip_is_served_in_ranges_and_may_be_kept_for_ever(server: LiveServer, spoken: str) -> None:
    address = f"{server.url}/api/clips/{clips(server, spoken)[0]['clip']}"
    whole = http.get(address)
    assert whole.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert whole.headers["accept-ranges"] == "bytes"
    part = http.get(address, headers={"Range": "bytes=100-199"})
    assert (part.status_code, part.content) == (206, whole.content[100:200])
    assert part.headers["content-range"] == f"bytes 100-199/{len(whole.content)}"
    assert http.get(address, headers={"Range": f"bytes={10**9}-"}).status_code == 416


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory, service: ChatServer) -> Iterator[LiveServer]:
    """A server whose clips can be heard while they are made, however long a test holds them and how many it cuts."""
    with live_server(
        tmp_path_factory.mktemp("quick"),
        CARTESIA_API_KEY=KEY,
        CARTESIA_BASE_URL=service.url,
        constants={
            "grandstand.server.voice.PIECE_SECONDS": 60.0,
            "grandstand.server.voice.LINE_SECONDS": 2 * PATIENCE,
            "grandstand.spectator.voice.breaker.FAILURES": 1_000_000,
        },
        GRANDSTAND_OPERATOR_TOKEN=TOKEN,
    ) as running:
        yield running


@pytest.fixture
def held(service: ChatServer, quick: LiveServer) -> Iterator[Event]:
    """Clips stand still after their first piece until this is set; lines of earlier matches wait for none of them."""
    assert until(lambda: "\ngrandstand_voice_waiting 0.0\n" in http.get(f"{quick.url}/metrics", headers=OPERATOR).text)
    event = Event()
    service.answer = speaks(held=event)
    yield event
    event.set()
    service.answer = speaks()


def start_paused(server: LiveServer, seed: int) -> str:
    """Start a long match and pause it at its first line: clips are announced while a match goes on."""
    match = start(server, seed=seed, options={"overs": 20})
    assert until(lambda: bool(events(server, match, "CommentAdded")))
    steer(server, match, "pause")
    return match


def first_announced(server: LiveServer, match: str) -> dict[str, Any]:
    assert until(lambda: bool(events(server, match, "VoiceReady")))
    data: dict[str, Any] = events(server, match, "VoiceReady")[0]["data"]
    return data


def test_a_clip_is_served_to_all_viewers_while_it_is_made_once(
    quick: LiveServer, service: ChatServer, held: Event
) -> None:
    match = start_paused(quick, seed=41)
    ready = first_announced(quick, match)
    assert ready["whole"] is False
    assert ready["seconds"] > 0
    address = f"{quick.url}/api/clips/{ready['clip']}"
    with http.stream("GET", address) as first, http.stream("GET", address, headers={"Range": "bytes=0-"}) as second:
        pieces = [viewer.iter_raw() for viewer in (first, second)]
        heads = [next(arriving) for arriving in pieces]
        assert all(heads), "both hear its first audio before it is whole"
        assert all(clip["clip"] != ready["clip"] for clip in clips(quick, match))
        for viewer in (first, second):
            assert viewer.status_code == 200
            assert viewer.headers["cache-control"] == "no-store"
            assert viewer.headers["accept-ranges"] == "none"
            assert viewer.headers["content-type"] == "audio/mpeg"
            assert "content-length" not in viewer.headers
        held.set()
        heard_by = [head + b"".join(rest) for head, rest in zip(heads, pieces, strict=True)]
    assert until(lambda: any(clip["clip"] == ready["clip"] for clip in clips(quick, match)))
    whole = http.get(address)
    assert whole.headers["cache-control"].endswith("immutable")
    assert heard_by == [whole.content] * 2
    listed = next(clip for clip in clips(quick, match) if clip["clip"] == ready["clip"])
    assert listed["whole"] is True
    assert listed["seconds"] == pytest.approx(len(whole.content) / 8000, abs=0.01)
    text = next(
        event["data"]["text"] for event in events(quick, match, "CommentAdded") if event["seq"] == ready["comment"]
    )
    assert [request.body["transcript"] for request in service.requests].count(text) == 1
    steer(quick, match, "stop")


def test_a_clip_that_breaks_off_is_cut_for_its_listeners_and_kept_nowhere(
    quick: LiveServer, service: ChatServer, held: Event
) -> None:
    service.answer = speaks(held=held, cut=3)
    match = start_paused(quick, seed=57)
    ready = first_announced(quick, match)
    address = f"{quick.url}/api/clips/{ready['clip']}"
    with http.stream("GET", address) as viewer:
        arriving = viewer.iter_raw()
        assert next(arriving)
        service.answer = speaks()
        held.set()
        with pytest.raises(httpx2.RemoteProtocolError):
            list(arriving)
    assert until(lambda: http.get(address).status_code == 404)
    assert all(clip["clip"] != ready["clip"] for clip in clips(quick, match))
    steer(quick, match, "stop")


def test_a_clip_that_is_being_made_is_served_to_those_only_who_may_know_its_line(
    quick: LiveServer, held: Event
) -> None:
    match = start(quick, seed=63, delay=3600)
    assert until(lambda: bool(events(quick, match, "VoiceReady", **OPERATOR)))
    name = events(quick, match, "VoiceReady", **OPERATOR)[0]["data"]["clip"]
    address = f"{quick.url}/api/clips/{name}"
    assert http.get(address).status_code == 404
    with http.stream("GET", address, params={"as": "operator"}, headers=OPERATOR) as viewer:
        assert viewer.status_code == 200
        assert next(viewer.iter_raw())
        held.set()
    steer(quick, match, "stop")


def test_the_exported_page_has_the_clips_where_they_are_asked_for(server: LiveServer, spoken: str) -> None:
    file(ROOT / "frontend/dist/standalone/page.js", remedy="run `make setup` to build the page")
    address = f"{server.url}/api/episodes/{spoken}/export"
    voiced = http.text(f"{address}/html", params={"clips": "true"})
    packed = re.findall(r'id="episode">([^<]*)<', voiced)[0]
    content = json.loads(gzip.decompress(base64.b64decode(packed)))
    embedded = content["clips"]
    assert embedded
    assert all(ready in clips(server, spoken) for ready in embedded)
    for ready in embedded:
        audio = http.get(f"{server.url}/api/clips/{ready['clip']}").content
        assert base64.b64decode(content["audio"][ready["clip"]]["data"]) == audio
    assert len(http.text(f"{address}/html")) < len(voiced)
    refused = http.get(f"{address}/jsonl", params={"clips": "true"})
    assert (refused.status_code, refused.json()["field"]) == (422, "clips")


def test_what_is_no_clip_is_refused(server: LiveServer) -> None:
    assert http.get(f"{server.url}/api/clips/{'0' * 64}").status_code == 404
    assert http.get(f"{server.url}/api/clips/index.db").status_code == 422
    assert http.get(f"{server.url}/api/episodes/nothing/clips").status_code == 404


def test_no_clip_before_its_line_is_released(server: LiveServer) -> None:
    """Its name is made of its words, which a viewer could guess."""
    match = start(server, delay=3600, seed=77)
    assert until(lambda: bool(clips(server, match, **OPERATOR)))
    name = clips(server, match, **OPERATOR)[0]["clip"]
    assert clips(server, match) == []
    address = f"{server.url}/api/clips/{name}"
    refused = http.get(address)
    assert refused.status_code == 404
    assert refused.json() == http.get(f"{server.url}/api/clips/{'0' * 64}").json(), "as if there were none"
    assert http.get(address, params={"as": "operator"}).status_code == 404
    early = http.get(address, params={"as": "operator"}, headers=OPERATOR)
    assert (early.status_code, early.headers["cache-control"][:7]) == (200, "private")
    assert events(server, match, "VoiceReady") == []
    steer(server, match, "stop")


def test_health_and_metrics_name_what_speaks(server: LiveServer, spoken: str) -> None:
    assert server.get("/api/health")["voice"] == {"provider": "cartesia", "kind": "clips", "reason": ""}
    metrics = http.get(server.url + "/metrics", headers=OPERATOR).text
    assert "grandstand_voice_up 1.0" in metrics
    assert 'grandstand_voice_lines_total{outcome="spoken"}' in metrics


def test_the_key_is_in_no_log(server: LiveServer, spoken: str) -> None:
    text = server.log.read_text()
    assert spoken in text
    assert KEY not in text


@pytest.mark.long
def test_the_clips_stay_over_a_restart_and_a_wrong_key_is_named(tmp_path: Path, service: ChatServer) -> None:
    serve = partial(live_server, tmp_path, CARTESIA_BASE_URL=service.url, GRANDSTAND_OPERATOR_TOKEN=TOKEN)
    with serve(CARTESIA_API_KEY=KEY) as running:
        match = start(running)
        running.wait_for(match, status="finished")
        assert until(lambda: bool(clips(running, match)))
        before = clips(running, match)
        running.stop()
    with serve(CARTESIA_API_KEY="sk_car_wrong") as running:
        after = clips(running, match)
        assert [clip for clip in before if clip not in after] == []
        audio = http.get(f"{running.url}/api/clips/{before[0]['clip']}").raise_for_status().content
        assert hashlib.sha256(audio).digest() != hashlib.sha256(b"").digest()
        other = start(running, seed=9)
        running.wait_for(other, status="finished", timeout=PATIENCE)
        assert until(lambda: running.get("/api/health")["voice"]["kind"] == "browser")
        assert "401" in running.get("/api/health")["voice"]["reason"]
        assert "sk_car_wrong" not in running.log.read_text() + str(running.get("/api/health"))
        assert running.log.read_text().count("Invalid API key") == 1


def test_asked_for_without_a_key_says_so_in_one_line_and_nothing_fails(tmp_path: Path) -> None:
    with live_server(tmp_path, CARTESIA_API_KEY="") as running:
        body = {"max_overs": 1, "enable_tts": True}
        match = running.post("/custom/start_episode", body).raise_for_status().json()["episode_id"]
        assert until(lambda: bool(events(running, match, "VoiceChanged")))
        (change,) = events(running, match, "VoiceChanged")
        assert change["data"]["kind"] == "browser"
        assert "CARTESIA_API_KEY" in change["data"]["reason"]
        assert running.log.read_text().count("CARTESIA_API_KEY") == 1
        running.command(match, "stop")
        quiet = running.post("/custom/start_episode", {**body, "enable_tts": False}).raise_for_status().json()
        running.wait_for(quiet["episode_id"], seq=10)
        assert events(running, quiet["episode_id"], "VoiceChanged") == []


def test_the_showcase_is_spoken_where_it_is_paid_for(tmp_path: Path, service: ChatServer) -> None:
    with live_server(
        tmp_path,
        "--showcase",
        "cricket",
        CARTESIA_API_KEY=KEY,
        CARTESIA_BASE_URL=service.url,
        GRANDSTAND_SHOWCASE_VOICE="true",
    ) as running:
        match = running.get("/api/episodes")["lanes"][0]["episode_id"]
        assert running.get(f"/api/episodes/{match}")["voice"] is True


def planned(key: str, **settings: str) -> VoicePlan:
    return voice_plan(Settings.load(settings), key)


def test_the_plan_follows_the_settings_and_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = planned("key")
    assert usual.kind == "cartesia"
    assert usual.voice("cricket", press=False) == VOICE
    assert usual.voice("diplomacy", press=False) == OTHER_VOICE
    assert not usual.reads_press
    assert planned("").kind == "browser"
    assert "CARTESIA_API_KEY" in planned("", voice="cartesia").reason
    assert planned("key", voice="silent").kind == "silent"
    assert planned("", voice="browser").reason == "", "it was chosen"
    own = planned("key", voices="*=a, cricket=b, press=c")
    assert [own.voice("diplomacy", press=False), own.voice("cricket", press=False)] == ["a", "b"]
    assert own.voice("cricket", press=True) == "c"
    monkeypatch.setenv("GRANDSTAND_VOICES", "chess=a")
    with pytest.raises(SettingsError, match=r"voices .*'chess=a' is not game=voice"):
        Settings.load()
    monkeypatch.setenv("GRANDSTAND_VOICES", "press=a|")
    with pytest.raises(SettingsError, match=r"'press=a\|' has an empty voice"):
        Settings.load()


def test_viewers_learn_of_clips_that_cannot_be_kept_and_not_of_folders(tmp_path: Path) -> None:
    (tmp_path / "clips").write_text("a file where the folder would be")
    with live_server(tmp_path) as running:
        voice = running.get("/api/health")["voice"]
        assert voice["kind"] == "browser"
        assert voice["reason"] == "clips cannot be kept, so each viewer's browser speaks"
        assert str(tmp_path / "clips") in running.log.read_text()
