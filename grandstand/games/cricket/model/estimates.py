"""Posterior means of a player's hidden ability, given the public figures of a season.

A season's figures are drawn from abilities and luck by the formulas of `teams.py`, which are normal or nearly so. The
formulas here invert them, with the distribution of each role as the prior.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from grandstand.games.cricket.model.ball_model import DATA, PHASE_SD

PART_TIMER: Final = -2.0
"""The mean bowling of a non-bowler, in standard deviations of bowlers."""
STRIKE_RATE: Final = (145, 149, 147, 146, 148, 152, 150, 143, 126, 108, 95)
AVERAGE: Final = (29, 33, 29, 28, 27, 25, 21, 15, 11, 8, 6)
"""By place in the order: IPL 2023-24, rounded and smoothed."""
ECONOMY: Final = (9.0, 8.6, 10.7)
"""By phase, likewise."""
# The effect of an ability of 1 on the figures of a season, and the luck of a season. All of it is OURS.
AVERAGE_GAIN: Final = 0.16
AVERAGE_LUCK: Final = 0.9
"""The standard deviation of an average, as a share of it, for one dismissal."""
RATE_GAIN: Final = 0.075
RATE_LUCK: Final = 1.2
"""The standard deviation of a strike rate, as a share of it, for one ball."""
ECONOMY_GAIN: Final = 0.55
LIKING_GAIN: Final = 0.3
ECONOMY_LUCK: Final = 4.4
"""The standard deviation of the runs of one over."""
WICKETS: Final = 0.31
"""Wickets an over of an average bowler."""
WICKETS_GAIN: Final = 0.06
WICKETS_LUCK: Final = 0.5
ACCURACY: Final = 1.08
ACCURACY_GAIN: Final = 0.08
"""The scale of a miss of an average bowler, and its fall for an ability of 1."""

_SD_BATTER: Final = float(DATA["ability"]["sd_batter"])
_SD_BOWLER: Final = float(DATA["ability"]["sd_bowler"])


class AbilityEstimate(NamedTuple):
    """The mean of a player's ability given the season, along the one direction that abilities move the odds."""

    batting: float
    bowling: tuple[float, float, float]
    """By phase; positive is better."""
    accuracy: float
    """The scale of the miss when the bowler aims, to the nearest ability."""


def estimate(place: int, role: str, season: Mapping[str, Any]) -> AbilityEstimate:
    """Return the estimate for a player by the usual place in the order, the role and the season's figures."""
    bowling, liking = _bowling(role, season)
    by_phase = [_SD_BOWLER * bowling + PHASE_SD * likes for likes in liking]
    accuracy = ACCURACY - ACCURACY_GAIN * round(bowling)
    return AbilityEstimate(_SD_BATTER * _batting(place, season), (by_phase[0], by_phase[1], by_phase[2]), accuracy)


def _batting(place: int, season: Mapping[str, Any]) -> float:
    average, rate = season["avg"] / AVERAGE[place] - 1, season["sr"] / STRIKE_RATE[place] - 1
    outs = max(1.0, season["runs"] / season["avg"] if season["avg"] else 0.0)
    balls = max(1.0, 100 * season["runs"] / season["sr"] if season["sr"] else 0.0)
    known_average, known_rate = outs / AVERAGE_LUCK**2, balls / RATE_LUCK**2
    told: float = AVERAGE_GAIN * average * known_average + RATE_GAIN * rate * known_rate
    return told / (1 + AVERAGE_GAIN**2 * known_average + RATE_GAIN**2 * known_rate)


def _bowling(role: str, season: Mapping[str, Any]) -> tuple[float, tuple[float, ...]]:
    """Return the means of the bowling and of the liking for each phase, in standard deviations.

    The mean economy over the phases tells of the bowling alone, because the likings of a bowler sum to 0, and the
    differences from it of the likings alone.
    """
    prior = PART_TIMER if role in ("batter", "keeper") else 0.0
    if "overs" not in season:
        return prior, (0.0, 0.0, 0.0)
    overs = season["overs"]
    saved = [usual - figure for usual, figure in zip(ECONOMY, season["econ"], strict=True)]
    mean, variance = sum(saved) / 3, 3 * ECONOMY_LUCK**2 / overs
    wickets = season["wkts"] - WICKETS * overs
    gain = WICKETS * WICKETS_GAIN * overs
    known_economy, known_wickets = 3 / variance, 1 / (WICKETS_LUCK**2 * overs)
    told = prior + ECONOMY_GAIN * mean * known_economy + gain * wickets * known_wickets
    bowling = told / (1 + ECONOMY_GAIN**2 * known_economy + gain**2 * known_wickets)
    share = LIKING_GAIN / (LIKING_GAIN**2 + variance)
    return bowling, tuple(share * (each - mean) for each in saved)
