"""Targets for interrupted matches by the Duckworth/Lewis method, Standard Edition (not the proprietary DLS).

Resource percentages are the public 2002 table for the last 20 overs; for longer innings the published form
Z(u, w) = Z0(w) (1 - exp(-b(w) u)) with parameters refitted to that table.
"""

from __future__ import annotations

from math import exp, floor
from typing import Final

METHOD: Final = "D/L Standard"
G50: Final = 245.0
"""Average 50-over total of the Standard Edition documents (men, full members)."""
MINIMUM_OVERS: Final = 5

_TABLE: Final = (
    (0.0,) * 10,
    (3.6, 3.6, 3.6, 3.6, 3.6, 3.5, 3.5, 3.4, 3.2, 2.5),
    (7.2, 7.1, 7.1, 7.0, 7.0, 6.8, 6.6, 6.2, 5.5, 3.7),
    (10.6, 10.5, 10.4, 10.3, 10.2, 9.9, 9.5, 8.7, 7.2, 4.2),
    (13.9, 13.8, 13.7, 13.5, 13.2, 12.7, 12.0, 10.7, 8.4, 4.5),
    (17.2, 17.0, 16.8, 16.5, 16.1, 15.4, 14.3, 12.5, 9.4, 4.6),
    (20.3, 20.1, 19.8, 19.4, 18.8, 17.8, 16.4, 13.9, 10.1, 4.6),
    (23.4, 23.1, 22.7, 22.2, 21.4, 20.1, 18.2, 15.2, 10.5, 4.7),
    (26.4, 26.0, 25.5, 24.8, 23.8, 22.3, 19.9, 16.2, 10.9, 4.7),
    (29.3, 28.9, 28.2, 27.4, 26.1, 24.2, 21.4, 17.1, 11.2, 4.7),
    (32.1, 31.6, 30.8, 29.8, 28.3, 26.1, 22.8, 17.9, 11.4, 4.7),
    (34.9, 34.2, 33.4, 32.1, 30.4, 27.8, 24.0, 18.5, 11.5, 4.7),
    (37.6, 36.8, 35.8, 34.3, 32.3, 29.4, 25.1, 19.0, 11.6, 4.7),
    (40.2, 39.3, 38.1, 36.5, 34.2, 30.8, 26.1, 19.5, 11.7, 4.7),
    (42.7, 41.7, 40.4, 38.5, 35.9, 32.2, 27.0, 19.9, 11.8, 4.7),
    (45.2, 44.1, 42.6, 40.5, 37.6, 33.5, 27.8, 20.2, 11.8, 4.7),
    (47.6, 46.3, 44.7, 42.3, 39.1, 34.7, 28.5, 20.5, 11.8, 4.7),
    (49.9, 48.5, 46.7, 44.1, 40.6, 35.8, 29.2, 20.7, 11.9, 4.7),
    (52.2, 50.7, 48.6, 45.9, 42.0, 36.8, 29.8, 20.9, 11.9, 4.7),
    (54.4, 52.8, 50.5, 47.5, 43.4, 37.7, 30.3, 21.1, 11.9, 4.7),
    (56.6, 54.8, 52.4, 49.1, 44.6, 38.6, 30.8, 21.2, 11.9, 4.7),
)
_Z0: Final = (134.1023, 118.5254, 101.9144, 84.4529, 66.9956, 50.281, 35.1161, 21.9899, 11.9074, 4.7001)
_B: Final = (0.027394, 0.030997, 0.036039, 0.043505, 0.054869, 0.073077, 0.104617, 0.167213, 0.309871, 0.763221)


def resources(balls_left: int, wickets: int) -> float:
    """Return the resources of `balls_left` balls with `wickets` wickets down, in per cent of a full 50-over innings."""
    if balls_left <= 0 or wickets >= 10:
        return 0.0
    whole, part = divmod(balls_left, 6)
    if balls_left > 120:
        return max(_Z0[wickets] * (1 - exp(-_B[wickets] * balls_left / 6)), _TABLE[-1][wickets])
    here = _TABLE[whole][wickets]
    return here if not part else here + (_TABLE[whole + 1][wickets] - here) * part / 6


def par_score(first_runs: int, first_resources: float, second_resources: float) -> int:
    """Return the score that ties: the target is one more. Resources are in per cent."""
    if second_resources <= first_resources:
        return floor(first_runs * second_resources / first_resources)
    return floor(first_runs + G50 * (second_resources - first_resources) / 100)
