"""Effects of the captains' choices on the odds: intent, shot, target and execution, variation.

Directions and sizes are measured where data exist; each constant says so. Those marked OURS are assumptions, chosen so
that no call always pays: real sides are assumed to play nearly optimally (see docs/cricket.md).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import exp
from statistics import NormalDist
from typing import Final

import numpy as np

from grandstand.games.cricket.laws.rules import FormatRules
from grandstand.games.cricket.model.ball_model import (
    DATA,
    ONES,
    PHASE_SD,
    Array,
    BallModel,
    Weights,
    along,
    cumulative,
    factors,
    pick,
    scaled,
    times,
    vector,
)
from grandstand.games.cricket.model.keyed_random import DrawChannel, Row, inverse_normal
from grandstand.games.cricket.vocab import CLASSES, GROUPS, INTENTS, LEAVE, LENGTH_EDGES, LENGTHS, LINE_EDGES, LINES

# --- intent -----------------------------------------------------------------------------------------------------------
# Measured: first principal component of context cells in overs 7-20 (1 .25, 2 .62, 4 .71, 6 1.0, W .77 per unit).
# OURS: the wicket slope is steepened to 1.2 and curved, because the raw slope was measured where risk was cheap.
_AXIS: Final[dict[str, float]] = DATA["risk_axis"]
_WICKET_SLOPE: Final = 1.2
_WICKET_CURVE: Final = 0.15
# OURS: an intent that is decided before the ball gives up judging it: some .08 runs a ball. A natural batter attacks
# the balls that ask for it, and the data's risk is that of such batters. At the death, they attack nearly all balls.
_DECIDED: Final = {"1": -0.07, "2": -0.09, "4": -0.10, "6": -0.10, "W": 0.10}
_DECIDED_BY_PHASE: Final = (1.0, 1.0, 2.0)


@lru_cache
def intent_factor(intent: str, phase: int) -> Weights:
    u = INTENTS[intent]
    row = list(along({**_AXIS, "W": _WICKET_SLOPE, "RO": 0.3}, u))
    row[CLASSES.index("W")] *= exp(_WICKET_CURVE * u * u)
    return tuple(row) if intent == "normal" else times(tuple(row), along(_DECIDED, _DECIDED_BY_PHASE[phase]))


# --- tempo by length of match -----------------------------------------------------------------------------------------
# Anchors: 5 overs scores 55-66 (one real innings of 62/7; last five overs with two down or fewer 53.6 and 59.7);
# 20 overs is the data. 50 overs: men's one-day internationals whose first innings ran its length have made about 290
# since 2013 (published summaries of 398 and 747 matches: 288, and close to 290). Between is OURS.
_TEMPO: Final = ((1, 0.0), (2, 0.0), (5, 0.35), (20, 0.0), (50, -2.2))
_TEMPO_WICKET: Final = 0.95
_TYPICAL_RATE: Final = ((1, 11.0), (5, 12.0), (20, 9.3), (50, 5.9))


def _between(anchors: tuple[tuple[int, float], ...], overs: int) -> float:
    for (low, a), (high, b) in pairwise(anchors):
        if overs <= high:
            return a + (b - a) * (overs - low) / (high - low)
    return anchors[-1][1]


@lru_cache
def tempo(rules: FormatRules) -> Weights:
    """Return the pace of an innings by its length, along the measured axis; a Super Over by the 34 that were played."""
    if rules.super_over:
        return factors(DATA["super_over"])
    return along({**_AXIS, "W": _TEMPO_WICKET, "RO": 0.3}, _between(_TEMPO, rules.overs))


@lru_cache
def rate_scale(rules: FormatRules) -> float:
    """Return the factor that puts a required rate on the 20-over scale.

    It is the scoring rate in 20 overs divided by that in this length.
    """
    return typical_rate(20) / typical_rate(rules.overs)


def typical_rate(overs: int) -> float:
    """Return the runs an over that sides score in an innings of this length."""
    return _between(_TYPICAL_RATE, overs)


# --- where the ball lands ---------------------------------------------------------------------------------------------
# Edges measured (tracked T20Is). Execution: pace length sd 1.2 m, spin 0.9 m, line 0.25 m, below the upper bounds
# seen; a yorker misses half as far again, which reproduces the full tosses that come with yorkers at the death.
LENGTH_AIM: Final = {"pace": (0.2, 2.0, 4.5, 7.2, 9.0, 11.0, 12.7), "spin": (0.3, 1.5, 3.0, 5.1, 6.5, 7.8, 7.8)}
LINE_AIM: Final = (0.92, 0.55, 0.23, 0.0, -0.23, -0.6)
LENGTH_SD: Final = {"pace": 1.2, "spin": 0.9}
LINE_SD: Final = 0.25
YORKER: Final = LENGTHS.index("yorker")
YORKER_SD: Final = 1.5
TYPICAL_ACCURACY: Final = 1.1
"""The scale of a typical bowler's miss; the hidden scales are between 0.8 and 1.4."""
NATURAL: Final = -1


