"""Every committed event, whether the episode is live, taken up again, or long ended."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from models import Draft, Event
from spectator import history as module
from spectator.errors import UnknownEpisode
from spectator.history import History
from spectator.recorder import Recorder
from spectator.viewpoint import OPERATOR, SPECTATOR, Viewpoint
from tests.spectator.logs import EPISODE, finished_log, short_log, stamp
from tests.support.stand import board, ending, opening


@pytest.fixture
def recorder() -> Recorder:
    return Recorder(":memory:")


def test_live_events_are_at_hand_and_grow(recorder: Recorder) -> None:
    history = History(recorder)
    log = short_log()
    for start, stop in ((0, 3), (3, 4), (4, len(log))):
        recorder.on_events(log[start:stop])
        history.on_events(log[start:stop])
        assert list(history.events(EPISODE)) == log[:stop]
        assert history.summary(EPISODE).last_seq == stop - 1


def test_an_episode_taken_up_again_has_its_past(recorder: Recorder) -> None:
    log = short_log()
    recorder.on_events(log)
    history = History(recorder)
    assert list(history.events(EPISODE)) == log
    more = stamp([board(9)], first=len(log), epoch=2)
    recorder.on_events(more)
    history.on_events(more)
    assert list(history.events(EPISODE)) == log + more


def test_ended_episodes_come_from_the_record_and_a_few_stay(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
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


def test_spectators_are_behind_by_the_delay_and_who_plays_is_not(recorder: Recorder) -> None:
    """Events of this log are one second apart, from 1000 on."""
    log = short_log()
    log[0].data["delay"] = 3.0
    now = 1000.0
    history = History(recorder, clock=lambda: now)
    recorder.on_events(log)
    history.on_events(log)
    playing = Viewpoint("seat", "NORTH", delayed=False)
    for then, seen in ((1000.0, 1), (1003.9, 1), (1004.0, 2), (1006.5, 4), (1009.0, 7), (1e9, 7)):
        now = then
        history.on_released(EPISODE)
        for viewpoint in (SPECTATOR, Viewpoint("analyst"), Viewpoint("seat", "NORTH")):
            assert list(history.events(EPISODE, viewpoint)) == log[:seen]
            summary = history.summary(EPISODE, viewpoint)
            assert (summary.last_seq, summary.turn) == (seen - 1, "turn 1" if seen > 5 else "")
        for viewpoint in (OPERATOR, playing):
            assert list(history.events(EPISODE, viewpoint)) == log
            assert history.summary(EPISODE, viewpoint).last_seq == 6


def test_nothing_is_known_of_what_never_was(recorder: Recorder) -> None:
    with pytest.raises(UnknownEpisode, match="no episode 'nowhere'"):
        History(recorder).events("nowhere")


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


def test_what_goes_on_while_it_is_read_is_not_undone(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_forgetting_reads_the_record_anew(recorder: Recorder) -> None:
    history = History(recorder)
    log = stamp(opening())
    recorder.on_events(log)
    history.on_events(log)
    more = stamp([ending()], first=3)
    recorder.on_events(more)
    assert len(history.events(EPISODE)) == 3
    history.forget(EPISODE)
    assert len(history.events(EPISODE)) == 4
