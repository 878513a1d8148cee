"""The heuristic captain: the game of one ball, solved with the scorer's tables.

Every choice is judged by where it leaves the match (`win_probability_added.class_worths`). It knows what is public: the
position, the season's figures, typical odds, and the calls of both sides so far in the innings. With the bat it answers
the field and what the bowlers have been calling; with the ball it sets the field that leaves the batters least and
mixes its balls as the game asks, or turns to what a predictable batter cannot play.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, Final

import numpy as np

from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.bots import ball_game
from grandstand.games.cricket.bots.ball_game import BALLS, STROKES
from grandstand.games.cricket.bots.neutral import review
from grandstand.games.cricket.bots.overs import plan_overs
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import PRESETS, Field, field_of
from grandstand.games.cricket.laws.rules import FormatRules
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.match.win_probability_added import class_worths
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.context import standard_field
from grandstand.games.cricket.model.priors import Array
from grandstand.games.cricket.model.reading import NATURAL_AIM, Aim, forecast, read
from grandstand.games.cricket.vocab import GROUPS, LENGTHS, LINES

_NEW: Final = 5
"""Balls faced from which a batter counts as set."""
_MIXED: Final = 6.0
"""The weight of the usual mix of balls, in balls, beside those that were seen."""
_MARGIN: Final = 0.0007
"""Batting calls within this much of the best, relative to the spread of a ball's outcomes, are mixed."""
_FORETOLD: Final = 0.7
_PREDICTABLE: Final = 0.7
"""The share of one call among the last from which it counts as a habit, and is played upon."""
_HABIT: Final = 10
"""Calls of the batters that must be known before."""
_GAIN: Final = 0.01
"""Runs a ball that another field must save before it is set."""
_SHARP: Final = 0.1
"""Runs a ball by which a ball must be better against a habit to be bowled e times as often."""
_TRIES: Final = 6
_FREE_CALLS: Final = 3
"""Calls before a ball that are used at most: the bowler and the field."""
_READ_ENOUGH: Final = 0.25


def heuristic(game: CricketGame, seat: SeatId, rng: Random) -> Action:
    """Choose by the situation and the other side's calls so far."""
    state = game.state
    if state.stage == "review":
        return review(game)
    if state.stage == "toss":
        return {"tool": "set_toss", "arguments": {"decision": "field"}}
    innings = state.now
    if seat == ("home", "away")[innings.batting_side]:
        intent, family = best_stroke(state, rng)
        return {"tool": "play_delivery", "arguments": {"intent": intent, "shot": ball_game.shot_of(family)}}
    if innings.bowler is None:
        side = state.teams[innings.bowling_side]
        return {"tool": "choose_bowler", "arguments": {"bowler": side.players[plan_overs(innings, side)].name}}
    return _bowl(state, rng)


# --- batting ----------------------------------------------------------------------------------------------------------


def best_stroke(state: ContestState, rng: Random) -> tuple[str, str | None]:
    """Return the intent and family of shot that answer the field set and the balls to be expected."""
    innings, moment = state.now, state.moment()
    striker = innings.striker if innings.striker is not None else min(innings.wickets, 10)
    standard = standard_field(innings.rules, innings.legal, moment.group)
    tables = ball_game.stroke_tables(state.options.era, moment.phase, moment.group, state.field, standard)
    base = ball_game.base_odds(state.model, innings.rules, moment, striker)
    base = base * _expected_variation(moment.phase, moment.group, state.aims[moment.group])
    worths = class_worths(state)
    value = ball_game.worth_of_strokes(tables, base, worths) @ expected_landing(moment.phase, moment.group, state)
    spread = float(worths.max() - worths.min())
    near = np.flatnonzero(value >= value.max() - _MARGIN * spread)
    index: int = rng.choice(near.tolist())
    return STROKES[index]


def expected_landing(phase: int, group: int, state: ContestState) -> Array:
    """Return [cell]: where the next ball is expected, by the calls of this kind of bowling so far."""
    return _expected(phase, group, state.aims[group])


@lru_cache(maxsize=4096)
def _expected_variation(phase: int, group: int, aims: tuple[Aim, ...]) -> Array:
    """Return [class]: the odds factors of the variations to be expected, by this kind of bowling so far."""
    factors = [tactics.variation_factor(GROUPS[group], phase, variation) for _, _, variation in aims]
    return np.asarray((_MIXED + np.sum(factors, axis=0)) / (_MIXED + len(factors)))


