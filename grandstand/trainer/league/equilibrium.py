"""The equilibrium of a league: the mixture of its players that none of them beats, and the players' alpha-rank.

Both rest on the matrix of expected scores, in which two players score 1 together. In games of more than two seats a
score is the share of pairwise comparisons that a player wins: each pair of seats of two players in one match is one
comparison, ties count half. So the game that is solved here is the comparison of two seats, not the whole match.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

_LAST_WEIGHT = 1e6
_NEWTON_STEPS = 60
_SMALL = 1e-9
"""The squared Newton decrement at which a stage ends, and the size below which other numbers count as 0."""
_NEGLIGIBLE = 1e-6
"""Shares below this would be 0 without the barriers of the method."""

POPULATION, INTENSITY = 50, 10.0
"""Size of the population of alpha-rank, and the intensity of its selection."""
_LEAST_CHANCE = 1e-60
"""Lower bound of a chance of fixation, so that every player can be reached from every other."""


def nash_average(scores: Sequence[Sequence[float]]) -> list[float]:
    """Return the Nash equilibrium of greatest entropy, as each player's share (Balduzzi et al. 2018).

    It is unique; equal players share alike, and a copy of a player takes from that player's share alone. The method
    minimizes weight * v - entropy(p) over mixtures p and scores v that no player exceeds against p, by Newton's method
    with logarithmic barriers, while the weight grows. At the end v is at most (log(players) + 1) / _LAST_WEIGHT, and
    _NEGLIGIBLE shares are cut off: among 200 players, none has an expected score above 0.5 + 1e-4 against the mixture.
    Raises ValueError if the scores of two players do not add up to 1.
    """
    matrix = _checked(scores)
    if not len(matrix):
        return []
    shares = _greatest_entropy(matrix - 0.5)
    shares[shares < _NEGLIGIBLE] = 0.0
    return [float(share) for share in shares / shares.sum()]


def scores_against(scores: Sequence[Sequence[float]], shares: Sequence[float]) -> list[float]:
    """Return every player's expected score against a mixture; against the Nash average it is a measure of skill."""
    return [float(score) for score in _checked(scores) @ np.asarray(shares, float)]


def alpha_rank(
    scores: Sequence[Sequence[float]], intensity: float = INTENSITY, population: int = POPULATION
) -> list[float]:
    """Return each player's share of time in the evolution of a single population (Omidshafiei et al. 2019).

    All members of the population play as one player, until a mutant that plays as another, drawn uniformly, takes over
    with the chance of fixation (1 - exp(-a d)) / (1 - exp(-n a d)): d is the mutant's score against the others less
    theirs against it, a the intensity, n the size of the population. The shares are the stationary distribution.
    Raises ValueError if the scores of two players do not add up to 1.
    """
    matrix = _checked(scores)
    if not len(matrix):
        return []
    moves = np.array([[_fixation(2 * matrix[new, old] - 1, intensity, population) for new in range(len(matrix))]
                      for old in range(len(matrix))])  # fmt: skip
    return [float(share) for share in _stationary(moves)]


def _checked(scores: Sequence[Sequence[float]]) -> Matrix:
    matrix = np.asarray(scores, float)
    if not len(matrix):
        return np.zeros((0, 0))
    if matrix.shape != (len(matrix), len(matrix)) or not np.allclose(matrix + matrix.T, 1.0):
        raise ValueError("the matrix of expected scores must be square, and the scores of any two players add up to 1")
    return matrix


def _greatest_entropy(payoffs: Matrix) -> Matrix:
    """Return the mixture of greatest entropy against which no row of the antisymmetric `payoffs` is above 0."""
    count = len(payoffs)
    margins = np.hstack([-payoffs, np.ones((count, 1))])
    """Times (p, v): by how much v is above each player's payoff against p."""
    point = np.append(np.full(count, 1 / count), payoffs.mean(axis=1).max() + 1.0)
    weight = 1.0
    while weight <= _LAST_WEIGHT:
        for _ in range(_NEWTON_STEPS):
            try:
                gradient, direction = _newton(margins, point, weight)
            except np.linalg.LinAlgError:  # players alike, to within rounding errors: nothing is left to improve
                return np.asarray(point[:count])
            decrease = -float(gradient @ direction)
            if decrease < _SMALL:
                break
            size, before = 1.0, _objective(margins, point, weight)
            while not _objective(margins, point + size * direction, weight) <= before - 1e-4 * size * decrease:
                size /= 2
                if size < _SMALL:  # rounding errors are all that is left
                    return np.asarray(point[:count])
            point = point + size * direction
        weight *= 10
    return np.asarray(point[:count])


def _objective(margins: Matrix, point: Matrix, weight: float) -> float:
    """Return what a stage minimizes; infinity outside its domain."""
    shares, slack = point[:-1], margins @ point
    if min(shares.min(), slack.min()) <= 0:
        return float("inf")
    barrier = np.log(slack).sum() + np.log(shares).sum()
    return float(weight * point[-1] + (shares * np.log(shares)).sum() - barrier / weight)


def _newton(margins: Matrix, point: Matrix, weight: float) -> tuple[Matrix, Matrix]:
    """Return the gradient of the objective and Newton's step, on which the shares keep their sum of 1."""
    shares, slack = point[:-1], margins @ point
    forces = 1 / (weight * slack)
    gradient = -margins.T @ forces
    gradient[:-1] += np.log(shares) + 1 - 1 / (weight * shares)
    gradient[-1] += weight
    hessian = (margins.T * (forces / slack)) @ margins
    hessian[np.diag_indices(len(shares))] += 1 / shares + 1 / (weight * shares**2)
    scale = 1 / np.sqrt(np.diag(hessian))
    system = np.zeros((len(point) + 1,) * 2)
    system[:-1, :-1] = hessian * scale[:, None] * scale
    system[:-2, -1] = system[-1, :-2] = scale[:-1]
    step = np.linalg.solve(system, np.append(-gradient * scale, 1 - shares.sum()))
    return gradient, step[:-1] * scale


def _fixation(difference: float, intensity: float, population: int) -> float:
    """Return the chance that a mutant takes over a population of which it is `difference` better."""
    force = intensity * difference
    if abs(population * force) < _SMALL:
        return 1 / population
    if force > 0:
        return float(np.expm1(-force) / np.expm1(-population * force))
    # The same formula, written so that no number overflows.
    chance = np.exp((population - 1) * force) * np.expm1(force) / np.expm1(population * force)
    return max(float(chance), _LEAST_CHANCE)


def _stationary(moves: Matrix) -> Matrix:
    """Return the stationary distribution of a chain with these rates of moving from row to column.

    States are removed one after another without a subtraction (Grassmann, Taksar and Heyman 1985), so small shares are
    exact too.
    """
    rates = moves.copy()
    count = len(rates)
    for last in range(count - 1, 0, -1):
        rates[:last, last] /= rates[last, :last].sum()
        rates[:last, :last] += np.outer(rates[:last, last], rates[last, :last])
    shares = np.ones(1)
    for state in range(1, count):
        shares = np.append(shares, shares @ rates[:state, state])
        shares /= shares.max()
    return np.asarray(shares / shares.sum())
