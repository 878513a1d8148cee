"""The rules for notes and trust: what a seat may write, and what is cut, left out or refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from grandstand.games.base import IllegalAction
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.events import NotesTaken
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions


def game() -> DiplomacyGame:
    return DiplomacyGame(DiplomacyOptions())


def note(played: DiplomacyGame, seat: str = "FRANCE", **notes: Any) -> NotesTaken | None:
    events = played.apply(seat, {"notes": notes})
    assert all(isinstance(event, NotesTaken) for event in events)
    return next((event for event in events if isinstance(event, NotesTaken)), None)


def test_notes_are_an_event_for_their_seat_alone() -> None:
    played = game()
    event = note(played, text="Italy is my ally.", trust={"ITALY": 2, "GERMANY": -1})
    assert event == NotesTaken("FRANCE", "S1901M", "Italy is my ally.", {"GERMANY": -1, "ITALY": 2})
    assert event.seats() == frozenset({"FRANCE"})
    own = {"turn": "S1901M", "notes": "Italy is my ally.", "trust": {"GERMANY": -1, "ITALY": 2}, "left_out": []}
    assert played.observation("FRANCE")["notes"] == {**own, "aims": []}
    for seat in GAME.seats():
        if seat != "FRANCE":
            assert played.observation(seat)["notes"] is None
            assert "my ally" not in played.text(seat)


def test_later_notes_replace_the_text_and_the_trust_of_those_named() -> None:
    played = game()
    note(played, text="First.", trust={"ITALY": 2, "GERMANY": -1})
    note(played, text="Second.", trust={"GERMANY": 0})
    note(played, text="", trust={})
    noted = played.observation("FRANCE")["notes"]
    assert noted is not None
    assert (noted["notes"], noted["trust"]) == ("Second.", {"GERMANY": 0, "ITALY": 2})


def test_notes_that_change_nothing_are_no_event() -> None:
    played = game()
    assert note(played) is None
    assert note(played, text="Hm.") is not None
    assert note(played, text="Hm.", trust={}) is None
    assert note(played, text="Hm.", left_out=["trust: must be an object of powers, not list"]) is not None


def test_aims_are_for_one_phase() -> None:
    played = game()
    event = note(played, text="First.", aims=["ITALY", "ENGLAND", "ITALY"])
    assert event is not None
    assert event.aims == ["ENGLAND", "ITALY"]
    assert note(played, aims=["ENGLAND", "ITALY"]) is None
    assert note(played, text="Second.") == replace(event, notes="Second.")
    for seat in list(played.to_act()):
        played.apply(seat, {"orders": []})
    later = note(played, text="Third.")
    assert later is not None
    assert (later.turn, later.aims) == ("F1901M", [])
    again = note(played, aims=["ITALY"])
    assert again is not None
    assert again.aims == ["ITALY"]
    ended = note(played, aims=[])
    assert ended is not None
    assert ended.aims == []


def test_notes_go_with_orders_and_do_not_end_the_turn() -> None:
    played = game()
    events = played.apply("FRANCE", {"orders": ["A PAR - BUR"], "notes": {"text": "Burgundy."}})
    assert [type(event).__name__ for event in events] == ["NotesTaken", "OrdersSubmitted"]
    note(played, seat="ITALY", text="Wait.")
    assert "ITALY" in played.to_act()
    note(played, text="After the orders.")
    assert played.observation("FRANCE")["notes"]


@pytest.mark.parametrize(
    ("notes", "error"),
    [
        ("text", "notes: must be an object with text, trust, aims, left_out, not str"),
        ({"mood": 1}, "notes.mood: notes have text, trust, aims, left_out"),
        ({"text": 5}, "notes.text: must be a text, not int"),
        ({"text": "x" * 601}, "notes.text: has 601 characters; 600 are all it may have"),
        ({"trust": [1]}, "notes.trust: must be an object of powers, not list"),
        ({"trust": {"FRANCE": 1}}, "notes.trust.FRANCE: is no other power"),
        ({"trust": {"SPAIN": 1}}, "notes.trust.SPAIN: is no other power"),
        ({"trust": {"ITALY": 3}}, "notes.trust.ITALY: must be a whole number from -2 to 2"),
        ({"trust": {"ITALY": True}}, "notes.trust.ITALY: must be a whole number from -2 to 2"),
        ({"aims": "ITALY"}, "notes.aims: must be a list of at most 6 other powers"),
        ({"aims": ["ITALY"] * 7}, "notes.aims: must be a list of at most 6 other powers"),
        ({"aims": ["FRANCE"]}, "notes.aims: FRANCE is no other power; there are AUSTRIA, ENGLAND"),
        ({"aims": [5]}, "notes.aims: 5 is no other power; there are AUSTRIA, ENGLAND"),
        ({"left_out": "x"}, "notes.left_out: must be up to 10 texts"),
        ({"left_out": ["x" * 121]}, "notes.left_out: must be up to 10 texts"),
    ],
)
def test_what_is_no_note_is_refused_by_name_and_changes_nothing(notes: Any, error: str) -> None:
    played = game()
    before = played.digest()
    with pytest.raises(IllegalAction) as caught:
        played.apply("FRANCE", {"orders": ["A PAR - BUR"], "notes": notes})
    assert str(caught.value).startswith(error)
    assert played.digest() == before


def test_notes_are_saved_copied_and_restored() -> None:
    played = game()
    note(played, text="Secret.", trust={"ITALY": 1}, left_out=["trust.X: is no other power"], aims=["ITALY"])
    restored = GAME.rules.load(played.to_json())
    assert restored.digest() == played.digest()
    assert restored.observation("FRANCE") == played.observation("FRANCE")
    twin = played.clone()
    note(twin, text="Other.")
    assert twin.observation("FRANCE")["notes"] != played.observation("FRANCE")["notes"]


def test_a_save_from_before_there_were_notes_opens_without() -> None:
    data = game().to_json()
    del data["notes"], data["years"]
    opened = GAME.rules.load(data)
    assert opened.observation("FRANCE")["notes"] is None
    assert opened.observation("FRANCE")["years"] == {}
    assert opened.text("FRANCE")


def test_the_centres_of_each_year_are_kept() -> None:
    played = game()
    while played.state.year < 1903:
        for seat in list(played.to_act()):
            played.apply(seat, {"orders": ["A MAR - SPA"] if seat == "FRANCE" and played.turn == "S1901M" else []})
    years = played.observation("ITALY")["years"]
    assert list(years) == ["1900", "1901", "1902"]
    assert [years[year]["FRANCE"] for year in years] == [3, 4, 4]
    assert "Centres at the end of 1900 1901 1902:" in played.text("ITALY")
    assert "\nFRANCE: 3 4 4\n" in played.text("ITALY")


def test_a_match_that_begins_in_winter_counts_that_year_as_settled() -> None:
    start = {"phase": "W1904A", "units": {"TURKEY": ["A CON"]}, "centers": {"TURKEY": ["CON", "ANK"]}}
    begun = DiplomacyGame(DiplomacyOptions(start=start))
    assert list(begun.observation("TURKEY")["years"]) == ["1904"]
