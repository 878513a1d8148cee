"""Coalitions against a leader, and draws."""

from __future__ import annotations

from random import Random

import pytest

from grandstand.games.diplomacy.bots import TALKING
from grandstand.games.diplomacy.bots.pacts.coalition import coalition
from grandstand.games.diplomacy.bots.pacts.draws import objection_to_draw
from grandstand.games.diplomacy.bots.pacts.leaders import line_against, menace, place_of
from grandstand.games.diplomacy.bots.talking.characters import CHARACTERS
from grandstand.games.diplomacy.bots.talking.mind import Mind
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.rules.map import POWER, PROVINCES

CENTERS = {
    "TURKEY": ["ANK", "CON", "SMY", "BUL", "SER", "GRE", "RUM", "BUD", "SEV", "VIE", "TRI", "VEN", "ROM"],
    "ENGLAND": ["LON", "EDI", "LVP", "NWY", "SWE"],
    "GERMANY": ["BER", "KIE", "MUN", "DEN", "HOL", "STP"],
    "FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR", "BEL"],
}
UNITS = {
    "TURKEY": ["A VIE", "A TRI", "A VEN", "A ROM", "A UKR", "F ION", "F TYS", "A SEV", "A BUD", "A RUM"],
    "ENGLAND": ["F NTH", "F NWY", "F MAO"],
    "GERMANY": ["A MUN", "A BER", "A STP", "F KIE"],
    "FRANCE": ["A MAR", "F SPA/SC", "A BUR"],
}


def mind(seat: str, name: str = "Castlereagh", year: int = 1910) -> Mind:
    start = {"phase": f"S{year}M", "units": UNITS, "centers": CENTERS}
    return Mind(DiplomacyGame(DiplomacyOptions(start=start)), seat, CHARACTERS[name], "key")


def test_the_others_unite_against_a_menace_and_the_fickle_join_late() -> None:
    assert menace([3, 3, 9, 4, 6, 5, 4]) is None
    assert menace([3, 3, 12, 4, 5, 3, 4]) == 2
    german = mind("GERMANY")
    assert german.menace == POWER["TURKEY"]
    assert german.attitudes[POWER["TURKEY"]] == "enemy"
    assert german.attitudes[POWER["ENGLAND"]] == german.attitudes[POWER["FRANCE"]] == "ally"
    assert german.stance.trust[POWER["TURKEY"]] < 0 < german.stance.trust[POWER["FRANCE"]]
    assert mind("TURKEY").menace == POWER["TURKEY"]


def test_a_line_names_who_holds_which_place() -> None:
    state = mind("GERMANY").state
    line = line_against(state, POWER["TURKEY"])
    assert [PROVINCES[place] for place in line] == ["MAO", "MAR", "MUN", "BER", "STP"]
    assert [PROVINCES[place_of(state, POWER[power], line) or 0] for power in ("ENGLAND", "FRANCE", "GERMANY")] == [
        "MAO", "MAR", "MUN",
    ]  # fmt: skip
    calls = list(coalition(mind("FRANCE"), 1, Random(1)))
    (public,) = [call for call in calls if call.kind == "line_all"]
    assert public.slots["line"] == "the Mid-Atlantic, Marseilles, Munich, Berlin and St Petersburg"
    assert {(call.to, call.slots["place"]) for call in calls if call.kind == "line_hold"} == {
        (POWER["GERMANY"], "Munich"),
        (POWER["ENGLAND"], "the Mid-Atlantic"),
    }


@pytest.mark.parametrize(("seat", "year", "draws"), [("ENGLAND", 1904, False), ("ENGLAND", 1910, True)])
def test_the_small_vote_for_a_draw_once_the_match_is_old(seat: str, year: int, draws: bool) -> None:
    seen = mind(seat, year=year)
    assert (objection_to_draw(seen) == "") is draws
    action = TALKING["Castlereagh"](seen.game, seat, Random(1))
    assert action.get("vote", "none") == ("draw" if draws else "none")


def test_a_leader_refuses_a_draw_until_it_has_stood_still_for_years() -> None:
    seen = mind("TURKEY")
    assert objection_to_draw(seen) == "I still have moves to make"
    counts = seen.state.center_counts()
    seen.game.years = dict.fromkeys(range(1903, 1910), counts)
    assert objection_to_draw(seen) == ""
    smaller = [count - (power == POWER["TURKEY"]) for power, count in enumerate(counts)]
    seen.game.years[1906] = smaller
    assert objection_to_draw(mind("TURKEY")) == "I still have moves to make"


def test_a_draw_offered_to_all_is_answered_with_a_reason() -> None:
    seen = mind("TURKEY")
    text = "Before Turkey is past stopping: a draw, all of us. I vote for it now."
    seen.game.apply("ENGLAND", {"message": {"to": "all", "text": text}})
    (answer,) = coalition(seen, 2, Random(1))
    assert (answer.kind, answer.slots) == ("draw_no", {"reason": "I still have moves to make"})
