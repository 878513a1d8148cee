"""Chances of winning at a moment of a match, and the worth of each outcome of the next ball.

They hold for average players on an average day with natural calls, so that they depend on the position alone.

The expectation of a ball, before it is bowled, is conditional on the bowler's and the batter's public figures of the
season as well, and on both captains' calls. It uses no hidden data, so that a captain gains nothing by guessing a
hidden ability.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np

from grandstand.games.cricket.laws.cards import Ball
from grandstand.games.cricket.laws.field import Field
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.match.results import target, too_short
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.average import RUNS, BallOutcome, class_runs
from grandstand.games.cricket.model.ball_model import ONES, Array, times
from grandstand.games.cricket.model.context import farming
from grandstand.games.cricket.model.engine import NOBALL, RUN_OUT, WICKET, WIDE, BallChoice, BallMoment, Setting
from grandstand.games.cricket.model.priors import LEVELS, conditions, level_weights
from grandstand.games.cricket.model.public_ball import PublicBall, expected_outcomes
from grandstand.games.cricket.model.win_probability import Grid, Table, ceiling, win_probability
from grandstand.games.cricket.vocab import CLASSES, SEATS

_RUNS, _OUT, _WIDE, _NOBALL = range(len(BallOutcome._fields))
_BY_RUNS: Final = np.arange(RUNS)
_KINDS: Final = np.full(len(CLASSES), _RUNS)
"""The kind of outcome of each class."""
_KINDS[[WICKET, RUN_OUT, WIDE, NOBALL]] = _OUT, _OUT, _WIDE, _NOBALL
_KINDS_ON_FREE_HIT: Final = np.where(np.arange(len(CLASSES)) == WICKET, _RUNS, _KINDS)


def home_chance(state: ContestState) -> float:
    """Return the chance of the home side, for average players with natural calls; a tie or no result counts 0.5."""
    if state.result is not None:
        return state.result.scores[SEATS[0]]
    if state.innings:
        chance = batting_chance(state)
        return chance if state.now.batting_side == 0 else 1 - chance
    bats, fields_first = chance_to_bat_first(state), float(state.model.draws["field_first"])
    winner = fields_first * (1 - bats) + (1 - fields_first) * bats
    return winner if state.toss_winner == 0 else 1 - winner


def chance_to_bat_first(state: ContestState) -> float:
    """Return the chance, at the toss, of a side that bats first."""
    tables = win_probability(state.options.era, format_rules(state.options.overs, state.options.conditions))
    return tables.first(drift=state.drift_to_come).at(0, 0, ceiling(tables.rules))


def batting_chance(state: ContestState) -> float:
    """Return the chance of the side that bats in the present innings, or the one that just ended."""
    innings = state.now
    if innings.closed is None:
        table, missing = grid(state)
        return table.at(innings.legal, innings.wickets, missing, innings.free_hit, state.drift)
    tables = win_probability(state.options.era, innings.rules)
    rained = innings.closed == "rain"
    if rained and too_short(state):
        return 0.5
    if innings.number % 2 == 1:
        return 1 - tables.chase_from_start(target(state), state.drift_to_come)
    assert innings.need is not None
    if innings.need == 1:
        return 0.5 if rained else tables.level
    return float(innings.need <= 0)


def grid(state: ContestState) -> tuple[Grid, int]:
    """Return the table of the present innings, and the missing runs in its terms."""
    innings = state.now
    tables = win_probability(state.options.era, innings.rules)
    if innings.target is not None:
        return tables.chase, innings.target - innings.runs
    cut = state.method is not None and innings.number == 1
    resources = (state.resources[0], state.resources[1]) if cut else None
    return tables.first(resources, state.drift_to_come), ceiling(innings.rules) - innings.runs


def outcome_chances(state: ContestState) -> Table:
    """Return [kind, node, runs]: the batting side's chance by the outcome of the next ball and the conditions."""
    (table, missing), innings = grid(state), state.now
    needed = np.clip(missing - _BY_RUNS, 0, table.size - 1)
    later, wickets = table.states(innings.legal + 1), innings.wickets
    now, free = table.states(innings.legal, innings.free_hit), table.states(innings.legal, free_hit=True)
    return np.stack(
        [later[:, wickets, needed], later[:, wickets + 1, needed], now[:, wickets, needed], free[:, wickets, needed]]
    )


def stakes(state: ContestState) -> Array:
    """Return `outcome_chances` as a vector, each times the prior probability of its conditions."""
    prior = np.array(conditions(state.drift).prior)[None, :, None]
    return np.asarray((outcome_chances(state) * prior).reshape(-1))


@cache
def wickets() -> Array:
    """Return the vector that counts wickets as `stakes` counts chances."""
    out = np.zeros((len(BallOutcome._fields), len(conditions().prior), RUNS))
    out[_OUT] = np.array(conditions().prior)[:, None]
    return out.reshape(-1)


def after(state: ContestState, ball: Ball) -> float:
    """Return the batting side's chance after `ball` without a run out."""
    kind = _OUT if ball.dismissal else _WIDE if ball.wide else _NOBALL if ball.noball else _RUNS
    return float(np.array(conditions(state.drift).prior) @ outcome_chances(state)[kind, :, min(ball.total, RUNS - 1)])


def class_worths(state: ContestState) -> Array:
    """Return [class]: the batting side's chance after the next ball, by the class of its outcome."""
    by_runs = np.array(conditions(state.drift).prior) @ outcome_chances(state)  # [kind, runs]
    kinds = _KINDS_ON_FREE_HIT if state.now.free_hit else _KINDS
    return np.asarray((class_runs(state.model, state.moment().phase) * by_runs[kinds]).sum(axis=1))


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
    natural = natural_ball(state, moment, striker, setting.standard, bowler)
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


def natural_ball(
    state: ContestState, moment: BallMoment, striker: int, standard: Field, bowler: int | None = None
) -> PublicBall:
    """Return the next ball with natural calls, by a typical bowler or one of the style of `bowler`."""
    bouncer_left = state.now.bouncers < state.now.rules.bouncers_per_over
    place = state.teams[state.now.batting_side].players[striker].place
    meeting = ONES if bowler is None else state.matchup(striker, bowler)
    return PublicBall(
        state.options.era, state.now.rules, moment, place, BallChoice(), standard, standard, bouncer_left, foul=False,
        pair=times(meeting, farming(state.now) or ONES),
    )  # fmt: skip


def known_ability(state: ContestState, striker: int, bowler: int, phase: int) -> float:
    """Return the public ability of the batter less that of the bowler in this phase."""
    innings = state.now
    batter = state.teams[innings.batting_side].estimates[striker]
    return batter.batting - state.teams[innings.bowling_side].estimates[bowler].bowling[phase]


def value(ball: PublicBall, known: float, vector: Array) -> float:
    """Return the batting side's expected chance after `ball` between players of this public ability.

    `vector` is that of `stakes`.
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
