"""The surroundings of units in a prompt: right, and of bounded length."""

from __future__ import annotations

from random import Random

import pytest

from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.agent.surroundings import surroundings, years_text
from grandstand.games.diplomacy.bots import BOTS
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.diplomacy.options import DiplomacyOptions
from grandstand.games.diplomacy.record.report import position
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.match import Match

START = {
    "phase": "F1905M",
    "units": {"FRANCE": ["A BUR", "F MAO"], "GERMANY": ["A MUN", "A RUH"], "ENGLAND": ["F ENG"]},
    "centers": {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN", "BER", "BEL"], "ENGLAND": ["LON"]},
}

LONGEST = 2500
"""Characters that the surroundings may add to a prompt."""


def test_neighbours_owners_and_open_centres() -> None:
    text = DiplomacyGame(DiplomacyOptions(start=START)).text("FRANCE")
    assert "\nA BUR: BEL* GERMANY, MAR* nobody, MUN* GERMANY [A GERMANY], PAR* own, RUH [A GERMANY] | open: " in text
    assert "| open: BEL 1, MAR 1, MUN 1\n" in text
    assert "\nF MAO: BRE* own, ENG [F ENGLAND], POR* nobody, SPA* nobody | open: POR 1, SPA 1, " in text


def test_they_are_for_movement_phases_and_for_powers_with_units() -> None:
    assert surroundings("ITALY", position(DiplomacyGame(DiplomacyOptions(start=START)).state)) == ""
    winter = {**START, "phase": "W1905A", "units": {"FRANCE": ["A BUR"]}, "centers": {"FRANCE": ["PAR", "BRE"]}}
    assert "Around your units" not in DiplomacyGame(DiplomacyOptions(start=winter)).text("FRANCE")
    assert "Around your units" in DiplomacyGame(DiplomacyOptions()).text("FRANCE")


def test_years_are_shown_up_to_a_number() -> None:
    years = {str(year): dict.fromkeys(GAME.seats(), year - 1899) for year in range(1900, 1920)}
    assert years_text(years, 3).splitlines()[:2] == ["Centres at the end of 1917 1918 1919:", "AUSTRIA: 18 19 20"]
    assert years_text({"1900": years["1900"]}, 3) == ""
    assert years_text({}, 3) == ""


@pytest.mark.parametrize("seed", range(2))
def test_their_length_is_bounded(seed: int) -> None:
    match = Match(GAME, {"last_year": 1910, "stalemate_years": 0}, seed)
    names = ("coordinated", "dumbbot", "defensive", "territorial")
    players = {seat: Random(f"{seed}/{seat}").choice(names) for seat in GAME.seats()}
    longest = 0
    while not match.over:
        for seat in match.waiting:
            longest = max(longest, len(surroundings(seat, position(match.game.state))))
            match.apply(seat, BOTS[players[seat]](match.game, seat, match.rng(seat)))
    assert 0 < longest <= LONGEST


def test_the_opening_reads_like_the_map() -> None:
    lines = surroundings("TURKEY", position(State.start())).splitlines()[2:]
    assert lines == [
        "F ANK: CON* own [A own], SMY* own [A own] | open: BUL 2, RUM 2, SEV 2",
        "A CON: ANK* own [F own], BUL* nobody, SMY* own [A own] | open: BUL 1, GRE 2, RUM 2",
        "A SMY: ANK* own [F own], CON* own [A own] | open: BUL 2, SEV 2, GRE 3",
    ]
