"""The measures of honesty and betrayal."""

from __future__ import annotations

from typing import Any

from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.press.honesty import MEASURES, measures, stabs
from grandstand.games.match import Match, event_data

Phases = list[tuple[list[tuple[str, dict[str, Any]]], dict[str, list[str]]]]
"""Per phase: the messages as (sender, message), and the orders by power; the rest hold."""


def played(phases: Phases) -> list[tuple[str, dict[str, Any]]]:
    """Return the events of a match to the end of 1902 as data."""
    match = Match(GAME, {"last_year": 1902}, 0)
    events = list(match.game.opening())
    script = iter(phases)
    while not match.over:
        letters, orders = next(script, ([], {})) if match.game.turn.endswith("M") else ([], {})
        for sender, message in letters:
            events += match.apply(sender, {"message": {"text": "Listen.", **message}})
        for seat in match.waiting:
            events += match.apply(seat, {"orders": orders.get(seat, [])})
    return [(type(event).__name__, event_data(event)) for event in events]


def test_promises_kept_broken_and_lied() -> None:
    promise = {"to": ["AUSTRIA"], "promises": ["A VEN H", "A ROM - APU"], "lies": ["A VEN H"]}
    events = played([([("ITALY", promise)], {"ITALY": ["A VEN - TYR", "A ROM - APU"]})])
    italy = measures(events, "ITALY")
    assert italy == {"messages": 1, "kept": 1, "broken": 1, "lied": 1, "stabs": 0}
    assert measures(events, "AUSTRIA") == dict.fromkeys(MEASURES, 0)


def test_a_changed_mind_is_no_lie() -> None:
    events = played([([("ITALY", {"to": ["AUSTRIA"], "promises": ["A VEN H"]})], {"ITALY": ["A VEN - TYR"]})])
    assert (measures(events, "ITALY")["broken"], measures(events, "ITALY")["lied"]) == (1, 0)


def test_two_promises_that_exclude_each_other_are_a_lie() -> None:
    letters = [
        ("ITALY", {"to": [to], "promises": [f"A VEN {order}"]}) for to, order in (("AUSTRIA", "H"), ("FRANCE", "- PIE"))
    ]
    events = played([(letters, {"ITALY": ["A VEN - PIE"]})])
    assert measures(events, "ITALY") == {"messages": 2, "kept": 1, "broken": 1, "lied": 1, "stabs": 0}


def test_a_match_without_messages_has_no_measures() -> None:
    assert measures(played([]), "ITALY") == {}


STAB: Phases = [
    ([("AUSTRIA", {"to": ["ITALY"], "promises": ["F TRI H"]})], {"ITALY": ["A VEN H", "A ROM - APU"]}),
    ([], {"ITALY": ["A VEN - TRI"], "AUSTRIA": ["F TRI - ALB"]}),
]
"""Austria keeps a promise to Italy; then Italy takes Trieste."""


def test_a_stab_is_an_attack_with_gain_on_who_kept_a_promise() -> None:
    events = played(STAB)
    assert stabs(events) == [("F1901M", "ITALY", "AUSTRIA")]
    assert measures(events, "ITALY")["stabs"] == 1


def test_an_attack_on_a_stranger_is_no_stab() -> None:
    without = [([("AUSTRIA", {"to": ["RUSSIA"], "promises": ["F TRI H"]})], STAB[0][1]), STAB[1]]
    assert stabs(played(without)) == []


def test_a_support_makes_a_stab_and_a_war_has_only_one() -> None:
    phases: Phases = [
        ([("FRANCE", {"to": ["ITALY"]})], {"AUSTRIA": ["A VIE - TYR"], "ITALY": ["A ROM - APU"]}),
        ([], {"AUSTRIA": ["A TYR S A VEN"], "ITALY": ["A APU - NAP"]}),
        ([], {"ITALY": ["A VEN - TRI", "A APU - VEN"], "AUSTRIA": ["F TRI - ALB", "A TYR H"]}),
        ([], {"ITALY": ["A TRI H"], "AUSTRIA": ["F ALB H"]}),
    ]
    assert stabs(played(phases)) == [("F1902M", "ITALY", "AUSTRIA")]
