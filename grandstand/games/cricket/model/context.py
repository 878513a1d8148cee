"""Maps a ball of any format to a state of the 20-over data, and gives a side's natural choices in that state."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, exp
from typing import Final

from grandstand.games.cricket.laws.field import PRESETS, Field, field_of, standard_preset
from grandstand.games.cricket.laws.innings import Innings
from grandstand.games.cricket.laws.rules import FormatRules
from grandstand.games.cricket.model.ball_model import BallModel, Weights, along
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
        remaining = overs - over
        return 20 - (remaining if overs <= 20 else max(1, remaining * 5 // death)), phase
    return 6 + (2 * (over - powerplay) + 1) * 9 // (2 * (overs - death - powerplay)), phase


@lru_cache(maxsize=16384)
def standard_field(rules: FormatRules, legal: int, group: int) -> Field:
    """Return the field that the ball model assumes in this state."""
    return field_of(PRESETS[standard_field_name(rules, legal, group)])


@lru_cache(maxsize=16384)
def standard_field_name(rules: FormatRules, legal: int, group: int) -> str:
    death = resembles(rules, legal)[1] == DEATH
    return standard_preset(rules, legal, death, GROUPS[group])


# OURS, fitted to how real captains shared 904 innings' overs: 3.2 bowlers bowl all four, 1.3 three, .9 two and .6 one.
_FIRST_CHOICE: Final = 0.3
"""Log-odds of a specialist over an all-rounder."""
_ECON_WEIGHT: Final = 0.25
"""Log-odds of a bowler whose season in this phase was a run an over cheaper."""
_TODAY: Final = 0.4
"""Log-odds of a bowler who costs a run an over less today; two overs of average bowling are added to the figures."""
_WICKET: Final = 1.6
"""Log-odds for each wicket today."""
_IN_A_SPELL: Final = 0.9
"""Log-odds of the bowler of the over before the last one."""
_PAR: Final = 1.5
"""Runs a ball of average bowling."""


def natural_bowler(innings: Innings, side: Team, model: BallModel, row: Row) -> int:
    """Return a real side's bowler: pace and spin are as frequent as in the data, and a bowler who does well continues.
    Quick bowlers keep overs for the end: if pace has only those left, spin bowls before."""
    free = [i for i in innings.elevens[innings.bowling_side] if innings.may_bowl(i, side.keeper) is None]
    over, phase = resembles(innings.rules, innings.legal)
    wanted = "spin" if row[DrawChannel.BOWLER] < model.draws["spin_by_over"][over] else "pace"
    front = [i for i in free if side.players[i].front_line]
    if wanted == "pace" and not innings.rules.super_over:
        front = _without_the_last(innings, side, front)
    pool = [i for i in front if side.players[i].group == wanted] or front or free
    weights = [_preference(innings, side, i, phase) for i in pool]
    u = row[DrawChannel.SPARE] * sum(weights)
    for i, weight in zip(pool, weights, strict=True):
        u -= weight
        if u < 0:
            return i
    return pool[-1]


def _preference(innings: Innings, side: Team, bowler: int, phase: int) -> float:
    """Return the weight of a bowler in a side's choice now."""
    player, card = side.players[bowler], innings.bowlers.get(bowler)
    wish = _FIRST_CHOICE * (player.role == "bowler") - _ECON_WEIGHT * player.season["econ"][phase]
    if card is not None:
        dear = 6 * (card.runs - _PAR * card.balls) / (card.balls + 12)
        wish += _WICKET * card.wickets - _TODAY * dear
        if len(innings.overs) >= 2 and innings.overs[-2][0] == bowler:
            wish += _IN_A_SPELL
    return exp(wish)


def _without_the_last(innings: Innings, side: Team, front: list[int]) -> list[int]:
    """Return `front` without the quick bowlers whose overs are kept for the end, where others can bowl now."""
    rules, players = innings.rules, side.players
    eleven = innings.elevens[innings.bowling_side]
    to_come = rules.overs - innings.over - 1
    reserve = min(to_come, death_overs(rules.overs))
    quick = [i for i in eleven if players[i].front_line and players[i].group == "pace"]
    quota = {i: rules.bowler_max_overs - (card.overs if (card := innings.bowlers.get(i)) else 0) for i in quick}
    if to_come >= death_overs(rules.overs):
        spare = sum(quota.values()) > 0.8 * reserve
        stay = [i for i in front if spare or i not in quota]
    else:  # nobody bowls two successive overs: another quick bowler must be left for the over after this one
        stay = [i for i in front if i not in quota or not to_come or any(quota[j] > 0 for j in quick if j != i)]
    return stay or front


# OURS: with the last man in, the partner takes the strike: real numbers eleven face 42 per cent of the balls, where
# an even share of the singles would give them 56.
_KEEPS_THE_STRIKE: Final = along({"1": -0.9, "3": -0.9}, 1.0)
_GIVES_IT_BACK: Final = along({"1": 0.6, "4": -0.15, "6": -0.3}, 1.0)
_LAST_SINGLES: Final = 4
"""Legal balls of an over from which on the partner takes a single, to face the next over."""


def farming(innings: Innings) -> Weights | None:
    """Return the odds factors of a last pair in which one batter wants the strike and the other does not."""
    if innings.wickets != innings.rules.wickets - 1 or innings.rules.super_over:
        return None
    if innings.striker == innings.order[-1]:
        return _GIVES_IT_BACK
    return _KEEPS_THE_STRIKE if innings.legal % 6 < _LAST_SINGLES else None


def natural_batter(innings: Innings, side: Team) -> int:
    """Return the next in the order; in a Super Over the best hitter left by the season's figures."""
    waiting = innings.waiting()
    if not innings.rules.super_over:
        return waiting[0]
    return max(waiting, key=lambda i: hitting(side, i))


def hitting(side: Team, player: int) -> float:
    """Return the value of a batter's season for a short innings: strike rate, plus the average up to thirty."""
    season = side.players[player].season
    return float(season["sr"] + min(season["avg"], 30.0))
