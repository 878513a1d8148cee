"""Captures, the lead, threats to win alone, and powers that are out."""

from __future__ import annotations

from grandstand.games.diplomacy.rules.map import CENTERS, PROVINCES
from grandstand.games.diplomacy.rules.position import read_state
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.diplomacy.story.stoppers import stoppers
from tests.support.diplomacy.scripted import Scripted, owning

ALL = [PROVINCES[center] for center in CENTERS]
TURKISH = ["ANK", "CON", "SMY", "BUL", "GRE", "SER", "RUM", "SEV", "MOS", "WAR", "BUD", "VIE", "TRI"]


def test_captures_name_loser_and_home() -> None:
    match = Scripted(
        {"ITALY": ["A TYR"], "AUSTRIA": ["A SER"], "TURKEY": ["A CON"]},
        owning(ITALY=["ROM"], AUSTRIA=["VIE", "SER"], TURKEY=["CON"]),
        phase="F1903M",
    )
    match.play(ITALY=["A TYR - VIE"], TURKEY=["A CON - BUL"])
    facts = {fact.data["center"]: fact for fact in match.facts("capture")}
    assert facts["VIE"].seats == ("ITALY", "AUSTRIA")
    assert facts["VIE"].data == {"center": "VIE", "from": "AUSTRIA", "home": True, "regained": False}
    assert facts["BUL"].text == "Turkey takes Bulgaria, which nobody owned."
    assert facts["VIE"].importance > facts["BUL"].importance
    (last_home,) = match.facts("last_home")
    assert last_home.text == "Austria owns no home centre any more and cannot build; the last to go is Vienna."


def test_a_centre_of_its_own_that_a_power_takes_back() -> None:
    match = Scripted(
        {"AUSTRIA": ["A BOH"], "ITALY": ["A ROM"]}, owning(AUSTRIA=["BUD"], ITALY=["VIE", "ROM"]), phase="F1903M"
    )
    match.play(AUSTRIA=["A BOH - VIE"])
    (fact,) = match.facts("capture")
    assert fact.text == "Austria wins back Vienna from Italy."


def test_a_change_of_the_lead() -> None:
    match = Scripted(
        {"ITALY": ["A TYR", "A ROM"], "AUSTRIA": ["A SER"]},
        owning(ITALY=["ROM", "VEN"], AUSTRIA=["VIE", "BUD", "SER"]),
        phase="F1903M",
    )
    match.play()
    match.play()
    assert match.facts("lead_change") == []
    match.play(ITALY=["A TYR - VIE"])
    (fact,) = match.facts("lead_change")
    assert fact.text == "Italy takes the lead with three centres; Austria has two."


def test_a_threat_to_win_alone_names_those_who_can_stop_it() -> None:
    match = Scripted(
        {"TURKEY": ["A GAL", "A BUL"], "ITALY": ["A VEN"], "ENGLAND": ["F LVP"]},
        owning(TURKEY=[code for code in TURKISH if code != "VIE"][:11], AUSTRIA=["VIE"], ITALY=["VEN"]),
        phase="F1903M",
    )
    match.play(TURKEY=["A GAL - VIE"])
    (fact,) = match.facts("solo_threat")
    assert fact.seats == ("TURKEY", "ITALY")
    assert fact.text == "Turkey has twelve centres and needs six more to win alone; only Italy can stop her."
    assert (
        match.outlook().headline
        == "Turkey needs six more, with three in reach by next autumn. Only Italy can stop her."
    )
    match.play()
    match.play()
    assert len(match.facts("solo_threat")) == 1


def position(phase: str, **more: object) -> State:
    units = {"TURKEY": ["A TRI"], "ITALY": ["A APU"], "FRANCE": ["A BRE"], "GERMANY": ["A MUN"], **more}
    return read_state(
        {"phase": phase, "units": units, "centers": owning(TURKEY=["TRI"], ENGLAND=["LON"]), "retreats": {}}
    )


def test_stoppers_can_act_in_time_where_the_leader_can() -> None:
    assert stoppers(position("F1903M"), 6) == ["ITALY"]  # Trieste reaches Venice, and so does Apulia.
    assert stoppers(position("S1903M"), 6) == ["GERMANY", "ITALY"]  # In two moves both reach Munich.


def test_convoys_and_builds_make_stoppers_too() -> None:
    far = position("F1903M", FRANCE=["A TUN", "F ION", "F ADR"], ITALY=[])
    assert stoppers(far, 6) == ["FRANCE"]
    without = position("F1903M", FRANCE=["A TUN"], ITALY=[])
    assert stoppers(without, 6) == []
    owned = owning(TURKEY=["TRI"], AUSTRIA=["VIE"])
    winter = {"units": {"TURKEY": ["A TRI"], "AUSTRIA": []}, "centers": owned, "retreats": {}}
    assert stoppers(read_state({"phase": "W1903A", **winter}), 6) == ["AUSTRIA"]
    assert stoppers(read_state({"phase": "S1904M", **winter}), 6) == []


def test_an_elimination_names_who_took_the_last_centres() -> None:
    match = Scripted({"ITALY": ["A TYR"], "AUSTRIA": []}, owning(ITALY=["ROM"], AUSTRIA=["VIE"]), phase="F1903M")
    match.play(ITALY=["A TYR - VIE"])
    (fact,) = match.facts("elimination")
    assert fact.seats == ("AUSTRIA", "ITALY")
    assert fact.text == "Austria is out of the match; the last of it goes to Italy."


def test_home_centres_in_reach_of_three_powers_are_encircled_once() -> None:
    match = Scripted(
        {"ITALY": ["A TYR"], "RUSSIA": ["A GAL"], "TURKEY": ["A SER"], "AUSTRIA": []},
        owning(ITALY=["ROM"], RUSSIA=["MOS"], TURKEY=["CON"], AUSTRIA=["VIE", "BUD"]),
        phase="F1903M",
    )
    for _ in range(3):
        match.play()
    (fact,) = match.facts("encirclement")
    assert fact.seats == ("AUSTRIA", "ITALY", "RUSSIA", "TURKEY")


def test_all_centres_are_on_the_map() -> None:
    assert set(TURKISH) <= set(ALL)
