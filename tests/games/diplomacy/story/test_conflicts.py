"""Facts of a movement phase, from positions and orders."""

from __future__ import annotations

from grandstand.games.story import Comment
from tests.support.diplomacy.scripted import Scripted, owning

UNITS = {"ITALY": ["A TYR", "A VEN"], "AUSTRIA": ["A TRI", "A BUD"], "TURKEY": ["A SER"]}
CENTRES = owning(ITALY=["VEN", "ROM"], AUSTRIA=["TRI", "VIE"], TURKEY=["SER"])


def test_a_supported_attack_that_dislodges() -> None:
    match = Scripted(UNITS, CENTRES)
    match.play(ITALY=["A TYR - TRI", "A VEN S A TYR - TRI"])
    (fact,) = match.facts("dislodgement")
    assert fact.text == "Italy drives Austria's army out of Trieste from Tyrolia, with support from Venice."
    assert fact.seats == ("ITALY", "AUSTRIA")
    assert fact.data == {
        "place": "TRI",
        "from": "TYR",
        "unit": "A",
        "strength": 2,
        "defence": 1,
        "support": [{"power": "ITALY", "place": "VEN"}],
        "outcome": "dislodged",
    }
    resolved = next(event for event in match.events if event.type == "OrdersResolved")
    assert fact.rests_on == (resolved.seq,)
    assert fact.audience is None
    assert [item.text for item in match.facts("first_blood")] == ["First blood: Italy dislodges Austria in Trieste."]


def test_a_unit_without_a_retreat_is_destroyed() -> None:
    units = {"ITALY": ["A TYR", "A VEN", "A VIE", "A BUD", "A SER", "F ADR"], "AUSTRIA": ["A TRI"], "TURKEY": ["A ALB"]}
    match = Scripted(units, CENTRES)
    match.play(ITALY=["A TYR - TRI", "A VEN S A TYR - TRI", "A VIE H"], AUSTRIA=["A TRI H"])
    (fact,) = match.facts("destruction")
    assert "nowhere to retreat" in fact.text
    assert fact.importance > 0.5


def test_support_of_another_power_is_named() -> None:
    units = {**UNITS, "ITALY": ["A TYR"], "TURKEY": ["A SER"]}
    match = Scripted(units, CENTRES)
    match.play(ITALY=["A TYR - TRI"], TURKEY=["A SER S A TYR - TRI"])
    (fact,) = match.facts("dislodgement")
    assert fact.text == "Italy drives Austria's army out of Trieste from Tyrolia, and Turkey lends the support."
    assert fact.seats == ("ITALY", "AUSTRIA", "TURKEY")
    (help_,) = match.facts("help")
    assert help_.seats == ("TURKEY", "ITALY")


def test_an_attack_that_fails_and_support_for_the_defence() -> None:
    match = Scripted(UNITS, CENTRES)
    match.play(ITALY=["A TYR - TRI"], AUSTRIA=["A BUD S A TRI"])
    (fact,) = match.facts("attack")
    assert (fact.data["outcome"], fact.data["strength"], fact.data["defence"]) == ("repelled", 1, 2)
    assert fact.text == "Italy attacks Trieste from Tyrolia, alone, and Austria holds."


def test_a_move_into_an_empty_foreign_centre() -> None:
    match = Scripted(UNITS, CENTRES)
    match.play(ITALY=["A TYR - VIE"])
    (fact,) = match.facts("attack")
    assert fact.text == "Italy moves from Tyrolia into Vienna, a centre of Austria."
    assert fact.data["outcome"] == "entered"


def test_a_standoff_names_its_partners_and_is_no_attack() -> None:
    match = Scripted(UNITS, owning(ITALY=["VEN"], AUSTRIA=["BUD"]))
    match.play(ITALY=["A TYR - VIE"], AUSTRIA=["A BUD - VIE"])
    (fact,) = match.facts("standoff")
    assert (fact.seats, fact.data) == (("AUSTRIA", "ITALY"), {"place": "VIE"})
    assert match.facts("attack") == []


def test_a_support_that_is_cut_names_who_cut_it() -> None:
    match = Scripted(UNITS, CENTRES)
    match.play(ITALY=["A VEN S A TYR"], AUSTRIA=["A TRI - VEN"])
    (fact,) = match.facts("support_cut")
    assert (fact.seats, fact.data) == (("AUSTRIA", "ITALY"), {"place": "VEN", "from": "TRI"})


def test_a_landing() -> None:
    match = Scripted({"ENGLAND": ["A LON", "F NTH"]}, owning(ENGLAND=["LON"]))
    match.play(ENGLAND=["A LON - HOL VIA", "F NTH C A LON - HOL"])
    (fact,) = match.facts("landing")
    assert fact.text == "England carries an army by sea from London to Holland."


def test_a_move_that_fails_is_a_fact_after_every_third_season() -> None:
    match = Scripted(UNITS, CENTRES)
    while len(match.facts("repeated")) < 2:
        match.play(ITALY=["A TYR - TRI"])
    first, second = match.facts("repeated")
    assert first.text == "For the third season in a row, Italy fails to get from Tyrolia to Trieste."
    assert (first.data["seasons"], second.data["seasons"]) == (3, 6)
    assert len(second.rests_on) == 6


def test_a_break_in_between_ends_the_row() -> None:
    match = Scripted(UNITS, CENTRES)
    for orders in (["A TYR - TRI"], ["A TYR - TRI"], [], ["A TYR - TRI"], ["A TYR - TRI"]):
        match.play(ITALY=orders)
    assert match.facts("repeated") == []


def test_a_season_without_conflict_has_a_line() -> None:
    match = Scripted(UNITS, CENTRES)
    telling = match.play(TURKEY=["A SER - GRE"])
    reports = [item for item in telling if isinstance(item, Comment) and not item.speaker]
    assert len(reports) == 1
    assert "one" in reports[0].text
