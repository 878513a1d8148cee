"""Stabs, alliances and promises, and who may know of them."""

from __future__ import annotations

from collections.abc import Sequence

from tests.support.diplomacy.scripted import Scripted, owning

UNITS = {"ITALY": ["A TYR", "A VEN"], "AUSTRIA": ["A VIE", "A TRI"], "GERMANY": ["A MUN"]}
CENTRES = owning(ITALY=["VEN", "ROM"], AUSTRIA=["TRI", "VIE"], GERMANY=["MUN", "BER"])
SUPPORT: dict[str, Sequence[str]] = {"ITALY": ["A TYR S A VIE"]}
STAB: dict[str, Sequence[str]] = {"ITALY": ["A TYR - VIE"], "AUSTRIA": ["A VIE - BOH"]}
BACK: dict[str, Sequence[str]] = {"ITALY": ["A VIE - TYR", "A VEN S A TRI"], "AUSTRIA": ["A BOH - VIE"]}


def test_an_attack_with_gain_within_a_year_of_support_is_a_stab() -> None:
    match = Scripted(UNITS, CENTRES)
    match.play(**SUPPORT)
    helped = match.events[-1].seq
    match.play(**STAB)
    (fact,) = match.facts("stab")
    assert fact.seats == ("ITALY", "AUSTRIA")
    assert fact.text == "A stab: Italy turns on Austria in Vienna, within a year of supporting it."
    assert fact.audience is None
    assert len(fact.rests_on) == 2
    assert fact.rests_on[0] < helped < fact.rests_on[1]
    assert fact.importance >= 0.75


def test_without_support_or_after_more_than_a_year_there_is_no_stab() -> None:
    match = Scripted(UNITS, CENTRES)
    match.play(**STAB)
    assert match.facts("stab") == []
    match = Scripted(UNITS, CENTRES)
    match.play(**SUPPORT)
    match.play()
    match.play()
    match.play(**STAB)
    assert match.facts("stab") == []


def test_an_attack_that_gains_nothing_is_no_stab() -> None:
    match = Scripted(UNITS, CENTRES)
    match.play(**SUPPORT)
    match.play(ITALY=["A TYR - VIE"])
    assert len(match.facts("attack")) == 1
    assert match.facts("stab") == []


def test_a_war_has_one_stab() -> None:
    match = Scripted(UNITS, CENTRES, phase="F1902M")
    match.play(**SUPPORT)
    match.play(**STAB)
    match.play(**BACK)
    match.play(**STAB)
    assert len(match.facts("attack")) == 2
    assert len(match.facts("stab")) == 1


def test_promises_are_facts_for_those_who_have_them() -> None:
    match = Scripted(UNITS, CENTRES)
    match.promise("ITALY", "A TYR H", ["AUSTRIA"])
    match.play(ITALY=["A TYR H"])
    (made,), (kept,) = match.facts("promise"), match.facts("promise_kept")
    parties = frozenset({"ITALY", "AUSTRIA"})
    assert made.audience == kept.audience == parties
    assert made.text == "Italy promises Austria: the army in Tyrolia stays where it is."
    assert not [line for line in match.comments() if line.audience is not None]


def test_a_broken_promise_is_said_to_those_who_had_it_and_a_kept_one_is_not() -> None:
    match = Scripted(UNITS, CENTRES)
    match.promise("ITALY", "A TYR H", ["AUSTRIA"])
    match.play(ITALY=["A TYR - VEN"])
    (line,) = [line for line in match.comments() if line.audience is not None]
    assert line.audience == frozenset({"ITALY", "AUSTRIA"})


def test_a_broken_promise_to_all_is_for_all() -> None:
    match = Scripted(UNITS, CENTRES)
    match.promise("ITALY", "A TYR H", "all")
    match.play(ITALY=["A TYR - VIE"])
    (fact,) = match.facts("promise_broken")
    assert fact.audience is None
    assert (
        fact.text == "Italy breaks its word to everybody: it had promised that the army in Tyrolia stays where it is."
    )


def test_a_stab_against_a_secret_word_is_secret() -> None:
    match = Scripted(UNITS, CENTRES)
    match.promise("ITALY", "A TYR H", ["AUSTRIA", "GERMANY"])
    match.play(ITALY=["A TYR H"])
    match.play(**STAB)
    (fact,) = match.facts("stab")
    assert fact.audience == frozenset({"ITALY", "AUSTRIA", "GERMANY"})
    assert fact.data["after"] == "promise"


def test_allies_support_each_other_and_an_attack_ends_it() -> None:
    match = Scripted(UNITS, CENTRES)
    match.play(**SUPPORT)
    match.play(AUSTRIA=["A VIE S A TYR"])
    (fact,) = match.facts("alliance")
    assert fact.seats == ("AUSTRIA", "ITALY")
    match.play(**STAB)
    (over,) = match.facts("alliance_over")
    assert over.seats == ("ITALY", "AUSTRIA")


def test_a_first_attack_between_two_powers_opens_a_front() -> None:
    match = Scripted(UNITS, CENTRES)
    match.play(GERMANY=["A MUN - TYR"])
    (fact,) = match.facts("new_front")
    assert fact.seats == ("GERMANY", "ITALY")
    match.play(GERMANY=["A MUN - TYR"])
    assert len(match.facts("new_front")) == 1
