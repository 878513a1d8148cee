"""Saved games as matches: turns, players, and where the engine judges otherwise than the document."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grandstand.games.base import GameEvent, MessageSent
from grandstand.games.diplomacy.events import PhaseAdvanced
from grandstand.games.diplomacy.record.saved_game import export_saved_game, saved_game_events
from grandstand.games.diplomacy.record.saved_game_import import FORM, UNNAMED, import_saved_game
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.exchange import DocumentError, Imported
from tests.support.diplomacy.human_games import DECLARED, GAMES
from tests.support.diplomacy.matches import as_data
from tests.support.diplomacy.site_games import as_a_site_writes_it


def events_of(imported: Imported) -> list[GameEvent]:
    return [*imported.opening, *(event for turn in imported.turns for event in turn.events)]


@pytest.mark.few(5)
@pytest.mark.parametrize("saved", GAMES, ids=lambda saved: str(saved["id"]))
def test_a_human_game_is_turned_into_turns_and_back(saved: dict[str, Any]) -> None:
    imported = import_saved_game(saved)
    assert events_of(imported) == saved_game_events(saved), "no event is lost or moved"
    assert [turn.turn for turn in imported.turns] == [phase["name"] for phase in saved["phases"]]
    first = imported.opening[-1]
    assert isinstance(first, PhaseAdvanced)
    assert first.phase == "S1901M", "the position of a turn is there before the turn"
    assert imported.turns[0].to_act == list(POWERS)
    assert export_saved_game(as_data(events_of(imported)), {}) == saved


@pytest.mark.long
def test_what_the_engine_judges_otherwise_is_reported_by_phase() -> None:
    reported = {
        (saved["id"], difference.partition(":")[0])
        for saved in GAMES
        for difference in import_saved_game(saved).differences
        if "goes on with" in difference
    }
    assert reported == DECLARED.keys()


def test_a_position_that_does_not_follow_is_reported() -> None:
    saved = json.loads(json.dumps(GAMES[0]))
    saved["phases"][1]["state"]["units"]["FRANCE"][0] = "A RUH"
    [report] = [text for text in import_saved_game(saved).differences if text.startswith("S1901M")]
    assert report.startswith("S1901M: the document goes on with units of FRANCE A RUH, here ")


def test_the_last_year_of_a_game_that_ended_with_it_is_known() -> None:
    saved = json.loads(json.dumps(GAMES[0]))
    years = [int(phase["name"][1:5]) for phase in saved["phases"] if phase["name"] != "COMPLETED"]
    assert import_saved_game(saved).options["last_year"] == max(1920, *years)
    saved["outcome"] = {"reason": "year-limit", "winners": ["FRANCE"], "scores": {}, "text": "Time is up."}
    assert import_saved_game(saved).options["last_year"] == max(years) < 1920


def test_players_and_press_are_named_as_far_as_they_are_known() -> None:
    silent = import_saved_game(GAMES[0])
    assert set(silent.players.values()) == {UNNAMED}
    assert silent.options["press"] == "none"
    saved = as_a_site_writes_it(GAMES[0]) | {"players": {"FRANCE": "Ada"}}
    imported = import_saved_game(saved)
    assert imported.players["FRANCE"] == "Ada"
    assert imported.options["press"] == "full"
    secret = [event for event in events_of(imported) if isinstance(event, MessageSent) and not event.public]
    assert secret[0].seats() == frozenset({"ITALY", "FRANCE"})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"map": "modern"}, "map: 'modern' is not the standard map"),
        ({"phases": []}, "phases: a saved game has a list of phases"),
        ({"phases": [{"name": "S1901M"}]}, "phases[0]: KeyError('state') is missing or has the wrong type"),
        ({"phases": [{"name": "soon", "state": {}}]}, "phases[0].phase: 'soon' is not a phase"),
        ({"phases": [{"name": "S1901M", "state": {"units": {"FRANCE": ["A SEA"]}}}]}, "phases[0].units.FRANCE[0]"),
        ({"phases": [{"name": "COMPLETED", "state": {}}]}, "phases: no phase was played"),
        ({"outcome": {"reason": "solo"}}, "outcome: must have reason, winners, scores and text"),
    ],
)
def test_a_fault_is_named_by_its_phase_and_field(change: dict[str, Any], message: str) -> None:
    with pytest.raises(DocumentError) as error:
        import_saved_game({**GAMES[0], **change})
    assert message in str(error.value)


def test_the_form_is_told_by_its_keys() -> None:
    assert FORM.matches(GAMES[0])
    assert not FORM.matches({"innings": []})
