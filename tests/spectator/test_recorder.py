"""Committed events are read back exactly, and a batch that cannot be stored is refused as a whole."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.models import Draft, Event
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.summary import fold
from tests.support.server.stream_server import opening
from tests.support.spectator.logs import EPISODE, finished_log, logs, short_log, stamp


@given(logs, st.data())
def test_round_trip_in_any_batches(log: list[Event], data: st.DataObject) -> None:
    recorder = Recorder(":memory:")
    cuts = sorted(data.draw(st.sets(st.integers(1, len(log) - 1), max_size=5)))
    for start, stop in zip([0, *cuts], [*cuts, len(log)], strict=True):
        recorder.on_events(log[start:stop])
    assert list(recorder.events(EPISODE)) == log
    first = data.draw(st.integers(0, len(log)))
    assert list(recorder.events(EPISODE, first, first + 4)) == log[first : first + 4]
    summary = None
    for event in log:
        summary = fold(summary, event)
    assert recorder.summary(EPISODE) == summary


def test_it_is_all_there_after_opening_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "grandstand.db"
    first = Recorder(path)
    first.on_events(short_log())
    summary = first.summary(EPISODE)
    first.close()
    again = Recorder(path)
    assert list(again.events(EPISODE)) == short_log()
    assert again.summary(EPISODE) == summary
    again.close()


def test_it_is_committed_when_the_call_returns(tmp_path: Path) -> None:
    """Another process sees it at once: nothing waits in this one."""
    recorder = Recorder(tmp_path / "g.db")
    recorder.on_events(short_log())
    other = sqlite3.connect(tmp_path / "g.db")
    assert other.execute("SELECT count(*) FROM events").fetchone() == (7,)
    other.close()
    recorder.close()


@pytest.mark.parametrize(
    "data", [{"x": object()}, {"x": "\ud800"}, {"x": float("nan")}], ids=["type", "text", "number"]
)
def test_a_batch_is_kept_whole_or_not_at_all(data: dict[str, object]) -> None:
    recorder = Recorder(":memory:")
    recorder.on_events(stamp(opening()))
    with pytest.raises((TypeError, ValueError)):
        recorder.on_events(stamp([Draft("Said", {}), Draft("Said", data)], first=3))
    assert len(list(recorder.events(EPISODE))) == 3
    assert recorder.summary(EPISODE).last_seq == 2
    recorder.on_events(stamp([Draft("Said", {})], first=3))
    assert recorder.summary(EPISODE).last_seq == 3


def test_a_number_is_taken_once() -> None:
    recorder = Recorder(":memory:")
    recorder.on_events(short_log())
    with pytest.raises(sqlite3.IntegrityError):
        recorder.on_events(short_log()[3:5])
    assert list(recorder.events(EPISODE)) == short_log()


def test_summaries_are_paged_newest_first() -> None:
    recorder = Recorder(":memory:")
    for number in range(5):
        log = finished_log() if number % 2 else short_log()
        recorder.on_events(
            [event.model_copy(update={"episode_id": f"e{number}", "at": event.at + 100 * number}) for event in log]
        )
    page, total = recorder.summaries(limit=2, offset=1)
    assert ([summary.episode_id for summary in page], total) == (["e3", "e2"], 5)
    page, total = recorder.summaries(status=("finished",))
    assert ([summary.episode_id for summary in page], total) == (["e3", "e1"], 2)
    assert recorder.summaries(game="go") == ([], 0)
    assert recorder.summaries(player="bot")[1] == 5
    assert recorder.summaries(player="bo") == ([], 0)


def test_unknown_episodes_are_named() -> None:
    with pytest.raises(UnknownEpisode, match="no episode 'x'"):
        Recorder(":memory:").summary("x")


def test_a_store_of_another_format_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    Recorder(path).close()
    db = sqlite3.connect(path)
    db.execute("PRAGMA user_version=99")
    db.close()
    with pytest.raises(RecordError, match="has format 99"):
        Recorder(path)


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RecordError, match=r"--data"):
        Recorder(tmp_path / "file" / "g.db")


@pytest.mark.parametrize("part", ["first page", "half"])
def test_a_damaged_file_is_to_be_restored(tmp_path: Path, part: str) -> None:
    path = tmp_path / "g.db"
    recorder = Recorder(path)
    recorder.on_events(short_log())
    recorder.close()
    content = path.read_bytes()
    path.write_bytes(b"\xff" * 4096 + content[4096:] if part == "first page" else content[: len(content) // 2])
    for opened in (Recorder, Recorder.reading):
        with pytest.raises(RecordError, match=r"The file is damaged: restore a backup\.$"):
            opened(path)


def test_an_older_record_reads_in_the_present_form(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "g.db")
    recorder.on_events(short_log())
    with sqlite3.connect(tmp_path / "g.db") as older:
        older.execute("UPDATE events SET type='EpisodeResumed', data='{\"turn\": \"turn 1\"}' WHERE seq=1")
    resumed = next(recorder.events(EPISODE, 1))
    assert (resumed.type, resumed.data) == ("EpisodeStarted", {"resumed": "turn 1"})
    line = Event.model_validate_json('{"episode_id":"e","epoch":1,"seq":3,"at":1,"audience":"public",'
                                     '"type":"EpisodeResumed","data":{"turn":"S1901M"}}')  # fmt: skip
    assert (line.type, line.data) == ("EpisodeStarted", {"resumed": "S1901M"})
    recorder.close()
