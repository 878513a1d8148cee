"""Chances of winning at a moment of a match, and the worth of each outcome of the next ball.

They hold for average players on an average day with natural calls, so that they depend on the position alone.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np

from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.match.results import target, too_short
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.model.average import RUNS, BallOutcome, class_runs
from grandstand.games.cricket.model.engine import NOBALL, RUN_OUT, WICKET, WIDE
from grandstand.games.cricket.model.priors import Array, conditions
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
    tables = win_probability(state.options.era, format_rules(state.options.overs, state.options.conditions))
    bats, fields_first = tables.first().at(0, 0, ceiling(tables.rules)), float(state.model.draws["field_first"])
    winner = fields_first * (1 - bats) + (1 - fields_first) * bats
    return winner if state.toss_winner == 0 else 1 - winner


def batting_chance(state: ContestState) -> float:
    """Return the chance of the side that bats in the present innings, or the one that just ended."""
    innings = state.now
    if innings.closed is None:
        table, missing = grid(state)
        return table.at(innings.legal, innings.wickets, missing, innings.free_hit)
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


def grid(state: ContestState) -> tuple[Grid, int]:
    """Return the table of the present innings, and the missing runs in its terms."""
    innings = state.now
    tables = win_probability(state.options.era, innings.rules)
    if innings.target is not None:
        return tables.chase, innings.target - innings.runs
    cut = state.method is not None and innings.number == 1
    resources = (state.resources[0], state.resources[1]) if cut else None
    return tables.first(resources), ceiling(innings.rules) - innings.runs


def outcome_chances(state: ContestState) -> Table:
    """Return [kind, node, runs]: the batting side's chance by the outcome of the next ball and the conditions."""
    (table, missing), innings = grid(state), state.now
    needed = np.clip(missing - _BY_RUNS, 0, table.size - 1)
    later, now = table.states(innings.legal + 1), table.states(innings.legal)
    wickets, free = innings.wickets, int(innings.free_hit)
    return np.stack(
        [later[:, 0, wickets, needed], later[:, 0, wickets + 1, needed], now[:, free, wickets, needed],
         now[:, 1, wickets, needed]]
    )  # fmt: skip


def stakes(state: ContestState) -> Array:
    """Return `outcome_chances` as a vector, each times the prior probability of its conditions."""
    prior = np.array(conditions().prior)[None, :, None]
    return np.asarray((outcome_chances(state) * prior).reshape(-1))


@cache
def wickets() -> Array:
    """Return the vector that counts wickets as `stakes` counts chances."""
    out = np.zeros((len(BallOutcome._fields), len(conditions().prior), RUNS))
    out[_OUT] = np.array(conditions().prior)[:, None]
    return out.reshape(-1)


def after_a_dot_and_a_wicket(state: ContestState) -> tuple[float, float]:
    """Return the batting side's chances after a dot ball and after a wicket without a run."""
    at = np.array(conditions().prior) @ outcome_chances(state)[:, :, 0].T
    return float(at[_RUNS]), float(at[_OUT])


def class_worths(state: ContestState) -> Array:
    """Return [class]: the batting side's chance after the next ball, by the class of its outcome."""
    by_runs = np.array(conditions().prior) @ outcome_chances(state)  # [kind, runs]
    kinds = _KINDS_ON_FREE_HIT if state.now.free_hit else _KINDS
    return np.asarray((class_runs(state.model, state.moment().phase) * by_runs[kinds]).sum(axis=1))
