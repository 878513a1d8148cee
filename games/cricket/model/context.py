"""The state of the 20-over data that a ball of any format resembles, and a side's natural choices in that state."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, exp
from typing import Final

from grandstand.games.cricket.laws.field import PRESETS, Field, field_of, standard_preset
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import FormatRules
from grandstand.games.cricket.model.ball_model import BallModel
from grandstand.games.cricket.model.keyed_random import DrawChannel, Row
from grandstand.games.cricket.model.teams import Team
from grandstand.games.cricket.vocab import GROUPS

POWERPLAY, MIDDLE, DEATH = 0, 1, 2


@lru_cache(maxsize=256)
def death_overs(overs: int) -> int:
    """Return the number of overs that count as the death: 5 of 20, 3 of 5, 10 of 50."""
    return min(overs, round(2 + 0.15 * overs)) if overs <= 20 else round(overs / 5)


@lru_cache(maxsize=16384)
def resembles(rules: FormatRules, legal: int) -> tuple[int, int]:
    """Return (over 0-19 of a 20-over innings, phase) for the ball after `legal` legal ones.

    The ends of an innings keep their meaning: powerplay overs map to powerplay overs, the last overs to the last.
    """
    if rules.super_over:
        return 19, DEATH
    overs, over = rules.overs, min(legal // 6, rules.overs - 1)
    powerplay, death = ceil(rules.powerplay_balls / 6), death_overs(overs)
    phase = POWERPLAY if legal < rules.powerplay_balls else DEATH if over >= overs - death else MIDDLE
    if over < powerplay:
        return max(0, (over + 1) * 6 // powerplay - 1), phase
    if over >= overs - death:
        left = overs - over
        return 20 - (left if overs <= 20 else max(1, left * 5 // death)), phase
    return 6 + (2 * (over - powerplay) + 1) * 9 // (2 * (overs - death - powerplay)), phase


@lru_cache(maxsize=16384)
def standard_field(rules: FormatRules, legal: int, group: int) -> Field:
    """Return the field of the state that the ball model takes for granted."""
    return field_of(PRESETS[standard_field_name(rules, legal, group)])


@lru_cache(maxsize=16384)
def standard_field_name(rules: FormatRules, legal: int, group: int) -> str:
    death = resembles(rules, legal)[1] == DEATH
    return standard_preset(rules, legal, death, GROUPS[group])


_ECON_WEIGHT: Final = 0.12
"""OURS: how much a side prefers a bowler whose season in this phase was a run an over cheaper."""


def natural_bowler(innings: Innings, side: Team, model: BallModel, row: Row) -> int:
    """Return a real side's bowler: pace or spin as often as in the data, front-line bowlers with overs left first."""
    free = [i for i in range(11) if innings.may_bowl(i, side.keeper) is None]
    over, phase = resembles(innings.rules, innings.legal)
    wanted = "spin" if row[DrawChannel.BOWLER] < model.draws["spin_by_over"][over] else "pace"
    front = [i for i in free if side.players[i].front_line]
    pool = [i for i in front if side.players[i].group == wanted] or front or free
    quota = innings.rules.bowler_max_overs
    weights = []
    for i in pool:
        card = innings.bowlers.get(i)
        left = quota - (card.overs if card else 0)
        weights.append(max(left, 0.25) ** 2 * exp(-_ECON_WEIGHT * side.players[i].season["econ"][phase]))
    u = row[DrawChannel.SPARE] * sum(weights)
    for i, weight in zip(pool, weights, strict=True):
        u -= weight
        if u < 0:
            return i
    return pool[-1]


def natural_batter(innings: Innings, side: Team) -> int:
    """Return the next in the order; in a Super Over the best hitter left by the season's figures."""
    waiting = innings.waiting()
    if not innings.rules.super_over:
        return waiting[0]
    return max(waiting, key=lambda i: hitting(side, i))


def hitting(side: Team, player: int) -> float:
    """Return a season as one number for a short innings: strike rate, and average up to thirty."""
    season = side.players[player].season
    return float(season["sr"] + min(season["avg"], 30.0))
