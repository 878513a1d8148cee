"""The Laws of Cricket and the playing conditions for a delivery, tried on matches that are played out."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from grandstand.games.base import GameEvent, IllegalAction
from grandstand.games.cricket import events
from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.cards import Ball, Dismissal
from grandstand.games.cricket.laws.field import PLACES, PRESETS, corrected, field_of
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model.ball_model import ball_model
from grandstand.games.cricket.model.engine import TOO_MANY_BOUNCERS, BallChoice
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.vocab import BOUNCER, GROUPS, LENGTHS, LINES, OUTSIDE_LEG, SEATS, WIDE_OUTSIDE_OFF
from tests.support.cricket.known import known

T5 = format_rules(5)
OPTIONS = CricketOptions(overs=5, win_probability=False)


def overs_of(
    seed: int, batting: dict[str, Any] | None = None, bowling: dict[str, Any] | None = None
) -> list[GameEvent]:
    """Play a match of neutral captains who make these calls on every ball."""
    game, rng, out = CricketGame(OPTIONS, seed), Random(seed), []
    while game.state.result is None:
        seat = game.to_act()[0]
        action = neutral(game, seat, rng)
        calls = {"play_delivery": batting, "bowl_delivery": bowling}.get(action["tool"])
        if calls is not None and not (action["tool"] == "bowl_delivery" and game.state.now.bowler is None):
            action = {"tool": action["tool"], "arguments": calls}
        out += game.apply(seat, action)
    return out


def balls(emitted: list[GameEvent]) -> Iterator[events.BallBowled]:
    return (event for event in emitted if isinstance(event, events.BallBowled))


# --- a ball left alone ------------------------------------------------------------------------------------------------


def test_a_ball_left_alone_brings_no_runs_off_the_bat_no_catch_and_no_leg_byes() -> None:
    counted: Counter[str] = Counter()
    for seed in range(30):
        for ball in balls(overs_of(seed, {"shot": "leave", "intent": "normal"})):
            assert ball.played == "leave"
            assert ball.runs == 0
            assert ball.hit is None
            assert ball.zone is None
            assert "legbyes" not in (ball.extras or {})
            kind = ball.wicket["kind"] if ball.wicket else "none"
            assert kind in ("none", "bowled", "lbw", "stumped", "run out", "obstructing the field")
            counted[kind] += 1
            counted.update(ball.extras or {})
    assert counted["bowled"] > 0
    assert counted["lbw"] > 0
    assert counted["wides"] > 0
    assert counted["byes"] > 0


def test_the_public_odds_of_a_ball_left_alone_are_those_that_are_drawn() -> None:
    from grandstand.games.cricket.match.observation import class_shares
    from grandstand.games.cricket.model.engine import DOT, LEG_BYE, NOBALL, RUN_OUT, WICKET, WIDE

    game = CricketGame(OPTIONS, 3)
    while game.state.stage != "play" or game.state.now.bowler is None or game.state.now.striker is None:
        seat = game.to_act()[0]
        game.apply(seat, neutral(game, seat, Random(1)))
    shares = class_shares(game.state, BallChoice(shot="leave"))
    possible = {DOT, WICKET, RUN_OUT, WIDE, NOBALL, LEG_BYE}
    assert all(share == 0.0 for kind, share in enumerate(shares) if kind not in possible)
    assert sum(shares) == pytest.approx(1.0)


# --- what was called --------------------------------------------------------------------------------------------------


def test_a_ball_tells_the_variation_that_was_called_beside_the_one_that_was_bowled() -> None:
    drawn = Counter(ball.variation for ball in balls(overs_of(1)))
    assert len(drawn) > 1
    assert {known(ball.aim)[2] for ball in balls(overs_of(1))} == {"natural"}
    called = [ball for ball in balls(overs_of(1, bowling={"variation": "stock"})) if known(ball.aim)[2] != "natural"]
    assert called
    assert {(known(ball.aim)[2], ball.variation) for ball in called} == {("stock", "stock")}


# --- an injured bowler ------------------------------------------------------------------------------------------------


def test_an_injured_bowler_may_not_bowl_in_the_next_over_nor_may_the_replacement() -> None:
    innings = Innings(1, 0, format_rules(20))
    innings.send_in(0)
    innings.send_in(1)
    innings.give_ball(5)
    innings.play(Ball())
    innings.replace_bowler(6)
    for _ in range(5):
        innings.play(Ball())
    innings.end_over()
    assert innings.may_bowl(5, keeper=10) == "bowled part of the last over"
    assert innings.may_bowl(6, keeper=10) == "bowled the last over"
    innings.give_ball(7)
    for _ in range(6):
        innings.play(Ball())
    innings.end_over()
    assert innings.may_bowl(5, keeper=10) is None
    assert innings.may_bowl(6, keeper=10) is None


def test_nobody_who_bowled_part_of_an_over_finishes_the_next_one() -> None:
    innings = Innings(1, 0, format_rules(20))
    innings.send_in(0)
    innings.send_in(1)
    innings.give_ball(5)
    innings.replace_bowler(6)
    for _ in range(6):
        innings.play(Ball())
    innings.end_over()
    innings.give_ball(7)
    innings.play(Ball())
    assert innings.may_bowl(5, keeper=10) is not None
    assert innings.clone().may_bowl(5, keeper=10) is not None


# --- leg before wicket ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("era", ["modern", "classic"])
def test_no_ball_that_pitched_outside_leg_stump_is_lbw(era: str) -> None:
    model = ball_model(era)
    for phase in range(3):
        for group in range(len(GROUPS)):
            for length in range(len(LENGTHS)):
                for line in range(len(LINES)):
                    kinds, running = model.kinds(phase, group, length, line)
                    may_be = line not in (WIDE_OUTSIDE_OFF, *range(OUTSIDE_LEG, len(LINES))) and length != BOUNCER
                    assert ("lbw" in kinds) == may_be
                    assert running[-1] == pytest.approx(1.0)


@pytest.mark.long
def test_nobody_is_given_lbw_or_appealed_against_for_it_outside_leg_or_off_a_bouncer() -> None:
    chosen = 0
    for seed in range(60):
        emitted = overs_of(seed)
        for made, ball in pairwise(emitted):
            if isinstance(ball, events.BallBowled) and ball.wicket and ball.wicket["kind"] == "lbw":
                chosen += 1
                assert known(ball.pitch)[0] > -0.114 - 0.01
            if isinstance(made, events.AppealMade) and made.kind == "lbw" and isinstance(ball, events.ReviewTaken):
                after = emitted[emitted.index(ball) + 1]
                assert isinstance(after, events.BallBowled)
                assert known(after.landed)[1] not in ("leg", "down_leg")
    assert chosen > 0


# --- no-balls and bouncers --------------------------------------------------------------------------------------------


@pytest.mark.long
def test_only_a_full_toss_is_a_no_ball_for_its_height() -> None:
    reasons: Counter[str] = Counter()
    for seed in range(120):
        for ball in balls(overs_of(seed, bowling={"length": "yorker"})):
            if ball.noball_for == "waist-high full toss":
                assert known(ball.landed)[0] == "full_toss"
            reasons[str(ball.noball_for)] += 1
    assert reasons["waist-high full toss"] > 0
    assert reasons["overstepping"] > reasons["waist-high full toss"]


@pytest.mark.long
def test_a_bouncer_called_wide_counts_to_the_most_that_an_over_allows() -> None:
    wide_bouncers = 0
    for seed in range(200):
        in_over = 0
        for event in overs_of(seed, bowling={"length": "short"}):
            if isinstance(event, events.OverEnded | events.InningsStarted):
                in_over = 0
            if not isinstance(event, events.BallBowled):
                continue
            bouncer = known(event.landed)[0] == "bouncer"
            assert in_over + bouncer <= T5.bouncers_per_over or event.noball_for == TOO_MANY_BOUNCERS
            in_over += bouncer
            wide_bouncers += bouncer and "wides" in (event.extras or {})
    assert wide_bouncers > 3


# --- the field after a no-ball for it ---------------------------------------------------------------------------------

CROWDED = (
    "long-on", "long-off", "deep midwicket", "cow corner", "deep extra cover",
    "point", "cover", "mid-off", "first slip",
)  # fmt: skip


def test_a_field_is_corrected_by_moving_as_few_fielders_as_will_do() -> None:
    for most in (2, 4, 5):
        now = corrected(CROWDED, most)
        assert field_of(now).breach(most) is None
        assert len(set(now) - set(CROWDED)) == max(0, field_of(CROWDED).outside - most)
        assert [a for a, b in zip(CROWDED, now, strict=True) if a == b] == [p for p in CROWDED if p in now]
    for places in PRESETS.values():
        legal = field_of(places).breach(5) is None
        assert (corrected(places, 5) == places) == legal
    rng = Random(4)
    for _ in range(200):
        places = tuple(rng.sample(PLACES, 9))
        now = corrected(places, 2)
        assert field_of(now).breach(2) is None
        assert len(set(now)) == 9


def after_a_field_no_ball() -> CricketGame:
    """A match whose last ball was called no-ball for the field CROWDED, with the same striker on strike."""
    for seed in range(40):
        game, rng = CricketGame(OPTIONS, seed), Random(seed)
        while game.state.result is None:
            seat = game.to_act()[0]
            state, innings = game.state, game.state.now if game.state.innings else None
            if state.stage == "play" and innings and innings.bowler is not None and seat == SEATS[innings.bowling_side]:
                if innings.free_hit and state.field_locked and state.breached is not None:
                    return game
                if not innings.fouls and not state.field_locked and state.calls[innings.bowling_side] == 0:
                    game.apply(seat, {"tool": "set_field", "arguments": {"positions": list(CROWDED)}})
            game.apply(seat, neutral(game, seat, rng))
    raise AssertionError("no such ball in 40 matches")


def test_after_a_no_ball_for_the_field_only_the_breach_may_be_corrected() -> None:
    game = after_a_field_no_ball()
    seat = SEATS[game.state.now.bowling_side]
    most = game.state.now.rules.max_outside(game.state.now.legal)
    excess = field_of(CROWDED).outside - most
    assert len(set(game.state.field.places) - set(CROWDED)) == excess  # the umpire's correction stands by itself
    with pytest.raises(IllegalAction, match=f"move at most {excess} of"):
        game.apply(seat, {"tool": "set_field", "arguments": {"preset": "pp_attack"}})
    inside = ["mid-on", "midwicket", "square leg"][:excess]
    own = [*inside, *CROWDED[excess:]]
    game.apply(seat, {"tool": "set_field", "arguments": {"positions": own}})
    assert list(game.state.field.places) == own
    assert game.load(game.to_json()).digest() == game.digest()
    assert game.load(game.to_json()).state.breached == CROWDED


# --- a wide on a free hit ---------------------------------------------------------------------------------------------


def test_off_a_wide_on_a_free_hit_a_batter_is_out_as_off_a_no_ball() -> None:
    for kind, allowed in {"hit the ball twice": True, "run out": True, "stumped": False, "hit wicket": False}.items():
        innings = Innings(1, 0, T5)
        innings.send_in(0)
        innings.send_in(1)
        innings.give_ball(5)
        innings.play(Ball(noball=True))
        ball = Ball(wide=True, dismissal=Dismissal(kind, 0))
        if allowed:
            innings.play(ball)
            assert innings.wickets == 1
        else:
            with pytest.raises(ValueError, match=kind):
                innings.play(ball)
