"""The packs: every situation can be played, is what its title says, and does not change unnoticed."""

from __future__ import annotations

import json

import pytest

from grandstand.games.base import OptionError
from grandstand.games.cricket.agent.measures import quoted
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.match.chances import home_chance
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.packs import PACKS, pack, read_pack, tasks
from grandstand.games.match import Match
from grandstand.games.registry import game_spec

DIGESTS = {
    "default": "fc406381d5d53d7a",
    "powerplay": "827948416460f59c",
    "middle-squeeze": "4d6671b4d951238e",
    "death-overs": "0d8b8f2d26a63596",
    "chase-30": "8944f9f238d63937",
    "small-totals": "6150b05d37504cef",
    "five-over": "6ff5d3cc621db34b",
}
"""Changing a pack takes a new version: results on the old one cannot be compared."""


@pytest.mark.parametrize("name", PACKS)
def test_a_pack_is_what_it_was(name: str) -> None:
    result = pack(name)
    assert (result.version, result.digest) == (1, DIGESTS[name])
    assert quoted(name)["digest"] == result.digest
    assert 24 <= len({scenario.id for scenario in result.scenarios}) == len(result.scenarios)


@pytest.mark.parametrize("name", PACKS)
def test_every_situation_can_be_played_and_is_contested(name: str) -> None:
    for number, scenario in enumerate(pack(name).scenarios):
        game = CricketGame(CricketOptions(pack=name, scenario=scenario.id), number)
        if not scenario.innings:
            assert game.state.stage == "toss"
            continue
        innings = game.state.now
        assert game.state.stage == "play"
        assert innings.batting_side == 0
        assert innings.closed is None
        assert innings.legal % 6 == 0
        assert innings.legal == 6 * len(scenario.innings[-1].overs)
        assert 0.15 < home_chance(game.state) < 0.85
        if innings.target is None:
            assert scenario.title == f"{innings.runs}/{innings.wickets} after {innings.over} overs"
        else:
            assert innings.target == game.state.innings[0].runs + 1
            assert scenario.title.startswith(f"{innings.need} to win off {innings.balls_left} with ")
        for played in game.state.innings:
            batters = sum(card.runs for card in played.batters.values())
            extras = played.wides + played.noballs + played.byes + played.legbyes
            assert batters + extras == played.runs
            assert all(card.overs <= played.rules.bowler_max_overs for card in played.bowlers.values())
            assert sum(card.out is not None for card in played.batters.values()) == played.wickets


def test_packs_are_what_they_are_called() -> None:
    def state(name: str) -> list[CricketGame]:
        return [CricketGame(CricketOptions(pack=name, scenario=s.id), 0) for s in pack(name).scenarios]

    assert {game.state.now.legal for game in state("powerplay")} == {12}
    assert all(2 <= game.state.now.wickets <= 5 and game.state.now.over == 9 for game in state("middle-squeeze"))
    assert all(game.state.now.over == 15 and game.state.now.target is None for game in state("death-overs"))
    assert all(game.state.now.balls_left == 30 and game.state.now.target is not None for game in state("chase-30"))
    assert all((game.state.now.target or 999) <= 160 for game in state("small-totals"))
    assert {game.state.options.overs for game in state("five-over")} == {5}


def test_no_result_is_told() -> None:
    """A record stops where the match goes on."""
    for scenario in pack("default").scenarios:
        assert len(scenario.innings[-1].overs) < 20


def test_unknown_names_are_refused_with_those_there_are() -> None:
    with pytest.raises(OptionError, match=r"options\.pack: unknown 'death'; there are default, powerplay"):
        Match(game_spec("cricket"), {"pack": "death"}, 0)
    with pytest.raises(OptionError, match=r"options\.scenario: chase-30 has no 'x'; there are 48, "):
        Match(game_spec("cricket"), {"pack": "chase-30", "scenario": "x"}, 0)


def test_tasks_are_situations_in_each_role() -> None:
    result = tasks("chase-30")
    assert len(result) == 96
    assert {task.seat for task in result} == {"home", "away"}
    assert {task.seat for task in tasks("small-totals")} == {"away"}
    assert list(game_spec("cricket").learning.tasks) == list(PACKS)


def test_the_digest_is_of_the_content() -> None:
    scenario = {"id": "a", "title": "t", "innings": [{"bowlers": "p", "overs": ["0 . . . . . ."]}]}
    data = {"name": "n", "version": 1, "about": "", "overs": 20, "roles": ["batting"], "scenarios": [scenario]}
    first = read_pack(data)
    assert read_pack(json.loads(json.dumps(data))).digest == first.digest
    scenario["innings"] = [{"bowlers": "p", "overs": ["0 . . . . . 1"]}]
    assert read_pack(data).digest != first.digest
