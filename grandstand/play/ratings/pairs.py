"""Ratings from pairs of seats: Bradley and Terry's model (1952), with ties as in Davidson (1970).

Every two seats of a match whose players differ are a comparison of their own, and all comparisons of a match are one
cluster, so that the intervals do not count a match several times. With two seats it is `plackett_luce`. With more it
assumes less: the order of two seats need not depend on the places of the others. Seats that share the last
place below others are not compared with one another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from grandstand.play.ratings import plackett_luce
from grandstand.play.ratings.intervals import LEVEL
from grandstand.play.ratings.table import RatingTable, ScoredMatch, comparable, ranking


def rate(
    results: Iterable[ScoredMatch], anchors: Mapping[str, float] | None = None, level: float = LEVEL
) -> RatingTable:
    """Return the ratings by the comparisons of two seats, as `RatingModel` describes. Raises RatingError."""
    matches = comparable(results, anchors or {})
    # A match without a cluster gets one of its own, whose name must not equal that of another.
    free = max((match.cluster for match in matches if match.cluster is not None), default=-1) + 1
    duels = [duel for number, match in enumerate(matches, free) for duel in _duels(match, number)]
    table = plackett_luce.rate(duels, anchors, level)
    games = Counter(player for match in matches for player in {match.players[seat] for seat in match.scores})
    return replace(table, ratings=[replace(rating, games=games[rating.player]) for rating in table.ratings])


def _duels(match: ScoredMatch, number: int) -> Iterator[ScoredMatch]:
    """Yield a match of two seats for every two that are compared, in the cluster `number` if the match names none."""
    places = ranking(match.scores)
    last = set(places[-1]) if len(places) > 1 else set()
    cluster = number if match.cluster is None else match.cluster
    for pair in combinations(match.scores, 2):
        if not last.issuperset(pair) and match.players[pair[0]] != match.players[pair[1]]:
            seats = {seat: match.players[seat] for seat in pair}
            yield ScoredMatch(seats, {seat: match.scores[seat] for seat in pair}, cluster)
