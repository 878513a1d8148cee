"""A tournament's matches on the leaderboard: from the events that end them, each once, also over a kill."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from grandstand.play.ratings.leaderboard import league
from grandstand.play.ratings.match_results import recorded_match
from grandstand.play.ratings.seat_records import SeatRecord
from grandstand.server.matches.tournaments import Tournaments
from grandstand.server.results.leaderboards import Leaderboards
from grandstand.server.results.match_results import MatchResults
from tests.support.server.match_services import until
from tests.support.server.tournaments import Services, played, request

pytestmark = pytest.mark.long

MATCHES = 24
"""Enough that the players are rated."""


def refuse(*_: object) -> Any:
    raise AssertionError("the record was read")


async def check_leaderboard(services: Services) -> None:
    """Check that the leaderboard is that of the matches as they are recorded."""
    sets = await Leaderboards(services.results).sets()
    [matches] = sets.matches.values()
    episodes = [match.episode_id for match in matches]
    assert sorted(episodes) == sorted(services.matches())
    assert len(set(episodes)) == MATCHES
    recorded = {episode: recorded_match(services.events(episode)) for episode in episodes}
    assert [match.match for match in matches] == [recorded[episode] for episode in episodes]
    figures = league([match.match for match in matches])
    assert figures == league(list(recorded.values()))
    assert len(figures.ratings) == 2


def test_the_leaderboard_has_the_results_without_reading_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        services = Services()
        monkeypatch.setattr(services.recorder, "load", refuse)
        monkeypatch.setattr(services.recorder, "read_each", _read_none)
        episode = await services.start(matches=MATCHES, players=["heuristic", "random"])
        await services.ended(episode)
        assert len(played(services.events(episode))) == MATCHES
        await check_leaderboard(services)

    asyncio.run(scene())


async def _read_none(episode_ids: Sequence[str], *_: object) -> dict[str, object]:
    assert not episode_ids, "the record was read"
    return {}


def test_a_result_that_a_forfeit_changes_is_the_tournaments_alone() -> None:
    async def scene() -> None:
        services = Services()
        episode = await services.start(matches=2)
        await services.ended(episode)
        match = services.matches()[0]
        first, second = await services.results.seats(match), await services.results.seats(match)
        first[0].fallbacks = 1
        first[0].forfeit()
        assert first[0].forfeited
        assert second == await services.results.seats(match)
        assert not second[0].forfeited

    asyncio.run(scene())


def test_a_match_that_ended_before_a_kill_is_counted_once_after_it(tmp_path: Path) -> None:
    store = tmp_path / "record.db"

    async def begin() -> str:
        services = Services(store)
        results = Stuck(services)
        tournaments = Tournaments(services.driver, services.bus, services.recorder, results, services.roster)
        services.bus.add(tournaments)
        episode = (await tournaments.start(request(matches=MATCHES))).episode_id
        await until(lambda: results.asked > Stuck.ACCOUNTED)
        assert services.recorder.summary(services.matches()[-1]).status == "finished"
        assert len(played(services.events(episode))) == Stuck.ACCOUNTED
        await tournaments.close()
        await services.driver.close()
        services.recorder.close()
        return episode

    async def go_on(episode: str) -> None:
        services = Services(store)
        services.tournaments.begin()
        services.driver.resume_all()
        await services.ended(episode)
        numbers = [result["number"] for result in played(services.events(episode))]
        assert sorted(numbers) == list(range(MATCHES))
        await check_leaderboard(services)

    asyncio.run(go_on(asyncio.run(begin())))


class Stuck(MatchResults):
    """Results of which a match has none before the kill."""

    ACCOUNTED = 3

    def __init__(self, services: Services) -> None:
        super().__init__(services.recorder, services.history)
        self.asked = 0

    async def seats(self, episode_id: str) -> list[SeatRecord]:
        self.asked += 1
        if self.asked > self.ACCOUNTED:
            await asyncio.Event().wait()
        return await super().seats(episode_id)
