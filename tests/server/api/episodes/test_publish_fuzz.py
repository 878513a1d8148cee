"""Whatever is published: it is refused by name, or it can be read back, by this process and the next."""

from __future__ import annotations

import asyncio
import copy
import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from fastapi import FastAPI
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grandstand.campaign_events import CAMPAIGN_EVENTS
from grandstand.events import CORE_EVENTS
from grandstand.server.access import Access
from grandstand.server.auth import Auth
from grandstand.server.http import install_problems
from grandstand.server.main import ROUTERS
from grandstand.server.matches.published import PublishedMatches
from grandstand.server.results.match_results import MatchResults
from grandstand.server.settings import Settings
from grandstand.spectator.hub import Hub
from grandstand.spectator.recorder import Recorder
from tests.support.server.batches import batch
from tests.support.server.example_batches import CREATED, EXAMPLES
from tests.support.server.match_services import MatchServices

AUTH = {"Authorization": "Bearer canary"}

NASTY: list[Any] = [
    *("nan", "inf", "-Infinity", "1e999", "", "0x", "\ud800", "\u202e", "9" * 5000),
    *(float("nan"), float("inf"), float("-inf"), 1e308, -1e308, -1, 2**53, 2**63, 2**64, 10**400, 0.5, True, None),
    *([], {}, [[]], {"": None}, {"\udc00": 1}, [float("nan")], {"A": "nan"}, {"A": 1e308}),
]


