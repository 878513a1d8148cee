"""Feeds are made once for a short time, and few of them are kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from grandstand.server.feeds import news
from grandstand.server.feeds.news import LASTS, LISTED, Feeds
from grandstand.server.results.match_results import MatchResults
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder
from tests.support.trainer.league_record import ShortMatch, record


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def made(folder: Path, clock: Clock, matches: int) -> Feeds:
    record(folder, [ShortMatch(f"m-{n:03}", {"home": "a", "away": f"b{n}"}) for n in range(matches)])
    recorder = Recorder(folder / "grandstand.db")
    history = History(recorder)
    return Feeds(recorder, history, MatchResults(recorder, history), clock)


def test_a_feed_is_kept_for_a_short_time(tmp_path: Path) -> None:
    async def scene() -> None:
        clock = Clock()
        feeds = made(tmp_path, clock, 1)
        first = await feeds.of("a")
        assert first is not None
        assert await feeds.of("a") is first
        clock.now += LASTS
        assert await feeds.of("a") is not first

    asyncio.run(scene())


def test_feeds_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        monkeypatch.setattr(news, "KEPT", 2)
        feeds = made(tmp_path, Clock(), LISTED + 5)
        feed = await feeds.of("a")
        assert feed is not None
        assert len(feed.news) == LISTED
        assert await feeds.of("nobody") is None
        for n in range(4):
            await feeds.of(f"b{n}")
        assert list(feeds._made) == ["b2", "b3"]

    asyncio.run(scene())
