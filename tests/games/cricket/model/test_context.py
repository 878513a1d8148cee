from __future__ import annotations

from collections import Counter

import pytest

from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.rules import format_rules, super_over_rules
from grandstand.games.cricket.model.context import (
    DEATH,
    MIDDLE,
    POWERPLAY,
    natural_batter,
    natural_bowler,
    resembles,
    standard_field,
)
from grandstand.games.cricket.model.keyed_random import ball_draws
from grandstand.games.cricket.options import CricketOptions


def test_twenty_overs_resemble_themselves() -> None:
    rules = format_rules(20)
    for legal in range(120):
        over, phase = resembles(rules, legal)
        assert over == legal // 6
        assert phase == (POWERPLAY if over < 6 else MIDDLE if over < 15 else DEATH)


def test_five_overs_resemble_the_end_of_an_innings_with_a_short_powerplay() -> None:
    rules = format_rules(5)
    assert [resembles(rules, 6 * over)[0] for over in range(5)] == [2, 5, 17, 18, 19]
    assert [resembles(rules, legal)[1] for legal in (0, 8, 9, 12)] == [POWERPLAY, POWERPLAY, MIDDLE, DEATH]


@pytest.mark.parametrize("overs", [1, 2, 3, 4, 7, 10, 13, 19, 21, 35, 50])
def test_other_lengths_go_forward_and_end_like_an_innings(overs: int) -> None:
    rules = format_rules(overs)
    observed = [resembles(rules, legal) for legal in range(rules.balls)]
    assert all(0 <= over <= 19 for over, _ in observed)
    overs_seen = [over for over, _ in observed]
    assert overs_seen == sorted(overs_seen)
    assert overs_seen[-1] == 19 or overs == 1
    phases = [phase for _, phase in observed]
    assert phases == sorted(phases)
    assert phases.count(POWERPLAY) == rules.powerplay_balls


def test_a_super_over_is_a_last_over() -> None:
    assert {resembles(super_over_rules(), legal) for legal in range(6)} == {(19, DEATH)}


def test_the_standard_field_moves_out_with_the_powerplay() -> None:
    rules = format_rules(20)
    assert [standard_field(rules, legal, 0).outside for legal in (0, 35, 36, 119)] == [2, 2, 5, 5]


def test_natural_bowlers_are_front_line_and_as_often_spin_as_really() -> None:
    spin: Counter[int] = Counter()
    for seed in range(300):
        game = CricketGame(CricketOptions(), seed)
        game.contest.start_innings(0)
        side = game.state.teams[1]
        for over in (0, 7):
            game.state.now.legal = 6 * over
            bowler = natural_bowler(game.state.now, side, game.state.model, ball_draws(seed, 1, 6 * over, 0))
            assert side.players[bowler].front_line
            spin[over] += side.players[bowler].group == "spin"
    assert spin[0] / 300 == pytest.approx(game.state.model.draws["spin_by_over"][0], abs=0.05)
    assert spin[7] / 300 == pytest.approx(game.state.model.draws["spin_by_over"][7], abs=0.08)


def test_the_next_batter_is_the_next_in_the_order_and_in_a_super_over_the_best_hitter() -> None:
    game = CricketGame(CricketOptions(), 1)
    game.contest.start_innings(0)
    game.contest.send_in()
    game.contest.send_in()
    assert natural_batter(game.state.now, game.state.teams[0]) == 2
    game.state.innings.append(game.state.now)
    game.contest.start_innings(0)
    best = natural_batter(game.state.now, game.state.teams[0])
    season = game.state.teams[0].players[best].season
    assert season["sr"] + min(season["avg"], 30) == max(
        p.season["sr"] + min(p.season["avg"], 30) for p in game.state.teams[0].players
    )
