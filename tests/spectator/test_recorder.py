"""Committed events are read back exactly, and a batch that cannot be stored is refused as a whole."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grandstand.events import SeatOpened
from grandstand.models import Draft, Event, SeatDraft
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.record_rows import FinishedEpisode, OpenedSeat, Request, TrainingSteps
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.store.interface import EpisodeStore
from grandstand.spectator.summary import fold
from tests.support.server.stream_server import opening
from tests.support.spectator.logs import EPISODE, finished_log, logs, short_log, stamp


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(log=logs, data=st.data())
def test_round_trip_in_any_batches(recorder: EpisodeStore, log: list[Event], data: st.DataObject) -> None:
    recorder.delete([EPISODE])
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
def test_a_batch_is_kept_whole_or_not_at_all(recorder: EpisodeStore, data: dict[str, object]) -> None:
    recorder.on_events(stamp(opening()))
    with pytest.raises((TypeError, ValueError)):
        recorder.on_events(stamp([Draft("Said", {}), Draft("Said", data)], first=3))
    assert len(list(recorder.events(EPISODE))) == 3
    assert recorder.summary(EPISODE).last_seq == 2
    recorder.on_events(stamp([Draft("Said", {})], first=3))
    assert recorder.summary(EPISODE).last_seq == 3


def test_a_number_is_taken_once(recorder: EpisodeStore) -> None:
    recorder.on_events(short_log())
    for first in (0, 3):
        other = [event.model_copy(update={"at": 7.0}) for event in short_log()[first : first + 2]]
        with pytest.raises((sqlite3.IntegrityError, RecordError)):
            recorder.on_events(other)
    assert list(recorder.events(EPISODE)) == short_log()


def test_summaries_are_paged_newest_first(recorder: EpisodeStore) -> None:
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


def test_unknown_episodes_are_named(recorder: EpisodeStore) -> None:
    with pytest.raises(UnknownEpisode, match="no episode 'x'"):
        recorder.summary("x")


def test_only_a_page_of_what_is_wanted_is_listed(recorder: EpisodeStore) -> None:
    recorder.on_events(short_log())
    (summary,), total = recorder.summaries(without=("imported",))
    assert (summary.episode_id, total) == (EPISODE, 1)
    ended = summary.model_copy(update={"status": "finished"})
    assert recorder.summaries(status=("live",), behind={EPISODE: ended}) == ([], 0)
    assert recorder.summaries(status=("finished",), behind={EPISODE: ended}) == ([ended], 1)
    assert recorder.summaries(training=TrainingSteps("run")) == ([], 0)


def test_what_ended_is_pruned_but_the_newest(recorder: EpisodeStore) -> None:
    for number in range(3):
        changes = {"episode_id": f"e{number}"}
        recorder.on_events([event.model_copy(update=changes) for event in finished_log()])
    recorder.on_events(short_log())
    (summary, *_), _ = recorder.summaries()
    assert len(recorder.prune(summary.origin, 1)) == 2
    assert len(recorder.episode_ids()) == 2
    assert EPISODE in recorder.episode_ids()
    assert recorder.size(EPISODE) > 0


def test_drafts_are_kept_until_the_end(recorder: EpisodeStore) -> None:
    recorder.on_events(short_log())
    draft = SeatDraft(3, {"text": "so far \u0000 ü"}, True)
    for saved in (SeatDraft(2, {}, False), draft):
        recorder.save_draft(EPISODE, "NORTH", saved)
    recorder.save_draft(EPISODE, "SOUTH", draft)
    recorder.save_draft(EPISODE, "SOUTH", None)
    asyncio.run(recorder.drafts_saved(EPISODE, "SOUTH"))
    assert recorder.drafts(EPISODE) == {"NORTH": draft}
    recorder.on_events(finished_log()[7:])
    assert recorder.drafts(EPISODE) == {}


def test_a_request_is_stored_with_its_batch(recorder: EpisodeStore) -> None:
    asyncio.run(recorder.commit(short_log(), Request("k", "digest")))
    assert recorder.answered("k") == ("digest", EPISODE)
    asyncio.run(recorder.remember(Request("alone", "d"), EPISODE))
    assert recorder.answered("alone") == ("d", EPISODE)


def test_a_seat_is_known_by_the_hash_of_its_token(recorder: EpisodeStore) -> None:
    opened = Draft.of(SeatOpened(seat="NORTH", token_sha256="a" * 64), "private")
    recorder.on_events(short_log(opened))
    assert recorder.seat_opened("a" * 64) == OpenedSeat(EPISODE, "NORTH", False)
    assert recorder.seat_opened("b" * 64) is None


async def _since(recorder: EpisodeStore) -> list[list[Event]]:
    return [events async for events in recorder.since(1003.0, ("Said", "Moved"), before=1005.0)]


def test_events_are_read_by_type_and_time(recorder: EpisodeStore) -> None:
    log = finished_log()
    recorder.on_events(log)
    said = [event for event in log if event.type == log[3].type]
    assert recorder.of_type(EPISODE, log[3].type) == said
    assert asyncio.run(recorder.load(EPISODE, (log[3].type,))) == said
    assert asyncio.run(recorder.finished(5)) == [FinishedEpisode(EPISODE, 1000.0)]
    read = asyncio.run(recorder.read_each([EPISODE, "x"], (), lambda summary, events: (summary.status, len(events))))
    assert read == {EPISODE: ("finished", len(log))}
    wanted = [event for event in log if event.type in ("Said", "Moved") and 1003.0 <= event.at < 1005.0]
    assert [event for part in asyncio.run(_since(recorder)) for event in part] == wanted


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
