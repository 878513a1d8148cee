"""Chances of winning ball by ball, and the causes of each change: the captains' choices, the matchup, luck.

After every ball the change of the home side's chance falls into four parts that sum to it exactly:
  matchup   what the tables average over and this ball did not: who faced, how well set, pace or spin;
  decisions each captain's call against the natural one, given that both called at once: the mean of its effect with
            and without the other's call, so that the two sum to the effect of both (Shapley);
  luck      the outcome, against the expectation with both calls.
All from public knowledge: average players on an average day. What the play so far says of the day's conditions is not
taken into account: on real chases it made the chances no better. A captain gains nothing here by guessing a hidden
ability, and gives none away.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from grandstand.games.cricket.events import ChanceChanged
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.match.results import target, too_short
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.average import RUNS, BallOutcome, class_runs
from grandstand.games.cricket.model.engine import NOBALL, RUN_OUT, WICKET, WIDE, BallChoice, Setting
from grandstand.games.cricket.model.priors import Array, conditions
from grandstand.games.cricket.model.public_ball import PublicBall, expected_outcomes
from grandstand.games.cricket.model.tactics import NATURAL
from grandstand.games.cricket.model.win_probability import Grid, Table, ceiling, win_probability
from grandstand.games.cricket.types import Call, Decision
from grandstand.games.cricket.vocab import CLASSES, LENGTHS, LINES, SEATS

_RUNS, _OUT, _WIDE, _NOBALL = range(len(BallOutcome._fields))
_BY_RUNS: Final = np.arange(RUNS)
_KINDS: Final = np.full(len(CLASSES), _RUNS)
"""The kind of outcome of each class."""
_KINDS[[WICKET, RUN_OUT, WIDE, NOBALL]] = _OUT, _OUT, _WIDE, _NOBALL
_KINDS_ON_FREE_HIT: Final = np.where(np.arange(len(CLASSES)) == WICKET, _RUNS, _KINDS)
_DIGITS: Final = 5


class Expectation(NamedTuple):
    """One ball from the batting side's view, before it is bowled: chances, and the worth of each call."""

    before: float
    natural: float
    """The expected chance with natural calls by the present players."""
    expected: float
    """The expected chance with the actual calls."""
    batting: float
    bowling: float
    """The change of the batting side's chance by each call; the two sum to `expected` less `natural`."""
    setting: Setting
    field: str | tuple[str, ...]


def expect(state: ContestState, setting: Setting) -> Expectation:
    """Return the expectation of the next ball, which `setting` describes."""
    grid, missing = _grid(state)
    worth, shares = _worths(grid, state.now, missing), np.array(conditions().prior)

    def expected(ball: PublicBall) -> float:
        return float(shares @ (expected_outcomes(ball) * worth).sum(axis=(0, 2)))

    balls = _balls(state, setting)
    values = {ball: expected(ball) for ball in set(balls)}
    natural, bats, bowls, both = (values[ball] for ball in balls)
    batting, bowling = (bats - natural + both - bowls) / 2, (bowls - natural + both - bats) / 2
    return Expectation(batting_chance(state), natural, both, batting, bowling, setting, state.field_choice)


def chance_changed(state: ContestState, expectation: Expectation, ball: str) -> ChanceChanged:
    """Return the event of a ball that has just been counted. `state.now` is still its innings."""
    innings = state.now
    after = batting_chance(state)
    sign = 1 if innings.batting_side == 0 else -1
    batting, bowling = _calls(expectation)
    seats = SEATS[innings.batting_side], SEATS[innings.bowling_side]
    return ChanceChanged(
        innings=innings.number,
        ball=ball,
        home=_round(after if sign == 1 else 1 - after),
        swing=_round(sign * (after - expectation.before)),
        matchup=_round(sign * (expectation.natural - expectation.before)),
        luck=_round(sign * (after - expectation.expected)),
        decisions=[
            {"seat": seats[0], "choice": batting, "delta": _round(expectation.batting)},
            {"seat": seats[1], "choice": bowling, "delta": _round(-expectation.bowling)},
        ],
    )


def chance_between(state: ContestState, before: float, cause: str) -> ChanceChanged:
    """Return the event of a change of home's chance from `before` between two balls.

    `cause` is `toss` where the winner decided, `matchup` where a batter has left, and `luck` for weather and the start.
    """
    home = home_chance(state)
    swing = home - before
    won = state.toss_winner
    choice: Call = {"decision": "bat" if state.innings and state.innings[0].batting_side == won else "field"}
    toss: Decision = {"seat": SEATS[won], "choice": choice, "delta": _round(swing if won == 0 else -swing)}
    return ChanceChanged(
        innings=len(state.innings),
        ball=state.now.name if state.innings else "",
        home=_round(home),
        swing=_round(swing),
        matchup=_round(swing) if cause == "matchup" else 0.0,
        luck=_round(swing) if cause == "luck" else 0.0,
        decisions=[toss] if cause == "toss" else [],
    )


