"""The heuristic captain: one ball ahead, with the scorer's tables.

Every choice is judged by where it leaves the match: expected total in a first innings, chance of the chase in a second
(`expected_runs.py`). It knows what is public: the position, the season's figures, typical odds. It mixes its lengths,
because a length repeated is a length read.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.bots.neutral import review
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.field import PRESETS, field_of
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.ball_model import SET_BIN, BallModel, Weights, ball_model, times
from grandstand.games.cricket.model.context import resembles, standard_field
from grandstand.games.cricket.model.engine import NOBALL, RUN_OUT, WICKET, WIDE, BallMoment
from grandstand.games.cricket.model.expected_runs import WORTH, outlook
from grandstand.games.cricket.model.teams import Team
from grandstand.games.cricket.vocab import INTENTS, LENGTHS, LINES, PHASES

Vector = NDArray[np.float64]

_SEASON_WEIGHT: Final = 10.0
"""Overs of season after which a bowler's own economy counts as much as the average one."""
_PART_TIMER: Final = 1.5
"""Runs an over that a bowler who is not a front-line one is taken to cost more."""
_MARGIN: Final = 0.002
"""Aims within this much value of the best, relative to a ball's spread, are mixed."""
_AIMS: Final = [(length, line) for length in (-1, *range(len(LENGTHS))) for line in (-1, *range(len(LINES)))]


def heuristic(game: CricketGame, seat: SeatId, rng: Random) -> Action:
    """Choose by the situation: intent by value, bowlers by season and phase, lengths mixed, reviews when likely."""
    if game.state.stage == "review":
        return review(game)
    if game.state.stage == "toss":
        return {"tool": "set_toss", "arguments": {"decision": "field"}}
    innings = game.state.now
    if seat == ("home", "away")[innings.batting_side]:
        return {"tool": "play_delivery", "arguments": {"intent": best_intent(game)}}
    if innings.bowler is None:
        return _bowler(game)
    return _bowl(game, rng)


# --- value ------------------------------------------------------------------------------------------------------------


def values(game: CricketGame) -> Vector:
    """Return the worth of each class of outcome on this ball to the batting side: runs, or chance of the chase."""
    innings = game.state.now
    table = outlook(game.state.options.era, innings.rules)
    most = innings.rules.wickets
    out = []
    for k, worth in enumerate(WORTH):
        legal = innings.legal + (k not in (WIDE, NOBALL))
        wickets = min(innings.wickets + (k in (WICKET, RUN_OUT)), most)
        if innings.target is None:
            out.append(worth + table.mean[legal][wickets])
        else:
            out.append(table.chase(legal, wickets, innings.target - innings.runs - worth))
    return np.array(out)


def base_odds(game: CricketGame, moment: BallMoment, striker: int | None) -> Weights:
    """Return the public odds of the ball as it stands, before either captain's choice."""
    model: BallModel = game.state.model
    innings = game.state.now
    return times(
        model.context(moment.over, moment.phase, moment.group, moment.wickets),
        model.set_ness[SET_BIN[moment.faced]],
        model.chase[moment.chase],
        model.free_hit[moment.free_hit],
        model.position[striker if striker is not None else min(innings.wickets, 10)],
        tactics.tempo(innings.rules),
    )


def best_intent(game: CricketGame) -> str:
    """Return the intent with the highest value on this ball."""
    moment = game.state.moment()
    base = np.array(base_odds(game, moment, game.state.now.striker))
    worth = values(game)
    p = base * _intents()
    return list(INTENTS)[int(np.argmax(p @ worth / p.sum(axis=1)))]


@lru_cache
def _intents() -> Vector:
    return np.array([tactics.intent_factor(intent) for intent in INTENTS])


# --- bowling ----------------------------------------------------------------------------------------------------------


def _bowler(game: CricketGame) -> Action:
    """Choose the bowler whom the rest of the innings can best spare to this over."""
    innings = game.state.now
    side = game.state.teams[innings.bowling_side]
    player = plan_overs(innings, side)
    return {"tool": "choose_bowler", "arguments": {"bowler": side.players[player].name}}


