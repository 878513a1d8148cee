"""Questions as viewers are offered them: in time, from what spectators may know, across restarts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from grandstand.events import EpisodeEnded, TurnStarted
from grandstand.games.base import OptionError
from grandstand.models import Draft, OutcomeData
from grandstand.server.audience.predictions import Predictions
from grandstand.server.bodies.audience import CallQuestion, MatchQuestions
from grandstand.server.matches.steering import CommandError
from tests.support.server.match_services import MatchServices, settle
from tests.support.server.stream_server import opening

VIEWER = "0" * 32
SEATS = ("NORTH", "SOUTH")


def turn(index: int) -> Draft:
    return Draft.of(TurnStarted(index=index, turn=f"day {index} speech 1", to_act=[], scores={}))


def won(winner: str) -> Draft:
    outcome = OutcomeData(reason="win", winners=[winner], scores={winner: 1.0}, text="It is won.")
    return Draft.of(EpisodeEnded(status="finished", outcome=outcome))


class Scene:
    """A match of a game without questions of its own, and those who call it."""

    def __init__(self, folder: Path, delay: float = 0.0) -> None:
        self.services = MatchServices(folder / "grandstand.db")
        self.predictions = Predictions(self.services.history, folder / "calls.db")
        self.services.bus.add(self.predictions)
        created, *rest = opening()
        data = created.data | {"game": "unknown-to-all" if delay < 0 else "diplomacy", "delay": max(0.0, delay)}
        self.services.bus.open("m", 1, delay=max(0.0, delay))
        self.services.bus.publish("m", [created._replace(data=data), *rest])

    def publish(self, *drafts: Draft) -> None:
        self.services.bus.publish("m", drafts)

    async def see(self, viewer: str = VIEWER) -> MatchQuestions:
        return await self.predictions.questions("m", viewer)

    async def call(self, question: str, option: str, viewer: str = VIEWER) -> None:
        request = CallQuestion(viewer=VIEWER, question=question, option=option)
        await self.predictions.call("m", request, viewer)


def movement(index: int) -> Draft:
    return Draft.of(TurnStarted(index=index, turn=f"S190{index + 1}M", to_act=[], scores={}))


def test_a_question_is_open_closed_and_answered(tmp_path: Path) -> None:
    async def scene() -> None:
        match = Scene(tmp_path)
        match.publish(movement(0))
        (question,) = (await match.see()).questions
        assert (question.text, question.closed, question.calls) == ("Who wins?", None, 0)
        assert [option.chance for option in question.options] == [None, None]
        await match.call(question.key, "NORTH")
        await match.call(question.key, "NORTH")
        await match.call(question.key, "SOUTH", "another")
        (question,) = (await match.see()).questions
        assert question.call is not None
        assert question.call.option == "NORTH"
        assert [option.chance for option in question.options] == [0.5, 0.5]
        assert (question.calls, question.belief) == (2, {})
        match.publish(movement(1))
        seen = await match.see()
        assert [point.belief for point in seen.curve] == [{"NORTH": 0.5, "SOUTH": 0.5}]
        with pytest.raises(CommandError, match="closed"):
            await match.call(question.key, "NORTH", "third")
        match.publish(won("NORTH"))
        own = (await match.see()).own
        assert own is not None
        assert (own.calls, own.right, own.streak, own.points) == (1, 1, 1, 18.8)

    asyncio.run(scene())


def test_a_call_is_refused_with_its_reason(tmp_path: Path) -> None:
    async def scene() -> None:
        match = Scene(tmp_path)
        match.publish(movement(0))
        with pytest.raises(OptionError, match="question: "):
            await match.call("winner-9", "NORTH")
        with pytest.raises(OptionError, match=r"option: .*NORTH, SOUTH"):
            await match.call("winner-1", "WEST")
        await match.call("winner-1", "NORTH")
        with pytest.raises(CommandError, match="a call stands"):
            await match.call("winner-1", "SOUTH")

    asyncio.run(scene())


def test_a_delayed_match_is_asked_about_when_it_is_shown(tmp_path: Path) -> None:
    async def scene() -> None:
        match = Scene(tmp_path, delay=3600.0)
        match.publish(movement(0), movement(1))
        seen = await match.see()
        assert (seen.questions, seen.curve) == ([], [])
        with pytest.raises(OptionError, match="has not asked"):
            await match.call("winner-1", "NORTH")

    asyncio.run(scene())


def test_a_restart_loses_no_call(tmp_path: Path) -> None:
    async def scene() -> None:
        match = Scene(tmp_path)
        match.publish(movement(0))
        await match.see()
        await match.call("winner-1", "NORTH")
        match.predictions.close()
        again = Predictions(match.services.history, tmp_path / "calls.db")
        again.begin()
        match.services.bus.add(again)
        match.publish(won("NORTH"))
        await settle()
        seen = await again.questions("m", VIEWER)
        assert seen.own is not None
        assert seen.own.right == 1

    asyncio.run(scene())


def test_calls_of_a_match_that_is_gone_are_dropped(tmp_path: Path) -> None:
    async def scene() -> None:
        match = Scene(tmp_path)
        match.publish(movement(0))
        await match.call("winner-1", "NORTH")
        match.predictions.close()
        again = Predictions(MatchServices().history, tmp_path / "calls.db")
        again.begin()
        again.close()
        third = Predictions(match.services.history, tmp_path / "calls.db")
        assert (await third.questions("m", VIEWER)).questions[0].calls == 0

    asyncio.run(scene())


def test_a_fault_in_a_game_s_questions_leaves_the_match_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def scene() -> None:
        match = Scene(tmp_path)
        match.publish(movement(0))
        await match.see()
        monkeypatch.setattr("grandstand.games.diplomacy.questions.DiplomacyAsker.read", None)
        match.publish(movement(1))
        assert "its questions are given up" in caplog.text
        assert match.services.history.events("m")[-1].type == "TurnStarted"

    asyncio.run(scene())


def test_a_match_of_an_unknown_game_has_no_questions(tmp_path: Path) -> None:
    async def scene() -> None:
        match = Scene(tmp_path, delay=-1)
        match.publish(turn(0))
        assert (await match.see()).questions == []

    asyncio.run(scene())
