"""Ratings of players from the results of many matches, with intervals and the probability that one is the stronger.

The model is Plackett and Luce's (Luce 1959, Plackett 1975) with ties (Turner, van Etten, Firth and Kosmidis 2020): the
places of a match are filled one after another, the best first, by a seat or by several that share the place. A seat is
drawn with odds in proportion to its strength; several seats with the geometric mean of their strengths, times a factor
for their number that is estimated too. With two seats it is Bradley and Terry's model, and Davidson's (1970) with ties;
Elo's formula is the same. The log strength in a match is the player's rating plus the effect of its seat. The order may
be partial: a seat without a score is left out, and seats that share the last place below others, as the eliminated do,
are not compared with one another.

Ratings are in Elo points: 400 points are odds of 10 to 1. They are the posterior mode with a wide normal prior around
the average of all players, which keeps the rating of a player who won or lost everything finite. The variance is that
of resampled matches, in its closed form (the infinitesimal jackknife, Efron 1982; clusters are matches), and at least
that of the posterior, because a player without a loss has none in any resample. Matches that share their luck are one
cluster; the quantiles are then Student's, as clusters may be few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb, erf, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from grandstand.games.base import SeatId
from grandstand.play.ratings.distributions import incomplete_beta, student
from grandstand.play.ratings.intervals import LEVEL
from grandstand.play.ratings.table import (
    MIDDLE,
    POINTS,
    Pair,
    Rating,
    RatingError,
    RatingTable,
    ScoredMatch,
    SeatEffect,
    comparable,
    holm,
    ranking,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PRIOR_PLAYER = 600 / POINTS
"""Standard deviation of the prior of a player's rating, in log odds: wide, so that matches decide."""
PRIOR_SEAT = 150 / POINTS
"""Standard deviation of the prior of a seat's effect, in log odds."""
PRIOR_TIE = 3.0
"""Standard deviation of the prior of the log factor of a tie."""
ALTERNATIVES = 5000
"""The most ways to fill one place. Ten seats with ties of all sizes have 1,023."""
CHUNK = 20_000
"""The most rows of the design matrix, which are alternatives, in memory at a time."""


def rate(
    results: Iterable[ScoredMatch], anchors: Mapping[str, float] | None = None, level: float = LEVEL
) -> RatingTable:
    """Return the ratings by the order of the seats, as `RatingModel` describes. Raises RatingError."""
    return _Estimate(_Model(comparable(results, anchors or {})), level).table(anchors or {})


@dataclass(frozen=True, slots=True)
class _Place:
    """One place of a match: the ways to fill it, each a set of seats, and the actual one."""

    match: int
    options: Sequence[Sequence[tuple[int, int]]]
    """(player, seat) of each seat of each set, as parameters."""
    chosen: int


def _chunks(places: Iterable[_Place]) -> Iterator[list[_Place]]:
    """Yield the places in lists of about CHUNK alternatives."""
    chunk: list[_Place] = []
    count = 0
    for place in places:
        chunk.append(place)
        count += len(place.options)
        if count > CHUNK:
            yield chunk
            chunk, count = [], 0
    if chunk:
        yield chunk


@dataclass(frozen=True, slots=True)
class _Block:
    """Places whose design matrix [alternative, parameter] is in memory at the same time."""

    rows: Ints
    """Of each entry of the matrix that is not 0: its row, column and value."""
    columns: Ints
    values: Floats
    starts: Ints
    """[place], the first alternative of each."""
    chosen: Ints
    """[place], the actual alternative."""
    matches: Ints
    """[place]"""

    @classmethod
    def of(cls, places: Sequence[_Place], ties: Mapping[int, int]) -> _Block:
        """Return the block of `places`; `ties` are the parameters of ties by size."""
        entries: list[tuple[int, int, float]] = []
        for row, seats in enumerate(chain.from_iterable(place.options for place in places)):
            share = 1 / len(seats)
            for player, seat in seats:
                entries += [(row, player, share), (row, seat, share)]
            if len(seats) > 1:
                entries.append((row, ties[len(seats)], 1.0))
        rows, columns, values = zip(*entries, strict=True)
        ends = np.cumsum([len(place.options) for place in places])
        starts = np.concatenate([[0], ends[:-1]])
        return cls(
            np.array(rows),
            np.array(columns),
            np.array(values),
            starts,
            starts + [place.chosen for place in places],
            np.array([place.match for place in places]),
        )

    def design(self, size: int) -> Floats:
        """Return the design matrix with `size` columns."""
        count = int(self.rows[-1]) + 1
        matrix = np.zeros((count, size))
        np.add.at(matrix, (self.rows, self.columns), self.values)
        return matrix


