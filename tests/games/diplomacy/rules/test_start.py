"""Matches that begin in a position other than the opening."""

from __future__ import annotations

from typing import Any

import pytest

from grandstand.games.base import OptionError
from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.bots import BOTS
from grandstand.games.diplomacy.game import DiplomacyGame
from grandstand.games.match import Match

FALL = {
    "phase": "F1905M",
    "units": {"FRANCE": ["A BUR", "F MAO"], "GERMANY": ["A MUN", "A RUH"]},
    "centers": {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN", "BER", "KIE"]},
}
RETREAT = {
    "phase": "S1905R",
    "units": {"GERMANY": ["A BUR", "A MUN"], "FRANCE": ["A PAR"]},
    "retreats": {"FRANCE": {"A BUR": ["GAS", "PIC"]}},
    "centers": {"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "BER"]},
}
WINTER = {
    "phase": "W1904A",
    "units": {"TURKEY": ["A CON", "F AEG"], "RUSSIA": ["A SEV", "A MOS"]},
    "centers": {"TURKEY": ["CON", "ANK", "SMY", "BUL"], "RUSSIA": ["SEV", "MOS"]},
}


def match(start: Any, **options: Any) -> Match[DiplomacyGame]:
    return Match(GAME, {"start": start, **options}, 1)


@pytest.mark.parametrize("start", [FALL, RETREAT, WINTER], ids=["fall", "retreats", "winter"])
def test_a_match_begins_in_the_position(start: dict[str, Any]) -> None:
    begun = match(start)
    assert begun.game.turn == start["phase"]
    (opening,) = begun.game.opening()
    state = opening.state  # type: ignore[attr-defined]
    for power, units in start["units"].items():
        assert sorted(state["units"][power]) == sorted(units)
    assert state["retreats"] == start.get("retreats", {})
    assert {power for power, owned in state["centers"].items() if owned} == start["centers"].keys()
    assert set(begun.waiting) <= start["centers"].keys()
    restored = GAME.rules.load(begun.game.to_json())
    assert restored.digest() == begun.game.digest()
    assert begun.fork().game.digest() == begun.game.digest()


def test_an_option_that_is_not_used_changes_nothing() -> None:
    plain, none = Match(GAME, {}, 1), match(None)
    assert plain.game.digest() == none.game.digest()
    assert "start" not in plain.game.to_json()["options"]


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("start", [FALL, RETREAT, WINTER], ids=["fall", "retreats", "winter"])
def test_built_in_players_play_from_it_to_the_end(bot: str, start: dict[str, Any]) -> None:
    played = match(start, last_year=1907)
    while not played.over:
        for seat in played.waiting:
            played.apply(seat, BOTS[bot](played.game, seat, played.rng(seat)))
    assert played.game.outcome is not None
    assert played.game.outcome.winners


def changed(**fields: Any) -> dict[str, Any]:
    return {**FALL, **fields}


@pytest.mark.parametrize(
    ("start", "error"),
    [
        (5, "start: must be an object with phase, units, retreats, centers, not int"),
        ("S1901M", "start: must be an object"),
        (["A PAR"], "start: must be one value"),
        ({}, "start.centers: is missing"),
        (changed(units=None), "start.units: is missing"),
        (changed(orders={}), "start.orders: a position has phase, units, retreats, centers; leave this out"),
        (changed(phase="1905"), "start.phase: '1905' is not a phase such as 'S1901M'"),
        (changed(phase="S1925M"), "start.phase: S1925M is not in the years 1901 to 1920; see last_year"),
        (changed(phase="S1900M"), "start.phase: S1900M is not in the years 1901 to 1920"),
        (changed(phase="F1905R"), "start.phase: nobody has anything to order in F1905R"),
        (changed(units={"FRANCE": ["A XYZ"]}), "start.units.FRANCE[0]: 'A XYZ' .*: there is no province XYZ"),
        (changed(units={"FRANCE": ["A NTH"]}), "start.units.FRANCE[0]: 'A NTH' .*: an army cannot stand in NTH"),
        (changed(units={"FRANCE": ["F MUN"]}), "start.units.FRANCE[0]: 'F MUN' .*: a fleet cannot stand in MUN"),
        (changed(units={"FRANCE": ["F STP"]}), "start.units.FRANCE[0]: 'F STP' .*: name the coast, F STP/NC or"),
        (changed(units={"BURGUNDY": ["A BUR"]}), "start.units.BURGUNDY: no such power"),
        (changed(units={"FRANCE": ["A BUR"], "GERMANY": ["A BUR"]}), "start.units.GERMANY[0]: .* the same province"),
        (changed(units={"FRANCE": ["A BUR", "A GAS", "A PIC"]}), "start.units.FRANCE: 3 units for 2 supply centres"),
        (changed(units={"FRANCE": ["A BUR"] * 40}), "start.units.FRANCE: has 40 entries; 34 are the most"),
        (changed(units={"FRANCE": ["A BUR", "*" + "A" * 99]}), "start.units.FRANCE: .AAAAAAAA… is no unit and no"),
        (changed(centers={"FRANCE": ["BUR"]}), "start.centers.FRANCE[0]: 'BUR' is not a supply centre"),
        (changed(centers={"FRANCE": ["PAR"], "ITALY": ["PAR"]}), "start.centers.ITALY[0]: PAR is listed for two"),
        ({**WINTER, "units": {"TURKEY": ["A SEV"]}}, "start.centers.TURKEY: must have SEV"),
        ({**RETREAT, "units": {"GERMANY": ["A MUN"]}}, "start.retreats.FRANCE.A BUR: no unit of another power"),
        (
            {**RETREAT, "retreats": {"FRANCE": {"A BUR": ["PAR"]}}},
            "start.retreats.FRANCE.A BUR: PAR is occupied",
        ),
        (changed(retreats={"FRANCE": {"A BUR": ["PAR"]}}), "start.retreats.FRANCE: there are no retreats in F1905M"),
        ({**RETREAT, "retreats": {"FRANCE": {"A BUR": ["GAS"] * 99}}}, "start.retreats.FRANCE: has 99 entries"),
    ],
)  # fmt: skip
def test_what_is_no_beginning_is_refused_by_name(start: Any, error: str) -> None:
    pattern = "options." + error.replace("[", r"\[").replace("]", r"\]")
    with pytest.raises(OptionError, match=pattern):
        match(start)


def test_a_finished_position_is_refused() -> None:
    owned = [center for owner in FULL.values() for center in owner][:18]
    with pytest.raises(OptionError, match=r"start\.centers\.FRANCE: with 18 supply centres the match would be over"):
        match(changed(units={"FRANCE": ["A PAR"]}, centers={"FRANCE": owned}))


def test_an_error_has_a_bounded_length() -> None:
    with pytest.raises(OptionError) as caught:
        match(changed(units={"FRANCE": ["A" * 100_000]}))
    assert len(str(caught.value)) < 400


FULL = {
    "AUSTRIA": ["BUD", "TRI", "VIE"],
    "ENGLAND": ["EDI", "LON", "LVP"],
    "FRANCE": ["BRE", "MAR", "PAR"],
    "GERMANY": ["BER", "KIE", "MUN"],
    "ITALY": ["NAP", "ROM", "VEN"],
    "RUSSIA": ["MOS", "SEV", "STP"],
}
