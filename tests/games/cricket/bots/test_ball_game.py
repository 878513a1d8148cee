"""The game of one ball: exact worths, and mixes that leave the batters less than any single ball does."""

from __future__ import annotations

import numpy as np
import pytest

from grandstand.games.cricket.bots import ball_game
from grandstand.games.cricket.bots.ball_game import BALLS, STROKES, Plan, StateClass
from grandstand.games.cricket.laws.field import PRESETS, field_of
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model.ball_model import ball_model
from grandstand.games.cricket.model.context import standard_field
from grandstand.games.cricket.model.engine import BallChoice, BallMoment, odds
from grandstand.games.cricket.model.reading import NATURAL_AIM
from grandstand.games.cricket.model.tactics import landing_odds

T20 = format_rules(20)
CASES = [(0, 0, 20), (0, 1, 20), (1, 0, 66), (1, 1, 66), (2, 0, 110), (2, 1, 110)]


def plan(phase: int, group: int, legal: int, bouncer: bool = True) -> Plan:
    field = standard_field(T20, legal, group)
    return ball_game.plan(StateClass("modern", T20, phase, group, 5, False, field, field, bouncer))


@pytest.mark.parametrize("group", [0, 1])
def test_the_worth_of_a_call_is_that_of_the_engines_odds(group: int) -> None:
    model, rules = ball_model("modern"), T20
    field, standard = field_of(PRESETS["death_short"]), standard_field(rules, 66, group)
    moment = BallMoment(10, 1, group, 3, 12, 0, False)
    base = ball_game.base_odds(model, rules, moment, 4)
    worths = np.arange(11.0)
    tables = ball_game.stroke_tables("modern", 1, group, field, standard)
    value = ball_game.worth_of_strokes(tables, base, worths) @ ball_game.landing(1, group, 3, -1)
    pair = tuple((base / np.array(odds(model, moment, (1.0,) * 11, BallChoice(), (3, 2), "natural", (field, field)))
                  * np.array(model.landed[1][group][3][2])).tolist())  # fmt: skip
    for index in (0, 3, len(STROKES) - 1):
        intent, family = STROKES[index]
        choice = BallChoice(intent=intent, shot=ball_game.shot_of(family))
        total = weight = 0.0
        for length, line, share in landing_odds(1, group, (3, -1), 1.1):
            p = np.array(odds(model, moment, pair, choice, (length, line), "natural", (field, standard)))
            total += share * float(p @ worths / p.sum())
            weight += share
        assert value[index] == pytest.approx(total / weight, rel=1e-6)


@pytest.mark.parametrize(("phase", "group", "legal"), CASES)
def test_a_mix_leaves_the_batters_no_more_than_natural_balls_and_less_than_most_balls(
    phase: int, group: int, legal: int
) -> None:
    mix = plan(phase, group, legal)
    natural = mix.worths[BALLS[group].index(NATURAL_AIM)].max()
    assert mix.value <= natural
    assert mix.value < np.quantile(mix.worths.max(axis=1), 0.25)
    assert mix.shares.sum() == pytest.approx(1)


@pytest.mark.parametrize(("phase", "group", "legal"), CASES)
def test_a_mix_holds_no_larger_array_in_memory(phase: int, group: int, legal: int) -> None:
    shares = plan(phase, group, legal).shares
    assert shares.base is None or shares.base.nbytes == shares.nbytes


def test_no_bouncer_is_planned_where_the_over_allows_none() -> None:
    allowed, not_allowed = plan(1, 0, 66), plan(1, 0, 66, bouncer=False)
    high = np.array([ball_game.is_bouncer(ball) for ball in BALLS[0]])
    assert allowed.shares[high].sum() < 0.4
    assert not_allowed.shares[high].sum() == 0


def test_a_wicket_has_the_nearest_price() -> None:
    runs = np.array([0, 1, 2, 3, 4, 6, 0, 0, 1, 2, 1], dtype=float)
    for index, price in enumerate(ball_game.PRICES):
        worths = runs.copy()
        worths[6] = -price
        assert ball_game.price_class(0.5 + 0.01 * worths) == index


def test_every_stroke_has_a_call_and_back() -> None:
    for index, (intent, family) in enumerate(STROKES):
        assert ball_game.stroke_index(intent, ball_game.shot_of(family)) == index
    assert ball_game.stroke_index("slog", "forward_defence") is None
