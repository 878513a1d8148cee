"""The saved-game format. Interchange with the package itself is tested in test_oracle.py."""

from __future__ import annotations

import itertools
import json
from dataclasses import asdict
from typing import Any

import pytest

from games.base import MessageSent
from games.diplomacy.events import CentersChanged, OrdersResolved, PhaseAdvanced
from games.diplomacy.position import PositionError
from games.diplomacy.saved_game import export_saved_game, read_saved_game, saved_game_events
from tests.games.diplomacy.matches import as_data, play


def exported(seed: int) -> tuple[list[Any], dict[str, Any]]:
    _, events, _ = play(seed, last_year=1904)
    return events, json.loads(json.dumps(export_saved_game(as_data(events), {"episode_id": "abc"})))


def test_what_is_written_is_read_back() -> None:
    events, saved = exported(1)
    phases = read_saved_game(saved)
    advanced = [event for event in events if isinstance(event, PhaseAdvanced)]
    assert [phase.state.name for phase in phases] == [event.phase for event in advanced]
    for phase, following in itertools.pairwise(phases):
        assert not phase.book.void
        assert phase.state.resolve(phase.book.orders).after == following.state
    said = [message for phase in phases for message in phase.messages]
    sent = [event for event in events if isinstance(event, MessageSent)]
    assert [message.text for message in said if message.public] == [message.text for message in sent if message.public]
    assert len(said) == sum(1 if message.public else len(message.recipients) for message in sent)
    assert said[0].promises == sent[0].promises


def test_a_saved_game_becomes_the_events_it_came_from() -> None:
    events, saved = exported(2)
    kept = (PhaseAdvanced, OrdersResolved, CentersChanged)
    again = [asdict(event) for event in saved_game_events(saved) if isinstance(event, kept)]
    original = [asdict(event) for event in events if isinstance(event, kept)]
    assert sorted(map(json.dumps, again)) == sorted(map(json.dumps, original))


def test_times_order_the_messages() -> None:
    _, saved = exported(3)
    times = [message["time_sent"] for phase in saved["phases"] for message in phase["messages"]]
    assert times == list(range(1, len(times) + 1))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ({"map": "ancmed"}, "map: 'ancmed'"),
        ({"phases": None}, "phases: "),
        ({"phases": [{"name": "S1901M"}]}, r"phases\[0\]: KeyError\('state'\)"),
        ({"phases": [{"name": "S1901X", "state": {"units": {}}}]}, r"phases\[0\].phase: 'S1901X'"),
        ({"phases": [{"name": "S1901M", "state": {"units": {"FRANCE": ["A ENG"]}}}]}, r"phases\[0\].units.FRANCE\[0\]"),
    ],
)
def test_a_damaged_game_is_refused_with_the_place(damage: dict[str, Any], reason: str) -> None:
    _, saved = exported(1)
    with pytest.raises(PositionError, match=reason):
        read_saved_game(saved | damage)


def test_a_completed_game_ends_there() -> None:
    _, saved = exported(1)
    count = len(saved["phases"])
    saved["phases"].append({**saved["phases"][-1], "name": "COMPLETED"})
    assert len(read_saved_game(saved)) == count
