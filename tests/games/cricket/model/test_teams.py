from __future__ import annotations

import json
from statistics import correlation, fmean, pstdev

import pytest

from grandstand.games.cricket.model.teams import invented_teams
from grandstand.games.cricket.vocab import STYLES

SIDES = [team for seed in range(300) for team in invented_teams(seed)]


def test_names_are_unique_within_a_match() -> None:
    for seed in range(100):
        names = [player.name for team in invented_teams(seed) for player in team.players]
        assert len(set(names)) == 22


def test_every_side_can_bowl_its_overs_and_has_a_keeper() -> None:
    for team in SIDES:
        assert team.players[team.keeper].role == "keeper"
        assert sum(player.front_line for player in team.players) == 6
        groups = {player.group for player in team.players if player.front_line}
        assert groups == {"pace", "spin"}
        assert all(player.style in STYLES for i, player in enumerate(team.players) if i != team.keeper)


def test_abilities_are_standard_normal() -> None:
    batting = [player.batting for team in SIDES for player in team.players]
    assert fmean(batting) == pytest.approx(0, abs=0.05)
    assert pstdev(batting) == pytest.approx(1, abs=0.05)


def test_the_season_hints_at_ability_and_does_not_give_it_away() -> None:
    openers = [team.players[0] for team in SIDES]
    rate = correlation([p.batting for p in openers], [float(p.season["sr"]) for p in openers])
    bowlers = [team.players[9] for team in SIDES]
    economy = correlation([p.bowling for p in bowlers], [float(p.season["econ"][1]) for p in bowlers])
    assert 0.4 < rate < 0.95
    assert -0.7 < economy < -0.15


def test_the_public_sheet_holds_nothing_hidden() -> None:
    team = invented_teams(1)[0]
    text = json.dumps(team.sheet)
    for player in team.players:
        for hidden in (player.batting, player.bowling, player.accuracy, *player.liking):
            assert str(hidden) not in text


def test_the_same_seed_gives_the_same_sides() -> None:
    invented_teams.cache_clear()
    before = invented_teams(5)
    invented_teams.cache_clear()
    assert invented_teams(5) == before


def test_a_bench_leaves_the_elevens_as_they_are() -> None:
    for seed in range(100):
        pairs = list(zip(invented_teams(seed), invented_teams(seed, bench=True), strict=True))
        for plain, team in pairs:
            assert team.players[:11] == plain.players
            assert (team.captain, team.keeper, team.sheet["players"]) == (
                plain.captain, plain.keeper, plain.sheet["players"]
            )  # fmt: skip
            bench = team.players[11:]
            assert [player.role for player in bench] == ["batter", "all-rounder", "bowler", "bowler"]
            assert {player.group for player in bench[2:]} == {"pace", "spin"}
            assert [card["name"] for card in team.sheet.get("bench", [])] == [player.name for player in bench]
            assert "bench" not in plain.sheet
        names = [player.name.split()[-1] for _, team in pairs for player in team.players]
        assert len(set(names)) == len(names) == 30


def test_an_impact_player_bats_at_his_usual_place() -> None:
    team = invented_teams(1, bench=True)[0]
    assert team.eleven(None) == list(range(11))
    assert team.eleven((11, 10)) == [0, 1, 2, 3, 11, 4, 5, 6, 7, 8, 9]
    assert team.eleven((13, 2)) == [0, 1, 3, 4, 5, 6, 7, 8, 13, 9, 10]
