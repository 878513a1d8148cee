"""The publish API: a match played elsewhere, shown here; checked, bounded, idempotent, and lost by no crash."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from grandstand.games.base import OptionError
from grandstand.models import Event
from grandstand.play.runner import MatchRunner
from grandstand.play.verification import verify
from grandstand.server.api.episodes.publish import MAX_EVENT, _checked_data
from grandstand.spectator.hooks import EnvObserver
from grandstand.spectator.publisher import Publisher, PublishRefused
from grandstand.spectator.recorder import Recorder
from tests.support import http
from tests.support.live_server import ROOT, LiveServer, live_server
from tests.support.server.batches import batch, seated
from tests.support.waiting import PATIENCE, until

TOKEN = "publish canary"
AUTH = {"Authorization": f"Bearer {TOKEN}"}
ENV: dict[str, Any] = {"GRANDSTAND_PUBLISH_TOKEN": TOKEN}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("publishing"), **ENV) as running:
        yield running


async def pause() -> None:
    await asyncio.sleep(0.01)


async def play(
    publisher: Publisher, runner: MatchRunner, between: Callable[[], Awaitable[object]] = pause, **options: Any
) -> str:
    """Play a match and publish it, awaiting `between` after each round; return its episode id."""
    episode = publisher.open("diplomacy")
    publisher.publish(episode, [*runner.created(options, title="elsewhere", origin="publisher"), *runner.started()])
    while not runner.match.over:
        async for drafts in runner.play_round():
            publisher.publish(episode, drafts)
        await between()
    return episode


def log(path: Path, episode: str) -> list[Event]:
    recorder = Recorder(path)
    try:
        return list(recorder.events(episode))
    finally:
        recorder.close()


def send(server: LiveServer, episode: str, events: list[dict[str, Any]], **headers: str) -> httpx2.Response:
    address = f"{server.url}/api/publish/{episode}"
    return http.post(address, json={"events": events}, headers=headers or AUTH)


def test_a_match_played_elsewhere_is_shown_like_any_other(server: LiveServer, tmp_path: Path) -> None:
    async def scene() -> str:
        async with Publisher(server.url, TOKEN, tmp_path / "buffer.db") as publisher:
            return await play(publisher, seated(3, last_year=1902), last_year=1902)

    episode = asyncio.run(scene())
    assert server.get(f"/api/episodes/{episode}")["status"] == "finished"
    local = log(tmp_path / "buffer.db", episode)
    shown = [Event.model_validate_json(line) for line in _download(server, episode).splitlines()[1:]]
    assert shown == local
    verify(local)


def _download(server: LiveServer, episode: str) -> str:
    return http.text(f"{server.url}/api/episodes/{episode}/replay", params={"as": "operator"})


def test_sending_again_changes_nothing_and_a_gap_says_what_is_due(server: LiveServer) -> None:
    events = batch("diplomacy-again")
    assert send(server, "diplomacy-again", events[:3]).json() == {"next_seq": 3}
    assert send(server, "diplomacy-again", events[:3]).json() == {"next_seq": 3}
    gap = send(server, "diplomacy-again", events[4:])
    assert (gap.status_code, gap.json()) == (409, {"next_seq": 3})
    assert send(server, "diplomacy-again", events[1:]).json() == {"next_seq": len(events)}
    due = http.get(f"{server.url}/api/publish/diplomacy-again", headers=AUTH).json()
    assert due == {"next_seq": len(events)}


def test_another_history_under_the_same_numbers_is_refused(server: LiveServer) -> None:
    events = batch("diplomacy-epoch")
    send(server, "diplomacy-epoch", events)
    refused = send(server, "diplomacy-epoch", [event | {"epoch": 8} for event in events])
    assert (refused.status_code, refused.json()["field"]) == (422, "events.0.epoch")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda e: e[0].update(type="EpisodeStarted", data={}), "events.0.type"),
        (lambda e: e[0]["data"].update(origin="api"), "events.0.data.origin"),
        (lambda e: e[0]["data"].pop("seats"), "events.0.data.seats"),
        (lambda e: e[0].update(colour="red"), "events.0.colour"),
        (lambda e: e[2].update(seq=9), "events.2.seq"),
        (lambda e: e[1].update(episode_id="other"), "events.1.episode_id"),
        (lambda e: e[2].update(type="Exploded"), "events.2.type"),
        (lambda e: e[3]["data"].update(weather="fine"), "events.3.data.weather"),
        (lambda e: e[3]["data"].pop("phase"), "events.3.data.phase"),
        (lambda e: e.clear(), "events"),
    ],
)
def test_what_the_schema_does_not_know_is_refused_by_field(server: LiveServer, change: Any, field: str) -> None:
    events = batch("diplomacy-wrong")
    change(events)
    refused = send(server, "diplomacy-wrong", events)
    assert (refused.status_code, refused.json()["field"]) == (422, field)
    assert http.get(f"{server.url}/api/episodes/diplomacy-wrong").status_code == 404


def test_without_the_token_nothing_is_taken(server: LiveServer) -> None:
    for headers in ({"Authorization": "Bearer guess"}, {"X-Nothing": "1"}):
        assert send(server, "diplomacy-closed", batch("diplomacy-closed"), **headers).status_code == 403


def test_a_match_of_this_server_cannot_be_written_to(server: LiveServer) -> None:
    own = server.start_match(game="diplomacy", pace=60)
    refused = send(server, own, batch(own))
    assert refused.status_code == 403
    server.post(f"/api/episodes/{own}/commands", {"command": "stop"})


def test_a_request_that_is_too_large_is_refused(server: LiveServer) -> None:
    events = batch("diplomacy-large")
    events[0]["data"]["title"] = "x" * 3_000_000
    refused = send(server, "diplomacy-large", events)
    assert refused.status_code == 413


def test_a_refusal_reaches_the_one_who_publishes(server: LiveServer, tmp_path: Path) -> None:
    async def scene() -> None:
        async with Publisher(server.url, "guess", tmp_path / "buffer.db") as publisher:
            await play(publisher, seated(1, last_year=1901), last_year=1901)

    with pytest.raises(PublishRefused, match="403"):
        asyncio.run(scene())


def test_an_environment_of_ones_own_is_shown_through_four_hooks(server: LiveServer, tmp_path: Path) -> None:
    async def scene() -> str:
        async with Publisher(server.url, TOKEN, tmp_path / "buffer.db") as publisher:
            watch = EnvObserver(publisher, "guess-the-number", seats=["agent"])
            await watch.start({"low": 0, "high": 9})
            for turn in range(3):
                pre = await watch.before_step({"guess": turn}, {"low": turn}, turn=turn)
                await watch.after_step({"guess": turn}, pre, {"low": turn + 1}, 0.5, turn=turn)
            await watch.end({"low": 3, "found": True})
            return watch.episode_id

    episode = asyncio.run(scene())
    snapshot = server.get(f"/api/episodes/{episode}/snapshot")
    assert snapshot["state"] == {"low": 3, "found": True}
    assert snapshot["episode"]["outcome"]["scores"] == {"agent": 1.5}
    assert server.get("/api/episodes", game="guess-the-number")["total"] == 1


@pytest.mark.long
def test_fifty_kills_of_the_server_leave_the_log_identical(tmp_path: Path) -> None:
    buffer, data = tmp_path / "buffer.db", tmp_path / "data"
    luck = random.Random(7)

    async def scene() -> str:
        with live_server(data, **ENV) as first:
            url, port = first.url, int(first.url.rpartition(":")[2])
            first.kill()
        async with Publisher(url, TOKEN, buffer, seed=1) as publisher:
            kills = asyncio.Semaphore(0)
            playing = asyncio.create_task(play(publisher, seated(5), kills.acquire))
            for _ in range(50):  # each of them meets a new round
                with live_server(data, port=port, **ENV) as server:
                    await asyncio.sleep(luck.random() * 0.4)
                    server.kill()
                kills.release()
            assert not playing.done(), "the match was over before the last kill"
            for _ in range(1000):
                kills.release()
            with live_server(data, port=port, **ENV):
                episode = await playing
                await asyncio.wait_for(publisher.drain(), PATIENCE)
                return episode

    episode = asyncio.run(scene())
    assert log(data / "grandstand.db", episode) == log(buffer, episode)


def test_a_killed_publisher_goes_on_where_the_server_left_off(server: LiveServer, tmp_path: Path) -> None:
    buffer = tmp_path / "buffer.db"
    command = [
        sys.executable,
        "-m",
        "grandstand",
        "publish",
        "--url",
        server.url,
        "--pace",
        "0.05",
        "--buffer",
        str(buffer),
    ]
    with subprocess.Popen(
        [*command, "--players", "random", "--set", "last_year=1903"],
        cwd=ROOT,
        env={**os.environ, **ENV},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as driver:
        assert until(lambda: buffer.exists() and any(summary.last_seq > 30 for summary in _summaries(buffer)))
        driver.send_signal(signal.SIGKILL)

    async def rest() -> None:
        async with Publisher(server.url, TOKEN, buffer):
            pass

    asyncio.run(rest())
    (episode,) = {summary.episode_id for summary in _summaries(buffer)}
    shown = [Event.model_validate_json(line) for line in _download(server, episode).splitlines()[1:]]
    assert shown == log(buffer, episode)


def _summaries(path: Path) -> list[Any]:
    recorder = Recorder(path)
    try:
        return recorder.summaries()[0]
    finally:
        recorder.close()


def test_the_parts_of_a_private_batch_are_checked_like_events() -> None:
    def batch(audience: str = "private", **part: Any) -> Event:
        whole = {"type": "SeedSet", "audience": "operator", "data": {"seed": 1}, **part}
        return Event.model_validate(
            {"episode_id": "abc", "epoch": 1, "seq": 1, "at": 1.0, "type": "PrivateBatch", "audience": audience}
            | {"data": {"events": [whole]}}
        )

    _checked_data("diplomacy", batch(), "events.0")
    for wrong, field in (
        (batch("public"), r"events\.0\.audience"),
        (batch(type="EpisodeEnded", data={"status": "finished"}), r"events\.0\.data\.events\.0\.type"),
        (batch(type="PrivateBatch", data={"events": []}), r"events\.0\.data\.events\.0\.type"),
        (batch(data={"seed": "x"}), r"events\.0\.data\.events\.0\.data\.seed"),
        (batch(type="Unheard"), r"events\.0\.data\.events\.0\.type"),
        (batch(data={"seed": 1, "more": "x" * MAX_EVENT}), r"events\.0\.data\.events\.0\.data"),
    ):
        with pytest.raises(OptionError, match=f"^{field}"):
            _checked_data("diplomacy", wrong, "events.0")


def test_a_published_match_without_a_seed_cannot_be_forked(server: LiveServer) -> None:
    events = batch("diplomacy-seedless")
    events[0]["data"]["rules"] = 0
    assert send(server, "diplomacy-seedless", events[:1]).status_code == 200
    refused = server.post("/api/episodes/diplomacy-seedless/fork", {})
    assert (refused.status_code, refused.json()["field"]) == (422, "seq")
    assert "has no seed" in refused.json()["detail"]


def test_a_published_match_that_the_rules_do_not_give_cannot_be_forked(server: LiveServer) -> None:
    events = batch("diplomacy-other")
    events[0]["data"]["rules"] = 0
    number = next(index for index, event in enumerate(events) if event["type"] == "TurnStarted")
    events[number]["data"]["index"] = 7
    assert send(server, "diplomacy-other", events).status_code == 200
    refused = server.post("/api/episodes/diplomacy-other/fork", {})
    assert (refused.status_code, refused.json()["field"]) == (422, "seq")
