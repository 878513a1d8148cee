"""Shared frames: in chunks that are bounded, whole, and the same however they are cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.models import Draft, Event
from grandstand.spectator import channel as module
from grandstand.spectator.channel import CHUNK, Channel
from grandstand.spectator.framing import Framing
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.summary import summary_of
from grandstand.spectator.viewpoint import SPECTATOR
from tests.support.server.stream_server import opening
from tests.support.spectator.logs import EPISODE, finished_log, logs, short_log, stamp

LINES = Framing(lambda json, _: json + b"\n")


def chunks(channel: Channel, start: int = 0) -> list[bytes]:
    results = []
    while start < len(channel.events):
        data, start = channel.chunk(start, len(channel.events))
        results.append(data)
    return results


@given(logs, st.integers(1, 2000))
def test_chunks_are_whole_frames_in_order(log: list[Event], size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", size)
        cut = chunks(Channel(SPECTATOR, LINES, log))
    whole, stop = Channel(SPECTATOR, LINES, log).chunk(0, len(log))
    assert b"".join(cut) == whole
    assert stop == len(log)
    assert all(data.endswith(b"\n") and (len(data) <= size or data.count(b"\n") == 1) for data in cut)


def test_a_frame_larger_than_a_chunk_goes_alone() -> None:
    log = stamp([*opening(), Draft("Said", {"text": "x" * CHUNK}), Draft("Said", {})])
    sizes = [data.count(b"\n") for data in chunks(Channel(SPECTATOR, LINES, log))]
    assert sizes == [3, 1, 1]


def test_only_the_last_event_of_an_episode_ends_it() -> None:
    assert not Channel(SPECTATOR, LINES, short_log()).ended
    channel = Channel(SPECTATOR, LINES, finished_log())
    assert channel.ended
    channel.sent -= 1
    assert not channel.ended


def test_those_who_join_at_one_moment_share_one_snapshot() -> None:
    recorder = Recorder(":memory:")
    recorder.on_events(short_log())
    channel = Channel(SPECTATOR, LINES, short_log())
    first, cursor = channel.opening(None, lambda: recorder.summary(EPISODE))
    again, _ = channel.opening(None, lambda: recorder.summary(EPISODE))
    assert again is first
    assert cursor == 7


@given(logs, st.lists(st.integers(0, 40)))
def test_a_snapshot_of_a_log_that_grows_is_that_of_a_new_viewer(log: list[Event], lengths: list[int]) -> None:
    growing = log[:1]
    channel = Channel(SPECTATOR, LINES, growing)
    for length in lengths:
        growing.extend(log[len(growing) : len(growing) + length])
        shown, _ = channel.opening(None, lambda: summary_of(growing))
        assert shown == Channel(SPECTATOR, LINES, growing).opening(None, lambda: summary_of(growing))[0]
