"""The expectation of a ball before it is bowled, and the worth of each part of both captains' calls.

It is conditional on the bowler's and the batter's public figures of the season, on the state of
the innings and on the calls. It uses no hidden data, so that a captain gains nothing by guessing a hidden ability.
"""

from __future__ import annotations

from typing import NamedTuple

from grandstand.games.cricket.laws.field import Field
from grandstand.games.cricket.match.chances import batting_chance, stakes
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.ball_model import ONES
from grandstand.games.cricket.model.context import farming
from grandstand.games.cricket.model.engine import BallChoice, BallMoment, Setting
from grandstand.games.cricket.model.priors import LEVELS, Array, level_weights
from grandstand.games.cricket.model.public_ball import PublicBall, expected_outcomes


class Expectation(NamedTuple):
    """One ball from the batting side's view, before it is bowled: chances, and the worth of each call."""

    before: float
    natural: float
    """The expected chance with natural calls by the present players."""
    expected: float
    """The expected chance with the actual calls."""
    batting: float
    field: float
    bowling: float
    """The changes of the batting side's chance by the stroke, the field and the ball that were called; the three sum to
    `expected` less `natural`."""
    setting: Setting
    placed: str | tuple[str, ...]
    """The field as it was called."""
    ball: PublicBall
    """The ball with the actual calls."""
    known: float
    """The public ability of its players."""


def expect(state: ContestState, setting: Setting) -> Expectation:
    """Return the expectation of the next ball, which `setting` describes."""
    vector, moment = stakes(state), setting.moment
    striker, _, bowler = state.now.three
    known = known_ability(state, striker, bowler, moment.phase)
    natural = natural_ball(state, moment, striker, setting.standard)
    accuracy = state.teams[state.now.bowling_side].estimates[bowler].accuracy
    natural = natural._replace(bouncer_left=setting.bouncers_left > 0, accuracy=accuracy)
    values: dict[PublicBall, float] = {}

    def chance(ball: PublicBall) -> float:
        if ball not in values:
            values[ball] = value(ball, known, vector)
        return values[ball]

    actual = _called(natural, setting, bats=True, places=True, bowls=True)
    nothing, all_three = chance(natural), chance(actual)
    if actual is natural:
        parts = (0.0, 0.0, 0.0)
    else:
        bats = chance(_called(natural, setting, bats=True))
        bowls = chance(_called(natural, setting, places=True, bowls=True))
        field = chance(_called(natural, setting, places=True)) - nothing
        field = (field + chance(_called(natural, setting, bats=True, places=True)) - bats) / 2
        bowling = (bowls - nothing + all_three - bats) / 2
        parts = (bats - nothing + all_three - bowls) / 2, field, bowling - field
    return Expectation(batting_chance(state), nothing, all_three, *parts, setting, state.field_choice, actual, known)


def natural_ball(state: ContestState, moment: BallMoment, striker: int, standard: Field) -> PublicBall:
    """Return the next ball with natural calls and a typical bowler."""
    bouncer_left = state.now.bouncers < state.now.rules.bouncers_per_over
    return PublicBall(
        state.options.era, state.now.rules, moment, striker, BallChoice(), standard, standard, bouncer_left, foul=False,
        farming=farming(state.now) or ONES,
    )  # fmt: skip


def known_ability(state: ContestState, striker: int, bowler: int, phase: int) -> float:
    """Return the public ability of the batter less that of the bowler in this phase."""
    innings = state.now
    batter = state.teams[innings.batting_side].estimates[striker]
    return batter.batting - state.teams[innings.bowling_side].estimates[bowler].bowling[phase]


def value(ball: PublicBall, known: float, vector: Array) -> float:
    """Return the batting side's expected chance after `ball` between players of this public ability.

    `vector` is `chances.stakes`.
    """
    by_level = expected_outcomes(ball).reshape(len(LEVELS), -1) @ vector
    return float(level_weights(known) @ by_level)


def _called(
    natural: PublicBall, setting: Setting, bats: bool = False, places: bool = False, bowls: bool = False
) -> PublicBall:
    """Return the natural ball with some of the calls of `setting`; the same object where they are natural."""
    called, plain, out = setting.choice, BallChoice(), natural
    if bats and (called.intent, called.shot) != (plain.intent, plain.shot):
        out = out._replace(choice=out.choice._replace(intent=called.intent, shot=called.shot))
    if places and setting.field is not setting.standard:
        out = out._replace(field=setting.field, foul=setting.foul is not None)
    if bowls and (called.aim, called.variation) != (plain.aim, plain.variation):
        out = out._replace(choice=out.choice._replace(aim=called.aim, variation=called.variation, read=called.read))
    return out
