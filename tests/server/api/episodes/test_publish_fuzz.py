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

from grandstand.models import CORE_EVENTS
from grandstand.server.access import Access
from grandstand.server.auth import Auth, RateLimit
from grandstand.server.http import install_problems
from grandstand.server.matches.published import PublishedMatches
from grandstand.server.results.match_results import MatchResults
from grandstand.server.routes import ROUTERS
from grandstand.server.settings import Settings
from grandstand.spectator.hub import Hub
from grandstand.spectator.recorder import Recorder
from tests.server.api.episodes.test_publish import batch
from tests.support.match_services import MatchServices

AUTH = {"Authorization": "Bearer canary"}

EXAMPLES: dict[str, dict[str, Any]] = {
    "SeedSet": {"seed": 3},
    "EpisodeStarted": {},
    "EpisodeResumed": {"turn": "t"},
    "TurnStarted": {"index": 0, "turn": "t", "to_act": ["A"], "scores": {"A": 0.5}},
    "ActionChosen": {"seat": "A", "index": 0, "action": {"x": [1]}, "source": "remote"},
    "ActionRejected": {"seat": "A", "index": 0, "action": {"x": 1}, "field": "x", "reason": "no"},
    "PlayerThinking": {"seat": "A", "index": 0, "stage": "choosing", "seconds": 1.5, "tokens": 3, "retries": 0},
    "ActionRequested": {"seat": "A", "index": 0, "kind": "choose", "deadline": 1.5, "left": None, "ready": False},
    "NegotiationHeld": {"index": 0, "round": 1, "rounds": 2},
    "PlayerReported": {
        "seat": "A",
        "index": 0,
        "task": "choose",
        "source": "policy",
        "report": {"usage": {"seconds": 1.5, "dollars": 0.1}, "attempts": [{"reply": "r"}], "thought": "t"},
    },
    "TurnRecorded": {
        "seat": "A",
        "index": 0,
        "policy": "p",
        "version": 1,
        "temperature": 1.0,
        "prompt": [1],
        "completion": [2],
        "logprobs": [-0.5],
        "allowed": [[2, 3]],
        "features": {"f": 0.5},
    },
    "TrainStepped": {"step": 1, "version": 1, "metrics": {"loss": 0.5}},
    "LeagueRated": {
        "step": 5,
        "players": [
            {"name": "r@v000005", "label": "v5", "kind": "policy", "version": 5, "rating": {"mean": 1510.0, "n": 8}},
            {"name": "random", "label": "random", "kind": "bot", "rating": {"mean": 1400.0}, "share": 0.1},
        ],
        "payoffs": [
            {
                "player": "v5",
                "opponent": "random",
                "wins": 3,
                "draws": 1,
                "losses": 0,
                "games": 4,
                "share": {"mean": 0.875, "n": 2},
            }
        ],
    },
    "PairingsDrawn": {
        "planned": 2,
        "pairings": [{"number": 0, "round": 1, "opening": 0, "players": {"A": "p", "B": "q"}}],
    },
    "PairingBegan": {"number": 0, "episode_id": "chess-1"},
    "PairingPlayed": {
        "number": 0,
        "episode_id": "chess-1",
        "status": "finished",
        "scores": {"A": 1.0, "B": 0.0},
        "counted": ["A"],
        "faults": {"B": 1},
        "fallbacks": {"B": 1},
    },
    "ExperimentPlanned": {
        "name": "kl",
        "hypothesis": "h",
        "baseline": "A",
        "arms": [{"arm": "A", "name": "n", "steps": 4, "changes": [{"key": "kl.beta", "was": "0", "now": "0.1"}]}],
        "seeds": [1, 2],
        "looks": [2],
        "metrics": ["kl/mean:mean"],
        "criteria": [
            {
                "name": "c",
                "metric": "kl/mean:mean",
                "comparison": "B − A",
                "arms": ["B", "A"],
                "direction": "less",
                "least_effect": 0.1,
                "alpha": 0.05,
            }
        ],
        "command": "grandstand sweep kl.yaml --run",
        "seconds": 3.5,
    },
    "ExperimentRunChanged": {"arm": "A", "seed": 1, "status": "failed", "cause": "training", "message": "m"},
    "ExperimentAnalysed": {
        "completed": 1,
        "planned": 4,
        "arms": [
            {
                "arm": "A",
                "metric": "kl/mean:mean",
                "mean": {"mean": 0.5, "n": 1},
                "values": [{"seed": 1, "value": 0.5}],
            }
        ],
        "criteria": [
            {
                "criterion": 0,
                "verdict": "undecided",
                "reason": "r",
                "difference": {"n": 0},
                "level": 0.95,
                "values": [],
                "missing": ["B-s1"],
            }
        ],
    },
    "StandingsUpdated": {
        "played": 1,
        "planned": 2,
        "table": [
            {"player": "p", "matches": 1, "counted": 1, "score": {"mean": 1.0, "n": 1}, "rating": {}, "dollars": 0.1}
        ],
        "cross": [{"a": "p", "b": "q", "share": {"mean": 1.0, "low": 0.5, "high": 1.0, "n": 9}, "stronger": 0.9}],
        "seats": [{"player": "p", "seat": "A", "score": {}}],
        "seat_effects": {"A": {"mean": 3.0}},
    },
    "PlayerFault": {"seat": "A", "boundary": "player", "message": "m"},
    "ControlChanged": {"command": "pace", "value": 1.5, "by": "b"},
    "SeatOpened": {"seat": "A", "token_sha256": "0" * 64},
    "FactNoted": {"kind": "capture", "text": "A fact.", "importance": 0.5, "rests_on": [2]},
    "CommentAdded": {"text": "A line.", "importance": 0.5, "rests_on": [2], "beat": "orders"},
    "CommentatorFault": {"commentator": "m", "boundary": "timeout", "message": "m", "lines": 2},
    "CommentatorReported": {"commentator": "m", "lines": 2, "used": 1, "report": {"usage": {"seconds": 1.5}}},
    "VoiceReady": {"comment": 3, "clip": "5e", "seconds": 2.5, "words": [{"text": "A", "start": 0.1}]},
    "VoiceChanged": {"kind": "browser", "reason": "the provider does not answer"},
    "OutlookUpdated": {"chances": {"A": 0.5}, "excitement": 0.5, "headline": "Close."},
    "MessageHeld": {"id": "m", "seat": "A", "action": {"x": 1}},
    "PrivateBatch": {
        "events": [
            {"type": "EpisodeResumed", "audience": ["A"], "data": {"turn": "t"}},
        ],
    },
    "EpisodeEnded": {
        "status": "finished",
        "outcome": {"reason": "r", "winners": ["A"], "scores": {"A": 1.0}, "text": "t"},
        "message": "",
    },
}
CREATED: dict[str, Any] = {
    "game": "chess",
    "title": "t",
    "options": {"x": 1.5},
    "seats": [{"seat": "A", "player": "p", "kind": "remote"}],
    "origin": "publisher",
    "delay": 1.0,
    "clock": 1.0,
    "parent": {"episode_id": "e", "seq": 1},
    "training": {"run": "training-1", "stage": "training", "step": 3},
}
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
            access=Access(Auth("127.0.0.1", None), services.history, RateLimit(1000, 1.0)),
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
    assert {"EpisodeCreated", *EXAMPLES} == set(CORE_EVENTS)


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
        for path in ("", "/events", "/snapshot", "/replay"):
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
