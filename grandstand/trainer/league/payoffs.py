"""The payoff matrix of a league: the expected score of every player against every other, from their results.

In games of more than two seats a score is the share of pairwise comparisons that a player wins: each pair of seats of
two players in one match is one comparison, and ties count half.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Results = Mapping[tuple[str, str], tuple[float, float]]
"""(player, opponent) -> the player's points and the number of comparisons."""


def points_and_games(
    results: Iterable[tuple[str, str, int, int, int]],
) -> dict[tuple[str, str], tuple[float, float]]:
    """Return (points, comparisons) by pair of players, from their (player, opponent, wins, draws, comparisons)."""
    totals: dict[tuple[str, str], tuple[float, float]] = {}
    for player, opponent, wins, draws, games in results:
        points, count = totals.get((player, opponent), (0.0, 0.0))
        totals[player, opponent] = points + wins + draws / 2, count + games
    return totals


@dataclass(frozen=True, slots=True)
class PayoffMatrix:
    """The expected scores of players against each other."""

    results: Results
    prior: float
    """Number of comparisons that every pair starts with."""
    ratings: Mapping[str, float] = field(default_factory=dict)
    """Ratings in Elo points, which give the score of these first comparisons; without a rating they are draws."""

    def among(self, players: Sequence[str]) -> list[list[float]]:
        """Return the expected score of every player (row) against every other (column)."""
        scores = [[0.5] * len(players) for _ in players]
        for row, player in enumerate(players):
            for column in range(row):
                scores[row][column] = self._score(player, players[column])
                scores[column][row] = 1 - scores[row][column]
        return scores

    def _score(self, player: str, opponent: str) -> float:
        points, games = self.results.get((player, opponent), (0.0, 0.0))
        start = 0.5
        if player in self.ratings and opponent in self.ratings:
            start = 1 / (1 + 10 ** ((self.ratings[opponent] - self.ratings[player]) / 400))
        return (self.prior * start + points) / (self.prior + games)
