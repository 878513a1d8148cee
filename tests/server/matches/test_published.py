"""Published matches are bounded in number, size, time and memory."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from grandstand.games.base import OptionError
from grandstand.models import Draft, Event
from grandstand.server.matches import published as publishing
from grandstand.server.matches.published import PublishedMatches
from grandstand.server.matches.steering import Full
from grandstand.spectator import history as histories
from grandstand.spectator.history import History
from grandstand.spectator.recorder import Recorder
from tests.support.server.example_batches import CREATED, EXAMPLES
from tests.support.server.match_services import MatchServices


def events(episode: str, *drafts: Draft, first: int = 0) -> Sequence[Event]:
    return [
        Event(episode_id=episode, epoch=7, seq=seq, at=1.0, type=item.type, audience=item.audience, data=item.data)
        for seq, item in enumerate(drafts, first)
    ]


def created(**about: object) -> Draft:
    return Draft("EpisodeCreated", {**CREATED, "delay": 0.0, **about})


def test_a_silent_driver_ends_its_match(tmp_path: Path) -> None:
    async def scene() -> None:
        now = 0.0
        services = MatchServices(tmp_path / "g.db")
        matches = PublishedMatches(services.bus, services.recorder, limit=5, idle=60, clock=lambda: now)
        for name in ("quiet", "talks"):
            services.bus.relay(events(name, created(), Draft("EpisodeStarted", {})))
            matches.added(name, 10, ended=False)
        now = 50
        services.bus.relay(events("talks", Draft("TurnStarted", EXAMPLES["TurnStarted"]), first=2))
        matches.added("talks", 10, ended=False)
        await matches.sweep()
        assert services.recorder.summary("quiet").status == "live"
        now = 61
        await matches.sweep()
        quiet = services.recorder.summary("quiet")
        assert (quiet.status, quiet.last_seq) == ("interrupted", 2)
        assert "sent nothing for 60 seconds" in quiet.message
        assert services.recorder.summary("talks").status == "live"

    asyncio.run(scene())


def test_silence_counts_from_the_start_of_the_server(tmp_path: Path) -> None:
    async def scene() -> None:
        now = 1000.0
        first = MatchServices(tmp_path / "g.db")
        first.bus.relay(events("quiet", created(), Draft("EpisodeStarted", {})))
        again = MatchServices(tmp_path / "g.db")
        matches = PublishedMatches(again.bus, again.recorder, limit=1, idle=60, clock=lambda: now)
        matches.begin()
        await matches.sweep()
        assert again.recorder.summary("quiet").status == "live"
        with pytest.raises(Full, match="1 published matches are live"):
            matches.check_room("another", 1)
        matches.check_room("quiet", 1)
        now += 61
        await matches.sweep()
        assert again.recorder.summary("quiet").status == "interrupted"
        matches.check_room("another", 1)
        matches.close()

    asyncio.run(scene())


def test_an_episode_has_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "MAX_EPISODE", 100)
    services = MatchServices(tmp_path / "g.db")
    matches = PublishedMatches(services.bus, services.recorder, limit=5, idle=60)
    matches.check_room("a", 100)
    matches.added("a", 60, ended=False)
    with pytest.raises(OptionError, match=r"^events: an episode may have 100 bytes"):
        matches.check_room("a", 41)
    matches.check_room("a", 40)


def test_unfinished_published_episodes_leave_memory_and_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(histories, "KEPT_PUBLISHED", 10_000)
    recorder = Recorder(tmp_path / "g.db")
    history = History(recorder)

    def commit(batch: Sequence[Event]) -> None:
        recorder.on_events(batch)
        history.on_events(batch)

    for number in range(20):
        commit(events(f"e{number}", created(title="x" * 4000)))
    assert sum(log.size for log in history._published.values()) <= 10_000
    assert history._published_size == sum(log.size for log in history._published.values())
    for number in range(20):
        commit(events(f"e{number}", Draft("EpisodeStarted", {}), first=1))
        assert [event.type for event in history.events(f"e{number}")] == ["EpisodeCreated", "EpisodeStarted"]
    assert history._published_size == sum(log.size for log in history._published.values()) <= 10_000
    ended = Draft("EpisodeEnded", {"status": "finished"})
    for number in range(20):
        commit(events(f"e{number}", ended, first=2))
        assert len(history.events(f"e{number}")) == 3
    assert (history._published_size, len(history._published)) == (0, 0)
    recorder.close()


def test_what_is_published_while_an_episode_is_read_is_not_lost(tmp_path: Path) -> None:
    async def scene() -> None:
        recorder = Recorder(tmp_path / "g.db")
        recorder.on_events(events("e", created(), Draft("EpisodeStarted", {})))
        history = History(recorder)
        loading = asyncio.ensure_future(history.load("e"))
        await asyncio.sleep(0)
        batch = events("e", Draft("TurnStarted", EXAMPLES["TurnStarted"]), first=2)
        recorder.on_events(batch)
        history.on_events(batch)
        await loading
        assert [event.seq for event in history.events("e")] == [0, 1, 2]
        recorder.close()

    asyncio.run(scene())
