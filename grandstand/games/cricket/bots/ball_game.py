"""The game of one ball: the worth of each call of the batters against each call of the bowlers, in a field.

The odds are the model's own for average players (`call_table`); the worth of an outcome follows from the chances of
winning. A mix of balls is computed for a class of states and cached: it minimizes the batters' best result, and
includes the model's price of being read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from grandstand.games.cricket.laws.field import Field
from grandstand.games.cricket.laws.rules import FormatRules
from grandstand.games.cricket.model import reading, tactics
from grandstand.games.cricket.model.average import worth
from grandstand.games.cricket.model.ball_model import SET_BIN, Array, BallModel, ball_model, times
from grandstand.games.cricket.model.engine import RUN_OUT, WICKET, BallMoment, call_table, state_odds
from grandstand.games.cricket.model.priors import normal
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
"""The bowlers' calls by kind of bowling, without calls that no captain would want."""

NATURAL_STROKE: Final = STROKES.index(("normal", None))
NATURAL_BALL: Final = 0
"""The indices of the natural calls."""

PRICES: Final = (1.0, 1.6, 2.4, 3.5, 5.0, 7.0, 9.5, 12.5, 16.0, 21.0)
"""Classes of states by the price of a wicket in runs."""
_OVERS: Final = (3, 10, 17)
"""The over of each phase for which a class of states is computed."""
_FACED: Final = (2, 12)
NEW: Final = 5
"""Balls faced from which a batter counts as set."""
_TURNS: Final = 100
"""The number of rounds in which both sides learn, for one ball."""
_CLASS_TURNS: Final = 60
"""The number of rounds for a class of states."""
_FIELD_TURNS: Final = 20
"""The number of rounds for a field that is only compared."""
_AHEAD: Final = 1.0
"""The weight of the information that a call gives about later balls."""
_NO_BALL: Final = 2.0
"""The least cost of an illegal bouncer, in runs."""
_BOUNCERS: Final = 0.2
"""The share of bouncers at which one an over is enough."""
_CHANCE: Final = 2.0
"""The number of balls in the memory by which a part of the mix may exceed its share by chance."""


class Plan(NamedTuple):
    """The mixes of both captains in a field, for a class of states or for one ball."""

    shares: Array
    """Shares of `BALLS`."""
    strokes: Array
    """Shares of `STROKES`."""
    worths: Array
    """[ball, stroke]: runs, less the price of wickets; for a single ball with the price of being read."""
    value: float
    """The batters' best worth against `shares`, in runs."""


@lru_cache(maxsize=64)  # 108 KiB each
def stroke_tables(era: str, phase: int, group: int, field: Field, standard: Field) -> Array:
    """Return [stroke, cell, class]: the odds factors of the batters' calls in a field, by the landing cell."""
    model, fields = ball_model(era), (field, standard)
    tables = [call_table(model, phase, group, "natural", intent, family, fields) for intent, family in STROKES]
    return np.array(tables).reshape(len(STROKES), len(_CELLS), len(CLASSES))


@lru_cache(maxsize=1024)
def landing(phase: int, group: int, length: int, line: int) -> Array:
    """Return [cell]: the probability that a ball with this aim lands there."""
    out = np.zeros((len(LENGTHS), len(LINES)))
    for at, across, share in tactics.landing_odds(phase, group, (length, line), tactics.TYPICAL_ACCURACY):
        out[at, across] = share
    return normal(out.reshape(-1))


def worth_of_strokes(tables: Array, base: Array, worths: Array) -> Array:
    """Return [stroke, cell]: the exact expected worth of each call, for each cell where the ball may land."""
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


def worth_of_a_run(worths: Array) -> float:
    """Return the worth of a run, from the worths of the ball's outcomes."""
    return max(float(worths[4] - worths[0]) / 4, 1e-6)


def price_class(worths: Array) -> int:
    """Return the class of a state by the price of a wicket in runs, from the worths of the ball's outcomes."""
    price = (worths[0] - worths[WICKET]) / worth_of_a_run(worths)
    return int(np.argmin([abs(np.log(max(price, 0.5) / each)) for each in PRICES]))


class StateClass(NamedTuple):
    """The parameters of a class of states, for which a mix is computed."""

    era: str
    rules: FormatRules
    phase: int
    group: int
    price: int
    new: bool
    field: Field
    standard: Field
    bouncer: bool
    """True where the over allows one more bouncer."""


@lru_cache(maxsize=512)
def class_mixes(state: StateClass) -> tuple[Array, Array]:
    """Return the mixes of both captains for a class of states."""
    of_class = plan(state)
    return of_class.shares, of_class.strokes


