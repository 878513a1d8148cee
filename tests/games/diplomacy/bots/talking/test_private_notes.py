"""The notes of the characters for themselves."""

from __future__ import annotations

from random import Random

from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots.talking.private_notes import notes_of
from grandstand.games.diplomacy.events import NotesTaken
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.match import Match
from tests.support.diplomacy import talkers
from tests.support.diplomacy.minds import mind_of


def test_the_notes_say_whom_it_trusts_and_whom_it_betrays() -> None:
    notes = notes_of(mind_of("Talleyrand"))
    assert notes["trust"] == {"AUSTRIA": 2, "FRANCE": -1}
    assert notes["text"] == "The door of Austria stands open; I go through it. At war with France."


def test_notes_come_with_the_orders_of_every_movement_phase_and_are_secret() -> None:
    _, events = talkers.played()
    noted = [event for event in events if isinstance(event, NotesTaken)]
    assert {event.seat for event in noted} == set(POWERS)
    assert all(event.turn.endswith("M") and event.seats() == frozenset({event.seat}) for event in noted)
    assert any(-2 in event.trust.values() for event in noted)
    assert any(2 in event.trust.values() or 1 in event.trust.values() for event in noted)


def test_an_action_with_notes_is_legal_at_once() -> None:
    match = Match(GAME, {}, 1)
    match.apply("ITALY", GAME.bots.players["Cavour"](match.game, "ITALY", Random(1)))
    assert match.game.submitted
