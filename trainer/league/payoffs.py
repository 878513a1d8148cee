"""The payoff matrix of a league: the expected score of every player against every other, from their results.

In games of more than two seats a score is the share of pairwise comparisons that a player wins: each pair of seats of
two players in one match is one comparison, and ties count half.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

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


def expected_scores(players: Sequence[str], results: Results, prior: float) -> list[list[float]]:
    """Return the expected score of every player (row) against every other (column).

    `prior` drawn comparisons are added to the results of every pair, so that players that never met are even.
    """
    scores = [[0.5] * len(players) for _ in players]
    for row, player in enumerate(players):
        for column in range(row):
            points, games = results.get((player, players[column]), (0.0, 0.0))
            scores[row][column] = (prior / 2 + points) / (prior + games) if prior + games else 0.5
            scores[column][row] = 1 - scores[row][column]
    return scores
