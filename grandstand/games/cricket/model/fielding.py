"""Effects of the field on the odds: the runs that its nine places save, and the gaps that they leave.

Measured at the edge of the powerplay (overs 5-6 against 7-8, set batters): three fielders go out, fours fall by a
third and singles rise by most of their number; wickets hardly move. The shape (deep against ring) is OURS, the scale
is fitted to that edge. OURS, too: batters place the ball where the field is open, some calls better than others, and
what a close catcher is worth by phase and by the stroke.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from grandstand.games.cricket.laws.field import Field
from grandstand.games.cricket.model.ball_model import Array
from grandstand.games.cricket.model.tactics import zone_shares
from grandstand.games.cricket.vocab import CLASSES, INTENTS, LENGTHS, LINES

_DEEP: Final = {"1": 0.95, "2": 1.35, "3": -2.0, "4": -2.5, "6": -0.5}
_RING: Final = {"1": -1.15, "2": -0.7, "3": -0.8, "4": -0.55}
"""Log-odds of each class in a sector that is covered wholly by fielders on the boundary, or on the ring."""
_AIMED: Final = {"1": 2.0, "2": 2.0, "3": 2.0, "4": 2.0, "6": 1.5}
"""The batters' skill in finding open sectors: the exponent of the mean over the sectors; 1 is pure chance."""
_ROTATES: Final = {"block": 0.5, "rotate": 2.0, "build": 1.0, "attack": -0.5, "slog": -1.0}
"""The amount that an intent adds to that power for runs along the ground."""
_OVER: Final = {"loft": 0.0, "ramp": 0.6, "sweep": 0.6, "pull": 0.6}
"""The share of the ring's effect on boundaries that remains if the ball goes over it."""
_SKIED: Final = {"loft": 0.9, "pull": 0.5, "ramp": 0.5, "sweep": 0.4}
"""Log-odds of a wicket by shot, where fielders on the boundary cover wholly the sectors to which it is hit."""
_SKIED_INTENT: Final = 0.35
"""The same for each unit of intent above normal."""
_CATCHERS: Final = (0.0, 0.05, 0.08, 0.095, 0.1)
"""Log-odds of a wicket by the number of close catchers, with the new ball."""
_CATCHES: Final = (1.0, 0.5, 0.2)
"""The share of this effect by phase: the ball is older, and batters hit."""
_ZONE_CLASSES: Final = ("1", "2", "3", "4", "6")
_WICKET: Final = CLASSES.index("W")


def field_table(
    field: Field, standard: Field, phase: int, group: int, family: str | None = None, intent: str = "normal"
) -> Array:
    """Return [length, line, class]: the odds under `field` and the batter's call, relative to a natural call in the
    standard field. `family` is that of a premeditated shot, or None."""
    out = np.ones((len(LENGTHS), len(LINES), len(CLASSES)))
    for k in _ZONE_CLASSES:
        usual = _reach(k, standard, group, None, "normal")
        out[..., CLASSES.index(k)] = _reach(k, field, group, family, intent) / usual
    edge = _caught_close(field, phase, family, intent) - _caught_close(standard, phase, None, "normal")
    skied = _caught_deep(field, group, family, intent) - _caught_deep(standard, group, family, intent)
    out[..., _WICKET] = np.exp(edge + skied)
    return out


@lru_cache(maxsize=4096)
def _reach(k: str, field: Field, group: int, family: str | None, intent: str) -> Array:
    """Return [length, line]: the odds of `k` over the sectors, reduced or raised by the fielders who guard each."""
    deep, ring = _DEEP[k], _RING.get(k, 0.0)
    if k == "4" and family is not None:
        ring *= _OVER.get(family, 1.0)
    power = max(1.0, _AIMED[k] + (_ROTATES.get(intent, 0.0) if k in ("1", "2", "3") else 0.0))
    guarded = np.exp(power * (deep * np.array(field.deep_cover) + ring * np.array(field.ring_cover)))
    reach: Array = (_shares(group, family, k) @ guarded) ** (1 / power)
    return reach


@lru_cache(maxsize=256)
def _shares(group: int, family: str | None, k: str) -> Array:
    """Return [length, line, sector]: the probability that a ball that scores `k` goes there."""
    landings = ((length, line) for length in range(len(LENGTHS)) for line in range(len(LINES)))
    shares = np.array([zone_shares(group, *landed, family, k) for landed in landings])
    return shares.reshape(len(LENGTHS), len(LINES), -1)


def _caught_close(field: Field, phase: int, family: str | None, intent: str) -> float:
    """Return the log-odds of a wicket that the close catchers add: the more the batter hits, the less."""
    if family is not None and family != "defend":
        return 0.0
    amount = _CATCHERS[min(field.close, len(_CATCHERS) - 1)] * _CATCHES[phase]
    return amount * (1.0 - INTENTS[intent])


@lru_cache(maxsize=1024)
def _caught_deep(field: Field, group: int, family: str | None, intent: str) -> Array:
    """Return [length, line]: the log-odds of a wicket that hitting in the air adds where the boundary is guarded."""
    weight = _SKIED.get(family or "", 0.0) + _SKIED_INTENT * max(0.0, INTENTS[intent])
    caught: Array = weight * (_shares(group, family, "6") @ np.minimum(field.deep_cover, 1.0))
    return caught