class _Model:
    """The likelihood of the results. The parameters are ratings, effects of seats, and log factors of ties."""

    def __init__(self, matches: Sequence[ScoredMatch]) -> None:
        seated = [{seat: match.players[seat] for seat in match.scores} for match in matches]
        self.players = sorted({player for seats in seated for player in seats.values()})
        self.seats = sorted({seat for seats in seated for seat in seats})
        self.games = Counter(player for seats in seated for player in set(seats.values()))
        self.matches = len(matches)
        self.clusters, self.clustered = _clusters([match.cluster for match in matches])
        places = [ranking(match.scores) for match in matches]
        shared = (group for groups in places for group in (groups if len(groups) == 1 else groups[:-1]))
        self._ties = sorted({len(group) for group in shared if len(group) > 1})
        first_tie = len(self.players) + len(self.seats)
        self._tie = {size: first_tie + index for index, size in enumerate(self._ties)}
        self.size = first_tie + len(self._ties)
        deviations = {PRIOR_PLAYER: len(self.players), PRIOR_SEAT: len(self.seats), PRIOR_TIE: len(self._ties)}
        self.precision: Floats = np.concatenate([np.full(count, value**-2) for value, count in deviations.items()])
        filled = chain.from_iterable(map(self._filled, range(self.matches), seated, places))
        self._blocks = [_Block.of(chunk, self._tie) for chunk in _chunks(filled)]

    def _filled(self, match: int, seated: Mapping[SeatId, str], groups: Sequence[Sequence[SeatId]]) -> Iterator[_Place]:
        """Yield the places of a match that are compared, from the first."""
        entry = {
            seat: (self.players.index(player), len(self.players) + self.seats.index(seat))
            for seat, player in seated.items()
        }
        remaining = list(chain.from_iterable(groups))
        for group in groups if len(groups) == 1 else groups[:-1]:
            sizes = [size for size in (1, *self._ties) if size <= len(remaining)]
            if sum(comb(len(remaining), size) for size in sizes) > ALTERNATIVES:
                raise RatingError(
                    f"{len(remaining)} seats with ties of {len(group)} are more than can be rated; leave seats out"
                )
            options = [seats for size in sizes for seats in combinations(remaining, size)]
            yield _Place(match, [[entry[seat] for seat in seats] for seats in options], options.index(tuple(group)))
            remaining = remaining[len(group) :]

    def derivatives(self, values: Floats) -> tuple[Floats, Floats]:
        """Return the gradient of each match's log-likelihood [match, parameter], and minus the sum of the Hessians."""
        gradient, curvature = np.zeros((self.matches, self.size)), np.zeros((self.size, self.size))
        for block in self._blocks:
            design = block.design(self.size)
            strengths = design @ values
            counts = np.diff(np.append(block.starts, len(design)))
            powers = np.exp(strengths - np.repeat(np.maximum.reduceat(strengths, block.starts), counts))
            odds = powers / np.repeat(np.add.reduceat(powers, block.starts), counts)
            weighted = design * odds[:, None]
            means = np.add.reduceat(weighted, block.starts)
            np.add.at(gradient, block.matches, design[block.chosen] - means)
            curvature += design.T @ weighted - means.T @ means
        return gradient, curvature


