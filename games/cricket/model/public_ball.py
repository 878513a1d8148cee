"""Public probabilities of the next ball's outcomes: both captains' calls, average players.

The odds are the engine's own, averaged over landing and over what is hidden of the two who meet; what is hidden of the
day stays apart, because the play gives evidence of it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from grandstand.games.cricket.laws.field import Field
from grandstand.games.cricket.laws.rules import FormatRules
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.average import BallOutcome, average_balls, class_outcomes, noball_runs, varied
from grandstand.games.cricket.model.ball_model import SET_BIN, ball_model
from grandstand.games.cricket.model.engine import SHORT, BallChoice, BallMoment
from grandstand.games.cricket.model.priors import Array, Points, conditions, crossed, individuals, normal
from grandstand.games.cricket.vocab import BOUNCER, GROUPS, SHOT_FAMILY


class PublicBall(NamedTuple):
    """All that the public odds of a delivery depend on."""

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
    context = (moment.over, moment.phase, moment.group, moment.wickets, moment.chase, moment.free_hit)
    rows = [
        model.situation(*context),
        average_balls(ball.era, ball.rules).set_ness[moment.faced],
        model.position[ball.striker],
        tactics.tempo(ball.rules),
        tactics.intent_factor(choice.intent),
        tactics.read_factor(choice.repeats),
    ]
    base = np.prod(rows, axis=0) * conditions().factors[:, None, :]  # [node, 1, class]
    where = (ball.era, moment.phase, moment.group, choice.aim, choice.variation, SHOT_FAMILY.get(choice.shot),
             ball.field, ball.standard)  # fmt: skip
    called = 1.0 if ball.foul else 0.0
    bouncers = "bowled"
    if not (ball.bouncer_left or ball.foul):
        meant = choice.aim[0] == BOUNCER
        called = _bouncers(moment.phase, moment.group, choice.aim) if meant else 0.0
        bouncers = "called" if meant else "shortened"
    factors, shares = _points(*where, bouncers)
    legal = class_outcomes(model, moment.phase, shares @ normal(base * factors), moment.free_hit)
    if not called:
        return legal
    factors, shares = _points(*where, "bowled")
    noball = noball_runs(shares @ normal(base * factors))
    rest = (part * (1 - called) for part in (legal.runs, legal.out, legal.wide, legal.noball))
    return BallOutcome(*rest)._replace(noball=legal.noball * (1 - called) + noball * called)


def _bouncers(phase: int, group: int, aim: tuple[int, int]) -> float:
    """Return the probability that a ball aimed so becomes a bouncer."""
    return sum(
        share
        for length, _, share in tactics.landing_odds(phase, group, aim, tactics.TYPICAL_ACCURACY)
        if length == BOUNCER
    )


@lru_cache(maxsize=256)
def _points(
    era: str,
    phase: int,
    group: int,
    aim: tuple[int, int],
    variation: str | None,
    family: str | None,
    field: Field,
    standard: Field,
    bouncers: str,
) -> Points:
    """Return the distribution of landing, variation and the players who meet.

    `bouncers` is what happens to those: bowled, shortened, or called (they are left out here).
    """
    landings = tactics.landing_odds(phase, group, aim, tactics.TYPICAL_ACCURACY)
    if bouncers == "called":
        landings = tuple(landing for landing in landings if landing[0] != BOUNCER)
    lengths = [SHORT if length == BOUNCER and bouncers == "shortened" else length for length, _, _ in landings]
    lines = [line for _, line, _ in landings]
    factors = np.array(ball_model(era).landed[phase][group])[lengths, lines]
    where = list(zip(lengths, lines, strict=True))
    if family is not None:
        factors *= [tactics.shot_factor(family, *at) for at in where]
    if family is not None or field is not standard:
        factors *= [tactics.field_factor(field, standard, group, *at, family) for at in where]
    landed = factors, normal(np.array([share for _, _, share in landings]))
    return crossed(crossed(landed, varied(GROUPS[group], phase, variation)), individuals())
