"""One delivery: the sampler keeps to the odds, and what it draws the Laws accept."""

from __future__ import annotations

from collections import Counter

import pytest

from grandstand.games.cricket.laws.cards import BOWLER_END, STRIKER_END
from grandstand.games.cricket.laws.field import PRESETS, field_of
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.ball_model import Weights, ball_model, times
from grandstand.games.cricket.model.engine import (
    TOO_MANY_BOUNCERS,
    BallChoice,
    BallMoment,
    Delivery,
    Setting,
    bowl,
    draw,
    odds,
)
from grandstand.games.cricket.model.keyed_random import ball_draws
from grandstand.games.cricket.vocab import BOUNCER, CLASSES, LENGTHS, LINES

MODEL = ball_model("modern")
FIELD = field_of(PRESETS["death_yorker"])
PAIR: Weights = times(MODEL.position[2], tactics.tempo(format_rules(20)))
DEATH = BallMoment(17, 2, 0, 3, 10, 0, False)


def deliveries(
    count: int, choice: BallChoice | None = None, moment: BallMoment = DEATH, bouncers: int = 1
) -> list[Delivery]:
    return [
        bowl(
            MODEL,
            Setting(
                moment, PAIR, 1.1, choice or BallChoice(), FIELD, FIELD, bouncers, None, 0, 1, ball_draws(3, 1, n, 0)
            ),
        )
        for n in range(count)
    ]


def test_the_sampler_keeps_to_the_odds() -> None:
    weights = odds(MODEL, DEATH, PAIR, BallChoice(), (3, 2), "stock", (FIELD, FIELD))
    counts = Counter(draw(weights, ball_draws(9, 1, n, 0)[0]) for n in range(20_000))
    for k, weight in enumerate(weights):
        assert counts[k] / 20_000 == pytest.approx(weight / sum(weights), abs=0.01)


@pytest.mark.long
def test_every_class_and_kind_turns_up() -> None:
    drawn = deliveries(20_000) + deliveries(20_000, moment=DEATH._replace(phase=1, over=9, group=1))
    assert {CLASSES[delivery.kind] for delivery in drawn} == set(CLASSES)
    kinds = {d.ball.dismissal.kind for d in drawn if d.ball.dismissal}
    assert {"bowled", "caught", "caught and bowled", "lbw", "hit wicket", "run out", "stumped"} <= kinds


def test_balls_are_what_their_class_says() -> None:
    for delivery in deliveries(5_000):
        ball, name = delivery.ball, CLASSES[delivery.kind]
        if name.isdigit():
            assert (ball.bat_runs, ball.extras()) == (int(name), {})
            assert ball.boundary == (ball.bat_runs >= 4)
        assert ball.wide == (name == "wide")
        assert ball.noball == (name == "noball") == (delivery.noball_for is not None)
        assert (ball.runs_from in ("byes", "legbyes")) == (name == "lb")
        if name == "lb":
            assert ball.runs > 0


def test_a_free_hit_takes_no_bowlers_wicket() -> None:
    kinds = {d.ball.dismissal.kind for d in deliveries(8_000, moment=DEATH._replace(free_hit=True)) if d.ball.dismissal}
    assert kinds <= {"run out", "obstructing the field"}


@pytest.mark.long
def test_run_outs_happen_at_either_end() -> None:
    ends = Counter(
        (d.ball.dismissal.end, d.ball.dismissal.batter)
        for d in deliveries(40_000)
        if d.ball.dismissal and d.ball.dismissal.kind == "run out" and not d.ball.wide
    )
    assert set(ends) == {(STRIKER_END, 0), (STRIKER_END, 1), (BOWLER_END, 0), (BOWLER_END, 1)}


def test_a_bouncer_too_many_is_a_noball_only_where_it_was_meant() -> None:
    meant = deliveries(500, BallChoice(aim=(BOUNCER, tactics.NATURAL)), bouncers=0)
    assert any(delivery.noball_for == TOO_MANY_BOUNCERS for delivery in meant)
    for delivery in deliveries(500, bouncers=0):
        assert delivery.length != BOUNCER
        assert delivery.noball_for != TOO_MANY_BOUNCERS


def test_aiming_moves_where_it_lands() -> None:
    aim = (LENGTHS.index("yorker"), LINES.index("stumps"))
    landed = Counter((d.length, d.line) for d in deliveries(3_000, BallChoice(aim=aim)))
    assert max(landed, key=lambda cell: landed[cell]) == aim
