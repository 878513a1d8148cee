"""The game of one ball: what each call of the batters is worth against each call of the bowlers, in a field.

The odds are the model's own for average players (`call_table`); what an outcome is worth comes from the chances of
winning. A mix of balls is worked out for a class of states and kept: it leaves the batters the least they can make of
it, with the price that the model puts on being read.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from grandstand.games.cricket.laws.field import Field
from grandstand.games.cricket.laws.rules import FormatRules
from grandstand.games.cricket.model import reading, tactics
from grandstand.games.cricket.model.average import worth
from grandstand.games.cricket.model.ball_model import SET_BIN, BallModel, ball_model, times
from grandstand.games.cricket.model.engine import RUN_OUT, WICKET, BallMoment, call_table, state_odds
from grandstand.games.cricket.model.priors import Array, normal
from grandstand.games.cricket.model.reading import Aim
from grandstand.games.cricket.model.tactics import NATURAL
from grandstand.games.cricket.vocab import BOUNCER, CLASSES, GROUPS, INTENTS, LENGTHS, LINES, SHOT_FAMILIES, SHOT_FAMILY

FAMILIES: Final = (None, *(family for family in SHOT_FAMILIES if family != "leave"))
_WITH_A_SHOT: Final = ("rotate", "normal", "attack")
STROKES: Final = tuple(
    (intent, family) for family in FAMILIES for intent in (INTENTS if family is None else _WITH_A_SHOT)
)
"""The batters' calls: intent and family of shot, None for a natural one."""
_CELLS: Final = tuple((length, line) for length in range(len(LENGTHS)) for line in range(len(LINES)))
_LENGTHS_AIMED: Final = {"pace": (NATURAL, 1, 2, 3, 4, 5, 6), "spin": (NATURAL, 2, 3, 4)}
_LINES_AIMED: Final = (NATURAL, 0, 1, 2, 3)
_VARIATIONS: Final = {
    "pace": ("natural", "slower_ball", "cutter", "quick", "swing"),
    "spin": ("natural", "wrong_un", "arm_ball", "quicker"),
}
BALLS: Final[tuple[tuple[Aim, ...], ...]] = tuple(
    tuple(
        (length, line, variation)
        for variation in _VARIATIONS[group]
        for length in _LENGTHS_AIMED[group]
        for line in _LINES_AIMED
    )
    for group in GROUPS
)
"""The bowlers' calls by kind of bowling, without those that nobody has a reason to make."""

PRICES: Final = (1.0, 1.6, 2.4, 3.5, 5.0, 7.0, 9.5, 12.5, 16.0, 21.0)
"""Classes of states by what a wicket costs in runs."""
_OVERS: Final = (3, 10, 17)
"""The over of each phase in which a class of states is looked at."""
_FACED: Final = (2, 12)
_ROUNDS: Final = 160
_RATE: Final = 1.2
_BOUNCERS: Final = 0.2
"""The share of bouncers up to which one an over lasts."""
_CHANCE: Final = 2.0
"""Balls of the memory by which a part of the mix may exceed its share by chance."""


class Plan(NamedTuple):
    """A mix of balls for a class of states: shares of `BALLS`, and the batters' best worth against it, in runs."""

    shares: Array
    worths: Array
    """[ball, stroke]: runs, wickets priced."""
    value: float


@lru_cache(maxsize=192)
def stroke_tables(era: str, phase: int, group: int, field: Field, standard: Field) -> Array:
    """Return [stroke, cell, class]: the odds factors of the batters' calls in a field, wherever the ball lands."""
    model, fields = ball_model(era), (field, standard)
    tables = [call_table(model, phase, group, "natural", intent, family, fields) for intent, family in STROKES]
    return np.array(tables).reshape(len(STROKES), len(_CELLS), len(CLASSES))


@lru_cache(maxsize=1024)
def landing(phase: int, group: int, length: int, line: int) -> Array:
    """Return [cell]: where a ball lands that is aimed so."""
    out = np.zeros((len(LENGTHS), len(LINES)))
    for at, across, share in tactics.landing_odds(phase, group, (length, line), tactics.TYPICAL_ACCURACY):
        out[at, across] = share
    return normal(out.reshape(-1))


def worth_of_strokes(tables: Array, base: Array, worths: Array) -> Array:
    """Return [stroke, cell]: the expected worth of each call, wherever the ball lands, exact."""
    weights = tables @ np.stack([base * worths, base], axis=1)
    value: Array = weights[..., 0] / weights[..., 1]
    return value


def base_odds(model: BallModel, rules: FormatRules, moment: BallMoment, striker: int) -> Array:
    """Return the public odds of a ball before either captain's call."""
    rest = times(model.position[striker], tactics.tempo(rules))
    return np.array(state_odds(model, moment, model.set_ness[SET_BIN[moment.faced]], rest))


def typical(era: str, rules: FormatRules, phase: int, group: int, price: int, new: bool) -> tuple[Array, Array]:
    """Return (odds, worths) of a class of states: worths in runs, a wicket at `PRICES[price]`."""
    model = ball_model(era)
    moment = BallMoment(_OVERS[phase], phase, group, 3, _FACED[not new], 0, False)
    worths = worth(model, phase).copy()
    worths[[WICKET, RUN_OUT]] -= PRICES[price]
    return base_odds(model, rules, moment, 4), worths


