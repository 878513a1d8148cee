"""The lobby as one snapshot and its changes: what spectators may know, in order, and bounded for slow clients."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from grandstand.events import EpisodeCreated, EpisodeStarted, FactNoted, SeatInfo
from grandstand.models import Audience, Draft, Event
from grandstand.server.bodies.lobby import Lobby
from grandstand.server.bodies.matches import Glance
from grandstand.server.lobby import feed, glances
from grandstand.server.lobby.feed import LobbyFeed, difference
from grandstand.spectator.errors import CloseCode
from grandstand.spectator.hub import Hub
from tests.support.server.match_services import MatchServices, until
from tests.support.server.stream_server import board, ending, press, turn


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits for the next look."""
    monkeypatch.setattr(feed, "EVERY", 0.0)


class Served:
    """A lobby with its record."""

    def __init__(self) -> None:
        self.services = MatchServices()
        self.hub = Hub(self.services.history)
        services = self.services
        self.feed = LobbyFeed(services.driver, services.history, services.recorder, self.hub, list)

    def publish(self, episode_id: str, *drafts: Draft, delay: float = 0.0) -> None:
        if not self.services.bus.numbers(episode_id):
            self.services.bus.open(episode_id, 1, delay=delay)
        self.services.bus.publish(episode_id, drafts)

    async def whole(self) -> Lobby:
        return Lobby.model_validate_json(await self.feed.whole())


