"""The time that a match may have a slot, and the order in which matches get one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from grandstand.server.bodies.matches import Command, StartEpisode
from grandstand.server.matches import slots
from grandstand.server.matches.steering import Full
from tests.support.server.match_services import MatchServices, settle

LONG = StartEpisode(game="diplomacy", seed=1, pace=60, options={"negotiation_rounds": 0})
PERSON = LONG.model_copy(update={"players": {"FRANCE": "person"}, "pace": 0, "clock": 300.0})
LIMIT = "after 0 minutes, the longest that a match started by a visitor may take"


@pytest.mark.parametrize("request_", [LONG, PERSON])
def test_a_visitors_match_ends_as_data_when_its_time_is_over(
    monkeypatch: pytest.MonkeyPatch, request_: StartEpisode
) -> None:
    async def scene() -> None:
        services = MatchServices(slots=4)
        operators = (await services.driver.start(request_)).episode_id
        visitors = (await services.driver.start(request_, visitor="192.0.2.1")).episode_id
        await services.ended(visitors)
        summary = services.recorder.summary(visitors)
        assert (summary.visitor, summary.status, summary.message) == (True, "stopped", LIMIT)
        summary = services.recorder.summary(operators)
        assert (summary.visitor, summary.status) == (False, "live")
        await services.driver.close()

    monkeypatch.setattr(slots, "VISITOR_SECONDS", 0.3)
    asyncio.run(scene())


def test_who_has_spent_most_comes_last_in_the_queue() -> None:
    async def scene() -> None:
        services = MatchServices(slots=1, queue=4)
        driver = services.driver
        services.purse.charge("a", 5)
        _, spender, other = [(await driver.start(LONG, visitor=visitor)).episode_id for visitor in ("o", "a", "b")]
        assert list(driver.queued) == [other, spender]
        assert services.purse.balance("a") < services.purse.balance("b") < 60
        await driver.close()

    asyncio.run(scene())


def test_visitors_take_turns_in_the_queue() -> None:
    async def scene() -> None:
        services = MatchServices(slots=1, queue=4)
        driver = services.driver
        first, second = [(await driver.start(LONG, visitor="a")).episode_id for _ in range(2)]
        other = (await driver.start(LONG, visitor="b")).episode_id
        assert list(driver.queued) == [other, second]
        await services.begun(first)
        await driver.command(first, Command(command="stop"), key=None, by="test")
        await services.begun(other)
        assert list(driver.queued) == [second]
        await driver.close()

    asyncio.run(scene())


def test_a_delayed_match_keeps_its_slot_until_its_end_is_shown() -> None:
    async def scene() -> None:
        services = MatchServices(slots=1, queue=4)
        driver = services.driver
        delayed = (await driver.start(LONG.model_copy(update={"delay": 3600.0}))).episode_id
        waiting = (await driver.start(LONG)).episode_id
        before = driver.waits[waiting]
        await services.begun(delayed)
        await driver.command(delayed, Command(command="stop"), key=None, by="test")
        await services.ended(delayed)
        await settle()
        assert list(driver.queued) == [waiting]
        after = driver.waits[waiting]
        assert before is not None
        assert after is not None
        assert before - 60 < after <= before
        await driver.close()

    asyncio.run(scene())


def test_after_a_restart_visitors_matches_keep_their_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def before() -> str:
        services = MatchServices(tmp_path / "record.db")
        episode = (await services.driver.start(LONG, visitor="a")).episode_id
        await services.begun(episode)
        await services.driver.close()
        return episode

    async def after(episode: str) -> None:
        monkeypatch.setattr(slots, "VISITOR_SECONDS", 0.3)
        services = MatchServices(tmp_path / "record.db")
        services.history.recover()
        services.driver.resume_all()
        await services.ended(episode)
        assert services.recorder.summary(episode).message == LIMIT
        await services.driver.close()

    episode = asyncio.run(before())
    asyncio.run(after(episode))


def test_a_full_queue_says_when_to_try_again() -> None:
    async def scene() -> None:
        services = MatchServices(slots=1, queue=1)
        await services.driver.start(LONG, visitor="a")
        await services.driver.start(LONG, visitor="b")
        with pytest.raises(Full, match=r"another match is waiting\. .* or try again in about 10 min") as full:
            await services.driver.start(LONG, visitor="c")
        assert 590 < full.value.seconds <= 600
        await services.driver.close()

    asyncio.run(scene())