def land(model: BallModel, phase: int, group: int, aim: tuple[int, int], accuracy: float, row: Row) -> tuple[int, int]:
    """Return the landed length and line bins. `aim` holds bins or NATURAL; `accuracy` scales the miss (0.8-1.4)."""
    length, line = aim
    name = GROUPS[group]
    if length == NATURAL:
        length = pick(model.mixes[phase][group][0], row[DrawChannel.LENGTH])
    else:
        sd = LENGTH_SD[name] * accuracy * (YORKER_SD if length == YORKER else 1.0)
        length = length_bin(name, LENGTH_AIM[name][length] + sd * inverse_normal(row[DrawChannel.LENGTH]))
    if line == NATURAL:
        line = pick(model.mixes[phase][group][1], row[DrawChannel.LINE])
    else:
        line = line_bin(LINE_AIM[line] + LINE_SD * accuracy * inverse_normal(row[DrawChannel.LINE]))
    return length, line


def length_bin(group: str, metres: float) -> int:
    """Return the bin of a length; a spinner's shortest ball is short, not a bouncer."""
    return sum(metres >= edge for edge in _inner_edges(group))


def _inner_edges(group: str) -> tuple[float, ...]:
    return LENGTH_EDGES[group][1 : 7 if group == "pace" else 6]


def line_bin(metres: float) -> int:
    return sum(metres < edge for edge in LINE_EDGES[1:6])


@lru_cache(maxsize=4096)
def landing_odds(phase: int, group: int, aim: tuple[int, int], accuracy: float) -> tuple[tuple[int, int, float], ...]:
    """Return the exact distribution of `land`, for computing expectations: (length, line, probability)."""
    name = GROUPS[group]

    def share(mean: float, sd: float, edges: tuple[float, ...]) -> list[float]:
        below = [0.0, *(NormalDist(mean, sd).cdf(edge) for edge in edges), 1.0]
        return [b - a for a, b in pairwise(below)]

    if aim[0] == NATURAL:
        lengths = DATA["delivery"][name]["length_mix"][phase]
    else:
        sd = LENGTH_SD[name] * accuracy * (YORKER_SD if aim[0] == YORKER else 1.0)
        lengths = share(LENGTH_AIM[name][aim[0]], sd, _inner_edges(name))
    if aim[1] == NATURAL:
        lines = DATA["delivery"][name]["line_mix"][phase]
    else:
        lines = share(LINE_AIM[aim[1]], LINE_SD * accuracy, tuple(reversed(LINE_EDGES[1:6])))[::-1]
    return tuple((i, j, p * q) for i, p in enumerate(lengths) for j, q in enumerate(lines) if p * q > 1e-6)


# --- variations -------------------------------------------------------------------------------------------------------
# Pace: measured by phase against the stock ball. Swing and the spinner's balls are OURS: small, paid for in control.
_OURS: Final = {
    "swing": ({"4": 0.08, "W": 0.12}, {"4": 0.1, "1": 0.05}, {"4": 0.15, "6": 0.1}),
    "wrong_un": ({"W": 0.12, "4": 0.1, "wide": 0.15},) * 3,
    "arm_ball": ({"1": -0.05, "W": 0.05, "6": 0.08},) * 3,
    "quicker": ({"6": -0.15, "4": 0.05, "1": 0.06, "W": -0.04},) * 3,
}


