"""Each power's chance of winning: a conditional logit over features of the position, fitted on showcase matches.

It allows for the chance that the powers in play agree to a draw before.

It ignores who plays. docs/diplomacy-chances.md has its accuracy, and `scripts/diplomacy/chances.py` fits it.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np

from grandstand.games.base import SeatId
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.state import State
from grandstand.games.diplomacy.story.features import NAMES, Floats, features, years_left

WEIGHTS = Path(__file__).parents[1] / "data" / "chances.json"

FIRST_DRAWS = 1911
"""The year before that of the first draw in the matches of the fit."""
DRAWS = 0.06
"""The rate of draws a year from then on, by cross-validation over the matches of the fit."""


@cache
def weights() -> Floats:
    """Return the fitted weights, in the order of the features."""
    by_name = json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"]
    return np.array([by_name[name] for name in NAMES], dtype=np.float64)


def chances(state: State, last_year: int) -> dict[SeatId, float]:
    """Return the chance that each power is the winner, shared winners counting in equal parts. They sum to 1."""
    return dict(zip(POWERS, (round(float(chance), 4) for chance in probabilities(state, last_year)), strict=True))


def probabilities(state: State, last_year: int) -> Floats:
    """Return the same chances in the order of the powers."""
    solo = state.solo()
    if solo is not None:
        return np.asarray(np.eye(len(POWERS))[solo])
    if not years_left(state, last_year):
        return leaders(state)
    scores = features(state, last_year) @ weights()
    in_play = np.array([state.in_play(power) for power in range(len(POWERS))])
    odds = np.where(in_play, np.exp(scores - scores.max()), 0.0)
    drawn = chance_of_draw(state, last_year)
    return np.asarray((1.0 - drawn) * odds / odds.sum() + drawn * in_play / in_play.sum())


def chance_of_draw(state: State, last_year: int) -> float:
    """Return the chance that the powers in play agree to share the result before the match is decided."""
    years = max(0.0, min(years_left(state, last_year), last_year - FIRST_DRAWS))
    return float(1.0 - np.exp(-DRAWS * years))


def leaders(state: State) -> Floats:
    """Return equal shares of the powers with most centres."""
    counts = np.array(state.center_counts())
    best = counts == counts.max()
    return np.asarray(best / best.sum())
