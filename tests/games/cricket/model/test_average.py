"""The average ball: shares that sum to one, and who faces when."""

from __future__ import annotations

import numpy as np
import pytest

from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.rules import FormatRules, format_rules, super_over_rules
from grandstand.games.cricket.match.chances import home_chance
from grandstand.games.cricket.model.average import (
    average_balls,
    class_outcomes,
    noball_runs,
    older_positions,
    spin_by_over,
    varied,
)
from grandstand.games.cricket.model.ball_model import SET_BIN
from grandstand.games.cricket.model.context import resembles
from grandstand.games.cricket.model.engine import NOBALL, WICKET
from grandstand.games.cricket.options import CricketOptions

T20 = format_rules(20)


@pytest.mark.parametrize("rules", [T20, format_rules(5), format_rules(1), super_over_rules()])
@pytest.mark.parametrize("era", ["modern", "classic"])
def test_all_that_can_happen_sums_to_one(rules: FormatRules, era: str) -> None:
    balls = average_balls(era, rules)
    for legal in (0, balls.rules.balls // 2, balls.rules.balls - 1):
        for free_hit in (False, True):
            shares = balls.shares(legal, free_hit)
            assert np.allclose(shares.sum(axis=-1), 1)
            result = class_outcomes(balls.model, resembles(balls.rules, legal)[1], shares, free_hit)
            whole = sum(part.sum(axis=-1) for part in result)
            assert np.allclose(whole, 1)
            assert not result.wide[..., 0].any()
            assert not result.noball[..., 0].any()


def test_a_free_hit_dismisses_nobody_but_by_running_out() -> None:
    balls = average_balls("modern", T20)
    shares = balls.shares(110, True)
    result = class_outcomes(balls.model, 2, shares, True)
    assert np.allclose(result.out.sum(axis=-1), shares[..., 7])
    assert class_outcomes(balls.model, 2, shares, False).out.sum() > result.out.sum()


def test_a_no_ball_brings_one_and_what_the_bat_makes() -> None:
    shares = np.zeros(11)
    shares[[0, 5, WICKET, NOBALL]] = (0.3, 0.1, 0.5, 0.1)
    runs = noball_runs(shares)
    assert runs[1] == pytest.approx(0.75)
    assert runs[7] == pytest.approx(0.25)


def test_good_conditions_score_and_required_rates_press() -> None:
    balls = average_balls("modern", T20)
    shares = balls.shares(60, False)
    assert (np.diff(shares[0, :, 3, 5]) > 0).all()  # sixes by node
    assert shares[11, 1, 3, WICKET] > shares[3, 1, 3, WICKET]


def test_the_older_batter_came_in_when_half_of_them_stay() -> None:
    assert older_positions(0)[0] == 1
    assert older_positions(3).tolist()[:5] == [0.125, 0.125, 0.25, 0.5, 0]
    assert older_positions(10).sum() == 1


def test_natural_variations_are_a_blend_and_a_named_one_is_alone() -> None:
    factors, shares = varied("pace", 2, None)
    assert shares.sum() == pytest.approx(1)
    assert np.allclose(shares @ factors, 1)
    assert len(varied("pace", 2, "cutter")[1]) == 1


def test_spin_is_bowled_in_the_middle() -> None:
    spin = spin_by_over("modern", T20)
    assert spin[:6].mean() < 0.3 < spin[6:15].mean()
    assert spin[17:].mean() < 0.3


@pytest.mark.long
def test_the_engine_has_batters_as_set_as_the_average_says() -> None:
    """Balls faced by the striker, three down in the middle overs of neutral first innings."""
    balls = average_balls("modern", T20)
    observed, expected = np.zeros((2, balls.facing.shape[-1]))
    for seed in range(400):
        game = CricketGame(CricketOptions(win_probability=False), seed)
        game.state.headless = True
        game.contest.start_innings(0)
        assert 0 < home_chance(game.state) < 1
        while len(game.state.innings) == 1:
            innings = game.state.now
            while innings.striker is None or innings.non_striker is None:
                game.contest.send_in()
            if innings.bowler is None:
                game.contest.give_ball(game.state.next_bowler())
            if innings.wickets == 3 and 36 <= innings.legal < 90:
                observed[SET_BIN[innings.batters[innings.three[0]].balls]] += 1
                expected += balls.facing[innings.legal, 3].sum(axis=0)
            game.state.choices = [{}, {}]
            game.contest.deliver()
            if game.state.stage == "review":
                game.contest.complete(game.state.delivery(), reviewed=False)
    assert np.abs(observed / observed.sum() - expected / expected.sum()).max() < 0.035
