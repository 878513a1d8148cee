"""The saved-game format. Interchange with the package itself is tested in test_oracle.py."""

from __future__ import annotations

import itertools
import json
from dataclasses import asdict
from typing import Any

import pytest

from grandstand.games.base import GameEvent, MessageSent
from grandstand.games.diplomacy.events import (
    CentersChanged,
    DrawVoted,
    OrdersResolved,
    OrdersSubmitted,
    PhaseAdvanced,
    PowerEliminated,
    SavedPartRead,
)
from grandstand.games.diplomacy.record.saved_game import (
    export_saved_game,
    read_saved_game,
    saved_game_events,
    saved_game_outcome,
)
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.position import PositionError
from grandstand.games.match import event_data
from tests.support.diplomacy.human_games import GAMES
from tests.support.diplomacy.matches import as_data, play
from tests.support.diplomacy.site_games import as_a_site_writes_it
from tests.support.players.promise_player import played


def exported(seed: int) -> tuple[list[Any], dict[str, Any]]:
    game, events, _ = play(seed, last_year=1904)
    assert game.outcome is not None
    header = {"episode_id": "abc", "outcome": asdict(game.outcome)}
    return events, json.loads(json.dumps(export_saved_game(as_data(events), header)))


def again(saved: dict[str, Any]) -> dict[str, Any]:
    """The file, read and written."""
    events = json.loads(json.dumps(as_data(saved_game_events(saved))))
    written: dict[str, Any] = json.loads(json.dumps(export_saved_game(events, {"episode_id": "another name"})))
    return written


def test_what_is_written_is_read_back() -> None:
    events, saved = exported(1)
    phases = read_saved_game(saved)
    assert [phase.state.name for phase in phases] == [name for name in map(phase_of, events) if name]
    for phase, following in itertools.pairwise(phases):
        assert not phase.book.void
        assert phase.state.resolve(phase.book.orders).after == following.state
    messages = [message for phase in phases for message in phase.messages]
    sent = [event for event in events if isinstance(event, MessageSent)]
    assert [message.text for message in messages if message.public] == [
        message.text for message in sent if message.public
    ]
    assert messages == sent


def phase_of(event: GameEvent) -> str:
    """The phase that begins with the event; empty for other events."""
    return event.phase if isinstance(event, PhaseAdvanced) else ""


@pytest.mark.parametrize("seed", [2, 5, 6])
def test_a_saved_game_becomes_the_events_it_came_from(seed: int) -> None:
    """All but that orders came in one by one, and votes, which the format has no place for."""
    events, saved = exported(seed)
    left_out = (OrdersSubmitted, DrawVoted, SavedPartRead)
    read = [event for event in saved_game_events(saved) if not isinstance(event, left_out)]
    assert read == [event for event in events if not isinstance(event, left_out)]
    assert any(isinstance(event, CentersChanged) for event in read)
    assert again(saved) == saved


def test_what_became_of_promises_comes_out_of_a_saved_game() -> None:
    kept = ("MessageSent", "PromiseReplaced", "PromiseKept", "PromiseBroken")
    reports = [(draft.type, draft.data) for draft in played() if draft.type not in ("ActionChosen", "SeedSet")]
    saved = json.loads(json.dumps(export_saved_game(reports, {"episode_id": "abc"})))
    read = [(kind, data) for kind, data in as_data(saved_game_events(saved)) if kind in kept]
    for public in (True, False):  # of what happens at once, a record has the private events first
        assert [part for part in read if part[1]["public"] == public] == [
            (kind, data) for kind, data in reports if kind in kept and data["public"] == public
        ]
    assert {kind for kind, _ in read} == set(kept)
    assert again(saved) == saved


@pytest.mark.few(5)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game["id"]))
def test_a_file_is_written_again_as_it_was(game: dict[str, Any]) -> None:
    for saved in (game, as_a_site_writes_it(game)):
        assert again(saved) == saved


def test_messages_by_time_and_a_completed_phase_are_written_again() -> None:
    saved = as_a_site_writes_it(GAMES[0])
    for phase in saved["phases"]:
        phase["messages"] = {str(message["time_sent"]): message for message in phase["messages"]}
    ended = saved["phases"][-1] | {"name": "COMPLETED", "messages": saved["phases"][0]["messages"]}
    saved["phases"].append(json.loads(json.dumps(ended)))
    assert again(saved) == saved


def test_orders_of_the_last_phase_are_kept() -> None:
    _, saved = exported(2)
    del saved["phases"][5:], saved["outcome"]
    assert again(saved) == saved
    played = [event for event in saved_game_events(saved) if isinstance(event, OrdersResolved)]
    assert played[-1].phase == saved["phases"][-1]["name"]


def test_what_a_saved_game_says_of_a_secret_message_is_secret_too() -> None:
    events = saved_game_events(as_a_site_writes_it(GAMES[0]))
    for event in events:
        if event.seats() is None:
            assert "a secret" not in json.dumps(asdict(event))
            assert '"recipient": "FRANCE"' not in json.dumps(asdict(event))
        else:
            assert event.seats() == frozenset({"ITALY", "FRANCE"})
    assert sum(event.seats() is not None for event in events) == 2 * len(GAMES[0]["phases"])
    public = [(type(event).__name__, event_data(event)) for event in events if event.seats() is None]
    written = export_saved_game(public, {"episode_id": "public"})
    assert {message["recipient"] for phase in written["phases"] for message in phase["messages"]} == {"ALL"}


def test_eliminations_are_told_where_the_positions_show_them() -> None:
    """Recorded games of human play: who has a centre in the last position is not eliminated, and the other way."""
    count = 0
    for game in GAMES:
        lost = [event for event in saved_game_events(game) if isinstance(event, PowerEliminated)]
        last = game["phases"][-1]["state"]
        gone = {power for power in POWERS if not last["units"].get(power) and not last["centers"].get(power)}
        assert {event.power for event in lost} == gone
        count += len(lost)
    assert count == 31


def test_the_ending_is_told_where_the_file_shows_it() -> None:
    _, ours = exported(2)
    outcome = saved_game_outcome(ours)
    assert outcome is not None
    assert asdict(outcome) == ours["outcome"]
    broken_off = {name: ours[name] for name in ours if name != "outcome"}
    assert saved_game_outcome(broken_off) is None
    with pytest.raises(PositionError, match="outcome: must have reason"):
        saved_game_outcome(ours | {"outcome": {"reason": "solo"}})

    def ended(note: str) -> Any:
        last = {"name": "COMPLETED", "state": {**ours["phases"][-1]["state"], "note": note}}
        return saved_game_outcome(broken_off | {"phases": [*ours["phases"], last]})

    solo, draw = ended("Victory by: ITA"), ended("Victory by: FRA, TUR")
    assert (solo.reason, solo.winners, solo.scores["ITALY"]) == ("solo", ["ITALY"], 1.0)
    assert (draw.reason, draw.winners) == ("draw", ["FRANCE", "TURKEY"])
    assert (ended("").reason, ended("").winners) == ("draw", [])


def test_times_order_the_messages() -> None:
    _, saved = exported(3)
    times = [message["time_sent"] for phase in saved["phases"] for message in phase["messages"]]
    assert times == list(range(1, len(times) + 1))


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ({"map": "ancmed"}, "map: 'ancmed'"),
        ({"phases": None}, "phases: "),
        ({"phases": [{"name": "S1901M"}] * 501}, "phases: has 501; a game has at most 500"),
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
