"""The match-up of a batter and a finger spinner, which everybody knows: the hand, and the side to which the ball turns.

A ball that turns away from the bat is harder to score off (`matchup` in data/ball_model.json). The turn of wrist spin
and the angle of pace change the runs of such a pair by less than can be measured, so they are left out.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from grandstand.games.cricket.model.ball_model import DATA, Weights, scaled, vector

LEFT_HANDED: Final = 0.3
"""The share of left-handed batters in invented sides."""
AWAY_FROM: Final = {"OB": "left", "SLA": "right"}
"""Style -> the hand of the batters from whom the stock ball turns away."""
_AWAY: Final = vector(DATA["matchup"])


def turns(style: str | None, hand: str | None) -> str | None:
    """Return `away` or `in`, where the ball of this style turns from a batter of this hand; None where it tells
    nothing."""
    if hand is None or style not in AWAY_FROM:
        return None
    return "away" if AWAY_FROM[style] == hand else "in"


@lru_cache
def matchup(style: str | None, hand: str | None) -> Weights:
    """Return the odds factors of the pair beside the bowler's against all batters: the mean of their logarithms over
    the hands of invented sides is 0."""
    return scaled(_AWAY, away(style, hand))


def away(style: str | None, hand: str | None) -> float:
    """Return the part of the effect that the pair has: 1 less the share of the batters from whom the ball turns away,
    or that share negated."""
    turn = turns(style, hand)
    if style is None or turn is None:
        return 0.0
    share = LEFT_HANDED if AWAY_FROM[style] == "left" else 1 - LEFT_HANDED
    return 1 - share if turn == "away" else -share
