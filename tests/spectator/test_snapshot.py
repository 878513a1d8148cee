"""A snapshot and what follows it tell as much as the whole stream, and no more than the viewpoint may know."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.models import Event
from grandstand.spectator.frames import EventFrame, WithheldFrame
from grandstand.spectator.snapshot import snapshot
from grandstand.spectator.viewpoint import SPECTATOR, Viewpoint, redact
from tests.support.server.stream_server import board, opening, press
from tests.support.spectator.logs import VIEWPOINTS, logs, short_log, stamp, strings_in

Board = tuple[Any, list[Any]]


def play(position: Board, frame: EventFrame | WithheldFrame) -> Board:
    """Apply a frame as a page does: a state replaces everything, anything else is added."""
    state, since = position
    if isinstance(frame, EventFrame) and "state" in frame.event.data:
        return frame.event.data["state"], []
    return state, [*since, frame]


@given(logs, st.sampled_from(VIEWPOINTS), st.data())
def test_snapshot_plus_tail_is_the_whole_stream(log: list[Event], viewpoint: Viewpoint, data: st.DataObject) -> None:
    whole: Board = (None, [])
    for event in log:
        whole = play(whole, redact(event, viewpoint))
    moment = data.draw(st.integers(1, len(log)))
    joined = snapshot(log[:moment], viewpoint)
    late: Board = (joined.state, list(joined.recent))
    for event in log[moment:]:
        late = play(late, redact(event, viewpoint))
    assert late == whole
    assert joined.seq == moment - 1
    numbers = [frame.event.seq if isinstance(frame, EventFrame) else frame.seq for frame in joined.recent]
    first = 0 if joined.state_seq is None else joined.state_seq + 1
    assert numbers == list(range(first, moment))


@given(logs, st.sampled_from(VIEWPOINTS))
def test_a_snapshot_is_made_of_what_the_viewpoint_may_know(log: list[Event], viewpoint: Viewpoint) -> None:
    """Blanking every event that is withheld changes nothing: content and size cannot tell."""
    blank = [event if viewpoint.known(event) else event.model_copy(update={"data": {}, "type": "X"}) for event in log]
    assert snapshot(log, viewpoint).model_dump_json() == snapshot(blank, viewpoint).model_dump_json()


def test_no_secret_is_in_it() -> None:
    log = short_log(press("the plan"))
    shown = json.loads(snapshot(log, SPECTATOR).model_dump_json())
    assert not strings_in(shown) & {"secret", "mine", "the plan"}
    assert "the plan" in strings_in(json.loads(snapshot(log, Viewpoint("seat", "NORTH")).model_dump_json()))


def test_a_state_that_only_a_seat_may_know_is_no_base_for_others() -> None:
    log = stamp([*opening(), board(5)._replace(audience=["NORTH"])])
    assert snapshot(log, SPECTATOR).state_seq == 2
    assert snapshot(log, Viewpoint("seat", "NORTH")).state_seq == 3


def test_no_events_no_snapshot() -> None:
    with pytest.raises(ValueError, match="without events"):
        snapshot([], SPECTATOR)
