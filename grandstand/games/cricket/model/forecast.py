"""What the day does to the second innings, known to all before the toss: dew, a pitch that wears, or neither.

OURS: nobody publishes dew or wear by the match. Their shares and sizes keep the mean of all second innings.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Final, NamedTuple


class Forecast(NamedTuple):
    """A kind of day: its share of the matches, the change of the second innings' odds along the direction of the pitch,
    in log-odds, and the words for captains."""

    share: float
    drift: float
    words: str


EVEN: Final = "even"
FORECASTS: Final[Mapping[str, Forecast]] = {
    EVEN: Forecast(0.6, 0.0, "Neither dew nor wear is expected: the second innings is batted in the same conditions."),
    "dew": Forecast(0.28, 0.06, "Dew is expected: the wet ball makes batting easier in the second innings."),
    "dry": Forecast(0.12, -0.14, "The pitch is dry and will wear: batting gets harder in the second innings."),
}


def drawn(rng: Random) -> str:
    """Return the forecast of a match."""
    return rng.choices(list(FORECASTS), [each.share for each in FORECASTS.values()])[0]
