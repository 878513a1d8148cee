"""A viewer in another process: every event once and in order, through kills and restarts of the server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from grandstand.spectator import follower as follower_module
from grandstand.spectator.follower import Follower, FollowState, WatchRefused
from grandstand.spectator.frames import EventPage
from tests.support.live_server import live_server
from tests.support.waiting import PATIENCE

TOKEN = "an operator's token"


async def followed(follower: Follower) -> list[FollowState]:
    return [state async for state in follower.follow()]


async def until_named(states: AsyncIterator[FollowState], name: str) -> FollowState:
    """Return the next state of that name."""
    while True:
        state = await asyncio.wait_for(anext(states), PATIENCE)
        if state.name == name:
            return state


def test_a_finished_match_is_received_whole(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = server.start_match(game="diplomacy", seed=1, pace=0, options={"last_year": 1901})
        last = server.wait_for(episode, status="finished")["last_seq"]
        follower = Follower(server.url, episode)
        assert asyncio.run(followed(follower))[-1].name == "complete"
        assert len(follower.slots) == last + 1
        frames = server.get(f"/api/episodes/{episode}/events")["frames"]
        assert [frame.get("event") for frame in frames] == [
            event and event.model_dump(mode="json") for event in follower.slots
        ]
        assert None in follower.slots


def test_history_from_a_server_that_is_behind_is_fetched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a proxy, the stream and the events before it may come from two servers."""
    pages = 0

    def behind(content: bytes) -> EventPage:
        nonlocal pages
        pages += 1
        page = EventPage.model_validate_json(content)
        return page.model_copy(update={"frames": page.frames[: max(0, 10 - page.first)]}) if pages < 3 else page

    with live_server(tmp_path) as server:
        episode = server.start_match(game="diplomacy", seed=1, pace=0, options={"last_year": 1901})
        last = server.wait_for(episode, status="finished")["last_seq"]
        follower = Follower(server.url, episode)
        monkeypatch.setattr(follower_module, "EventPage", SimpleNamespace(model_validate_json=behind))
        assert asyncio.run(followed(follower))[-1].name == "complete"
        assert len(follower.slots) == last + 1


@pytest.mark.long
def test_a_killed_server_is_resumed_where_it_was(tmp_path: Path) -> None:
    async def scene() -> None:
        with live_server(tmp_path, "--pace", "0.2") as server:
            episode = server.start_match(game="cricket", seed=1, options={"overs": 2})
            port = int(server.url.rpartition(":")[2])
            follower = Follower(server.url, episode)
            states = follower.follow()
            while len(follower.slots) < 40:
                await asyncio.wait_for(anext(states), PATIENCE)
            server.kill()
            assert await until_named(states, "reconnecting")
            received = list(follower.slots)
        with live_server(tmp_path, "--pace", "0", port=port) as server:
            assert await until_named(states, "complete")
            assert follower.slots[: len(received)] == received
            assert follower.generation == 0
            frames = server.get(f"/api/episodes/{episode}/events", first=0)["frames"]
            assert len(frames) == len(follower.slots)
            visible = [frame["event"] for frame in frames if frame["frame"] == "event"]
            assert [event.model_dump(mode="json") for event in follower.events] == visible

    asyncio.run(scene())


def test_another_record_of_the_same_name_replaces_what_was_received(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        episode = server.start_match(game="diplomacy", seed=1, pace=0, options={"last_year": 1901})
        server.wait_for(episode, status="finished")
        follower = Follower(server.url, episode)
        asyncio.run(followed(follower))
        events = len(follower.slots)
        follower._position = (7, events - 1)
        assert asyncio.run(followed(follower))[-1].name == "complete"
        assert (len(follower.slots), follower.generation) == (events, 1)


@pytest.mark.long
@pytest.mark.parametrize(
    ("viewpoint", "token", "reason"),
    [
        ("operator", "", "only an operator may look as one"),
        ("operator", "wrong", "not the operator's"),
        ("seat:PERU", TOKEN, "no such seat"),
        ("nobody", TOKEN, "use spectator"),
    ],
)
def test_a_refusal_has_the_servers_reason(tmp_path: Path, viewpoint: str, token: str, reason: str) -> None:
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        body = {"game": "diplomacy", "seed": 1, "paused": True}
        answer = server.post("/api/episodes", body, Authorization=f"Bearer {TOKEN}").raise_for_status()
        follower = Follower(server.url, answer.json()["episode_id"], viewpoint, token)
        with pytest.raises(WatchRefused, match=reason):
            asyncio.run(followed(follower))


def test_an_unknown_match_and_an_unreachable_server_are_refused(tmp_path: Path) -> None:
    with live_server(tmp_path) as server:
        with pytest.raises(WatchRefused, match="404: no episode 'nowhere'"):
            asyncio.run(followed(Follower(server.url, "nowhere")))
        url = server.url
    with pytest.raises(WatchRefused, match="cannot be reached"):
        asyncio.run(followed(Follower(url, "nowhere")))


def test_a_token_opens_its_viewpoint(tmp_path: Path) -> None:
    with live_server(tmp_path, GRANDSTAND_OPERATOR_TOKEN=TOKEN) as server:
        body = {"game": "diplomacy", "seed": 1, "pace": 0, "options": {"last_year": 1901}}
        answer = server.post("/api/episodes", body, Authorization=f"Bearer {TOKEN}").raise_for_status()
        episode = answer.json()["episode_id"]
        server.wait_for(episode, status="finished")
        follower = Follower(server.url, episode, "operator", TOKEN)
        asyncio.run(followed(follower))
        assert any(event.type == "SeedSet" for event in follower.events)
