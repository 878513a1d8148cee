"""The notes of the characters for themselves."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from grandstand.games.base import Action, MessageSent
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots.talking.private_notes import notes_of, with_notes
from grandstand.games.diplomacy.events import NotesTaken
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.match import Match
from tests.support.diplomacy import talkers
from tests.support.diplomacy.minds import mind_of


def test_the_notes_say_whom_it_trusts_and_whom_it_betrays() -> None:
    notes = notes_of(mind_of("Talleyrand"))
    assert notes["trust"] == {"AUSTRIA": 2, "FRANCE": -1}
    assert notes["text"] == "The door of Austria stands open; I go through it. At war with France."
    assert notes["aims"] == ["AUSTRIA"]


def test_an_aim_is_noted_with_the_first_letter_after_it_is_taken() -> None:
    mind = mind_of("Talleyrand")
    letters: list[Action] = [{"message": {"text": "Peace."}}, {"message": {"text": "War."}}]
    noted = [{**letters[0], "notes": notes_of(mind)}, letters[1]]
    assert with_notes(mind, letters) == noted
    assert with_notes(mind, []) == []
    mind.game.apply(mind.seat, {"notes": notes_of(mind)})
    assert with_notes(mind, letters) == letters


@pytest.mark.long
def test_most_aims_of_a_match_are_known_before_the_orders() -> None:
    _, events = talkers.played()
    aims: dict[bool, set[tuple[str, str, str]]] = {True: set(), False: set()}
    for event, after in pairwise(events):
        if isinstance(event, NotesTaken):
            aims[isinstance(after, MessageSent)].update((event.turn, event.seat, other) for other in event.aims)
    assert len(aims[True]) > 10
    assert len(aims[False] - aims[True]) < 0.2 * len(aims[True])


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