def plan_overs(innings: Innings, side: Team) -> int:
    """Give every over left, the death first, to the cheapest bowler in that phase with overs in hand; return this
    over's. The cheapest are never asked for two overs running."""
    free = [i for i in range(11) if innings.may_bowl(i, side.keeper) is None]
    left = {
        i: innings.rules.bowler_max_overs - (innings.bowlers[i].overs if i in innings.bowlers else 0)
        for i in range(11)
        if i != side.keeper
    }
    phases = [resembles(innings.rules, 6 * over)[1] for over in range(innings.over, innings.rules.overs)]
    plan: dict[int, list[int]] = {phase: [] for phase in range(len(PHASES))}
    for phase in sorted(set(phases), reverse=True):
        overs = phases.count(phase)
        for i in sorted(left, key=lambda i: economy(side, i, phase)):
            share = min(left[i], (overs + 1) // 2, overs - len(plan[phase]))
            plan[phase] += [i] * share
            left[i] -= share
    now = phases[0]
    wanted = [i for i in plan[now] if i in free] or free
    return max(wanted, key=lambda i: (plan[now].count(i), -economy(side, i, now)))


def economy(side: Team, player: int, phase: int) -> float:
    """Return runs an over in the phase by season's figures, shrunk to the overall average; wickets count five runs."""
    season = side.players[player].season
    overs = season["overs"] / len(PHASES)
    figure = float(season["econ"][phase]) - 5.0 * (season["wkts"] / season["overs"] - 0.3)
    average = (9.1, 8.6, 10.8)[phase] + (0.0 if side.players[player].front_line else _PART_TIMER)
    return float((figure * overs + average * _SEASON_WEIGHT) / (overs + _SEASON_WEIGHT))


@lru_cache(maxsize=64)
def _aims(phase: int, group: int) -> Vector:
    """Return the mean odds factors of every aim, one row each."""
    landed = _model_landed(phase, group)
    rows = []
    for aim in _AIMS:
        row = np.zeros(len(WORTH))
        for length, line, share in tactics.landing_odds(phase, group, aim, tactics.TYPICAL_ACCURACY):
            row += share * landed[length, line]
        rows.append(row)
    return np.array(rows)


@lru_cache(maxsize=64)
def _model_landed(phase: int, group: int) -> Vector:
    return np.array(ball_model("modern").landed[phase][group])


def _bowl(game: CricketGame, rng: Random) -> Action:
    """Choose the field and the aim that leave the batting side worst off, mixing aims that are nearly as good."""
    innings = game.state.now
    moment = game.state.moment()
    base = np.array(base_odds(game, moment, innings.striker))
    worth = values(game)
    field = _field(game, moment, base, worth)
    if field != game.state.field_choice and not game.state.field_locked and game.state.calls[innings.bowling_side] == 0:
        return {"tool": "set_field", "arguments": {"preset": field}}
    p = base * _aims(moment.phase, moment.group) * _read(innings)
    value = p @ worth / p.sum(axis=1)
    if innings.bouncers >= innings.rules.bouncers_per_over or moment.group == 1:
        value[[aim[0] == len(LENGTHS) - 1 for aim in _AIMS]] = np.inf
    spread = float(worth.max() - worth.min())
    near = [i for i in range(len(_AIMS)) if value[i] <= value.min() + _MARGIN * spread]
    length, line = _AIMS[rng.choice(near)]
    arguments: dict[str, Any] = {}
    if length >= 0:
        arguments["length"] = LENGTHS[length]
    if line >= 0:
        arguments["line"] = LINES[line]
    return {"tool": "bowl_delivery", "arguments": arguments}


def _read(innings: Innings) -> Vector:
    """Return the odds factors that repeating each aim's length would give the batter."""
    assert innings.bowler is not None
    aims = innings.bowlers[innings.bowler].aims
    rows = [tactics.read_factor(tactics.repeats(aims, length, "natural")) for length, _ in _AIMS]
    return np.array(rows)


@lru_cache(maxsize=4096)
def _field_rows(phase: int, group: int, rules: Any, legal: int) -> tuple[tuple[str, ...], Vector]:
    """Return the legal presets and their mean odds factors under the natural mix of balls."""
    standard = standard_field(rules, legal, group)
    names, rows = ["standard"], [np.ones(len(WORTH))]
    for name, places in PRESETS.items():
        field = field_of(places)
        if field.breach(rules.max_outside(legal)) is not None:
            continue
        row = np.zeros(len(WORTH))
        for length, line, share in tactics.landing_odds(phase, group, (-1, -1), tactics.TYPICAL_ACCURACY):
            row += share * np.array(tactics.field_factor(field, standard, group, length, line, None))
        names.append(name)
        rows.append(row)
    return tuple(names), np.array(rows)


def _field(game: CricketGame, moment: BallMoment, base: Vector, worth: Vector) -> str:
    innings = game.state.now
    names, rows = _field_rows(moment.phase, moment.group, innings.rules, 6 * (innings.legal // 6))
    p = base * rows
    return names[int(np.argmin(p @ worth / p.sum(axis=1)))]
