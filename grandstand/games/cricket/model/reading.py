"""How far batters anticipate a call, from its tell and from past calls, and the worth of it to them.

All of it is OURS: tracked lengths, lines and variations were bowled in a mix, so that no data show the cost of
repetition, or of a ball that a captain asks for where the bowler would have chosen the moment. The batters know the
calls of the last balls of this kind of bowling, pace or spin, whoever bowled them. They expect a length, line or
variation as far as it was more frequent than mixing explains, and the next ball of a sequence that has occurred
before. A natural call is a mix already, so that they cannot expect it.

A call also has a tell: the grip and the arm of a slower ball, the field and the run-up of a bouncer. Tells are sized so
that hardly a variation, length or line pays against natural strokes by itself. As tracked, slower balls and bouncers
seem to (.08 and .1 to .2 runs a ball), but real bowlers bowl 10 and 4 per cent of them, when they see fit.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from grandstand.games.cricket.model.ball_model import Weights, along
from grandstand.games.cricket.model.tactics import NATURAL
from grandstand.games.cricket.vocab import LENGTHS, LINES

Aim = tuple[int, int, str]
"""A captain's call: length and line by index or NATURAL, and the variation's name, `natural` for none."""

NATURAL_AIM: Final[Aim] = (NATURAL, NATURAL, "natural")
MEMORY: Final = 18
"""The number of balls of one kind of bowling that are remembered."""
FREE_SHARE: Final = 1 / 3
"""The share of balls with the same length or line that mixing explains."""
FREE_VARIATION: Final = 1 / 6
"""The same of a variation, which is a surprise only while it is rare."""
_FREE: Final = (FREE_SHARE, FREE_SHARE, FREE_VARIATION)
_VARIATION_TELLS: Final = {
    "slower_ball": 1.0, "cutter": 0.5, "quick": 0.25, "swing": 0.375,
    "wrong_un": 0.375, "arm_ball": 0.25, "quicker": 0.375,
}  # fmt: skip
_LENGTH_TELLS: Final = {"yorker": 0.5, "good": 0.5, "back_of_length": 0.75, "short": 1.0, "bouncer": 1.5}
_LINE_TELLS: Final = {"wide_outside_off": 1.0, "outside_off": 0.25}
"""The degrees to which a surprising call is read from its tell."""
_WAITED: Final = (1.0, 0.8, 1.0)
"""The weights of an expected length, line and variation."""
_ROUND: Final = 0.8
"""The weight of a ball that a sequence predicts."""
_SEQUENCE: Final = 3
"""The number of repeated balls of a sequence after which the next one is predicted with certainty."""
_LONGEST: Final = 8
"""The longest sequence that batters notice, in balls."""
_STEP: Final = 0.125
_USUAL: Final = (NATURAL, NATURAL, "natural")

_READ: Final = {"1": 0.02, "2": 0.04, "4": 0.11, "6": 0.13, "W": -0.09}
"""Log-odds of the classes for a ball that the batter expected with weight 1."""


def read(aims: tuple[Aim, ...], now: Aim) -> float:
    """Return the degree to which batters read the call `now` after the calls `aims`, the latest last: its tell, plus
    from 0 to 1 for their expectation."""
    if now == NATURAL_AIM:
        return 0.0
    waited = sum(
        weight * _excess(sum(aim[part] == now[part] for aim in aims), free)
        for part, (weight, free) in enumerate(zip(_WAITED, _FREE, strict=True))
        if now[part] != _USUAL[part]
    )
    return tell(now) + round(min(1.0, waited + _ROUND * foretold(aims, now)) / _STEP) * _STEP


def tell(now: Aim) -> float:
    """Return the degree to which a call is read from its tell alone."""
    length = 0.0 if now[0] == NATURAL else _LENGTH_TELLS.get(LENGTHS[now[0]], 0.0)
    line = 0.0 if now[1] == NATURAL else _LINE_TELLS.get(LINES[now[1]], 0.0)
    return length + line + _VARIATION_TELLS.get(now[2], 0.0)


def _excess(same: int, free: float) -> float:
    """Return, from 0 to 1, how far a part of `same` calls in the memory exceeds the share that mixing explains."""
    return max(0.0, (same - free * MEMORY) / (MEMORY - free * MEMORY))


def foretold(aims: tuple[Aim, ...], now: Aim) -> float:
    """Return the certainty with which a repeated sequence predicts `now`, 0 to 1."""
    return max((sure for following, sure in forecasts(aims) if following == now), default=0.0)


def forecast(aims: tuple[Aim, ...]) -> tuple[Aim | None, float]:
    """Return the next call that a repeated sequence predicts, if any, and the certainty."""
    return max(forecasts(aims), key=lambda following: following[1], default=(None, 0.0))


@lru_cache(maxsize=64)
def forecasts(aims: tuple[Aim, ...]) -> tuple[tuple[Aim, float], ...]:
    """Return predictions of the next call with their certainty, one for each length of a sequence that has begun to
    repeat. The last balls are compared with those before them. The certainty grows with the number that agree without a
    break, not counting natural calls."""
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
    """Return the odds factors of a ball that was read to this `amount`."""
    return along(_READ, amount)