# --- chances ----------------------------------------------------------------------------------------------------------


def home_chance(state: ContestState) -> float:
    """Return the chance of the home side, for average players with natural calls; a tie or no result counts 0.5."""
    if state.result is not None:
        return state.result.scores[SEATS[0]]
    if state.innings:
        chance = batting_chance(state)
        return chance if state.now.batting_side == 0 else 1 - chance
    tables = win_probability(state.options.era, format_rules(state.options.overs, state.options.conditions))
    bats, fields_first = tables.first().at(0, 0, ceiling(tables.rules)), float(state.model.draws["field_first"])
    winner = fields_first * (1 - bats) + (1 - fields_first) * bats
    return winner if state.toss_winner == 0 else 1 - winner


def batting_chance(state: ContestState) -> float:
    """Return the chance of the side that bats in the present innings, or the one that just ended."""
    innings = state.now
    if innings.closed is None:
        grid, missing = _grid(state)
        return grid.at(innings.legal, innings.wickets, missing, innings.free_hit)
    tables = win_probability(state.options.era, innings.rules)
    rained = innings.closed == "rain"
    if rained and too_short(state):
        return 0.5
    if innings.number % 2 == 1:
        return 1 - tables.chase_from_start(target(state))
    assert innings.need is not None
    if innings.need == 1:
        return 0.5 if rained else tables.level
    return float(innings.need <= 0)


def _grid(state: ContestState) -> tuple[Grid, int]:
    """Return the table of the present innings, and the missing runs in its terms."""
    innings = state.now
    tables = win_probability(state.options.era, innings.rules)
    if innings.target is not None:
        return tables.chase, innings.target - innings.runs
    cut = state.method is not None and innings.number == 1
    resources = (state.resources[0], state.resources[1]) if cut else None
    return tables.first(resources), ceiling(innings.rules) - innings.runs


def _balls(state: ContestState, setting: Setting) -> tuple[PublicBall, PublicBall, PublicBall, PublicBall]:
    """Return the ball with natural calls, with the batting side's call, with the bowling side's, and with both."""
    called, usual = setting.choice, setting.standard
    era, bouncer_left = state.options.era, setting.bouncers_left > 0
    natural = PublicBall(
        era, state.now.rules, setting.moment, setting.striker, BallChoice(), usual, usual, bouncer_left, foul=False
    )
    bats = bowls = both = natural
    if called.intent != "normal" or called.shot != "natural":
        bats = both = natural._replace(choice=BallChoice(intent=called.intent, shot=called.shot))
    if called.aim != BallChoice().aim or called.variation is not None or setting.field is not usual:
        alone = BallChoice(called.aim, called.variation, read=called.read)
        bowls = natural._replace(choice=alone, field=setting.field, foul=setting.foul is not None)
        both = bowls if bats is natural else bowls._replace(choice=called)
    return natural, bats, bowls, both


def _worths(grid: Grid, innings: Innings, missing: int) -> Table:
    """Return [kind, node, runs]: the batting side's chance by the outcome of the ball."""
    needed = np.clip(missing - _BY_RUNS, 0, grid.size - 1)
    later, now = grid.states(innings.legal + 1), grid.states(innings.legal)
    wickets, free = innings.wickets, int(innings.free_hit)
    return np.stack(
        [later[:, 0, wickets, needed], later[:, 0, wickets + 1, needed], now[:, free, wickets, needed],
         now[:, 1, wickets, needed]]
    )  # fmt: skip


def class_worths(state: ContestState) -> Array:
    """Return [class]: the batting side's chance after the next ball, by the class of its outcome."""
    grid, missing = _grid(state)
    by_runs = np.array(conditions().prior) @ _worths(grid, state.now, missing)  # [kind, runs]
    kinds = _KINDS_ON_FREE_HIT if state.now.free_hit else _KINDS
    worths: Array = (class_runs(state.model, state.moment().phase) * by_runs[kinds]).sum(axis=1)
    return worths


# --- words ------------------------------------------------------------------------------------------------------------


def _calls(expectation: Expectation) -> tuple[Call, Call]:
    """Return the calls of (batting, bowling) that differ from natural ones."""
    choice = expectation.setting.choice
    batting: Call = {"intent": choice.intent, "shot": choice.shot}
    bowling: Call = {
        "length": "natural" if choice.aim[0] == NATURAL else LENGTHS[choice.aim[0]],
        "line": "natural" if choice.aim[1] == NATURAL else LINES[choice.aim[1]],
        "variation": choice.variation or "natural",
    }
    if expectation.setting.field is not expectation.setting.standard:
        bowling["field"] = expectation.field if isinstance(expectation.field, str) else list(expectation.field)
    usual = ("natural", "normal")
    return (
        {name: value for name, value in batting.items() if value not in usual},
        {name: value for name, value in bowling.items() if value not in usual},
    )


def _round(chance: float) -> float:
    return round(chance, _DIGITS) + 0.0
