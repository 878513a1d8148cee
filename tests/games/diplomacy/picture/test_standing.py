"""The words of a card of Diplomacy."""

from __future__ import annotations

from grandstand.games.diplomacy.picture.standing import card
from tests.support.play.recordings import recorded, scene_until


def test_the_largest_power_is_first() -> None:
    start = card(scene_until(recorded("diplomacy"), "PhaseAdvanced"))
    assert (start.turn, start.unit) == ("Spring 1901, moves", "centres")
    assert [(row.name, row.score) for row in start.rows[:2]] == [("Russia", "4"), ("Austria", "3")]


def test_a_power_that_is_out_is_named_as_such() -> None:
    state = {"phase": "W1905A", "units": {"FRANCE": ["A PAR"]}, "retreats": {}, "centers": {"FRANCE": ["PAR"]}}
    rows = card([("PhaseAdvanced", {"phase": "W1905A", "state": state})]).rows
    assert [(row.seat, row.score) for row in rows][:2] == [("FRANCE", "1"), ("AUSTRIA", "out")]
    assert {row.strong for row in rows[1:]} == {False}


def test_nothing_is_out_before_the_match() -> None:
    before = card([])
    assert before.turn == "Before the first move"
    assert {row.score for row in before.rows} == {"–"}


def test_units_that_must_retreat_are_told() -> None:
    state = {"phase": "S1901R", "units": {}, "retreats": {"ITALY": {"A VEN": ["ROM"]}}, "centers": {}}
    facts = card([("PhaseAdvanced", {"phase": "S1901R", "state": state})]).facts
    assert facts == ["Dislodged: A VEN (Italy)"]
