"""The end of a turn is published in parts, at the pace of its viewers, and a record still has whole turns."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from grandstand.games.registry import game_spec
from grandstand.models import Draft, Event, flat
from grandstand.play.verification import verify
from grandstand.server.bodies.matches import Command, StartEpisode
from grandstand.server.matches.live_match import LiveMatch
from grandstand.spectator.record_rows import Request
from grandstand.spectator.recorder import Recorder
from tests.support.server.match_services import MatchServices, settle, until

STORY = {"FactNoted", "CommentAdded", "OutlookUpdated"}


def request(**fields: Any) -> StartEpisode:
    options = {"last_year": 1901}
    return StartEpisode(**{"game": "diplomacy", "seed": 1, "pace": 8.0, "options": options, **fields})


def rest_at(monkeypatch: pytest.MonkeyPatch, rest: Callable[[LiveMatch, float], Awaitable[None]]) -> None:
    monkeypatch.setattr(LiveMatch, "_rest", rest)


def test_what_follows_an_outcome_waits_until_it_has_been_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves, then centres, then the promises, then the next turn; a phase with little to see is followed sooner."""

    async def scene() -> None:
        services = MatchServices()
        seen: list[tuple[str, list[str], float]] = []
        known = 0

        async def rest(match: LiveMatch, weight: float) -> None:
            nonlocal known
            events = services.history.events(match.episode_id)
            types = [event.type for event in events[known:] if event.type not in STORY]
            seen.append((match.runner.match.game.turn, types, 8.0 * weight))
            known = len(events)

        rest_at(monkeypatch, rest)
        episode = (await services.driver.start(request(options={"last_year": 1902}))).episode_id
        await services.ended(episode)
        autumn = [types for turn, types, seconds in seen if turn == "W1901A" and seconds]
        assert [types[-1] for types in autumn[:3]] == ["OrdersResolved", "CentersChanged", "PrivateBatch"]
        assert autumn[3][0] == "TurnStarted"
        seconds = {turn: seconds for turn, types, seconds in seen if types[-1] == "OrdersResolved"}
        assert seconds["F1901M"] > 8 > 4 > seconds["S1902M"]
        verify(services.history.events(episode))

    asyncio.run(scene())


def test_a_match_that_is_stopped_while_it_tells_of_a_turn_has_a_whole_record(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        services = MatchServices()
        resting = asyncio.Event()

        async def rest(match: LiveMatch, weight: float) -> None:
            if any(event.type == "OrdersResolved" for event in services.history.events(match.episode_id)):
                resting.set()
                await asyncio.Event().wait()

        rest_at(monkeypatch, rest)
        episode = (await services.driver.start(request())).episode_id
        await resting.wait()
        await services.driver.command(episode, Command(command="stop"), key=None, by="operator")
        await services.ended(episode)
        events = services.history.events(episode)
        verify(events)
        kinds = [event.type for event in events]
        assert kinds[-1] == "EpisodeEnded"
        assert kinds.count("OrdersResolved") == kinds.count("TurnStarted") - 1

    asyncio.run(scene())


class GatedRecorder(Recorder):
    """A record that is written only while the gate is open, as one in another process that does not answer."""

    gate: asyncio.Event

    async def commit(self, events: Sequence[Event], request: Request | None = None) -> None:
        """Commit a batch once the gate is open."""
        await self.gate.wait()
        self.on_events(events, request)


@pytest.mark.parametrize("kind", ["OrdersResolved", "CentersChanged", "TurnStarted"])
def test_a_match_that_is_stopped_while_a_part_is_being_recorded_has_a_whole_record(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.server.match_services.Recorder", GatedRecorder)

    async def scene() -> None:
        GatedRecorder.gate = asyncio.Event()
        GatedRecorder.gate.set()
        services = MatchServices()
        waits = asyncio.Event()
        record = LiveMatch.record

        async def recorded(match: LiveMatch, drafts: Sequence[Draft]) -> None:
            if match.runner.match.index > 1 and drafts[-1].type != "EpisodeEnded" and kind in {d.type for d in drafts}:
                GatedRecorder.gate.clear()
                waits.set()
            await record(match, drafts)

        async def rest(match: LiveMatch, weight: float) -> None: ...

        rest_at(monkeypatch, rest)
        monkeypatch.setattr(LiveMatch, "record", recorded)
        episode = (await services.driver.start(request(options={"last_year": 1902}))).episode_id
        await waits.wait()
        await asyncio.sleep(0)
        services.driver.match(episode).steering.stopped_by = "operator"
        services.driver.match(episode)._wake.set()
        monkeypatch.setattr(LiveMatch, "record", record)
        await settle()
        GatedRecorder.gate.set()
        await services.ended(episode)
        events = services.history.events(episode)
        verify(events)
        kinds = [event.type for event in events]
        assert kinds[-1] == "EpisodeEnded"
        assert kinds.count("OrdersResolved") == kinds.count("TurnStarted") - 1

    asyncio.run(scene())


def test_after_a_kill_a_match_tells_the_rest_of_its_turn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def whole() -> list[Event]:
        services = MatchServices()
        episode = (await services.driver.start(request(pace=0))).episode_id
        await services.ended(episode)
        return list(services.history.events(episode))

    async def killed() -> str:
        services = MatchServices(tmp_path / "g.db")
        told = 0

        async def rest(match: LiveMatch, weight: float) -> None:
            nonlocal told
            told += services.history.events(match.episode_id)[-1].type == "OrdersResolved"
            if told:
                await asyncio.Event().wait()

        rest_at(monkeypatch, rest)
        episode = (await services.driver.start(request())).episode_id
        await until(lambda: told)
        await services.driver.close()
        services.recorder.close()
        monkeypatch.undo()
        return episode

    async def after(episode: str) -> list[Event]:
        services = MatchServices(tmp_path / "g.db")
        assert list(services.recorder.events(episode))[-1].type == "OrdersResolved"
        services.driver.resume_all()
        await services.driver.resumed()
        await services.driver.command(episode, Command(command="pace", value=0), key=None, by="operator")
        await services.ended(episode)
        return list(services.history.events(episode))

    async def quiet(match: LiveMatch, weight: float) -> None: ...

    expected = asyncio.run(whole())
    episode = asyncio.run(killed())
    rest_at(monkeypatch, quiet)
    events = asyncio.run(after(episode))
    verify(events)
    passing = {"ControlChanged", "EpisodeStarted"}

    def game(log: list[Event]) -> list[tuple[str, Any]]:
        spec = {kind.__name__ for kind in game_spec("diplomacy").events} | {"TurnStarted", "EpisodeEnded"}
        return [(event.type, event.data) for event in flat(log) if event.type in spec - passing]

    assert game(events) == game(expected)
