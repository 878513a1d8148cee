"""Every committed event, whether the episode is live, taken up again, or long ended."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from grandstand.models import Draft, Event
from grandstand.spectator import history as module
from grandstand.spectator.errors import StorageError, UnknownEpisode
from grandstand.spectator.history import KEPT_ENDED, UNREAD, History
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.store.interface import EpisodeStore
from grandstand.spectator.viewpoint import OPERATOR, SPECTATOR, Viewpoint
from tests.support.server.stream_server import board, ending, opening
from tests.support.spectator.logs import EPISODE, finished_log, short_log, stamp


def test_live_events_are_at_hand_and_grow(recorder: EpisodeStore) -> None:
    history = History(recorder)
    log = short_log()
    for start, stop in ((0, 3), (3, 4), (4, len(log))):
        recorder.on_events(log[start:stop])
        history.on_events(log[start:stop])
        assert list(history.events(EPISODE)) == log[:stop]
        assert history.summary(EPISODE).last_seq == stop - 1


def test_an_episode_taken_up_again_has_its_past(recorder: EpisodeStore) -> None:
    log = short_log()
    recorder.on_events(log)
    history = History(recorder)
    assert list(history.events(EPISODE)) == log
    more = stamp([board(9)], first=len(log), epoch=2)
    recorder.on_events(more)
    history.on_events(more)
    assert list(history.events(EPISODE)) == log + more


def test_ended_episodes_come_from_the_record_and_a_few_stay(
    recorder: EpisodeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT_ENDED", 2)
    history = History(recorder)
    logs = {
        name: [event.model_copy(update={"episode_id": name}) for event in finished_log()] for name in ("a", "b", "c")
    }
    for log in logs.values():
        recorder.on_events(log)
        history.on_events(log)
    for name, log in logs.items():
        assert list(history.events(name)) == log
    kept = history.events("c")
    assert history.events("c") is kept
    history.events("a")
    history.events("b")
    assert history.events("c") is not kept


def test_ended_episodes_that_nobody_reads_are_dropped_one_at_a_time(recorder: EpisodeStore) -> None:
    now = 0.0
    history = History(recorder, clock=lambda: now)
    for name in ("a", "b", "c"):
        log = [event.model_copy(update={"episode_id": name}) for event in finished_log()]
        recorder.on_events(log)
        history.on_events(log)
    now = UNREAD
    history.drop_unread()
    assert [name for name in "abc" if history.holds(name)] == ["a", "b", "c"]
    history.events("b")
    now += 1
    history.drop_unread()
    assert [name for name in "abc" if history.holds(name)] == ["b", "c"]
    history.drop_unread()
    history.drop_unread()
    assert [name for name in "abc" if history.holds(name)] == ["b"]
    assert len(history.events("a")) == len(finished_log()), "it is read from the record"


def delayed_log(seconds: float = 3.0) -> list[Event]:
    """Events one second apart, from 1000 on by the wall clock, of a match with a delay."""
    log = short_log()
    log[0].data["delay"] = seconds
    return log


def test_spectators_are_behind_by_the_delay_and_who_plays_is_not(recorder: EpisodeStore) -> None:
    log = delayed_log()
    now = 0.0
    history = History(recorder, clock=lambda: now)
    playing = Viewpoint("seat", "NORTH", delayed=False)
    for second, event in enumerate(log):
        now = float(second)
        recorder.on_events([event])
        history.on_events([event])
    for then, known in ((0.0, 1), (3.9, 1), (4.0, 2), (6.5, 4), (9.0, 7), (1e9, 7)):
        now = then
        history.on_released(EPISODE)
        for viewpoint in (SPECTATOR, Viewpoint("analyst"), Viewpoint("seat", "NORTH")):
            assert list(history.events(EPISODE, viewpoint)) == log[:known]
            summary = history.summary(EPISODE, viewpoint)
            assert (summary.last_seq, summary.turn) == (known - 1, "turn 1" if known > 5 else "")
        for viewpoint in (OPERATOR, playing):
            assert list(history.events(EPISODE, viewpoint)) == log
            assert history.summary(EPISODE, viewpoint).last_seq == 6
        assert (EPISODE in history.behind()) == (known < 7)


@pytest.mark.parametrize("jump", [-3600.0, 3600.0])
def test_a_clock_that_is_set_releases_and_withholds_nothing(recorder: EpisodeStore, jump: float) -> None:
    log = delayed_log()
    now, wall = 50.0, 1000.0
    history = History(recorder, clock=lambda: now, wall_clock=lambda: wall)
    recorder.on_events(log)
    history.on_events(log)
    wall += jump
    now = 52.9
    assert len(history.events(EPISODE, SPECTATOR)) == 1
    now = 53.0
    assert len(history.events(EPISODE, SPECTATOR)) == 7


@pytest.mark.parametrize(
    ("wall", "releases", "known"),
    [
        (1006.0, [1.0, 2.0, 3.0], 4),  # as recorded
        (1006.0 - 3600, [3.0], 1),  # set back: nothing is held for longer than the delay
        (1006.0 + 3600, [], 7),  # set forward, or an hour later
    ],
)
def test_after_a_restart_the_recorded_times_count_and_no_wait_is_longer_than_the_delay(
    recorder: EpisodeStore, wall: float, releases: list[float], known: int
) -> None:
    recorder.on_events(delayed_log())
    now = 0.0
    history = History(recorder, clock=lambda: now, wall_clock=lambda: wall)
    assert list(history.recover()) == [(EPISODE, 3.0, releases)]
    assert len(history.events(EPISODE, SPECTATOR)) == known
    for due in releases:
        now = due
        shown = len(history.events(EPISODE, SPECTATOR))
        assert shown > known
        known = shown
    assert known == 7
    assert history.behind() == {}


def test_after_a_restart_only_what_may_be_held_back_is_taken_up(recorder: EpisodeStore) -> None:
    log = [*delayed_log(), *finished_log()[-1:]]
    recorder.on_events(log)
    assert recorder.held_back(log[-1].at + 2.9) == [EPISODE]
    assert recorder.held_back(log[-1].at + 3.1) == []


def test_what_is_held_back_stays_in_memory_whatever_else_is_read(recorder: EpisodeStore) -> None:
    log = delayed_log(3600.0)
    now = 0.0
    history = History(recorder, clock=lambda: now, wall_clock=lambda: 1e9)
    recorder.on_events([*log, *finished_log()[-1:]])
    history.on_events([*log, *finished_log()[-1:]])
    for number in range(KEPT_ENDED + 1):
        other = [event.model_copy(update={"episode_id": f"other-{number}"}) for event in finished_log()]
        recorder.on_events(other)
        history.events(f"other-{number}")
        now += 2 * UNREAD
        history.drop_unread()
    assert len(history.events(EPISODE, SPECTATOR)) == 1, "it was read again and went by the wall clock"


def test_nothing_is_known_of_what_never_was(recorder: EpisodeStore) -> None:
    with pytest.raises(UnknownEpisode, match="no episode 'nowhere'"):
        History(recorder).events("nowhere")


def test_what_is_in_memory_is_shown_while_the_record_fails_but_nobody_is_let_in_by_a_token(
    recorder: EpisodeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = History(recorder)
    history.on_events(short_log())

    async def fails(episode_id: str = "", token_sha256: str = "") -> None:
        raise StorageError("the disk is gone")

    async def ask() -> None:
        await history.prefetch(EPISODE)
        with pytest.raises(StorageError):
            await history.prefetch(EPISODE, token_sha256="0" * 64)
        with pytest.raises(StorageError):
            await history.prefetch("nowhere")

    monkeypatch.setattr(recorder, "prefetch", fails)
    asyncio.run(ask())


def test_a_long_record_is_read_once_for_all_and_the_loop_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = stamp([*opening(), *[Draft("Said", {"text": "x" * 500, "number": n}) for n in range(3000)], ending()])
    recorder = Recorder(tmp_path / "g.db")
    recorder.on_events(log)
    history = History(recorder)
    reads: list[str] = []
    load = recorder.load

    async def counted(episode_id: str) -> list[Event]:
        reads.append(episode_id)
        return await load(episode_id)

    monkeypatch.setattr(recorder, "load", counted)

    async def play() -> None:
        reading = asyncio.gather(*(history.load(EPISODE) for _ in range(20)))
        turns = 0
        while not reading.done():
            await asyncio.sleep(0)
            turns += 1
        await reading
        assert turns > 20
        with pytest.raises(UnknownEpisode):
            await history.load("nowhere")
        await history.load(EPISODE)

    asyncio.run(play())
    assert list(history.events(EPISODE)) == log
    assert reads == [EPISODE]
    recorder.close()


def test_what_goes_on_while_it_is_read_is_not_undone(recorder: EpisodeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match is taken up again, and even ends, while an older state of it is on its way from the disk."""
    log = short_log()
    recorder.on_events(log)
    history = History(recorder)

    async def slowly(episode_id: str) -> list[Event]:
        await asyncio.sleep(0)
        more = stamp([ending()], first=len(log), epoch=2)
        recorder.on_events(more)
        history.on_events(more)
        return log

    monkeypatch.setattr(recorder, "load", slowly)
    asyncio.run(history.load(EPISODE))
    assert [event.type for event in history.events(EPISODE)][-1] == "EpisodeEnded"


def test_forgetting_reads_the_record_anew(recorder: EpisodeStore) -> None:
    history = History(recorder)
    log = stamp(opening())
    recorder.on_events(log)
    history.on_events(log)
    more = stamp([ending()], first=3)
    recorder.on_events(more)
    assert len(history.events(EPISODE)) == 3
    history.forget(EPISODE)
    assert len(history.events(EPISODE)) == 4


def test_matches_of_other_servers_stay_in_memory_only_while_there_is_room(
    recorder: EpisodeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEPT_PUBLISHED", 2000)
    history = History(recorder)
    history.elsewhere = lambda episode_id, origin: True
    for number in range(20):
        log = [event.model_copy(update={"episode_id": f"e{number}"}) for event in short_log()]
        recorder.on_events(log)
        assert len(history.events(f"e{number}")) == len(log)
    assert 0 < len(history.unfinished()) < 10
    later = [event.model_copy(update={"episode_id": "e0"}) for event in stamp([board(2)], first=7)]
    recorder.on_events(later)
    history.on_events(later)
    assert history.kept("e0") is None, "nobody looks at it"
    assert [event.seq for event in history.events("e0")] == list(range(8))
