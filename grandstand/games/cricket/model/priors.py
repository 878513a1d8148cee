"""Distributions of the hidden quantities (pitch, batting, bowling), for public numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Final

import numpy as np

from grandstand.games.cricket.model.ball_model import DATA, PHASE_SD, Array, along

Points = tuple[Array, Array]
"""A distribution over odds factors: (factors [point, class], shares [point])."""

_NODES: Final = 3
_ABILITY: Final = DATA["ability"]
_BATTER: Final = float(_ABILITY["sd_batter"]) ** 2
_BOWLER: Final = float(_ABILITY["sd_bowler"]) ** 2 + PHASE_SD**2
_PITCH: Final = float(_ABILITY["sd_match"]) ** 2
"""Variances along the directions on the odds."""
_BATTERS: Final = 4.0
_BOWLERS: Final = 5.0
"""The number of equally weighted batters or bowlers of an innings, for the spread of a side's mean ability."""
BATTER_UNKNOWN: Final = 0.55
_BOWLER_UNKNOWN: Final = 0.62
"""The shares of these variances that the figures of a season leave open, over 6,000 invented sides."""
LEVELS: Final = (-0.50, -0.15, 0.35, 0.70)
"""Grid of abilities, batter less bowler, at which odds are computed: nearly all pairs lie
within it."""


def normal(weights: Array) -> Array:
    """Return the weights scaled to sum to 1 along the last axis."""
    scaled: Array = weights / weights.sum(axis=-1, keepdims=True)
    return scaled


def crossed(first: Points, second: Points) -> Points:
    """Return the joint distribution of two independent ones."""
    factors = first[0][:, None] * second[0][None]
    return factors.reshape(-1, factors.shape[-1]), np.outer(first[1], second[1]).reshape(-1)


@dataclass(frozen=True)
class Conditions:
    """Batting conditions of an innings beyond the average: a standard normal on a few Gauss-Hermite nodes."""

    prior: tuple[float, ...]
    """Shares of the nodes; with a drift, in the second innings."""
    factors: Array
    """[node, class]: odds factors."""
    follows: Array
    """[node of the first innings, node of the second]: transition probabilities. The innings share only the pitch."""


@lru_cache(maxsize=8)
def conditions(drift: float = 0.0) -> Conditions:
    """Return pitch, batting and bowling of an innings as one number: their directions are nearly the same.

    `drift` is a known change of the second innings' conditions, in log-odds: it moves the shares of the nodes.
    """
    sides = _BATTER / _BATTERS + _BOWLER / _BOWLERS
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    spread = (_PITCH + sides) ** 0.5
    factors = np.array([along(_ABILITY["match_dir"], spread * float(node)) for node in nodes])
    moved = drift / spread
    weights = weights * np.exp(moved * nodes - moved**2 / 2)
    shared, x, y = _PITCH / (_PITCH + sides), nodes[:, None], nodes[None, :] - moved
    kernel = 1 + shared * x * y + shared**2 * (x**2 - 1) * (y**2 - 1) / 2  # Mehler's series
    return Conditions(tuple(normal(weights).tolist()), factors, normal(np.maximum(kernel, 0) * weights))


def _spread_of(direction: dict[str, float], variance: float) -> Points:
    """Return a normal amount along a direction."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    return np.array([along(direction, variance**0.5 * float(node)) for node in nodes]), normal(weights)


@lru_cache(maxsize=1)
def individuals() -> Points:
    """Return the distribution of batter and bowler around their sides' averages."""
    return _spread_of(_ABILITY["batter_dir"], _BATTER * (1 - 1 / _BATTERS) + _BOWLER * (1 - 1 / _BOWLERS))


@lru_cache(maxsize=1)
def known_pairs() -> tuple[Array, Array]:
    """Return the odds factors [level, point, class] of batter and bowler whose public figures amount to each of
    `LEVELS`, and the shares of the points: what the figures leave open."""
    variance = _BATTER * (BATTER_UNKNOWN - 1 / _BATTERS) + _BOWLER * (_BOWLER_UNKNOWN - 1 / _BOWLERS)
    factors, shares = _spread_of(_ABILITY["batter_dir"], variance)
    levels = np.array([along(_ABILITY["batter_dir"], level) for level in LEVELS])
    return levels[:, None] * factors, shares


@lru_cache(maxsize=4096)
def level_weights(known: float) -> Array:
    """Return the weights of `LEVELS` that give a function's value at `known`, by the polynomial through them."""
    weights = [prod((known - other) / (level - other) for other in LEVELS if other != level) for level in LEVELS]
    return np.array(weights)


def survivors(hazard: float, faced: float, unknown: float = 1.0) -> Array:
    """Return odds factors [class] of a batter who is still in after `faced` balls: better batters last longer.

    `hazard` is the chance of a wicket on one ball, `unknown` the share of the variance of abilities that is not known.
    """
    expected = _BATTER * unknown * _PROTECTS * hazard * faced
    return np.array(along(_ABILITY["batter_dir"], expected))


_PROTECTS: Final = 0.5 + 0.45
"""The fall of the log-hazard per unit of batting ability: by the wicket's own odds, and by what the others gain."""
