"""A trained policy on a real server: seated over the API, swapped while it plays, its tokens kept from all viewers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
import torch
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from grandstand.spectator.replay import from_lines
from grandstand.trainer.rollout.trajectories import trajectories
from tests.support import http
from tests.support.live_server import LiveServer, live_server
from tests.support.server.private_batches import visible_events
from tests.support.trainer.run_folder import RunFolder
from tests.support.trainer.tiny import tiny
from tests.support.waiting import until

pytestmark = pytest.mark.long

torch.set_num_threads(1)
PATIENCE = 240.0
"""Seconds within which a server on a busy machine has imported torch."""
OPTIONS = {"press": "none", "last_year": 1901}
LEARNERS = ["FRANCE", "ITALY", "TURKEY"]
VIEWERS = ["spectator", "analyst", "operator", *(f"seat:{seat}" for seat in (*LEARNERS, "RUSSIA"))]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    run = RunFolder(tiny(), tmp_path_factory.mktemp("trained") / "run")
    run.publish(0, 1)
    return run


@pytest.fixture(scope="module")
def server(run: RunFolder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with live_server(tmp_path_factory.mktemp("server"), "--pace", "0", "--roster", str(run.roster())) as running:
        yield running


@pytest.fixture(scope="module")
def watched(server: LiveServer) -> tuple[str, dict[str, str]]:
    """A match, and all that a socket of each viewer brought while it was played."""
    episode = server.start_match(
        game="diplomacy",
        seed=5,
        options=OPTIONS,
        players=dict.fromkeys(LEARNERS, "learner"),
        reveal="live",
        paused=True,
    )
    return episode, asyncio.run(watch(server, episode))


async def watch(server: LiveServer, episode: str) -> dict[str, str]:
    address = f"{server.url.replace('http', 'ws')}/api/episodes/{episode}/watch"
    async with AsyncExitStack() as open_ones:
        sockets = [await open_ones.enter_async_context(connect(f"{address}?as={viewer}")) for viewer in VIEWERS]
        first = [str(await socket.recv()) for socket in sockets]
        command(server, episode, "resume")
        rest = await asyncio.wait_for(asyncio.gather(*map(everything, sockets)), PATIENCE)
    return {viewer: before + after for viewer, before, after in zip(VIEWERS, first, rest, strict=True)}


async def everything(socket: ClientConnection) -> str:
    """Return all that is received until the server closes."""
    report = ""
    with suppress(ConnectionClosed):
        while True:
            report += str(await socket.recv())
    return report


@pytest.fixture(scope="module")
def finished(watched: tuple[str, dict[str, str]]) -> str:
    return watched[0]


def events(server: LiveServer, episode: str, viewpoint: str) -> list[dict[str, Any]]:
    frames = server.get(f"/api/episodes/{episode}/events", **{"as": viewpoint})["frames"]
    return list(visible_events(frames))


def test_it_is_on_the_roster_of_its_game(server: LiveServer) -> None:
    for game in server.get("/api/games"):
        (listed,) = [player for player in game["players"] if player["name"] == "learner"]
        assert (listed["kind"], listed["available"]) == ("trained", True)
    refused = server.post("/api/episodes", {"game": "cricket", "players": {"home": "learner"}})
    assert refused.status_code == 422
    assert "the run learns diplomacy, not cricket" in refused.json()["detail"]


@pytest.mark.long
def test_it_plays_a_match_and_analysts_see_how(server: LiveServer, finished: str) -> None:
    seats = {info["seat"]: info for info in server.get(f"/api/episodes/{finished}")["seats"]}
    assert {seat for seat, info in seats.items() if info["kind"] == "trained"} == set(LEARNERS)
    recorded = events(server, finished, "analyst")
    assert not [event for event in recorded if event["type"] == "PlayerFault"]
    chosen = [event["data"] for event in recorded if event["type"] == "ActionChosen"]
    assert {report["source"] for report in chosen if report["seat"] in LEARNERS} == {"policy"}
    reports = [event["data"] for event in recorded if event["type"] == "PlayerReported"]
    assert len(reports) == sum(report["seat"] in LEARNERS for report in chosen)
    assert all(report["report"]["thought"].startswith("tiny@v000001: probability ") for report in reports)


@pytest.mark.long
def test_an_operators_download_is_training_data(server: LiveServer, finished: str, tmp_path: Path) -> None:
    text = http.text(f"{server.url}/api/episodes/{finished}/replay", params={"as": "operator"})
    episode = from_lines(iter(text.splitlines(keepends=True)))  # type: ignore[arg-type]
    learned = trajectories(episode, "tiny")
    assert {item.seat for item in learned} == set(LEARNERS)
    assert all(item.decisions and not item.masked for item in learned)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_no_viewer_receives_its_tokens(server: LiveServer, watched: tuple[str, dict[str, str]], viewer: str) -> None:
    """Not by socket, stream, page or snapshot; nor by download, but for the operator's, which is the record."""
    episode, report = watched
    at, query = f"/api/episodes/{episode}", {"as": viewer}
    summary = server.get(at)
    middle = summary["last_seq"] // 2
    stream = http.text(f"{server.url}{at}/stream", params={**query, "after": f"{summary['epoch']}.0"})
    got = [
        report[viewer],
        stream,
        json.dumps(server.get(f"{at}/events", **query)),
        *(json.dumps(server.get(f"{at}/snapshot", seq=seq, **query)) for seq in (middle, summary["last_seq"])),
        json.dumps(summary),
    ]
    if viewer != "operator":
        got.append(http.text(f"{server.url}{at}/replay", params=query))
    assert all("EpisodeEnded" in text for text in got[:3])
    for text in got:
        for private in ("TurnRecorded", "logprobs", "completion"):
            assert private not in text


def test_a_version_published_meanwhile_plays_from_the_next_choice_on(
    server: LiveServer, run: RunFolder, finished: str
) -> None:
    players = dict.fromkeys(LEARNERS, "learner")
    episode = server.start_match(game="diplomacy", seed=6, options=OPTIONS, players=players, paused=True)
    step(server, episode)
    run.publish(2)
    command(server, episode, "resume")
    server.wait_for(episode, status="finished", timeout=PATIENCE)
    reports = [event["data"] for event in events(server, episode, "operator") if event["type"] == "PlayerReported"]
    versions = {(item["index"] > 0, item["report"]["thought"].split(":")[0]) for item in reports}
    assert versions == {(False, "tiny@v000001"), (True, "tiny@v000002")}


def step(server: LiveServer, episode: str) -> None:
    """Play one turn of a paused match."""
    begun = turns(server, episode)
    command(server, episode, "step")
    assert until(lambda: turns(server, episode) > begun, PATIENCE)


def turns(server: LiveServer, episode: str) -> int:
    return sum(event["type"] == "TurnStarted" for event in events(server, episode, "spectator"))


def command(server: LiveServer, episode: str, name: str) -> None:
    server.post(f"/api/episodes/{episode}/commands", {"command": name}).raise_for_status()
