"""Online ratings: estimates of strength that each finished match updates, in time proportional to its seats.

The update is Weng and Lin's for Plackett and Luce's model ("A Bayesian Approximation Method for Online Ranking", JMLR
12, 2011, algorithm 4): a player's strength is normally distributed, and a match moves its mean and narrows its
deviation by the derivatives of the likelihood of the order. It is the algorithm of openskill, with three differences:
the scale is that of a pair of seats and does not grow with their number, which would spread the ratings of matches with
many seats; the deviation narrows at a fixed rate; and seats that share the last place below others are not compared
with one another, which is the rule of `play.ratings`.

The estimates are for lists of live matches. Comparisons belong to models that use all matches at once and estimate the
effects of the seats (`play.ratings.models`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from math import exp, sqrt
from statistics import NormalDist, fmean

from grandstand.play.ratings.intervals import LEVEL
from grandstand.play.ratings.table import (
    MIDDLE,
    POINTS,
    Pair,
    Rating,
    RatingTable,
    ScoredMatch,
    comparable,
    holm,
    ranking,
)

DEVIATION = 350.0
"""Standard deviation of the strength of a player that has not played, in Elo points."""
RATE = 0.75
"""Share of a match's information by which a deviation narrows. It makes up for the likelihood not being normal: with
it, the 95 per cent intervals of planted leagues contain the truth in 93 to 99 per cent (benchmarks/ratings.py)."""
NARROWEST = 1e-4
"""Lower bound of the factor by which a match narrows a variance."""
Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
"""Standard deviations from the middle to the end of an interval."""


@dataclass(frozen=True, slots=True)
class Strength:
    """A normal distribution of the strength of a seat's player."""

    mean: float
    deviation: float


@dataclass(frozen=True, slots=True)
class OnlineRating:
    """The mean and standard deviation of a player's strength in Elo points, after `games` matches."""

    mean: float = MIDDLE
    deviation: float = DEVIATION
    games: int = 0

    @property
    def low(self) -> float:
        """Return the lower end of the 95 per cent interval."""
        return self.mean - Z * self.deviation

    @property
    def high(self) -> float:
        """Return the upper end of the 95 per cent interval."""
        return self.mean + Z * self.deviation

    @property
    def strength(self) -> Strength:
        """Return the distribution."""
        return Strength(self.mean, self.deviation)


class OnlineRatings:
    """The ratings of the players of one game and one set of options."""

    def __init__(self) -> None:
        self.ratings: dict[str, OnlineRating] = {}

    def update(self, match: ScoredMatch) -> None:
        """Account for a match. A match in which the seats of fewer than two players count changes nothing.

        A player with several seats is moved by their mean, so that a match is one result for it.
        """
        if len({match.players[seat] for seat in match.scores}) < 2:
            return
        groups = ranking(match.scores)
        before = {seat: self.of(match.players[seat]) for group in groups for seat in group}
        moved = updated([[before[seat].strength for seat in group] for group in groups], _scale(before.values()))
        new: dict[str, list[Strength]] = defaultdict(list)
        for group, strengths in zip(groups, moved, strict=True):
            for seat, strength in zip(group, strengths, strict=True):
                new[match.players[seat]].append(strength)
        for player, strengths in new.items():
            mean = fmean(strength.mean for strength in strengths)
            deviation = fmean(strength.deviation for strength in strengths)
            self.ratings[player] = OnlineRating(mean, deviation, self.of(player).games + 1)

    def of(self, player: str) -> OnlineRating:
        """Return the rating of a player; the prior's if it has not played."""
        return self.ratings.get(player, OnlineRating())


def rate(
    results: Iterable[ScoredMatch], anchors: Mapping[str, float] | None = None, level: float = LEVEL
) -> RatingTable:
    """Return the online ratings after `results`, as `RatingModel` describes. Raises RatingError.

    The order of the matches matters. The effects of the seats are not estimated.
    """
    online = OnlineRatings()
    for match in comparable(results, anchors or {}):
        online.update(match)
    players = sorted(online.ratings, key=lambda player: (-online.of(player).mean, player))
    known = anchors or dict.fromkeys(players, MIDDLE)
    shift = fmean(known.values()) - fmean(online.of(player).mean for player in known)
    width = NormalDist().inv_cdf((1 + level) / 2)
    ratings = []
    for player in players:
        rating = online.of(player)
        mean, half = rating.mean + shift, width * rating.deviation
        ratings.append(Rating(player, mean, mean - half, mean + half, rating.games))
    pairs = list(combinations(players, 2))
    chances = [_above(online.of(a), online.of(b)) for a, b in pairs]
    differ = holm([2 * min(chance, 1 - chance) for chance in chances], level)
    table = [Pair(a, b, chance, far) for (a, b), chance, far in zip(pairs, chances, differ, strict=True)]
    return RatingTable(ratings, table, [])


def _above(a: OnlineRating, b: OnlineRating) -> float:
    """Return the probability that `a` is the stronger."""
    return NormalDist().cdf((a.mean - b.mean) / sqrt(a.deviation**2 + b.deviation**2))


def _scale(ratings: Collection[OnlineRating]) -> float:
    """Return the points of one unit of log odds between two average seats: POINTS if their strengths are known."""
    return sqrt(POINTS**2 + 2 * fmean(rating.deviation**2 for rating in ratings))


def updated(places: Sequence[Sequence[Strength]], scale: float) -> list[list[Strength]]:
    """Return the strengths after a match, in the order of `places`: groups of equal seats, the best first.

    `scale` is the number of points in one unit of log odds (Weng and Lin's c).
    """
    middle = fmean(strength.mean for group in places for strength in group)
    powers = [[exp((strength.mean - middle) / scale) for strength in group] for group in places]
    totals = list(accumulate(sum(odds) for odds in reversed(powers)))[::-1]
    compared = len(places) if len(places) == 1 else len(places) - 1
    inverses = squares = 0.0  # of the sums from which a seat of this place could have been drawn
    after: list[list[Strength]] = []
    for place, (group, odds) in enumerate(zip(places, powers, strict=True)):
        if place < compared:
            inverses += 1 / totals[place]
            squares += 1 / totals[place] ** 2
        filled = 1 / len(group) if place < compared else 0.0
        after.append(
            [
                _moved(strength, filled - power * inverses, power * inverses - power**2 * squares, scale)
                for strength, power in zip(group, odds, strict=True)
            ]
        )
    return after


def _moved(strength: Strength, slope: float, curvature: float, scale: float) -> Strength:
    """Return the strength after a step along the slope of the log-likelihood, in units of `scale`."""
    variance = strength.deviation**2
    narrowed = max(1 - RATE * variance / scale**2 * curvature, NARROWEST)
    return Strength(strength.mean + variance / scale * slope, strength.deviation * sqrt(narrowed))
