"""Tables of ratings, and the results from which the models in `play/ratings/models.py` compute them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from math import log
from statistics import fmean

from grandstand.games.base import SeatId
from grandstand.play.ratings.intervals import LEVEL

POINTS = 400 / log(10)
"""Elo points in one unit of log odds."""
MIDDLE = 1500.0
"""The average rating of all players, unless references are named."""


@dataclass(frozen=True, slots=True)
class ScoredMatch:
    """The players of a match by seat, and the scores of the seats that count: more is better, equal scores a tie."""

    players: Mapping[SeatId, str]
    scores: Mapping[SeatId, float]
    cluster: int | None = None
    """Matches of one cluster are not independent of one another. A match without one is independent of all."""

    def comparisons(self) -> dict[tuple[str, str], float]:
        """Return the share of comparisons that the first of each two players won, ties as half, in both orders."""
        wins: dict[tuple[str, str], list[float]] = defaultdict(list)
        for seat, other in product(self.scores, self.scores):
            a, b = self.players[seat], self.players[other]
            if a != b:
                above, equal = self.scores[seat] > self.scores[other], self.scores[seat] == self.scores[other]
                wins[a, b].append(above + equal / 2)
        return {pair: fmean(values) for pair, values in wins.items()}


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating in Elo points with its 95 per cent interval, and the matches it rests on."""

    player: str
    mean: float
    low: float
    high: float
    games: int


@dataclass(frozen=True, slots=True)
class SeatEffect:
    """The advantage of a seat over the average seat, in Elo points, with its 95 per cent interval."""

    seat: SeatId
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players: the probability that `a` is the stronger, and whether they differ once all pairs are compared."""

    a: str
    b: str
    probability: float
    differ: bool
    """At 5 per cent for all pairs together (Holm's method)."""


@dataclass(frozen=True, slots=True)
class RatingTable:
    """The ratings of all players, the best first, every pair of them, and the effects of the seats."""

    ratings: Sequence[Rating]
    pairs: Sequence[Pair]
    seats: Sequence[SeatEffect]


class RatingError(ValueError):
    """The results cannot be rated: the message names the reason and the remedy."""


def comparable(results: Iterable[ScoredMatch], anchors: Iterable[str]) -> list[ScoredMatch]:
    """Return the matches of which two seats count. Raise RatingError if they cannot be rated."""
    matches = [result for result in results if len(result.scores) > 1]
    if not matches:
        raise RatingError("there is no match with two scored seats; name records of matches played to their end")
    players = sorted({match.players[seat] for match in matches for seat in match.scores})
    if len(players) == 1:
        raise RatingError(f"{players[0]!r} is the only player; a rating compares at least two")
    absent = sorted(set(anchors) - set(players))
    if absent:
        raise RatingError(f"anchor: {absent[0]!r} has played no match; there are {', '.join(players)}")
    return matches


def ranking(scores: Mapping[SeatId, float]) -> list[list[SeatId]]:
    """Return the seats in groups of equal scores, the best first."""
    ranked = sorted(scores, key=lambda seat: (-scores[seat], seat))
    return [list(group) for _, group in groupby(ranked, key=lambda seat: scores[seat])]


def holm(chances: Sequence[float], level: float = LEVEL) -> list[bool]:
    """Return which of several differences, given by their p-values, are significant together (Holm 1979)."""
    significant = [False] * len(chances)
    order = sorted(range(len(chances)), key=lambda index: chances[index])
    for rank, index in enumerate(order):
        if chances[index] > (1 - level) / (len(chances) - rank):
            break
        significant[index] = True
    return significant
