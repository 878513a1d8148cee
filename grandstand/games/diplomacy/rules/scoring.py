"""Scoring systems: from supply centres to a score per power. A solo takes all in each of them.

Draw-size and sum-of-squares share one point; C-Diplo shares 100 points and Carnage 28,034, in their own units.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from grandstand.games.diplomacy.rules.state import SOLO_CENTERS

CARNAGE_RANKS = (7000, 6000, 5000, 4000, 3000, 2000, 1000)
CDIPLO_RANKS = (38, 14, 7)


def _shares(ranking: Sequence[tuple[int, ...]], places: Sequence[float]) -> list[float]:
    """Return the points of `places` (best first) to each power by `ranking` (higher is better); ties share equally."""
    points = [0.0] * len(ranking)
    order = sorted(range(len(ranking)), key=lambda power: ranking[power], reverse=True)
    for first, power in enumerate(order):
        tied = [other for other in order if ranking[other] == ranking[power]]
        if tied[0] == power:
            span = sum(places[first : first + len(tied)])
            for other in tied:
                points[other] = span / len(tied)
    return points


def draw_size(counts: Sequence[int], eliminated: Mapping[int, int]) -> list[float]:
    """Divide one point equally among the powers that own a centre."""
    survivors = sum(count > 0 for count in counts) or 1
    return [(count > 0) / survivors for count in counts]


def sum_of_squares(counts: Sequence[int], eliminated: Mapping[int, int]) -> list[float]:
    """Divide one point in proportion to the squares of the centres."""
    total = sum(count * count for count in counts) or 1
    return [count * count / total for count in counts]


def cdiplo(counts: Sequence[int], eliminated: Mapping[int, int]) -> list[float]:
    """Give a point for playing, one per centre, and 38, 14 and 7 to the first three powers with centres."""
    bonus = _shares([(count,) for count in counts], CDIPLO_RANKS)
    return [1.0 + count + (rank if count else 0.0) for count, rank in zip(counts, bonus, strict=True)]


def carnage(counts: Sequence[int], eliminated: Mapping[int, int]) -> list[float]:
    """Give 7000 to 1000 by rank and one per centre; powers without centres rank by the year of their elimination."""
    ranking = [(count, eliminated.get(power, 0)) for power, count in enumerate(counts)]
    return [float(count) + rank for count, rank in zip(counts, _shares(ranking, CARNAGE_RANKS), strict=True)]


Scoring = Callable[[Sequence[int], Mapping[int, int]], list[float]]
"""(centres per power, power -> the year in which it lost its last centre) -> score per power."""


class ScoringSystem(NamedTuple):
    """The scores of a drawn or unfinished game and of a solo, and both in words for the players."""

    shared: Scoring
    solo: float
    solo_words: str
    shared_words: str

    @property
    def sentence(self) -> str:
        """Return a sentence on the scoring."""
        return (
            f"Scoring: who owns {SOLO_CENTERS} centres takes {self.solo_words}, the others none; at any other end, "
            f"draws included, {self.shared_words}."
        )


SCORINGS: dict[str, ScoringSystem] = {
    "sum-of-squares": ScoringSystem(
        sum_of_squares,
        1.0,
        "1 point",
        "the point is divided in proportion to the squares of the powers' centre counts",
    ),
    "draw-size": ScoringSystem(
        draw_size, 1.0, "1 point", "the point is divided equally among the powers that own a centre"
    ),
    "c-diplo": ScoringSystem(
        cdiplo,
        100.0,
        "100 points",
        "each power has 1 point, 1 more for each centre, and for the first, second and third place in centres 38, 14 "
        "and 7 more, which equal powers share; a power without centres has no place",
    ),
    "carnage": ScoringSystem(
        carnage,
        28_034.0,
        "28,034 points",
        "each power has 1 point for each centre, and by place in centres 7,000, 6,000 and so on down to 1,000, "
        "which equal powers share; among powers without centres, who lost the last one later ranks higher",
    ),
}
"""The scoring systems by name."""


def score(system: str, counts: Sequence[int], eliminated: Mapping[int, int]) -> list[float]:
    """Return the score per power if play ends with these centres. Raises KeyError for an unknown system."""
    scoring = SCORINGS[system]
    if max(counts) >= SOLO_CENTERS:
        return [scoring.solo if count >= SOLO_CENTERS else 0.0 for count in counts]
    return scoring.shared(counts, eliminated)
