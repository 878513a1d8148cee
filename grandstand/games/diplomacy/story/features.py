"""The features of a position from which each power's chance of winning is computed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from grandstand.games.diplomacy.rules.map import ANY_COAST, CENTERS, POWERS, REACH_PROVINCES, UNIT_PROVINCE
from grandstand.games.diplomacy.rules.state import SOLO_CENTERS, SPRING, SPRING_RETREATS, WINTER, State

Floats = npt.NDArray[np.float64]

BOARD = ("centres", "centres²", "lead", "beyond 13", "units − centres", "open centres", "in reach", "in danger")
"""Features of a power. A foreign centre is open if more of the power's units can move in than others stand there or can
move in. An own centre is in danger in the opposite case."""
TIMES = ("", " × time left", " × end near")
NAMES = (
    *(f"{feature}{time}" for time in TIMES for feature in BOARD),
    *(f"{power}{time}" for time in TIMES[:2] for power in POWERS),
)
LONG = 20.0
"""The number of remaining years that counts as 1."""


def years_left(state: State, last_year: int) -> float:
    """Return the years until the match ends at the latest, in steps of half a year; 0 after its last fall."""
    if state.phase == WINTER:
        return float(max(0, last_year - state.year))
    spring = state.phase in (SPRING, SPRING_RETREATS)
    return max(0.0, last_year - state.year + (1.0 if spring else 0.5))


def features(state: State, last_year: int) -> Floats:
    """Return the features [power, name] of a position in a match that ends with `last_year`."""
    board = _board(state)
    years = years_left(state, last_year)
    remaining, near = min(1.0, years / LONG), 1.0 / (1.0 + years)
    powers = np.eye(len(POWERS))
    return np.hstack([board, remaining * board, near * board, powers, remaining * powers])


def _board(state: State) -> Floats:
    counts = np.array(state.center_counts(), dtype=np.float64)
    best = np.sort(counts)[::-1]
    others = np.where(counts == best[0], best[1], best[0])
    present = np.zeros((len(POWERS), ANY_COAST))
    for power, unit in state.units.values():
        present[power, unit] = 1
    units = present.sum(axis=1)
    for power, *_ in state.dislodged.values():
        units[power] += 1
    strength = present @ _PRESENT
    rivals = strength.sum(axis=0) - strength
    owners = np.array([state.centers.get(center, -1) for center in CENTERS])
    own = owners == np.arange(len(POWERS))[:, None]
    reached = (strength > 0) & ~own
    share = counts / SOLO_CENTERS
    return np.stack(
        [
            share,
            share**2,
            (counts - others) / SOLO_CENTERS,
            np.maximum(0, counts - 13) / 5,
            np.clip(units - counts, -5, 5) / 5,
            (reached & (strength > rivals)).sum(axis=1) / 5,
            reached.sum(axis=1) / 10,
            (own & (rivals > strength)).sum(axis=1) / 5,
        ],
        axis=1,
    )


_PRESENT = np.array(
    [
        [float(center in REACH_PROVINCES[unit] or center == UNIT_PROVINCE[unit]) for center in CENTERS]
        for unit in range(ANY_COAST)
    ]
)
"""[unit, centre]: 1 where the unit stands in the centre or can move there without convoy."""