@lru_cache
def variation_factor(group: str, phase: int, name: str) -> Weights:
    """Return the odds of a variation relative to the phase's usual blend of variations."""
    if name in _OURS:
        return along(_OURS[name][phase], 1.0)
    if group == "spin" or name == "natural":  # the usual blend
        return ONES
    table = DATA["pace_variation"]
    logs = {n: table["effect"][n][phase] for n in table["share"]}
    mean = [sum(table["share"][n][phase] * exp(logs[n][k]) for n in logs) for k in range(len(CLASSES))]
    return tuple(exp(x) / m for x, m in zip(logs[name], mean, strict=True))


@lru_cache
def variation_mix(group: str, phase: int) -> tuple[tuple[str, ...], list[float]]:
    """Return the variations of a natural ball: measured for pace, always stock for spin (no data)."""
    if group == "spin":
        return ("stock",), [1.0]
    share = DATA["pace_variation"]["share"]
    return tuple(share), cumulative([share[n][phase] for n in share])


# --- premeditated shots -----------------------------------------------------------------------------------------------
# OURS: a shot chosen before the ball pays where it suits and costs where it does not, and over the natural mix of
# balls costs .08 to .24 runs (`scripts/cricket/level_shots.py`). Lengths and lines by index; tilt multiplies the odds
# that the ball goes to each sector.
_SUITS: Final = {
    "defend": (range(7), range(1, 5)),
    "drive": (range(0, 4), range(0, 4)),
    "leg_side": (range(1, 5), range(3, 6)),
    "cut": (range(4, 7), range(0, 3)),
    "pull": (range(4, 7), range(2, 6)),
    "sweep": (range(0, 4), range(2, 6)),
    "ramp": (range(0, 3), range(2, 5)),
    "loft": (range(0, 4), range(1, 5)),
}
_FITS: Final = {
    "defend": {"1": -0.4, "2": -1.0, "4": -1.3, "6": -3.0, "W": -1.1},
    "drive": {"1": 0.1, "2": 0.1, "4": 0.25, "6": -0.1, "W": 0.1},
    "leg_side": {"1": 0.35, "2": 0.2, "4": 0.05, "6": -0.6, "W": -0.15},
    "cut": {"1": 0.1, "2": 0.15, "4": 0.4, "6": -0.3, "W": 0.05},
    "pull": {"1": 0.1, "2": 0.1, "4": 0.3, "6": 0.35, "W": 0.15},
    "sweep": {"1": 0.25, "2": 0.1, "4": 0.2, "6": 0.05, "W": 0.1},
    "ramp": {"1": 0.0, "2": 0.0, "4": 0.4, "6": 0.2, "W": 0.25},
    "loft": {"1": -0.1, "2": 0.1, "4": 0.2, "6": 0.45, "W": 0.3},
}
# A ball left alone brings no runs off the bat, no catch and no leg-byes (Law 23.2). How often it hits the stumps or the
# pad in front of them, and that a fifth of leg-byes are byes then, is OURS: nobody counts balls left.
_LEFT_BYES: Final = 0.2
_LEFT_RUN_OUT: Final = 0.05
_LEFT_WICKET: Final = (0.03, 0.05, 0.2, 4.0, 0.2, 0.03)
"""By line, for lengths that may hit the stumps; a hundredth of it for shorter ones."""
_LEVEL: Final = {"1": 0.1, "2": 0.15, "4": 0.3, "6": 0.3, "W": -0.3}
LEVELS: Final[dict[str, list[list[float]]]] = DATA["shot_levels"]
"""By family, phase and kind of bowling: the distance by which a shot is moved along `_LEVEL`
(`scripts/cricket/level_shots.py`)."""
_MISFIT: Final = {"1": -0.15, "2": -0.25, "4": -0.4, "6": -0.4, "W": 0.3}
SHOT_TILT: Final = {
    "leave": (1, 1, 1, 1, 1, 1, 1, 1),
    "defend": (1, 1, 1, 0.5, 0.7, 1, 1.2, 1.2),
    "drive": (1.6, 0.6, 0.2, 0.1, 0.4, 0.7, 2.0, 2.0),
    "leg_side": (1.0, 2.0, 2.2, 1.8, 0.1, 0.1, 0.2, 0.3),
    "cut": (0.05, 0.05, 0.1, 0.2, 2.6, 3.2, 1.3, 0.1),
    "pull": (0.5, 2.2, 2.6, 1.6, 0.1, 0.1, 0.1, 0.1),
    "sweep": (0.2, 1.6, 3.0, 2.2, 0.8, 0.4, 0.1, 0.1),
    "ramp": (0.2, 0.2, 0.7, 3.5, 3.0, 0.4, 0.2, 0.2),
    "loft": (2.2, 1.5, 0.3, 0.1, 0.1, 0.2, 0.9, 2.0),
}  # fmt: skip


