"""The speed of a delivery and the point where it pitched."""

from __future__ import annotations

from random import Random
from typing import Final

from grandstand.games.cricket.vocab import GROUPS, LENGTH_EDGES, LINE_EDGES

BOWLS_AT: Final = {
    "RF": 141.0, "LF": 140.0, "RFM": 134.0, "LFM": 133.0, "RM": 125.0,
    "OB": 87.0, "LB": 85.0, "SLA": 87.0, "LWS": 83.0,
}  # fmt: skip
"""OURS, by style: km/h of the stock ball of a usual bowler. Tracked pace bowlers bowl 134 km/h, spinners 89."""
BETWEEN_BOWLERS: Final = 2.5
"""Standard deviations in km/h between bowlers of a style, and of a bowler's balls of one kind."""
WITHIN_BOWLER: Final = {"pace": 4.0, "spin": 3.0}
_VARIED: Final = {
    "slower_ball": -22.0, "cutter": -11.0, "quick": 5.0, "swing": -2.0, "wrong_un": -1.0, "arm_ball": 4.0,
    "quicker": 8.0,
}  # fmt: skip
_FURTHEST: Final = 2.5


def usual_kmh(style: str, rng: Random) -> float:
    """Draw the speed of a bowler's stock ball."""
    return BOWLS_AT[style] + BETWEEN_BOWLERS * max(-2.0, min(2.0, rng.gauss(0.0, 1.0)))


def speed_kmh(usual: float, group: int, variation: str, rng: Random) -> int:
    """Return the speed of one ball of a bowler whose stock ball has the speed `usual`."""
    away = max(-_FURTHEST, min(_FURTHEST, rng.gauss(0.0, 1.0)))
    return round(usual + _VARIED.get(variation, 0.0) + WITHIN_BOWLER[GROUPS[group]] * away)


def pitched(group: int, length: int, line: int, rng: Random) -> list[float]:
    """Return [off-side metres from middle stump, metres from the striker's stumps], inside the landed bins."""
    edges = LENGTH_EDGES[GROUPS[group]]
    y = edges[length] + (edges[length + 1] - edges[length]) * rng.random()
    x = LINE_EDGES[line + 1] + (LINE_EDGES[line] - LINE_EDGES[line + 1]) * rng.random()
    return [round(x, 2), round(max(y, 0.0), 1)]
