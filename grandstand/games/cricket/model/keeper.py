"""A wicket-keeper who stands up to the stumps for a bowler of medium pace.

He stumps batters out of their ground and holds them in it, drops edges that he would have caught standing back, and
lets byes through. OURS: no public record has where the keeper stood. Stumpings are taken from those off spin; that
they are a thirtieth of those off all pace agrees with a keeper who stands up to a tenth of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

STUMPED: Final = 0.5
"""The stumpings beside those off spin in the same phase, as shares of the wickets."""
HELD: Final = 0.5
"""The share of the edges caught standing back that he catches too."""
BEHIND_SHARE: Final = 0.13
"""OURS: share of catches taken by the wicket-keeper, the ones that reviews are about."""
BYES: Final = 3.0
"""The byes beside those of a keeper who stands back."""
_HELD_BACK: Final = {"4": 0.97, "6": 0.96}
"""Odds factors of hits by batters who have to stay in their ground."""


def behind_share(up: bool) -> float:
    """Return the share of the catches off pace that the wicket-keeper takes."""
    return BEHIND_SHARE * HELD / (1 - BEHIND_SHARE * (1 - HELD)) if up else BEHIND_SHARE


def bye_share(usual: float, up: bool) -> float:
    """Return the share of byes among byes and leg-byes."""
    return usual * BYES / (1 + usual * (BYES - 1)) if up else usual


def kinds(back: Mapping[str, float], spin: Mapping[str, float]) -> dict[str, float]:
    """Return the weights of the kinds of dismissal off pace, from those with him back and those off spin."""
    caught = back["caught"] * (1 - BEHIND_SHARE * (1 - HELD))
    return {**back, "caught": caught, "stumped": STUMPED * spin["stumped"]}


def odds(back: Mapping[str, float], spin: Mapping[str, float], byes: float) -> dict[str, float]:
    """Return class -> odds factor, relative to him standing back: of a wicket by the kinds of dismissal, of byes and
    leg-byes by the share of byes among them. The other classes stay."""
    wicket = sum(kinds(back, spin).values()) / sum(back.values())
    return {**_HELD_BACK, "W": wicket, "lb": 1 + byes * (BYES - 1)}