def plan(state: StateClass) -> Plan:
    """Return the mixes for a class of states, with what they are worth."""
    phase, group = state.phase, state.group
    base, worths = typical(state.era, state.rules, phase, group, state.price, state.new)
    tables = stroke_tables(state.era, phase, group, state.field, state.standard)
    cost = _cost_of_being_read(base, worths)
    payoff = payoffs(tables, base, worths, phase, group) + cost * _tells(group)[:, None]
    limit = _BOUNCERS if state.bouncer else 0.0
    shares, strokes = _mix(payoff, group, cost, limit)
    if (shares @ payoff).max() > payoff[NATURAL_BALL].max():
        shares = np.eye(1, len(shares), NATURAL_BALL)[0]  # there were too few rounds to find that no call pays
    return Plan(shares, strokes, payoff, float((shares @ payoff).max()))


def payoffs(tables: Array, base: Array, worths: Array, phase: int, group: int) -> Array:
    """Return [ball, stroke]: the expected worth of each call of the bowlers against each of the batters."""
    kind = GROUPS[group]
    varied = base * np.array([tactics.variation_factor(kind, phase, name) for name in _VARIATIONS[kind]])
    weights = tables @ np.concatenate([varied * worths, varied]).T  # [stroke, cell, worths and weights by variation]
    count = len(varied)
    by_cell = weights[..., :count] / weights[..., count:]
    return np.asarray(
        np.tensordot(_aimed(phase, group), by_cell, axes=(1, 1)).transpose(2, 0, 1).reshape(-1, len(STROKES))
    )


@lru_cache(maxsize=8)
def _aimed(phase: int, group: int) -> Array:
    """Return [aim, cell]: the probability of each cell by length and line, in the order of `BALLS`."""
    return np.array([landing(phase, group, *aim[:2]) for aim in BALLS[group][: _aims_of(group)]])


class BallSituation(NamedTuple):
    """The parameters of the game of one ball."""

    era: str
    rules: FormatRules
    moment: BallMoment
    striker: int
    field: Field
    standard: Field
    aims: tuple[Aim, ...]
    """The calls that the batters remember of this kind of bowling."""
    worths: tuple[float, ...]
    """The batting side's worth after each class of outcome."""
    bouncer: bool
    """True where the over allows one more bouncer."""


@lru_cache(maxsize=16)
def settled(ball: BallSituation) -> Plan:
    """Return the mixes from which neither captain can gain by a change, for this ball and the calls before it.

    Regret matching on both sides begins with the mixes of the ball's class of states.
    """
    moment, payoff = ball.moment, payoff_of(ball)
    price = price_class(np.array(ball.worths))
    of_class = StateClass(ball.era, ball.rules, moment.phase, moment.group, price, moment.faced < NEW,
                          ball.field, ball.standard, ball.bouncer)  # fmt: skip
    shares, strokes = regret_matched(payoff, *class_mixes(of_class), _TURNS)
    return Plan(shares, strokes, payoff, float((shares @ payoff).max()))


@lru_cache(maxsize=64)
def value_in(ball: BallSituation, field: Field) -> float:
    """Return an estimate, in runs, of the worth of the game of `ball` to the batters in another field."""
    now, payoff = settled(ball), payoff_of(ball._replace(field=field))
    shares, strokes = regret_matched(payoff, now.shares, now.strokes, _FIELD_TURNS)
    return float((shares @ payoff).max() + (payoff @ strokes).min()) / 2


@lru_cache(maxsize=32)  # 35 KiB each
def payoff_of(ball: BallSituation) -> Array:
    """Return [ball, stroke] in runs, with the price of being read."""
    moment, worths = ball.moment, np.array(ball.worths)
    base = base_odds(ball_model(ball.era), ball.rules, moment, ball.striker)
    tables = stroke_tables(ball.era, moment.phase, moment.group, ball.field, ball.standard)
    payoff = payoffs(tables, base, worths, moment.phase, moment.group)
    payoff += _cost_of_being_read(base, worths) * _price_of_repeating(ball.aims, moment.group)[:, None]
    payoff /= worth_of_a_run(worths)
    if not ball.bouncer:
        payoff += _NO_BALL * (1 - not_bouncers(moment.group))[:, None]
    return payoff


@lru_cache(maxsize=16)
def _price_of_repeating(aims: tuple[Aim, ...], group: int) -> Array:
    """Return [ball]: the degree to which each would be read, and by how much it makes later balls more readable."""
    counts = _parts(group).T @ called_counts(aims, group)
    free = _free_shares(group) * reading.MEMORY
    near = np.clip((counts - free + _CHANCE) / _CHANCE, 0.0, 1.0)
    return reads(aims, group) + _AHEAD * _parts(group) @ (near * counts / (reading.MEMORY - free))


