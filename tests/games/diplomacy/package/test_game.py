"""A match as the package knows it. The package's own client reads all of this in tests of the socket."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from grandstand.games.diplomacy.package.game import Notification, PackageGame, game_status, long_name
from grandstand.games.diplomacy.record.saved_game import saved_game_events
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.exchange import PublicEvent
from tests.support.diplomacy.human_games import GAMES
from tests.support.diplomacy.matches import as_data, play

BEGAN = 1_700_000_000.0


def record(seed: int = 1, last_year: int = 1902) -> list[PublicEvent]:
    """A match of random play, with all its events in the same millisecond."""
    _, events, _ = play(seed, last_year=last_year)
    seats = [{"seat": power, "player": power.lower(), "kind": "test"} for power in POWERS]
    outcome = {"winners": ["FRANCE", "ITALY"]}
    events_of_match = [("EpisodeCreated", {"seats": seats}), ("EpisodeStarted", {}), *as_data(events)]
    ended = ("EpisodeEnded", {"status": "finished", "outcome": outcome})
    return [PublicEvent(kind, data, BEGAN) for kind, data in (*events_of_match, ended)]


def fold(events: Sequence[PublicEvent]) -> tuple[PackageGame, list[Notification]]:
    game = PackageGame("abc")
    return game, [notification for event in events for notification in game.take(event)]


def names(notifications: Sequence[Notification]) -> list[str]:
    return [notification.name for notification in notifications]


def processed(notifications: Sequence[Notification]) -> list[tuple[str, str]]:
    fields = [item.fields for item in notifications if item.name == "game_processed"]
    return [(item["previous_phase_data"]["name"], item["current_phase_data"]["name"]) for item in fields]


def test_every_phase_is_processed_once_and_the_last_one_ends_the_game() -> None:
    events = record()
    game, notifications = fold(events)
    phases = [event.data["phase"] for event in events if event.type == "PhaseAdvanced"]
    assert processed(notifications) == list(zip(phases, [*phases[1:], "COMPLETED"], strict=True))
    assert game.data()["outcome"] == [phases[-1], "FRANCE", "ITALY"]
    assert game.data()["note"] == "Victory by: FRA, ITA"
    assert names(notifications)[-2:] == ["game_processed", "game_status_update"]


def test_times_are_the_same_whenever_the_record_is_read_and_never_go_back() -> None:
    events = record()
    game, _ = fold(events)
    assert json.dumps(game.data()) == json.dumps(fold(events)[0].data())
    ends = [state["timestamp"] for state in game.data()["state_history"].values()]
    assert ends == sorted(set(ends))
    assert ends[0] > game.created == int(BEGAN * 1_000_000)


def test_a_phase_that_is_not_over_shows_no_orders() -> None:
    events = record()
    resolved = next(at for at, event in enumerate(events) if event.type == "OrdersResolved")
    game, _ = fold(events[: resolved + 1])
    assert game.data()["order_history"] == {}
    (update,) = (item for item in game.since("FORMING", 0) if item.name == "game_phase_update")
    assert update.fields["phase_data"]["orders"] == dict.fromkeys(POWERS)
    assert update.fields["phase_data"]["results"] == {}


def test_a_client_is_brought_up_to_date_from_any_phase() -> None:
    events = record()
    game, notifications = fold(events)
    steps = processed(notifications)
    for number, (phase, _) in enumerate(steps):
        assert processed(game.since(phase, 0)) == steps[number:]
    assert names(game.since("COMPLETED", 0)) == ["game_status_update"]


def test_a_client_from_before_the_start_or_of_an_undone_phase_gets_everything_anew() -> None:
    game, notifications = fold(record())
    for phase in ("FORMING", "S1999M"):
        first, *rest = game.since(phase, 0)
        assert (first.name, first.fields["phase_data_type"]) == ("game_phase_update", "phase")
        assert first.fields["phase_data"]["name"] == "S1901M"
        assert processed(rest) == processed(notifications)
    assert names(PackageGame("abc").since("FORMING", 0)) == ["game_status_update"]


def message(text: str) -> PublicEvent:
    data: dict[str, Any] = {"turn": "S1901M", "sender": "FRANCE", "recipients": ["ITALY"], "text": text}
    return PublicEvent("MessageSent", {**data, "public": True, "promises": ["A PAR H"]}, BEGAN)


def test_later_messages_of_the_same_phase_are_sent_again() -> None:
    opening = next(at for at, event in enumerate(record()) if event.type == "PhaseAdvanced")
    game, notifications = fold([*record()[: opening + 1], message("first"), message("second")])
    first, second = (item.fields["message"] for item in notifications if item.name == "game_message_received")
    assert first.keys() == {"sender", "recipient", "time_sent", "phase", "message"}
    assert first["recipient"] == "GLOBAL"
    assert first["time_sent"] < second["time_sent"]
    late = [item.fields["message"] for item in game.since("S1901M", first["time_sent"])[:-1]]
    assert late == [second]


def test_a_match_without_result_is_cancelled_where_it_stands() -> None:
    events = record()[:-1]
    game, notifications = fold([*events, PublicEvent("EpisodeEnded", {"status": "stopped"}, BEGAN)])
    assert (game.status, game.data()["status"]) == ("canceled", "canceled")
    assert notifications[-1] == Notification("game_status_update", {"status": "canceled"})
    assert game.phase == [event.data["phase"] for event in events if event.type == "PhaseAdvanced"][-1]


def test_a_pause_is_a_status() -> None:
    game = PackageGame("abc")
    pause = PublicEvent("ControlChanged", {"command": "pause", "value": None, "by": "operator"}, BEGAN)
    game.take(PublicEvent("EpisodeStarted", {}, BEGAN))
    assert game.take(pause) == [Notification("game_status_update", {"status": "paused"})]
    assert game.take(pause) == []
    assert [game_status(status, paused=True) for status in ("live", "finished", "error")] == [
        "paused",
        "completed",
        "canceled",
    ]


def test_names_of_phases() -> None:
    short = ["S1901M", "F1901R", "W1912A", "FORMING", "COMPLETED"]
    assert [long_name(phase) for phase in short] == [
        "SPRING 1901 MOVEMENT",
        "FALL 1901 RETREATS",
        "WINTER 1912 ADJUSTMENTS",
        "FORMING",
        "COMPLETED",
    ]


def test_a_game_that_was_read_from_a_file_is_shown_with_our_positions() -> None:
    for saved in GAMES[:3]:
        events = [PublicEvent(kind, data, BEGAN) for kind, data in as_data(saved_game_events(saved))]
        game, notifications = fold(events)
        phases = [event.data["phase"] for event in events if event.type == "PhaseAdvanced"]
        assert processed(notifications) == list(pairwise(phases))
        texts = [event.data["text"] for event in events if event.type == "MessageSent"]
        sent = [item.fields["message"]["message"] for item in notifications if item.name == "game_message_received"]
        assert list(dict.fromkeys(sent)) == list(dict.fromkeys(texts))
        assert [*game.data()["state_history"], game.phase] == phases