class Client:
    """A client that follows the stream, as the page does."""

    def __init__(self, served: Served, after: str) -> None:
        self.changes: list[dict[str, Any]] = []
        self.ended = False
        self._task = asyncio.create_task(served.feed.send_all(self._send, after))

    async def _send(self, message: Any) -> None:
        self.ended = not message["more_body"]
        for part in message["body"].decode().split("\n\n"):
            if "data: " in part:
                self.changes.append(json.loads(part.partition("data: ")[2]))

    async def leave(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def end(self) -> None:
        await self._task


def created(game: str = "diplomacy", delay: float = 0.0) -> list[Draft]:
    seats = [SeatInfo(seat="FRANCE", player="bot", kind="heuristic")]
    return [
        Draft.of(EpisodeCreated(game=game, title="A test", options={}, seats=seats, origin="api", delay=delay)),
        Draft.of(EpisodeStarted()),
    ]


def fact(importance: float, rests_on: Sequence[int], audience: Audience = "public") -> Draft:
    data = FactNoted(kind="capture", text=f"Of {importance}.", importance=importance, rests_on=list(rests_on))
    return Draft.of(data, audience)


def run(scene: Callable[[Served], Awaitable[None]]) -> None:
    async def whole() -> None:
        await scene(Served())

    asyncio.run(whole())


def position(*provinces: str) -> Draft:
    """Return an event after which France has an army and the supply centre in each of the provinces."""
    units, centers = {"FRANCE": [f"A {each}" for each in provinces]}, {"FRANCE": list(provinces)}
    return Draft(
        "PhaseAdvanced", {"state": {"phase": "F1901M", "units": units, "retreats": {}, "centers": centers}}, "public"
    )


def test_a_live_match_has_a_glance_at_it_and_a_replay_of_its_last_key_moment() -> None:
    async def scene(served: Served) -> None:
        drafts = [turn(0), position("PAR"), turn(1), position("PAR", "MAR"), fact(0.7, [5]), fact(0.2, [5])]
        served.publish("a", *created(), *drafts)
        listed = await served.whole()
        assert (listed.live, listed.ended) == (["a"], [])
        glance = listed.glances["a"]
        assert glance.picture is not None
        assert [thing["name"] for thing in things(glance) if "name" in thing] == ["A PAR", "A MAR"]
        assert "places" not in glance.picture or glance.picture["places"] == []
        assert glance.owners is not None
        assert glance.owners["PAR"] == "FRANCE"
        assert (glance.rows[0].name, glance.rows[0].score) == ("France", "2")
        moment = listed.moments["a"]
        assert (moment.seq, moment.first, moment.last, moment.text) == (6, 4, 5, "Of 0.7.")
        shown = [[thing["name"] for thing in things(shot) if "name" in thing] for shot in moment.excerpt.shots]
        assert shown == [["A PAR"], ["A PAR", "A MAR"]]

    run(scene)


def test_a_key_moment_at_the_start_of_a_turn_is_shown_from_the_turn_before() -> None:
    async def scene(served: Served) -> None:
        served.publish("a", *created(), turn(0), position("PAR"), turn(1), fact(0.7, [4]))
        moment = (await served.whole()).moments["a"]
        assert (moment.first, moment.last) == (2, 4)

    run(scene)


def things(glance: Glance) -> list[dict[str, Any]]:
    return (glance.picture or {})["things"]  # type: ignore[return-value]


def test_a_glance_is_drawn_again_only_after_new_events(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def glance(events: Sequence[Event], seq: int) -> Glance:
        drawn.append(seq)
        return glances.glance(events, seq)

    monkeypatch.setattr(feed, "glance", glance)

    async def scene(served: Served) -> None:
        served.publish("a", *created(), turn(0))
        for _ in range(2):
            await served.whole()
        served.publish("a", turn(1))
        await served.whole()
        assert drawn == [2, 3]

    run(scene)


def test_what_cannot_be_drawn_has_no_picture() -> None:
    async def scene(served: Served) -> None:
        served.publish("a", *created(), Draft("PhaseAdvanced", {"state": "?"}, "public"))
        served.publish("b", *created("unknown"), Draft("PictureShown", {"state": {"places": 3}}, "public"))
        listed = await served.whole()
        assert {name: glance.picture for name, glance in listed.glances.items()} == {"a": None, "b": None}
        assert [row.seat for row in listed.glances["a"].rows] == ["FRANCE"]

    run(scene)


def test_what_ended_is_listed_with_the_number_of_all() -> None:
    async def scene(served: Served) -> None:
        for name in ("a", "b"):
            served.publish(name, *created(), turn(0), board(1), ending())
        listed = await served.whole()
        assert listed.live == []
        assert sorted(listed.ended) == ["a", "b"]
        assert listed.total == 2
        assert list(listed.glances) == listed.ended[:1]

    run(scene)


def test_spectators_are_told_nothing_that_is_hidden_or_delayed() -> None:
    async def scene(served: Served) -> None:
        served.publish("late", *created(delay=3600.0), turn(0), board(1), fact(0.9, [3]), delay=3600.0)
        served.publish("now", *created(), turn(0), board(1), press("secret"), fact(0.9, [3], "analyst"))
        listed = await served.whole()
        assert listed.live == ["now"]
        assert listed.episodes["late"].last_seq == 0
        assert "late" not in listed.glances
        assert listed.moments == {}
        assert "secret" not in (await served.feed.whole()).decode()

    run(scene)


def test_a_client_receives_what_changed_after_its_version() -> None:
    async def scene(served: Served) -> None:
        served.publish("a", *created(), turn(0), board(1))
        first = await served.whole()
        client = Client(served, first.version)
        served.publish("a", turn(1))
        await until(lambda: client.changes)
        (change,) = client.changes[:1]
        assert change["after"] == first.version
        assert change["episodes"]["a"]["last_seq"] == 4
        assert "seats" not in change["episodes"]["a"]
        assert "glances" not in change
        await client.leave()

    run(scene)


def test_a_client_of_another_version_receives_the_whole_lobby(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "KEPT", 2)

    async def scene(served: Served) -> None:
        served.publish("a", *created(), turn(0))
        old = (await served.whole()).version
        for n in range(3):
            served.publish("a", turn(n))
            await served.whole()
        for after in (old, "", "gone.1", "no version"):
            client = Client(served, after)
            await until(lambda: client.changes)  # noqa: B023 - awaited here
            assert client.changes[0]["after"] == ""
            assert client.changes[0]["episodes"]["a"]["last_seq"] == 5
            await client.leave()

    run(scene)


def test_the_stream_ends_with_the_server() -> None:
    async def scene(served: Served) -> None:
        client = Client(served, "")
        await until(lambda: client.changes)
        served.hub.close(CloseCode.STOPPING)
        await client.end()
        assert client.ended

    run(scene)


def test_a_client_that_takes_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "SLOW_AFTER", 0.0)

    async def scene(served: Served) -> None:
        sent: list[bytes] = []

        async def send(message: Any) -> None:
            sent.append(message["body"])
            if len(sent) > 1:
                await asyncio.Event().wait()

        with pytest.raises(TimeoutError):
            await served.feed.send_all(send, "")

    run(scene)


def test_only_entries_and_fields_that_changed_are_sent() -> None:
    before = {"total": 1, "live": ["a"], "episodes": {"a": {"x": 1, "y": None}, "b": {"x": 1}}, "viewers": {"a": 1}}
    after = {"total": 1, "live": ["c"], "episodes": {"a": {"x": 2, "y": None}, "c": {"x": 1}}, "viewers": {"a": 2}}
    assert difference(before, before) == {}
    assert difference(before, after) == {
        "live": ["c"],
        "episodes": {"a": {"x": 2}, "b": None, "c": {"x": 1}},
        "viewers": {"a": 2},
    }
