"""Public probabilities of the next ball's outcomes: both captains' calls, and players as their season tells of them.

The odds are the engine's own, averaged over landings and over what the public figures leave open of the two players'
abilities. The hidden conditions of the day are separate, because the play gives evidence of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from grandstand.games.cricket.laws.field import Field
from grandstand.games.cricket.laws.rules import FormatRules
from grandstand.games.cricket.model import reading, tactics
from grandstand.games.cricket.model.average import BallOutcome, average_balls, called, class_outcomes, noball_runs
from grandstand.games.cricket.model.ball_model import ONES, SET_BIN, Array, Weights, ball_model, times
from grandstand.games.cricket.model.engine import BallChoice, BallMoment, state_odds
from grandstand.games.cricket.model.priors import conditions, known_pairs, level_weights
from grandstand.games.cricket.model.tactics import NATURAL
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
    accuracy: float = tactics.TYPICAL_ACCURACY
    """The scale of the bowler's miss."""
    pair: Weights = ONES
    """The public odds factors of the two who meet: their match-up, and a last pair that keeps the strike to one."""


def expected_outcomes(ball: PublicBall) -> Array:
    """Return [level, kind, node, runs]: probabilities of the outcomes, in the order of `BallOutcome`, by the public
    ability of the players (`priors.LEVELS`) and the conditions."""
    moment = ball.moment
    accuracy = tactics.TYPICAL_ACCURACY if ball.choice.aim == (NATURAL, NATURAL) else ball.accuracy
    return _stacked(ball._replace(moment=moment._replace(faced=SET_BIN[moment.faced]), accuracy=accuracy))


@lru_cache(maxsize=64)  # a ball is asked for again soon, or never
def _stacked(ball: PublicBall) -> Array:
    return np.stack(_outcomes(ball), axis=1)


def _outcomes(ball: PublicBall) -> BallOutcome:
    """Return the ball's outcomes, each [level, node, runs]; the row of the set-ness table stands for balls faced."""
    moment, choice, model = ball.moment, ball.choice, ball_model(ball.era)
    fouled = 1.0 if ball.foul else 0.0
    bouncers = "bowled"
    if not (ball.bouncer_left or ball.foul):
        meant = choice.aim[0] == BOUNCER
        fouled = _bouncers(ball) if meant else 0.0
        bouncers = "called" if meant else "shortened"
    legal = class_outcomes(model, moment.phase, _shares(ball, bouncers), moment.free_hit)
    if not fouled:
        return legal
    noball = noball_runs(_shares(ball, "bowled"))
    rest = (part * (1 - fouled) for part in (legal.runs, legal.out, legal.wide, legal.noball))
    return BallOutcome(*rest)._replace(noball=legal.noball * (1 - fouled) + noball * fouled)


def class_shares(ball: PublicBall, known: float = 0.0) -> Array:
    """Return [class]: the odds of the eleven classes on an average day, whatever the umpire calls the field.

    `known` is the public ability of the batter less the bowler's, 0 for typical players.
    """
    moment = ball.moment._replace(faced=SET_BIN[ball.moment.faced])
    by_level = np.array(conditions().prior) @ _shares(ball._replace(moment=moment), "bowled")
    shares: Array = level_weights(known) @ by_level
    return shares


def _shares(ball: PublicBall, bouncers: str) -> Array:
    """Return [level, node, class]; the row of the set-ness table stands for balls faced."""
    moment, choice, model = ball.moment, ball.choice, ball_model(ball.era)
    set_ness = average_balls(ball.era, ball.rules).known_set_ness[moment.faced]
    rest = times(model.position[ball.striker], tactics.tempo(ball.rules), reading.read_factor(choice.read))
    pairs, open_shares = known_pairs()
    lasting = conditions().factors[:, None] * pairs[:, None]  # [level, node, point, class]
    base = np.array(state_odds(model, moment, set_ness, times(rest, ball.pair))) * lasting
    fields = ball.field, ball.standard
    landed, landed_shares = called(
        ball.era, moment.phase, moment.group, choice._replace(read=0.0), fields, bouncers, ball.accuracy
    )
    flat = base.reshape(-1, base.shape[-1])
    averaged = flat * ((landed_shares / (flat @ landed.T)) @ landed)
    shares: Array = open_shares @ averaged.reshape(base.shape)
    return shares


def _bouncers(ball: PublicBall) -> float:
    """Return the probability that the ball becomes a bouncer."""
    landings = tactics.landing_odds(ball.moment.phase, ball.moment.group, ball.choice.aim, ball.accuracy)
    return sum(share for length, _, share in landings if length == BOUNCER)
