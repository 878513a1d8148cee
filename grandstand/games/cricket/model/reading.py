"""Being read: what the batters make of the calls they have seen, and what it is worth to them.

OURS, all of it: tracked lengths, lines and variations were bowled in a mix, so that no data say what repetition costs.
The batters know the calls of the last balls of this kind of bowling, pace or spin, whoever bowled them. They wait for a
length, line or variation in as far as it came more often than mixing explains, and for the next ball of a sequence
that has come round before, whatever it is made of. A natural call is a mix already: there is nothing to wait for.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from grandstand.games.cricket.model.ball_model import Weights, along
from grandstand.games.cricket.model.tactics import NATURAL

Aim = tuple[int, int, str]
"""A captain's call: length and line by index or NATURAL, and the variation's name, `natural` for none."""

NATURAL_AIM: Final[Aim] = (NATURAL, NATURAL, "natural")
MEMORY: Final = 18
"""The number of balls of one kind of bowling that are remembered."""
FREE_SHARE: Final = 1 / 3
"""The share of balls with the same length, line or variation that mixing explains."""
_WAITED: Final = (1.0, 0.8, 1.0)
"""The weights of an awaited length, line and variation."""
_ROUND: Final = 0.8
"""The weight of a ball that a sequence foretells."""
_SEQUENCE: Final = 3
"""The balls of a sequence that must have come round before the next one is foretold with certainty."""
_LONGEST: Final = 8
"""The longest sequence that is noticed, in balls."""
_STEP: Final = 0.125
_USUAL: Final = (NATURAL, NATURAL, "natural")

_READ: Final = {"1": 0.02, "2": 0.04, "4": 0.11, "6": 0.13, "W": -0.09}
"""Log-odds of the batter for a ball that was waited for with weight 1."""


@lru_cache(maxsize=65536)
def read(aims: tuple[Aim, ...], now: Aim) -> float:
    """Return how far the batters have read the call `now` after the calls `aims`, the latest last, from 0 to 1."""
    if now == NATURAL_AIM:
        return 0.0
    waited = sum(
        weight * _excess(sum(aim[part] == now[part] for aim in aims))
        for part, weight in enumerate(_WAITED)
        if now[part] != _USUAL[part]
    )
    return round(min(1.0, waited + _ROUND * foretold(aims, now)) / _STEP) * _STEP


def _excess(same: int) -> float:
    """Return how far a part of the call that came `same` times in the memory exceeds what mixing explains, 0 to 1."""
    free = FREE_SHARE * MEMORY
    return max(0.0, (same - free) / (MEMORY - free))


def foretold(aims: tuple[Aim, ...], now: Aim) -> float:
    """Return how surely a sequence that has come round foretells `now`, 0 to 1."""
    return max((sure for following, sure in forecasts(aims) if following == now), default=0.0)


def forecast(aims: tuple[Aim, ...]) -> tuple[Aim | None, float]:
    """Return the next call as far as a sequence foretells it, and how surely."""
    return max(forecasts(aims), key=lambda following: following[1], default=(None, 0.0))


@lru_cache(maxsize=65536)
def forecasts(aims: tuple[Aim, ...]) -> tuple[tuple[Aim, float], ...]:
    """Return the next call and how sure it is, by each length of sequence that has begun to come round.

    The last balls are compared with those before them: as many as agree without a break, natural ones not counted,
    make the batters sure.
    """
    out = []
    for period in range(2, _LONGEST + 1):
        agreeing = 0
        for back in range(1, len(aims) - period + 1):
            if aims[-back] != aims[-back - period]:
                break
            agreeing += aims[-back] != NATURAL_AIM
        if agreeing:
            out.append((aims[-period], min(agreeing, _SEQUENCE) / _SEQUENCE))
    return tuple(out)


@lru_cache
def read_factor(amount: float) -> Weights:
    """Return the odds factors of a ball that was read so far."""
    return along(_READ, amount)
