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
