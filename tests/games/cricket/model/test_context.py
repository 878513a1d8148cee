from __future__ import annotations

from collections import Counter

import pytest

from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.rules import format_rules, super_over_rules
from grandstand.games.cricket.model.context import (
    DEATH,
    MIDDLE,
    POWERPLAY,
    farming,
    natural_batter,
    natural_bowler,
    resembles,
    standard_field,
)
from grandstand.games.cricket.model.keyed_random import ball_draws
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.vocab import CLASSES


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


def bowled_by(game: CricketGame, overs: int, good: int | None = None) -> list[int]:
    """Return who is chosen for each over of a first innings; `good` takes a wicket in every over of his."""
    game.contest.start_innings(0)
    innings, side, chosen = game.state.now, game.state.teams[1], []
    for over in range(overs):
        innings.legal = 6 * over
        bowler = natural_bowler(innings, side, game.state.model, ball_draws(game.state.seed, 1, 6 * over, 0))
        innings.give_ball(bowler)
        card = innings.bowlers[bowler]
        card.balls, card.runs = card.balls + 6, card.runs + 9
        card.wickets += bowler == good
        innings.overs.append((bowler, 9, int(bowler == good)))
        innings.last_bowler = bowler
        chosen.append(bowler)
    return chosen


def test_pace_is_kept_for_the_last_over() -> None:
    last = []
    for seed in range(200):
        game = CricketGame(CricketOptions(), seed)
        last.append(game.state.teams[1].players[bowled_by(game, 20)[-1]].group)
    assert last.count("spin") / len(last) < 0.12


def test_a_bowler_who_takes_wickets_goes_on() -> None:
    usual = good = 0
    for seed in range(120):
        usual += bowled_by(CricketGame(CricketOptions(), seed), 20).count(8)
        good += bowled_by(CricketGame(CricketOptions(), seed), 20, good=8).count(8)
    assert good > usual + 30


def test_the_last_pair_farms_the_strike() -> None:
    game = CricketGame(CricketOptions(), 3)
    game.contest.start_innings(0)
    innings = game.state.now
    for _ in range(2):
        game.contest.send_in()
    assert farming(innings) is None
    innings.wickets, innings.order = 9, list(range(11))
    innings.striker, innings.non_striker, innings.legal = 4, 10, 60
    single = CLASSES.index("1")
    keeps = farming(innings)
    assert keeps is not None
    assert keeps[single] < 1
    innings.legal = 65
    assert farming(innings) is None
    innings.striker, innings.non_striker = 10, 4
    gives = farming(innings)
    assert gives is not None
    assert gives[single] > 1


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
