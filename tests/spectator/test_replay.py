"""A record is whole, or refused by the name of what is missing."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.models import Event, flat
from grandstand.spectator import replay
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.record_file import read_episode
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.viewpoint import OPERATOR, SPECTATOR
from tests.support.server.stream_server import ending, opening
from tests.support.spectator.logs import EPISODE, drafts, finished_log, short_log, stamp, strings_in

finished_logs = st.lists(drafts, max_size=15).map(lambda middle: stamp([*opening(), *middle, ending()]))


@given(finished_logs)
def test_a_download_comes_back_as_it_was(log: list[Event]) -> None:
    shown = [event for event in log if event.audience != "private"]
    if shown == log:
        assert replay.from_lines(io.StringIO("".join(replay.to_lines(log, OPERATOR)))).events == tuple(log)


@given(finished_logs, st.data())
def test_any_gap_is_named(log: list[Event], data: st.DataObject) -> None:
    gap = data.draw(st.integers(1, len(log) - 2))
    with pytest.raises(RecordError, match=f"event {gap} is missing"):
        replay.complete(log[:gap] + log[gap + 1 :])


def test_what_has_no_beginning_or_no_end_is_refused() -> None:
    with pytest.raises(RecordError, match="does not start with EpisodeCreated"):
        replay.complete(finished_log()[1:])
    with pytest.raises(RecordError, match="does not start with EpisodeCreated"):
        replay.complete([])
    with pytest.raises(RecordError, match="no end after event 6"):
        replay.complete(short_log())


def test_an_event_of_another_episode_is_refused() -> None:
    log = finished_log()
    log[4] = log[4].model_copy(update={"episode_id": "other"})
    with pytest.raises(RecordError, match="event 4 belongs to other"):
        replay.complete(log)


def test_reading_from_the_store() -> None:
    recorder = Recorder(":memory:")
    recorder.on_events(finished_log())
    assert replay.read(recorder, EPISODE).events == tuple(finished_log())
    with pytest.raises(UnknownEpisode):
        replay.read(recorder, "other")


def test_a_download_holds_what_its_viewpoint_may_know_and_every_number() -> None:
    header, *lines = [json.loads(line) for line in replay.to_lines(finished_log(), SPECTATOR)]
    assert header["viewpoint"] == "spectator"
    assert [line["seq"] for line in lines] == list(range(len(lines)))
    assert lines[3] == {"seq": 3}
    assert not strings_in(lines) & {"secret", "mine"}


@pytest.mark.parametrize(
    ("number", "line", "complaint"),
    [
        (1, "{}", "line 1: not a Grandstand episode"),
        (
            1,
            '{"format":"grandstand-episode","version":9}',
            "line 1: format version 9 is none of 1; it was written by a newer Grandstand: install that",
        ),
        (1, "[]", "line 1: not a Grandstand episode"),
        (3, "{", "line 3: line"),
        (3, '{"seq":1}', "line 3: is withheld; download the episode as an operator"),
        (3, '{"seq":1,"epoch":0}', "line 3: episode_id"),
        (3, "", "line 3"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(number: int, line: str, complaint: str) -> None:
    lines = "".join(replay.to_lines(finished_log(), OPERATOR)).splitlines()
    lines[number - 1] = line
    with pytest.raises(RecordError, match=complaint):
        replay.from_lines(io.StringIO("\n".join(lines)))


GOLDEN = Path(__file__).parent / "data"


@pytest.mark.parametrize("name", ["version1.jsonl.gz", "version1_numbered.jsonl.gz"])
def test_a_record_of_an_earlier_version_is_read_and_written_as_it_is(name: str) -> None:
    events = read_episode(GOLDEN / name).events
    assert {"ActionChosen", "SeedSet", "OrdersResolved", "CommentAdded"} <= {event.type for event in flat(events)}
    assert events[-1].data["status"] == "finished"
    with gzip.open(GOLDEN / name, "rt", encoding="utf-8") as file:
        assert list(replay.to_lines(events, OPERATOR))[1:] == [
            json.dumps(json.loads(line), separators=(",", ":"), ensure_ascii=False) + "\n"
            for line in file.readlines()[1:]
        ]


def test_both_earlier_forms_tell_the_same_match() -> None:
    """Private events within batches and under numbers of their own."""
    batched, numbered = (
        read_episode(GOLDEN / name).events for name in ("version1.jsonl.gz", "version1_numbered.jsonl.gz")
    )
    own = ("PhaseAdvanced", "OrdersResolved", "ActionChosen")
    assert [event.data for event in flat(batched) if event.type in own] == [
        event.data for event in numbered if event.type in own
    ]


def test_a_withheld_event_can_be_kept_as_an_empty_batch() -> None:
    events = read_episode(GOLDEN / "version1.jsonl.gz").events
    lines = list(replay.to_lines(events, SPECTATOR))
    known = replay.known_events(lines)
    assert [event.seq for event in known] == list(range(len(events)))
    assert list(replay.to_lines(known, SPECTATOR)) == lines
    assert not any(event.type == "ActionChosen" for event in flat(known))
    with pytest.raises(RecordError, match="is withheld; download the episode as an operator"):
        replay.events_from_lines(lines)