def parts(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every part of `value`."""
    for name, part in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, name)
        if isinstance(part, dict | list):
            yield from parts(part, (*path, name))


def with_part(value: Any, path: tuple[Any, ...], part: Any) -> Any:
    changed = copy.deepcopy(value)
    target = changed
    for name in path[:-1]:
        target = target[name]
    target[path[-1]] = part
    return changed


def event(seq: int, kind: str, data: Any, audience: Any = "public") -> dict[str, Any]:
    audience = "private" if kind == "PrivateBatch" else audience
    return {"episode_id": "", "epoch": 7, "seq": seq, "at": 1.0, "type": kind, "audience": audience, "data": data}


@st.composite
def batches(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A valid batch with up to three of its parts made nasty: an event of each core type, or those of a match."""
    kind = draw(st.sampled_from(sorted({"", *EXAMPLES})))
    events = batch("") if not kind else [event(0, "EpisodeCreated", CREATED), event(1, kind, EXAMPLES[kind])]
    for _ in range(draw(st.integers(1, 3))):
        events = with_part(events, draw(st.sampled_from(list(parts(events)))), draw(st.sampled_from(NASTY)))
        if not all(isinstance(item, dict) for item in events):
            break
    return events


class Server:
    """The publishing and reading routes over a record on disk."""

    def __init__(self, folder: Path) -> None:
        self.store = folder / "grandstand.db"
        self.numbers = itertools.count()
        self.services = services = MatchServices(self.store)
        published = PublishedMatches(services.bus, services.recorder, limit=1000, idle=60)
        app = FastAPI()
        install_problems(app)
        app.state.parts = SimpleNamespace(
            settings=Settings.model_validate({"publish_token": "canary"}),
            bus=services.bus,
            recorder=services.recorder,
            history=services.history,
            driver=services.driver,
            hub=Hub(services.history),
            access=Access(Auth("127.0.0.1", None), services.history),
            results=MatchResults(services.recorder, services.history),
            showcase=SimpleNamespace(lanes=list),
            published=published,
            long_responses=asyncio.Lock(),
        )
        for prefix, router in ROUTERS:
            app.include_router(router, prefix=prefix)
        self._transport = httpx2.ASGITransport(app, raise_app_exceptions=False)

    def request(self, method: str, path: str, **content: Any) -> httpx2.Response:
        async def ask() -> httpx2.Response:
            async with httpx2.AsyncClient(transport=self._transport, base_url="http://127.0.0.1") as client:
                return await client.request(method, path, **content)

        return asyncio.run(ask())

    def publish(self, episode: str, events: list[Any]) -> Any:
        sent = [item | {"episode_id": episode} if isinstance(item, dict) else item for item in events]
        content = json.dumps({"events": sent}).encode()
        return self.request("POST", f"/api/publish/{episode}", content=content, headers=AUTH)


def test_there_is_an_example_of_every_core_type() -> None:
    assert {"EpisodeCreated", *EXAMPLES} == CORE_EVENTS.keys() | CAMPAIGN_EVENTS.keys()


def test_every_example_is_taken(tmp_path: Path) -> None:
    for number, (kind, data) in enumerate(EXAMPLES.items()):
        if number % 20 == 0:  # a server takes only so many new matches at once
            server = Server(tmp_path / str(number))
        events = [event(0, "EpisodeCreated", CREATED), event(1, kind, data)]
        assert server.publish(f"chess-{number}", events).json() == {"next_seq": 2}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server for all examples of a property, each of which has an episode of its own: routes take long to build."""
    return Server(tmp_path_factory.mktemp("fuzz"))


@pytest.mark.long
@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(events=batches())
def test_what_is_published_is_refused_by_name_or_can_be_read_again(shared: Server, events: list[Any]) -> None:
    episode = f"chess-{next(shared.numbers)}"
    answer = shared.publish(episode, events)
    assert answer.status_code in (200, 409, 422), answer.text
    if answer.status_code == 422:
        assert answer.json()["field"], answer.text
    for path in ("/api/episodes", "/api/players"):
        assert shared.request("GET", path).status_code == 200, path
    if answer.status_code == 200:
        for path in ("", "/events", "/snapshot", "/glance", "/replay"):
            got = shared.request("GET", f"/api/episodes/{episode}" + path)
            assert got.status_code == 200, (path, got.text)
    again = MatchServices(shared.store)
    assert (episode in again.recorder.episode_ids()) == (answer.status_code == 200)
    if answer.status_code == 200:
        again.recorder.summary(episode)
        kept = list(again.recorder.events(episode))
        assert [item.seq for item in kept] == list(range(len(kept)))
        assert again.history.summary(episode).last_seq == kept[-1].seq
    again.recorder.close()


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        ((0, "data", "delay"), "nan", "events.0.data.delay"),
        ((0, "data", "delay"), "inf", "events.0.data.delay"),
        ((0, "data", "delay"), True, "events.0.data.delay"),
        ((0, "data", "clock"), True, "events.0.data.clock"),
        ((0, "data", "options", "x"), float("nan"), "events.0.data.options.x"),
        ((0, "at"), float("inf"), "events.0.at"),
        ((1, "data", "scores", "A"), "nan", "events.1.data.scores.A"),
        ((1, "data", "scores", "A"), 1e308, "events.1.data.scores.A"),
        ((1, "seq"), 2**63, "events.1.seq"),
        ((1, "epoch"), 2**63, "events.1.epoch"),
    ],
)
def test_a_number_that_no_record_can_hold_is_refused_by_name(
    tmp_path: Path, path: tuple[Any, ...], value: Any, field: str
) -> None:
    events = [event(0, "EpisodeCreated", CREATED), event(1, "TurnStarted", EXAMPLES["TurnStarted"])]
    refused = Server(tmp_path).publish("chess-1", with_part(events, path, value))
    assert (refused.status_code, refused.json()["field"]) == (422, field)


def test_the_record_keeps_what_the_check_read(tmp_path: Path) -> None:
    server = Server(tmp_path)
    turn = EXAMPLES["TurnStarted"] | {"index": "4", "scores": {"A": "0.5"}}
    server.publish("chess-1", [event(0, "EpisodeCreated", CREATED), event(1, "TurnStarted", turn)])
    (_, kept) = server.services.recorder.events("chess-1")
    assert (kept.data["index"], kept.data["scores"]) == (4, {"A": 0.5})


def test_a_damaged_summary_is_left_out_and_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = Server(tmp_path)
    for name in ("chess-good", "chess-bad"):
        server.publish(name, [event(0, "EpisodeCreated", CREATED)])
    recorder = Recorder(server.store)
    recorder._db.execute("UPDATE episodes SET summary='null' WHERE episode_id='chess-bad'")
    recorder.close()
    again = Server(tmp_path)
    page = again.request("GET", "/api/episodes").json()
    assert ([item["episode_id"] for item in page["episodes"]], page["total"]) == (["chess-good"], 1)
    assert "episode chess-bad is left out" in caplog.text
    refused = again.request("GET", "/api/episodes/chess-bad")
    assert refused.status_code == 503
    assert "chess-bad" in refused.json()["detail"]
    assert again.publish("chess-bad", [event(1, "EpisodeStarted", {})]).status_code == 503