@lru_cache
def shot_table(family: str, phase: int, group: int) -> Array:
    """Return [length, line, class]: the odds factors of a premeditated shot, relative to a natural one."""
    landings = ((length, line) for length in range(len(LENGTHS)) for line in range(len(LINES)))
    rows = [_left_alone(*landed) if family == LEAVE else _shot(family, *landed) for landed in landings]
    table = np.array(rows).reshape(len(LENGTHS), len(LINES), len(CLASSES))
    return table if family == LEAVE else table * along(_LEVEL, LEVELS[family][phase][group])


def _shot(family: str, length: int, line: int) -> Weights:
    lengths, lines = _SUITS[family]
    fits = length in lengths and line in lines
    if family == "defend":
        return along(_FITS[family], 1.0 if fits else 0.7)
    return along(_FITS[family] if fits else _MISFIT, 1.0)


def _left_alone(length: int, line: int) -> Weights:
    row = dict.fromkeys(CLASSES, 1.0) | dict.fromkeys(("1", "2", "3", "4", "6"), 0.0)
    over_the_stumps = 0.01 if length >= LENGTHS.index("short") else 1.0
    row |= {"W": _LEFT_WICKET[line] * over_the_stumps, "RO": _LEFT_RUN_OUT, "lb": _LEFT_BYES}
    return tuple(row.values())


# --- direction --------------------------------------------------------------------------------------------------------


def zone_shares(group: int, length: int, line: int, family: str | None, runs: str) -> tuple[float, ...]:
    """Return eight sector shares of a ball that scores `runs`, by its landing and any premeditated shot."""
    where = DATA["delivery"][GROUPS[group]]
    tilt = SHOT_TILT[family] if family else (1.0,) * 8
    base = DATA["zones"]["by_runs"][runs]
    raw = [
        b * a * c * t
        for b, a, c, t in zip(base, where["length_zone"][length], where["line_zone"][line], tilt, strict=True)
    ]
    return tuple(x / sum(raw) for x in raw)


# --- ability ----------------------------------------------------------------------------------------------------------
# Directions and sizes: the reference model's recommended dispersion (batter .20, bowler .12, match .12).
# OURS: a bowler's liking for a phase.
_ABILITY: Final = DATA["ability"]
_BATTER, _BOWLER, _MATCH = (vector(_ABILITY[name]) for name in ("batter_dir", "bowler_dir", "match_dir"))


def batter_factor(model: BallModel, position: int, skill: float) -> Weights:
    """Return a batter's odds factors. `position`: the usual place in the order, 0-10. `skill`: standard normal."""
    return times(model.position[position], scaled(_BATTER, _ABILITY["sd_batter"] * skill))


def bowler_factor(skill: float, phase_skill: float) -> Weights:
    """Return a bowler's odds factors. `skill` is standard normal, positive is better; `phase_skill` likewise."""
    return scaled(_BOWLER, -_ABILITY["sd_bowler"] * skill - PHASE_SD * phase_skill)


def match_factor(pitch: float, drift: float = 0.0) -> Weights:
    """Return the odds factors of pitch and ground, for both sides: standard normal, positive is good for batting.
    `drift` is the change of the day since the first innings, in log-odds."""
    return scaled(_MATCH, _ABILITY["sd_match"] * pitch + drift)