@lru_cache(maxsize=4096)
def _expected(phase: int, group: int, aims: tuple[Aim, ...]) -> Array:
    natural = ball_game.landing(phase, group, *NATURAL_AIM[:2])
    called = [ball_game.landing(phase, group, length, line) for length, line, _ in aims]
    total = _MIXED * natural + np.sum(called, axis=0)
    mean = total / total.sum()
    following, sure = forecast(aims)
    if following is None:
        return np.asarray(mean)
    foretold = ball_game.landing(phase, group, *following[:2])
    return np.asarray((1 - _FORETOLD * sure) * mean + _FORETOLD * sure * foretold)


# --- bowling ----------------------------------------------------------------------------------------------------------


def _bowl(state: ContestState, rng: Random) -> Action:
    """Set the field where a better one is due, else bowl."""
    if _may_set_field(state):
        innings, where = state.now, _class_of(state)
        standard = standard_field(innings.rules, innings.legal, state.attack)
        name = best_field(*where, standard, innings.rules.max_outside(innings.legal))
        gain = ball_game.answer(*where, state.field, standard) - ball_game.answer(*where, _field(name), standard)
        if gain > _GAIN:
            return {"tool": "set_field", "arguments": {"preset": "standard" if _field(name) is standard else name}}
    length, line, variation = _ball(plan_of(state), state, state.attack, rng)
    arguments: dict[str, Any] = {"variation": variation}
    if length >= 0:
        arguments["length"] = LENGTHS[length]
    if line >= 0:
        arguments["line"] = LINES[line]
    return {"tool": "bowl_delivery", "arguments": arguments}


def _class_of(state: ContestState) -> tuple[str, FormatRules, int, int, int, bool]:
    """Return the class of states of this ball: era, rules, phase, kind of bowling, price, and True for a new batter."""
    moment = state.moment()
    price, new = ball_game.price_class(class_worths(state)), moment.faced < _NEW
    return state.options.era, state.now.rules, moment.phase, moment.group, price, new


def plan_of(state: ContestState) -> ball_game.Plan:
    """Return the mix of balls for this ball, in the field set now."""
    innings = state.now
    standard = standard_field(innings.rules, innings.legal, state.attack)
    bouncer = innings.bouncers < innings.rules.bouncers_per_over
    return ball_game.plan(*_class_of(state), state.field, standard, bouncer)


def _may_set_field(state: ContestState) -> bool:
    """Return whether this is a moment at which captains move their fielders: a new over, batter, phase or breach."""
    innings = state.now
    if state.field_locked or state.calls[innings.bowling_side] >= _FREE_CALLS:
        return False
    assert innings.striker is not None
    begins = not innings.over_log or innings.batters[innings.striker].balls == 0
    return begins or innings.legal == innings.rules.powerplay_balls or state.breach() is not None


@lru_cache(maxsize=512)
def best_field(
    era: str, rules: FormatRules, phase: int, group: int, price: int, new: bool, standard: Field, most: int
) -> str:
    """Return the name of the field in which the batters' best answer to natural balls is worth least."""
    names = [name for name, places in PRESETS.items() if field_of(places).breach(most) is None]
    return min(names, key=lambda name: ball_game.answer(era, rules, phase, group, price, new, _field(name), standard))


def _field(name: str) -> Field:
    return field_of(PRESETS[name])


def _ball(plan: ball_game.Plan, state: ContestState, group: int, rng: Random) -> Aim:
    """Return a ball of the plan, turned against the batters' habits, that is read as little as may be."""
    innings, aims, balls = state.now, state.aims[group], BALLS[group]
    shares = plan.shares
    habit = _habit(state.strokes)
    if habit is not None:
        shares = shares * np.exp(-(plan.worths @ habit) / _SHARP)
    no_bouncer = innings.bouncers >= innings.rules.bouncers_per_over
    best, least = NATURAL_AIM, np.inf
    running = np.cumsum(shares)
    for _ in range(_TRIES):
        ball = balls[int(np.searchsorted(running, rng.random() * running[-1]))]
        if no_bouncer and ball_game.is_bouncer(ball):
            continue
        waited = read(aims, ball)
        if waited < least:
            best, least = ball, waited
        if waited <= _READ_ENOUGH:
            break
    return best


@lru_cache(maxsize=1024)
def _habit(strokes: tuple[tuple[str, str], ...]) -> Array | None:
    """Return [stroke]: how often the batters call each, where one is a habit that is not just natural; else None."""
    if len(strokes) < _HABIT:
        return None
    counts = np.zeros(len(STROKES))
    for stroke in strokes:
        index = ball_game.stroke_index(*stroke)
        if index is not None:
            counts[index] += 1
    habit = int(counts.argmax())
    usual = STROKES[habit] == ("normal", None) or counts[habit] < _PREDICTABLE * len(strokes)
    return None if usual else counts / counts.sum()
