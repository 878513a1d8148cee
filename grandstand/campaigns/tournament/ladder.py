"""The pairings of a ladder: matches go where ratings are least certain, and a new player meets the anchors first.

Ratings are estimated from all matches at once: the online estimate is biased if pairings depend on ratings. The
information of a match between two players is that of its result on their difference, p (1 − p) with the expected share
p, times the variance of that difference.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from math import ceil
from random import Random

from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.campaigns.tournament.schedule import Lineup
from grandstand.campaigns.tournament.standings import PlayedMatch
from grandstand.play.ratings.models import rating_model
from grandstand.play.ratings.table import MIDDLE, Rating, RatingError, ScoredMatch

PLACED = 8
"""Matches that count, after which a player is no longer new."""
LAST = 10
"""The newest matches of a player by which its faults are judged."""
OFTEN = 1.02
"""Growth of the number of matches after which the ratings are computed again."""
WIDEST = 1500.0
"""Half the width of the interval of a player that has not played, in Elo points."""
UNRELIABLE = 0.5
"""Share of its newest matches in which a player may have failed; with more, it is set aside."""


class Ladder:
    """The players of a ladder by the matches so far, which are added in the order of their numbers."""

    def __init__(self, plan: TournamentPlan) -> None:
        self._plan = plan
        self._scored: list[ScoredMatch] = []
        self._games: Counter[str] = Counter()
        self._ratings: dict[str, Rating] = {}
        self._due = 0
        """The number of matches from which the ratings are computed again."""
        self._own: dict[str, deque[bool]] = defaultdict(lambda: deque(maxlen=LAST))
        """Of each player's newest matches, whether it made every decision itself."""

    def add(self, match: PlayedMatch) -> None:
        """Account for a match; one that was not played to its end is ignored."""
        players = match.pairing.players
        if len(match.counted) > 1:
            self._scored.append(ScoredMatch(players, match.counted, match.pairing.opening))
            self._games.update({players[seat] for seat in match.counted})
        if match.failed:
            return
        failed = {players[record.seat] for record in match.seats if record.faults or record.fallbacks}
        for player in set(players.values()):
            self._own[player].append(player not in failed)

    def games(self, player: str) -> int:
        """Return the number of matches of a player that count."""
        return self._games[player]

    def rating(self, player: str) -> Rating:
        """Return the rating of a player; of one that has not played, the interval is wider than any other."""
        if len(self._scored) >= self._due:
            self._rate()
        unknown = Rating(player, MIDDLE, MIDDLE - WIDEST, MIDDLE + WIDEST, 0)
        return self._ratings.get(player, unknown) if self._games[player] else unknown

    def _rate(self) -> None:
        self._due = ceil(OFTEN * len(self._scored)) + 1
        try:
            self._ratings = {rating.player: rating for rating in rating_model()(self._scored).ratings}
        except RatingError:  # one player alone has counted
            self._ratings = {}

    @property
    def aside(self) -> Mapping[str, str]:
        """Return each player that is no longer paired because it failed too often, with a sentence on why."""
        reasons = {}
        for player, own in self._own.items():
            failed = own.count(False)
            if len(own) == LAST and failed > UNRELIABLE * LAST:
                reasons[player] = f"failed in {failed} of its last {LAST} matches"
        return reasons

    @property
    def players(self) -> list[str]:
        """Return the players that are paired."""
        aside = self.aside
        return [player for player in self._plan.players if player not in aside]

    def round(self, opening: int) -> list[Lineup]:
        """Return the matches of the next opening: the least certain player and its opponents, in every rotation of the
        seats. Empty if fewer than two players are left.

        It is deterministic: the same plan and results give the same matches.
        """
        players = self.players
        if len(players) < 2:
            return []
        random = Random(f"{self._plan.seed}/ladder/{opening}")
        players = random.sample(players, len(players))  # ties are broken by chance
        first = max(players, key=self._width)
        group = [first, *self._opponents(first, [player for player in players if player != first], random)]
        seats = self._plan.seats
        order = [group[place % len(group)] for place in range(len(seats))]
        return [
            {seat: order[(place + shift) % len(order)] for place, seat in enumerate(seats)}
            for shift in range(len(seats))
        ]

    def _opponents(self, first: str, others: Sequence[str], random: Random) -> list[str]:
        """Return opponents of `first`, drawn in proportion to a match's information; for a new player, anchors come
        first."""
        count = min(len(self._plan.seats) - 1, len(others))
        named = self._plan.anchors
        anchors = [player for player in others if (player in named if named else self._games[player] >= PLACED)]
        new = self._games[first] < PLACED and first not in named
        # Drawn, because taking the best alone would leave groups of equals that are never compared with each other.
        wait = {player: random.expovariate(self._information(first, player)) for player in others}
        ranked = sorted(others, key=wait.__getitem__)
        if new and anchors:
            ranked.sort(key=lambda player: player not in anchors)
        return ranked[:count]

    def _information(self, a: str, b: str) -> float:
        one, two = self.rating(a), self.rating(b)
        share = 1 / (1 + 10 ** ((two.mean - one.mean) / 400))
        return share * (1 - share) * (self._width(a) ** 2 + self._width(b) ** 2)

    def _width(self, player: str) -> float:
        rating = self.rating(player)
        return rating.high - rating.low
