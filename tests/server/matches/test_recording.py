"""Commands to a match whose record takes its time: each is recorded and applied, or neither, and in one order."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from grandstand.models import Event
from grandstand.server.bodies.matches import Command, StartEpisode
from grandstand.server.matches.idempotency import whole
from grandstand.spectator.errors import StorageError
from grandstand.spectator.record_rows import Request
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.store import batches
from tests.support.server.match_services import MatchServices, settle, until


class SlowRecorder(Recorder):
    """A record in another process, which answers only while `open` is set."""

    open: asyncio.Event
    waiting: int

    async def commit(self, events: Sequence[Event], request: Request | None = None) -> None:
        """Commit a batch once the record answers."""
        SlowRecorder.waiting += 1
        await self.open.wait()
        SlowRecorder.waiting -= 1
        self.on_events(events, request)


class Scene:
    """A match that waits for a person, and its record."""

    def __init__(self) -> None:
        SlowRecorder.open, SlowRecorder.waiting = asyncio.Event(), 0
        SlowRecorder.open.set()
        self.services = MatchServices()
        self.episode = ""

    async def begin(self) -> None:
        """Play until the match waits for the person, and let the record answer no more."""
        players = {"FRANCE": "person"}
        options = {"press": "none"}
        request = StartEpisode(game="diplomacy", seed=1, pace=0, players=players, options=options, turns=5)
        self.episode = (await self.services.driver.start(request)).episode_id
        await until(lambda: self.match.person("FRANCE").asked)
        await settle()
        SlowRecorder.open.clear()

    @property
    def match(self) -> Any:
        return self.services.driver.match(self.episode)

    @property
    def commands(self) -> list[tuple[str, Any]]:
        """The commands in the record, without those of the start."""
        events = self.services.recorder.of_type(self.episode, "ControlChanged")
        return [(event.data["command"], event.data["value"]) for event in events if event.data["by"] == "operator"]

    def send(self, command: str, key: str | None = None, **words: Any) -> asyncio.Task[Any]:
        """Begin to carry out a command."""
        body = Command.model_validate({"command": command, **words})
        return asyncio.create_task(self.services.driver.command(self.episode, body, key=key, by="operator"))


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.server.match_services.Recorder", SlowRecorder)


def test_two_commands_at_a_time_keep_their_order() -> None:
    """The second is checked against what the first has changed."""

    async def play() -> None:
        scene = Scene()
        await scene.begin()
        tasks = [scene.send("pause"), scene.send("pause"), scene.send("extend", value=1), scene.send("extend", value=1)]
        await until(lambda: SlowRecorder.waiting)
        assert not scene.match.steering.paused
        SlowRecorder.open.set()
        await asyncio.gather(*tasks)
        assert scene.match.steering.paused
        assert scene.match.steering.turns == 7
        assert scene.commands == [("pause", None), ("extend", 6), ("extend", 7)]
        await scene.services.driver.close()

    asyncio.run(play())


def test_one_key_is_obeyed_once_also_at_the_same_time() -> None:
    async def play() -> None:
        scene = Scene()
        await scene.begin()
        tasks = [scene.send("step", key="k") for _ in range(3)]
        await until(lambda: SlowRecorder.waiting)
        SlowRecorder.open.set()
        assert len({summary.episode_id for summary in await asyncio.gather(*tasks)}) == 1
        assert scene.commands == [("pause", None), ("step", 1)]
        await scene.services.driver.close()

    asyncio.run(play())


def test_a_request_that_is_cancelled_is_applied_if_it_is_recorded() -> None:
    async def play() -> None:
        scene = Scene()
        await scene.begin()
        task = scene.send("take_over", seat="ITALY")
        await until(lambda: SlowRecorder.waiting)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        SlowRecorder.open.set()
        await until(lambda: scene.commands)
        await settle()
        assert scene.match.steering.taken == {"ITALY"}
        assert scene.match.person("ITALY").kind == "human"
        await scene.services.driver.close()

    asyncio.run(play())


def test_a_command_that_waits_too_long_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "TURN", 0.01)

    async def play() -> None:
        scene = Scene()
        await scene.begin()
        first = scene.send("pace", value=7)
        await until(lambda: SlowRecorder.waiting)
        with pytest.raises(StorageError, match="not recorded yet"):
            await scene.send("stop")
        SlowRecorder.open.set()
        await first
        await settle()
        assert scene.commands == [("pace", 7)]
        assert not scene.match.stopped
        await scene.services.driver.close()

    asyncio.run(play())


def test_a_caller_does_not_wait_for_a_record_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is applied when it is known to be recorded."""
    monkeypatch.setattr(whole, "__defaults__", (*(whole.__defaults__ or ())[:-1], 0.01))

    async def play() -> None:
        scene = Scene()
        await scene.begin()
        with pytest.raises(StorageError, match="not known"):
            await scene.send("pace", value=7)
        assert scene.match.steering.pace == 0
        SlowRecorder.open.set()
        await until(lambda: scene.match.steering.pace == 7)
        assert scene.commands == [("pace", 7)]
        await scene.services.driver.close()

    asyncio.run(play())