def regret_matched(
    payoff: Array, shares: Array, strokes: Array, turns: int, price: Callable[[Array], Array] | None = None
) -> tuple[Array, Array]:
    """Return the mean mixes of balls and strokes after regret matching on both sides, from initial mixes. `price`
    returns the additional cost of a mix, ball by ball."""
    x, y = shares, strokes
    regret_x, regret_y, mean_x, mean_y = np.zeros_like(x), np.zeros_like(y), np.zeros_like(x), np.zeros_like(y)
    for turn in range(1, turns + 1):
        loss = payoff @ y if price is None else payoff @ y + price(x)
        regret_x = np.maximum(regret_x + (x @ loss - loss), 0.0)
        x = regret_x / total if (total := regret_x.sum()) > 0 else x
        gain = x @ payoff
        regret_y = np.maximum(regret_y + (gain - gain @ y), 0.0)
        y = regret_y / total if (total := regret_y.sum()) > 0 else y
        mean_x += turn**2 * x
        mean_y += turn**2 * y
    return normal(mean_x), normal(mean_y)


def _aims_of(group: int) -> int:
    return len(_LENGTHS_AIMED[GROUPS[group]]) * len(_LINES_AIMED)


def _cost_of_being_read(base: Array, worths: Array) -> float:
    """Return the cost in runs of a ball that is read with weight 1."""
    read = base * np.array(reading.read_factor(1.0))
    return float(read @ worths / read.sum() - base @ worths / base.sum())


@lru_cache(maxsize=2)
def _parts(group: int) -> Array:
    """Return [ball, part]: 1 for each named length, line and variation of a ball."""
    named = _named(group)
    return np.array([[ball[part] == name for part, name in named] for ball in BALLS[group]], dtype=float)


def _named(group: int) -> list[tuple[int, object]]:
    """Return each length, line and variation that may be called, with its place in the call."""
    parts = (_LENGTHS_AIMED[GROUPS[group]], _LINES_AIMED, _VARIATIONS[GROUPS[group]])
    return [(part, name) for part, names in enumerate(parts) for name in names[1:]]


@lru_cache(maxsize=2)
def _free_shares(group: int) -> Array:
    """Return [part]: the share of balls up to which batters do not expect it."""
    return np.array([reading.FREE_VARIATION if part == 2 else reading.FREE_SHARE for part, _ in _named(group)])


@lru_cache(maxsize=2)
def _tells(group: int) -> Array:
    """Return [ball]: the degree to which each is read from its tell alone."""
    return np.array([reading.tell(ball) for ball in BALLS[group]])


def _mix(payoff: Array, group: int, cost: float, bouncers: float) -> tuple[Array, Array]:
    """Return the mixes of balls and strokes in the long run, with the price of being read. `bouncers` is the share of
    bouncers beyond which each costs as much as being read."""
    high, parts, free = 1 - not_bouncers(group), _parts(group), _free_shares(group)

    def price(shares: Array) -> Array:
        waited = np.maximum(0.0, parts.T @ shares + _CHANCE / reading.MEMORY - free)
        too_many = max(0.0, float(high @ shares) - bouncers) * 20 if bouncers else 1e3
        return np.asarray(cost * (parts @ (waited / (1 - free)) + too_many * high))

    balls, strokes = payoff.shape
    mean, bats = regret_matched(payoff, np.full(balls, 1 / balls), np.full(strokes, 1 / strokes), _CLASS_TURNS, price)
    mean[mean < 0.004 * mean.max()] = 0.0
    return normal(mean), bats


def reads(aims: tuple[Aim, ...], group: int) -> Array:
    """Return [ball]: the degree to which batters would have read each of `BALLS` after the calls `aims`."""
    parts = _parts(group)
    often = parts.T @ called_counts(aims, group) > _free_shares(group) * reading.MEMORY
    foretold = {ball for ball, _ in reading.forecasts(aims)}
    out = _tells(group).copy()
    for index, awaited in enumerate((parts @ often > 0).tolist()):
        if awaited or (foretold and BALLS[group][index] in foretold):
            out[index] = reading.read(aims, BALLS[group][index])
    return out


def called_counts(aims: tuple[Aim, ...], group: int) -> Array:
    """Return [ball]: how often each of `BALLS` is among `aims`."""
    out = np.zeros(len(BALLS[group]))
    for ball in aims:
        index = _index(group).get(ball)
        if index is not None:
            out[index] += 1
    return out


@lru_cache(maxsize=2)
def _index(group: int) -> dict[Aim, int]:
    return {ball: index for index, ball in enumerate(BALLS[group])}


@lru_cache(maxsize=2)
def not_bouncers(group: int) -> Array:
    """Return [ball]: 0 for each of `BALLS` that is a bouncer, else 1."""
    return np.array([float(not is_bouncer(ball)) for ball in BALLS[group]])


def is_bouncer(ball: Aim) -> bool:
    return ball[0] == BOUNCER


def shot_of(family: str | None) -> str:
    """Return the call for a family of shots."""
    return "natural" if family is None else SHOT_FAMILIES[family][0]


def stroke_index(intent: str, shot: str) -> int | None:
    """Return the index of a batter's call in `STROKES`; None if it is not among them."""
    stroke = (intent, SHOT_FAMILY.get(shot))
    return STROKES.index(stroke) if stroke in STROKES else None
