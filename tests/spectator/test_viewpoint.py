"""Viewpoints: content may be withheld, event numbers never."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grandstand.models import Audience, Event
from grandstand.spectator.frames import EventFrame, WithheldFrame
from grandstand.spectator.viewpoint import OPERATOR, SPECTATOR, Viewpoint, redact
from tests.support.server.stream_server import press
from tests.support.spectator.logs import VIEWPOINTS, logs, stamp


@pytest.mark.parametrize("viewpoint", VIEWPOINTS, ids=str)
def test_text_and_back(viewpoint: Viewpoint) -> None:
    assert Viewpoint.parse(str(viewpoint)) == viewpoint


@pytest.mark.parametrize("text", ["", "admin", "seat", "seat:", "SPECTATOR", "seat FRANCE"])
def test_anything_else_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="use spectator, analyst, operator or seat:NAME"):
        Viewpoint.parse(text)


@pytest.mark.parametrize(
    ("audience", "knowing"),
    [
        ("public", {"spectator", "analyst", "operator", "seat:NORTH", "seat:SOUTH"}),
        ("analyst", {"analyst", "operator"}),
        ("operator", {"operator"}),
        ("private", set()),
        (["NORTH"], {"analyst", "operator", "seat:NORTH"}),
        (["NORTH", "SOUTH"], {"analyst", "operator", "seat:NORTH", "seat:SOUTH"}),
        ([], {"analyst", "operator"}),
    ],
)
def test_who_may_know(audience: Audience, knowing: set[str]) -> None:
    event = Event(episode_id="e", epoch=1, seq=0, at=0, type="Said", audience=audience, data={})
    assert {str(viewpoint) for viewpoint in VIEWPOINTS if viewpoint.known(event)} == knowing


def test_a_seat_whose_name_is_a_role_knows_no_more() -> None:
    audiences: tuple[Audience, ...] = ("analyst", "operator", "private")
    for audience in audiences:
        event = Event(episode_id="e", epoch=1, seq=0, at=0, type="Said", audience=audience, data={})
        assert Viewpoint("seat", str(audience)).known(event) is None


@given(logs, st.sampled_from(VIEWPOINTS))
def test_every_viewpoint_gets_every_number_and_only_its_own_content(log: list[Event], viewpoint: Viewpoint) -> None:
    frames = [redact(event, viewpoint) for event in log]
    numbers = [frame.event.seq if isinstance(frame, EventFrame) else frame.seq for frame in frames]
    assert numbers == list(range(len(log)))
    for event, frame in zip(log, frames, strict=True):
        if known := viewpoint.known(event):
            assert isinstance(frame, EventFrame)
            assert frame.event == known
        else:
            assert frame.model_dump() == {"frame": "withheld", "seq": event.seq}


def test_what_is_withheld_has_one_size_whatever_it_was() -> None:
    short, long = stamp([press("no"), press("yes " * 5000)], first=40)
    withheld = [redact(event, SPECTATOR) for event in (short, long)]
    assert all(isinstance(frame, WithheldFrame) for frame in withheld)
    assert len({len(frame.model_dump_json()) for frame in withheld}) == 1
    assert "yes" in json.dumps(redact(long, OPERATOR).model_dump())
