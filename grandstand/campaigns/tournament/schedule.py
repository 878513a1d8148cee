"""Schedules: the players of each match of an opening, for games of any number of seats.

In the formats `round-robin` and `one-against-all` every player takes every seat equally often in each opening, and all
matches of an opening share its seed and situation. With more players than seats, the players of a match are chosen so
that every two players meet about equally often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from random import Random

from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.games.base import SeatId

Lineup = Mapping[SeatId, str]
"""The player of each seat of a match."""

CANDIDATES = 30
"""Number of arrangements that are drawn for an opening; the one with the most even meetings is used."""
ALTERNATIVES = 50_000
"""The most steps in the search for pairs that have not met, before another meeting is allowed."""


def meetings(lineups: Sequence[Lineup]) -> Counter[tuple[str, str]]:
    """Return how many matches each two players have met in; names of a pair are in alphabetical order."""
    return Counter(pair for lineup in lineups for pair in combinations(sorted(set(lineup.values())), 2))


def opening_of(plan: TournamentPlan, opening: int, met: Counter[tuple[str, str]]) -> list[Lineup]:
    """Return the matches of an opening; `met` counts the earlier meetings. It is deterministic for the plan's seed."""
    match plan.format:
        case "round-robin" if len(plan.seats) == 2:
            lineups: Iterator[Sequence[str]] = permutations(plan.players, 2)
        case "round-robin":
            return _balanced(plan, opening, met)
        case "one-against-all":
            lineups = _against_all(plan)
        case _:
            lineups = iter(plan.pairings)
    return [dict(zip(plan.seats, lineup, strict=True)) for lineup in lineups]


def _against_all(plan: TournamentPlan) -> Iterator[Sequence[str]]:
    """Yield every player in every seat against every other player in all other seats."""
    for player, other in permutations(plan.players, 2):
        for own in plan.seats:
            yield [player if seat == own else other for seat in plan.seats]


def _balanced(plan: TournamentPlan, opening: int, met: Counter[tuple[str, str]]) -> list[Lineup]:
    """Return one match for each player: a cycle, in which every player takes every seat exactly once.

    In match `r`, seat `s` has the player at place `r + offset[s]` of a drawn order.
    """
    random = Random(f"{plan.seed}/schedule/{opening}")
    players, seats = list(plan.players), list(plan.seats)
    best: list[Lineup] = []
    least = -1
    for _ in range(CANDIDATES if len(players) > len(seats) else 1):
        order = random.sample(players, len(players))
        if len(players) >= len(seats):
            offsets = random.sample(range(len(players)), len(seats))
        else:
            offsets = [place % len(players) for place in random.sample(range(len(seats)), len(seats))]
        cycle: list[Lineup] = [
            {seat: order[(row + offset) % len(order)] for seat, offset in zip(seats, offsets, strict=True)}
            for row in range(len(order))
        ]
        uneven = sum(count**2 for count in (met + meetings(cycle)).values())
        if least < 0 or uneven < least:
            best, least = cycle, uneven
    return best


def swiss_round(
    plan: TournamentPlan, round: int, ranked: Sequence[str], met: Counter[tuple[str, str]], byes: Counter[str]
) -> list[Lineup]:
    """Return the matches of a Swiss round; `ranked` are the players, the best first.

    Players next to each other in the standings play in groups as large as the number of seats, each group one match for
    every rotation of the seats. As few players as possible meet again. Players who are left over have a bye: the lowest
    of those with the fewest so far.
    """
    seats = plan.seats
    spare = len(ranked) % len(seats)
    resting = sorted(ranked, key=lambda player: (byes[player], -ranked.index(player)))[:spare]
    playing = [player for player in ranked if player not in resting]
    groups = _pairs(playing, met) if len(seats) == 2 else _groups(playing, len(seats), met)
    random = Random(f"{plan.seed}/seats/{round}")
    lineups: list[Lineup] = []
    for group in groups:
        order = random.sample(group, len(group))
        lineups += [
            {seat: order[(place + shift) % len(order)] for place, seat in enumerate(seats)}
            for shift in range(len(seats))
        ]
    return lineups


def _pair(a: str, b: str) -> tuple[str, str]:
    return (a, b) if a < b else (b, a)


def _pairs(ranked: Sequence[str], met: Counter[tuple[str, str]]) -> list[list[str]]:
    """Return pairs of neighbours in the standings with as few repeated meetings as possible."""
    for repeats in range(sum(met.values()) + 1):
        search = _PairSearch(met)
        pairs = search.pairs(list(ranked), repeats)
        if pairs is not None:
            return pairs
    return [[ranked[place], ranked[place + 1]] for place in range(0, len(ranked), 2)]


class _PairSearch:
    """A backtracking search for pairs, which tries the nearest player in the standings first."""

    def __init__(self, met: Counter[tuple[str, str]]) -> None:
        self._met = met
        self._left = ALTERNATIVES

    def pairs(self, ranked: list[str], repeats: int) -> list[list[str]] | None:
        """Return pairs of all players with at most `repeats` earlier meetings; None if the search finds none."""
        if not ranked:
            return []
        first, others = ranked[0], ranked[1:]
        for place, other in enumerate(others):
            before = self._met[_pair(first, other)]
            self._left -= 1
            if before > repeats or self._left < 0:
                continue
            rest = self.pairs(others[:place] + others[place + 1 :], repeats - before)
            if rest is not None:
                return [[first, other], *rest]
        return None


def _groups(ranked: Sequence[str], size: int, met: Counter[tuple[str, str]]) -> list[list[str]]:
    """Return groups of `size` from the top: each next member has met the group least, the higher first."""
    remaining, groups = list(ranked), []
    while remaining:
        group = [remaining.pop(0)]
        while len(group) < size:
            best = min(remaining, key=lambda player: sum(met[_pair(player, member)] for member in group))
            remaining.remove(best)
            group.append(best)
        groups.append(group)
    return groups
