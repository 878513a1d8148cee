"""The results of finished matches: read in pieces, each once, without holding the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.loop_time import MeasuredServer
from grandstand.models import Event
from grandstand.play.ratings import leaderboard
from grandstand.play.ratings.leaderboard import LeaderboardFigures
from grandstand.play.ratings.match_results import RecordedMatch
from grandstand.server.results import leaderboards, match_results
from grandstand.server.results.leaderboards import Leaderboards
from grandstand.server.results.match_results import MatchResults, finished_match
from grandstand.spectator.bus import Bus
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder
from tests.support.trainer.league_record import ShortMatch, duel, league, record
from tests.support.waiting import until

BOUND = 0.05
"""CPU seconds of one turn of the loop."""
STORED = 3000


@pytest.mark.long
def test_thousands_of_matches_do_not_hold_the_loop(tmp_path: Path) -> None:
    record(tmp_path, league(STORED, {f"player {number}": number / 10 for number in range(24)}))
    turns: dict[str, float] = {}
    with MeasuredServer(tmp_path) as server:

        def read_all(_: MeasuredServer) -> None:
            # A few new matches may wait until a leaderboard is LASTS seconds old.
            assert until(lambda: counted(server.get("/api/leaderboard").json()) == match_results.KEPT)

        turns["while they are read"] = server.longest_turn(read_all)
        body = server.get("/api/leaderboard").json()
        assert counted(body) < STORED
        assert len(body["pairs"]) == 24 * 23 / 2
        for path in ("/api/leaderboard", "/api/players/player%207", "/api/players", "/api/players?game=cricket"):
            turns[path] = server.longest_turn(lambda _, path=path: server.get(path).raise_for_status())  # type: ignore[misc]
    assert {name: seconds for name, seconds in turns.items() if seconds > BOUND} == {}, turns


def counted(body: Any) -> int:
    """Return the number of matches of a leaderboard; 0 while some are still to be read."""
    return 0 if body["unread"] else int(body["setting"]["matches"])


class Parts:
    """A record, its history and the results of its matches, with the reads counted."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.recorder = Recorder(folder / "grandstand.db")
        self.history = History(self.recorder)
        self.bus = Bus(self.recorder)
        self.results = MatchResults(self.recorder, self.history)
        self.bus.add(self.history)
        self.bus.add(self.results)
        self.read: list[str] = []
        read = finished_match

        def counted(summary: EpisodeSummary, events: Sequence[Event]) -> Any:
            self.read.append(summary.episode_id)
            return read(summary, events)

        monkeypatch.setattr(match_results, "finished_match", counted)

    def play(self, match: ShortMatch) -> None:
        events = match.events()
        self.bus.open(match.episode_id, 1, delay=match.delay)
        self.bus.relay(events)


def test_a_match_is_read_once_and_a_new_one_counts_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(tmp_path, [duel(number, "a", "b") for number in range(25)])
    parts = Parts(tmp_path, monkeypatch)

    async def scene() -> None:
        assert len((await parts.results.known()).matches) == 25
        assert len((await parts.results.known()).matches) == 25
        assert len(parts.read) == 25
        parts.play(duel(30, "a", "b"))
        assert [match.episode_id for match in (await parts.results.known()).matches][-1] == "duel-030"
        assert len(parts.read) == 26
        parts.recorder.delete(["duel-003"])
        parts.play(duel(31, "a", "b"))
        assert "duel-003" not in {match.episode_id for match in (await parts.results.known()).matches}

    asyncio.run(scene())


def test_a_request_does_not_wait_for_all_of_a_long_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(tmp_path, [duel(number, "a", "b") for number in range(35)])
    parts = Parts(tmp_path, monkeypatch)

    async def scene() -> None:
        early = await parts.results.known(patience=0)
        assert (len(early.matches), early.unread) == (0, 1), "nothing is listed yet, which is not an empty record"
        results = await parts.results.known()
        assert (len(results.matches), results.unread) == (35, 0)
        assert len(parts.read) == 35

    asyncio.run(scene())


def test_the_online_ratings_account_for_each_match_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(tmp_path, [duel(number, "a", "b") for number in range(12)])
    parts = Parts(tmp_path, monkeypatch)

    async def scene() -> None:
        [first] = (await parts.results.online()).values()
        assert first.of("a").games == 12
        before = first.of("a")
        assert (await parts.results.online()).keys()
        assert first.of("a") == before
        parts.play(duel(20, "b", "a"))
        await parts.results.online()
        assert first.of("a").games == 13
        assert first.of("a").mean < before.mean
        parts.play(duel(21, "b", "a", delay=3600.0))
        await parts.results.online()
        assert first.of("a").games == 13, "the match is not released yet"

    asyncio.run(scene())


def test_a_deleted_match_is_rated_and_counted_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record(tmp_path, [duel(number, "a", "b") for number in range(12)])
    parts = Parts(tmp_path, monkeypatch)

    async def scene() -> None:
        [before] = (await parts.results.online()).values()
        figures = before.of("a")
        parts.play(duel(20, "b", "a"))
        assert [ratings.of("a").games for ratings in (await parts.results.online()).values()] == [13]
        parts.recorder.delete(["duel-020"])
        parts.results.forget("duel-020")
        [after] = (await parts.results.online()).values()
        assert after.of("a") == figures, "as if the match had not been played"
        assert len((await parts.results.known()).matches) == 12

    asyncio.run(scene())


def test_a_leaderboard_is_computed_again_for_enough_matches_or_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(tmp_path, [duel(number, "a", "b") for number in range(100)])
    parts = Parts(tmp_path, monkeypatch)
    computed: list[int] = []

    def counted(matches: Sequence[RecordedMatch]) -> LeaderboardFigures:
        computed.append(len(matches))
        return leaderboard.league(matches)

    monkeypatch.setattr(leaderboards, "league", counted)
    now = 0.0
    boards = Leaderboards(parts.results, lambda: now)

    async def matches() -> int:
        sets = await boards.sets()
        [options] = sets.matches
        return await boards.compute(sets, options, lambda board: board.league.matches)

    async def scene() -> None:
        nonlocal now
        assert [await matches(), await matches()] == [100, 100]
        parts.play(duel(200, "a", "b"))
        assert await matches() == 100, "one of a hundred can wait"
        now = leaderboards.LASTS
        assert await matches() == 101
        for number in range(201, 205):
            parts.play(duel(number, "a", "b"))
        assert await matches() == 105
        assert computed == [100, 101, 105]

    asyncio.run(scene())
