"""Public probabilities of the next ball's outcomes: both captains' calls, average players.

The odds are the engine's own, averaged over landings and the hidden abilities of the two players. The hidden conditions
of the day are separate, because the play gives evidence of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from grandstand.games.cricket.laws.field import Field
from grandstand.games.cricket.laws.rules import FormatRules
from grandstand.games.cricket.model import reading, tactics
from grandstand.games.cricket.model.average import BallOutcome, average_balls, called, class_outcomes, noball_runs
from grandstand.games.cricket.model.ball_model import SET_BIN, ball_model, times
from grandstand.games.cricket.model.engine import BallChoice, BallMoment, state_odds
from grandstand.games.cricket.model.priors import Array, Points, conditions, crossed, individuals, normal
from grandstand.games.cricket.vocab import BOUNCER


class PublicBall(NamedTuple):
    """The parameters of the public odds of a delivery."""

    era: str
    rules: FormatRules
    moment: BallMoment
    striker: int
    """The striker's usual place in the order, 0-10."""
    choice: BallChoice
    field: Field
    standard: Field
    bouncer_left: bool
    """True where the over allows one more bouncer."""
    foul: bool
    """True where the field breaks a restriction."""


def expected_outcomes(ball: PublicBall) -> Array:
    """Return [kind, node, runs]: probabilities of the outcomes by the conditions, in the order of `BallOutcome`."""
    moment = ball.moment
    return _stacked(ball._replace(moment=moment._replace(faced=SET_BIN[moment.faced])))


@lru_cache(maxsize=32768)
def _stacked(ball: PublicBall) -> Array:
    return np.array(_outcomes(ball))


def _outcomes(ball: PublicBall) -> BallOutcome:
    """Return the ball's outcomes, each [node, runs]; the row of the set-ness table stands for balls faced."""
    moment, choice, model = ball.moment, ball.choice, ball_model(ball.era)
    fouled = 1.0 if ball.foul else 0.0
    bouncers = "bowled"
    if not (ball.bouncer_left or ball.foul):
        meant = choice.aim[0] == BOUNCER
        fouled = _bouncers(moment.phase, moment.group, choice.aim) if meant else 0.0
        bouncers = "called" if meant else "shortened"
    legal = class_outcomes(model, moment.phase, _shares(ball, bouncers), moment.free_hit)
    if not fouled:
        return legal
    noball = noball_runs(_shares(ball, "bowled"))
    rest = (part * (1 - fouled) for part in (legal.runs, legal.out, legal.wide, legal.noball))
    return BallOutcome(*rest)._replace(noball=legal.noball * (1 - fouled) + noball * fouled)


def class_shares(ball: PublicBall) -> Array:
    """Return [class]: the odds of the eleven classes on an average day, whatever the umpire calls the field."""
    moment = ball.moment._replace(faced=SET_BIN[ball.moment.faced])
    shares: Array = np.array(conditions().prior) @ _shares(ball._replace(moment=moment), "bowled")
    return shares


def _shares(ball: PublicBall, bouncers: str) -> Array:
    """Return [node, class]; the row of the set-ness table stands for balls faced."""
    moment, choice, model = ball.moment, ball.choice, ball_model(ball.era)
    set_ness = average_balls(ball.era, ball.rules).set_ness[moment.faced]
    rest = times(model.position[ball.striker], tactics.tempo(ball.rules), reading.read_factor(choice.read))
    base = np.array(state_odds(model, moment, set_ness, rest)) * conditions().factors[:, None, :]  # [node, 1, class]
    where = ball.era, moment.phase, moment.group, choice._replace(read=0.0), (ball.field, ball.standard)
    factors, shares = _points(*where, bouncers)
    return np.asarray(shares @ normal(base * factors))


def _bouncers(phase: int, group: int, aim: tuple[int, int]) -> float:
    """Return the probability that a ball with this aim becomes a bouncer."""
    return sum(
        share
        for length, _, share in tactics.landing_odds(phase, group, aim, tactics.TYPICAL_ACCURACY)
        if length == BOUNCER
    )


@lru_cache(maxsize=256)
def _points(era: str, phase: int, group: int, choice: BallChoice, fields: tuple[Field, Field], bouncers: str) -> Points:
    """Return the distribution of landing, variation and the players who meet."""
    return crossed(called(era, phase, group, choice, fields, bouncers), individuals())
