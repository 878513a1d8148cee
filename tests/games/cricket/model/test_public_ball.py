"""Public odds of a ball are the engine's: frequencies over many draws, for players of whom only a season is known."""

from __future__ import annotations

from math import sqrt
from random import Random

import numpy as np
import pytest

from grandstand.games.cricket.laws.field import POSITIONS, PRESETS, Field, field_of
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.ball_model import ball_model, times
from grandstand.games.cricket.model.context import resembles, standard_field
from grandstand.games.cricket.model.engine import BallChoice, BallMoment, Setting, bowl
from grandstand.games.cricket.model.keyed_random import DrawChannel
from grandstand.games.cricket.model.priors import conditions, level_weights
from grandstand.games.cricket.model.public_ball import PublicBall, class_shares, expected_outcomes
from grandstand.games.cricket.model.teams import invented_teams
from grandstand.games.cricket.vocab import BOUNCER, CLASSES, GROUPS, LENGTHS, LINES

pytestmark = pytest.mark.long

T20 = format_rules(20)
MODEL = ball_model("modern")
NATURAL = BallChoice()


def moment(legal: int, group: int, wickets: int = 3, faced: int = 7, free_hit: bool = False) -> BallMoment:
    over, phase = resembles(T20, legal)
    return BallMoment(over, phase, group, wickets, faced, 0, free_hit)


def public(at: BallMoment, choice: BallChoice, field: Field, standard: Field, bouncer_left: bool = True) -> np.ndarray:
    """[kind, runs] of legal runs, wickets, wides and no-balls of typical players, averaged over conditions."""
    ball = PublicBall("modern", T20, at, 3, choice, field, standard, bouncer_left, field.breach(5) is not None)
    by_level = np.einsum("n,lknr->lkr", np.array(conditions().prior), expected_outcomes(ball))
    mean: np.ndarray = np.einsum("l,lkr->kr", level_weights(0.0), by_level)
    return mean


def bowled(
    at: BallMoment, choice: BallChoice, field: Field, standard: Field, balls: int, bouncers_left: int = 1
) -> np.ndarray:
    """The same as frequencies: the engine's own deliveries, every one by other players on another day, whose seasons
    were typical."""
    rng, result = Random(1), np.zeros((4, 8))
    for _ in range(balls):
        row = [rng.random() for _ in DrawChannel]
        pair = times(
            tactics.batter_factor(MODEL, 3, rng.gauss(0.04, 0.74)),  # who has faced seven balls is a little better
            tactics.bowler_factor(rng.gauss(0, 0.79), rng.gauss(0, 1)),
            tactics.match_factor(rng.gauss(0, 1)),
        )
        foul = field.breach(5)
        setting = Setting(at, pair, tactics.TYPICAL_ACCURACY, choice, field, standard, bouncers_left, foul, 0, 1, row)
        ball = bowl(MODEL, setting).ball
        kind = 2 if ball.wide else 3 if ball.noball else 1 if ball.dismissal else 0
        result[kind, ball.total] += 1
    return result / balls


AIMED = BallChoice(aim=(LENGTHS.index("yorker"), LINES.index("stumps")))


@pytest.mark.parametrize(
    ("at", "choice", "field"),
    [
        (moment(10, 0), NATURAL, None),
        (moment(60, 1), NATURAL, None),
        (moment(112, 0), AIMED, None),
        (moment(70, 1, free_hit=True), NATURAL, None),
        (moment(66, 0), BallChoice(intent="slog", shot="loft_straight"), None),
        (moment(112, 0), BallChoice(variation="slower_ball", intent="attack"), "middle_spin"),
    ],
)
def test_the_engine_bowls_what_is_told(at: BallMoment, choice: BallChoice, field: str | None) -> None:
    standard = standard_field(T20, 60, at.group)
    placed = standard if field is None else field_of(PRESETS[field])
    balls = 12_000
    emitted, observed = public(at, choice, placed, standard), bowled(at, choice, placed, standard, balls)
    assert emitted.sum() == pytest.approx(1)
    for kind in range(4):
        for runs in range(8):
            p = emitted[kind, runs]
            assert abs(observed[kind, runs] - p) < 4 * sqrt(max(p * (1 - p), 1e-4) / balls) + 0.002, (kind, runs)


def test_a_field_that_breaks_a_restriction_is_a_no_ball() -> None:
    deep = tuple(place for place, position in POSITIONS.items() if position.outside_circle)[:9]
    emitted = public(moment(60, 0), NATURAL, field_of(deep), standard_field(T20, 60, 0))
    assert emitted[3].sum() == pytest.approx(1)
    assert emitted[3, 1] > 0.1


def test_no_bouncer_left_makes_a_bouncer_a_no_ball_and_a_natural_one_short() -> None:
    at, standard = moment(60, 0), standard_field(T20, 60, 0)
    meant = BallChoice(aim=(BOUNCER, tactics.NATURAL))
    allowed, called = (public(at, meant, standard, standard, left) for left in (True, False))
    assert called[3].sum() > 0.5 > allowed[3].sum()
    assert called.sum() == pytest.approx(1)
    natural = public(at, NATURAL, standard, standard, bouncer_left=False)
    assert natural[3].sum() < 0.02
    assert natural.sum() == pytest.approx(1)
    assert not np.allclose(natural, public(at, NATURAL, standard, standard))


def test_being_read_helps_the_batter() -> None:
    at, standard = moment(60, 0), standard_field(T20, 60, 0)
    fresh, read = (public(at, AIMED._replace(read=amount), standard, standard) for amount in (0.0, 1.0))
    assert read[0, 4] + read[0, 6] > fresh[0, 4] + fresh[0, 6]
    assert read[1].sum() < fresh[1].sum()


@pytest.mark.parametrize("front_line", [True, False])
def test_balls_come_as_the_seasons_of_both_players_tell(front_line: bool) -> None:
    """One ball between two players of each of many invented sides, on a day of its own."""
    rng, seen, told = Random(2), np.zeros(len(CLASSES)), np.zeros(len(CLASSES))
    balls = 4000
    for seed in range(balls):
        batting, bowling = invented_teams(seed)
        striker = rng.randrange(7)
        able = [i for i, p in enumerate(bowling.players) if p.style and p.front_line == front_line]
        bowler = rng.choice(able)
        at = moment(60, GROUPS.index(bowling.players[bowler].group))._replace(faced=0)
        standard = standard_field(T20, 60, at.group)
        pair = times(
            tactics.batter_factor(MODEL, striker, batting.players[striker].batting),
            tactics.bowler_factor(bowling.players[bowler].bowling, bowling.players[bowler].liking[at.phase]),
            tactics.match_factor(rng.gauss(0, 1)),
        )
        row = [rng.random() for _ in DrawChannel]
        setting = Setting(at, pair, bowling.players[bowler].accuracy, NATURAL, standard, standard, 1, None, 0, 1, row)
        seen[bowl(MODEL, setting).kind] += 1
        known = batting.estimates[striker].batting - bowling.estimates[bowler].bowling[at.phase]
        told += class_shares(PublicBall("modern", T20, at, striker, NATURAL, standard, standard, True, False), known)
    error = np.sqrt(np.maximum(told, 1.0))
    assert np.all(np.abs(seen - told) < 3.5 * error)
    runs = np.array([0, 1, 2, 3, 4, 6, 0, 0, 0, 0, 0])
    assert abs(runs @ (seen - told)) < 2.5 * np.sqrt((runs**2) @ told)