def price_class(worths: Array) -> int:
    """Return the class of a state by what a wicket costs in runs, from the worths of the ball's outcomes."""
    run = max((worths[4] - worths[0]) / 4, 1e-6)
    price = (worths[0] - worths[WICKET]) / run
    return int(np.argmin([abs(np.log(max(price, 0.5) / each)) for each in PRICES]))


@lru_cache(maxsize=512)
def answer(
    era: str, rules: FormatRules, phase: int, group: int, price: int, new: bool, field: Field, standard: Field
) -> float:
    """Return what the batters' best call makes of natural balls in `field`, in runs."""
    base, worths = typical(era, rules, phase, group, price, new)
    tables = stroke_tables(era, phase, group, field, standard)
    value = worth_of_strokes(tables, base, worths) @ landing(phase, group, NATURAL, NATURAL)
    return float(value.max())


@lru_cache(maxsize=512)
def plan(
    era: str,
    rules: FormatRules,
    phase: int,
    group: int,
    price: int,
    new: bool,
    field: Field,
    standard: Field,
    bouncer: bool,
) -> Plan:
    """Return the mix of balls for a class of states; `bouncer` is whether the over allows one more."""
    base, worths = typical(era, rules, phase, group, price, new)
    tables = stroke_tables(era, phase, group, field, standard)
    aims = np.array([landing(phase, group, *aim[:2]) for aim in BALLS[group][: _aims_of(group)]])
    by_variation = []
    for name in _VARIATIONS[GROUPS[group]]:
        varied = base * tactics.variation_factor(GROUPS[group], phase, name)
        by_variation.append(aims @ worth_of_strokes(tables, varied, worths).T)
    payoff = np.concatenate(by_variation)
    limit = _BOUNCERS if bouncer else 0.0
    shares = _mix(payoff, group, _cost_of_being_read(base, worths), limit)
    return Plan(shares, payoff, float((shares @ payoff).max()))


def _aims_of(group: int) -> int:
    return len(_LENGTHS_AIMED[GROUPS[group]]) * len(_LINES_AIMED)


def _cost_of_being_read(base: Array, worths: Array) -> float:
    """Return the runs that a ball costs which is read with weight 1."""
    read = base * np.array(reading.read_factor(1.0))
    return float(read @ worths / read.sum() - base @ worths / base.sum())


@lru_cache(maxsize=2)
def _parts(group: int) -> Array:
    """Return [ball, part]: which named length, line and variation each ball has."""
    names = [*_LENGTHS_AIMED[GROUPS[group]][1:], *_LINES_AIMED[1:], *_VARIATIONS[GROUPS[group]][1:]]
    first, second = len(_LENGTHS_AIMED[GROUPS[group]]) - 1, len(_LINES_AIMED) - 1
    part_of = [0] * first + [1] * second + [2] * (len(names) - first - second)
    return np.array([[ball[part] == name for part, name in zip(part_of, names, strict=True)] for ball in BALLS[group]],
                    dtype=float)  # fmt: skip


def _mix(payoff: Array, group: int, cost: float, bouncers: float) -> Array:
    """Return the bowler's mean mix where both sides learn by multiplicative weights, being read priced in.

    `bouncers` is the share beyond which they cost as much as being read does, again and again.
    """
    high = np.array([ball[0] == BOUNCER for ball in BALLS[group]], dtype=float)
    parts = _parts(group)
    scale = _RATE / max(float(np.ptp(payoff)), 1e-9)
    bowls, bats, mean = np.zeros(len(payoff)), np.zeros(payoff.shape[1]), np.zeros(len(payoff))
    for turn in range(_ROUNDS):
        x, y = _softmax(bowls), _softmax(bats)
        waited = np.maximum(0.0, parts.T @ x + _CHANCE / reading.MEMORY - reading.FREE_SHARE)
        read = cost * parts @ (waited / (1 - reading.FREE_SHARE))
        read += high * (max(0.0, float(high @ x) - bouncers) * 20 * cost if bouncers else 1e3 * cost)
        bowls -= 6 * scale * (payoff @ y + read) / (1 + turn / 20)
        bats += 6 * scale * (x @ payoff) / (1 + turn / 20)
        if turn >= _ROUNDS // 3:
            mean += x
    mean[mean < 0.004 * mean.max()] = 0.0
    return normal(mean)


def _softmax(values: Array) -> Array:
    grown = np.exp(values - values.max())
    return np.asarray(grown / grown.sum())


def is_bouncer(ball: Aim) -> bool:
    return ball[0] == BOUNCER


def shot_of(family: str | None) -> str:
    """Return the call for a family of shots."""
    return "natural" if family is None else SHOT_FAMILIES[family][0]


def stroke_index(intent: str, shot: str) -> int | None:
    """Return which of `STROKES` a batter's call is; None for one that is not among them."""
    stroke = (intent, SHOT_FAMILY.get(shot))
    return STROKES.index(stroke) if stroke in STROKES else None
