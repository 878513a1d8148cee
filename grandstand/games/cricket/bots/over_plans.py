"""The game of an over: themes and zones of the bowlers against orders of the batters, by the game of its next ball."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import numpy as np

from grandstand.games.cricket.bots import ball_game
from grandstand.games.cricket.bots.ball_game import BALLS, STROKES
from grandstand.games.cricket.match.over_plan import SHOT_SHARE, THEMES, ZONES, shares
from grandstand.games.cricket.model.ball_model import Array
from grandstand.games.cricket.model.tactics import NATURAL
from grandstand.games.cricket.vocab import GROUPS, LENGTHS, LINES

PLANS = tuple((theme, zone) for theme in THEMES for zone in ZONES if zone != "leg")
"""The bowlers' plans, without a zone that no captain has a reason for."""
ORDERS = tuple((intent, family) for intent, family in STROKES if family is None or intent == "normal")
"""The batters' plans: an intent, or a stroke beside the usual one."""
_TURNS = 100


def theme(shares: Array, rng: Random) -> tuple[str, str]:
    """Return a theme and a zone, drawn from shares of `PLANS`."""
    return PLANS[_draw(shares, rng)]


def order(shares: Array, rng: Random) -> tuple[str, str | None]:
    """Return an intent and a family of strokes, drawn from shares of `ORDERS`."""
    return ORDERS[_draw(shares, rng)]


def plan_shares(ball: ball_game.BallSituation, habit: float, expected: Array) -> Array:
    """Return the solution's shares of `PLANS`; against a `habit` of the batters, more of what answers it."""
    loss = _mixes(ball.moment.group) @ ball_game.payoff_of(ball) @ expected if habit else np.zeros(len(PLANS))
    return _turned(_settled(ball)[0], int(loss.argmin()), habit)


def order_shares(ball: ball_game.BallSituation, habit: float, expected: Array) -> Array:
    """Return the solution's shares of `ORDERS`; against a `habit` of the bowlers, more of what answers it."""
    gain = expected @ ball_game.payoff_of(ball) @ _ordered().T if habit else np.zeros(len(ORDERS))
    return _turned(_settled(ball)[1], int(gain.argmax()), habit)


def payoff(ball: ball_game.BallSituation) -> Array:
    """Return [plan, order]: the worth of a ball to the batters, in runs."""
    out: Array = _mixes(ball.moment.group) @ ball_game.payoff_of(ball) @ _ordered().T
    return out


def _turned(shares: Array, answer: int, habit: float) -> Array:
    return np.asarray((1 - habit) * shares + habit * np.eye(len(shares))[answer])


@lru_cache(maxsize=16)
def _settled(ball: ball_game.BallSituation) -> tuple[Array, Array]:
    """Return the mixes of `PLANS` and of `ORDERS` from which neither captain can gain by a change."""
    worths = payoff(ball)
    plans, orders = worths.shape
    return ball_game.regret_matched(worths, np.full(plans, 1 / plans), np.full(orders, 1 / orders), _TURNS)


@lru_cache(maxsize=2)
def _mixes(group: int) -> Array:
    """Return [plan, ball]: the share of each of `BALLS` in the balls of a plan."""
    out = np.zeros((len(PLANS), len(BALLS[group])))
    for number, plan in enumerate(PLANS):
        for (length, line, variation), share in shares(*plan, GROUPS[group]).items():
            aim = (
                LENGTHS.index(length) if length in LENGTHS else NATURAL,
                LINES.index(line) if line in LINES else NATURAL,
                variation,
            )
            out[number, BALLS[group].index(aim)] += share
    return out


@lru_cache(maxsize=1)
def _ordered() -> Array:
    """Return [order, stroke]: the share of each of `STROKES` in the balls of an order."""
    out = np.zeros((len(ORDERS), len(STROKES)))
    for number, (intent, family) in enumerate(ORDERS):
        called = 0.0 if family is None else SHOT_SHARE
        out[number, STROKES.index((intent, None))] += 1 - called
        out[number, STROKES.index((intent, family))] += called
    return out


def _draw(mix: Array, rng: Random) -> int:
    return rng.choices(range(len(mix)), mix.tolist())[0]