class _Estimate:
    """The posterior mode of a model, and the covariances of its parameters."""

    def __init__(self, model: _Model, level: float) -> None:
        self._model = model
        self._level = level
        self._mode = np.zeros(model.size)
        for _ in range(100):
            gradient, curvature = model.derivatives(self._mode)
            step = np.linalg.solve(curvature + np.diag(model.precision), gradient.sum(0) - model.precision * self._mode)
            self._mode = self._mode + step * min(1.0, 2 / max(float(np.abs(step).max()), 1e-12))
            if np.abs(step).max() < 1e-9:
                break
        gradient, curvature = model.derivatives(self._mode)
        posterior = np.linalg.inv(curvature + np.diag(model.precision))
        clusters = int(model.clusters.max()) + 1
        summed = np.zeros((clusters, model.size))
        np.add.at(summed, model.clusters, gradient)
        centered = summed - summed.mean(0)
        scale = clusters / max(clusters - 1, 1)
        self._freedom = max(clusters - 1, 1) if model.clustered else None
        """Degrees of freedom of the variance; None where there are many matches, as it is assumed without clusters."""
        self._quantile = student(self._freedom, level) if self._freedom else NormalDist().inv_cdf((1 + level) / 2)
        self._covariances = (posterior, scale * posterior @ centered.T @ centered @ posterior)

    def table(self, anchors: Mapping[str, float]) -> RatingTable:
        """Return all estimates in Elo points."""
        model, players = self._model, range(len(self._model.players))
        references = [index for index in players if model.players[index] in anchors] or players
        middle = float(np.mean(list(anchors.values()))) if anchors else MIDDLE
        ratings = [
            Rating(player, *self._interval([index], references, middle), model.games[player])
            for index, player in enumerate(model.players)
        ]
        ratings.sort(key=lambda rating: -rating.mean)
        seats = range(len(players), len(players) + len(model.seats))
        effects = [
            SeatEffect(seat, *self._interval([index], seats, 0.0))
            for index, seat in zip(seats, model.seats, strict=True)
        ]
        return RatingTable(ratings, self._pairs([rating.player for rating in ratings]), effects)

    def _interval(self, these: Iterable[int], those: Iterable[int], middle: float) -> tuple[float, float, float]:
        """Return the mean of some parameters over that of others, with its interval, in Elo points from `middle`."""
        mean, deviation = self._difference(these, those)
        half = self._quantile * deviation
        return middle + POINTS * mean, middle + POINTS * (mean - half), middle + POINTS * (mean + half)

    def _difference(self, these: Iterable[int], those: Iterable[int]) -> tuple[float, float]:
        """Return the mean of some parameters over that of others, and its standard deviation, in log odds."""
        contrast = self._mean(these) - self._mean(those)
        variance = max(float(contrast @ matrix @ contrast) for matrix in self._covariances)
        return float(contrast @ self._mode), sqrt(max(variance, 0.0))

    def _mean(self, parameters: Iterable[int]) -> Floats:
        chosen = list(parameters)
        contrast = np.zeros(self._model.size)
        contrast[chosen] = 1 / len(chosen)
        return contrast

    def _pairs(self, ranked: Sequence[str]) -> list[Pair]:
        pairs = list(combinations(ranked, 2))
        chances = []
        for a, b in pairs:
            mean, deviation = self._difference([self._model.players.index(a)], [self._model.players.index(b)])
            chances.append(self._below(mean / deviation))
        differ = holm([2 * min(chance, 1 - chance) for chance in chances], self._level)
        return [Pair(a, b, chance, far) for (a, b), chance, far in zip(pairs, chances, differ, strict=True)]

    def _below(self, value: float) -> float:
        """Return the probability that a standardized difference is below `value`."""
        if self._freedom is None:
            return (1 + erf(value / sqrt(2))) / 2
        tail = incomplete_beta(self._freedom / 2, 0.5, self._freedom / (self._freedom + value * value)) / 2
        return 1 - tail if value > 0 else tail


def _clusters(named: Sequence[int | None]) -> tuple[Ints, bool]:
    """Return the cluster of each match, numbered from 0, and whether any has several matches."""
    keys = [(0, number) if cluster is None else (1, cluster) for number, cluster in enumerate(named)]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return np.array([numbers[key] for key in keys]), len(numbers) < len(keys)
