"""Standings of a tournament, from the records of the seats of its matches.

A score is the mean over openings: matches of one opening share their luck and are not independent. It counts only the
seats in which the player made every decision itself, or forfeited; faults, fallbacks and cost stand beside it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from statistics import fmean
from typing import TypeAlias, TypeVar

from grandstand.campaign_events import Pairing
from grandstand.campaigns.tournament.plan import TournamentPlan
from grandstand.games.base import SeatId
from grandstand.models import Status
from grandstand.play.ratings.intervals import LEVEL, NOTHING, Interval, grouped_interval, mean_interval
from grandstand.play.ratings.models import rating_model
from grandstand.play.ratings.seat_records import PlayerTotals, SeatRecord, Spent
from grandstand.play.ratings.table import Rating, RatingError, RatingTable, ScoredMatch, SeatEffect

ByOpening: TypeAlias = Mapping[int, Sequence[float]]
"""Opening -> values."""
K = TypeVar("K")
"""A key of scores."""


@dataclass(frozen=True)
class PlayedMatch:
    """The end of a match: its status, and the records of its seats as far as it was played."""

    pairing: Pairing
    episode_id: str
    status: Status
    message: str
    seats: Sequence[SeatRecord]

    @property
    def failed(self) -> bool:
        """Return whether the match was not played to its end."""
        return self.status != "finished"

    @property
    def scores(self) -> dict[SeatId, float]:
        """Return the scores of all seats; empty if the match was not played to its end."""
        return {record.seat: record.score for record in self.seats if record.score is not None and not self.failed}

    @property
    def counted(self) -> dict[SeatId, float]:
        """Return the scores of the seats whose score is their player's own."""
        scores = self.scores
        return {record.seat: scores[record.seat] for record in self.seats if record.scored and record.seat in scores}


@dataclass(frozen=True)
class Separation:
    """Two players: `a` scored more than `b`, significantly if `differ` (at 5 per cent for all pairs together)."""

    a: str
    b: str
    lead: Interval
    differ: bool


@dataclass(frozen=True)
class Standing:
    """A player's row in the table. `matches` are those in which it is compared; it has its own score in `counted`.

    All other counts are over every seat that it took.
    """

    player: str
    matches: int
    counted: int
    wins: int
    score: Interval
    rating: Interval
    """In Elo points."""
    total: PlayerTotals

    @property
    def tokens_per_match(self) -> float:
        return self.total.spent.tokens / max(1, self.matches)

    @property
    def dollars_per_match(self) -> float | None:
        dollars = self.total.spent.dollars
        return None if dollars is None else dollars / max(1, self.matches)

    @property
    def seconds_per_answer(self) -> float | None:
        spent = self.total.spent
        return spent.seconds / spent.answers if spent.answers else None

    @property
    def score_per_dollar(self) -> float | None:
        dollars = self.dollars_per_match
        return self.score.mean / dollars if dollars and self.score.mean is not None else None


@dataclass(frozen=True)
class Duel:
    """Two players in the matches in which both count.

    `share` is the share of comparisons that `a` won, ties as half. `stronger` is the probability that `a` is the
    stronger by the ratings, and `differ` holds at 5 per cent for all pairs together.
    """

    a: str
    b: str
    share: Interval
    stronger: float | None
    differ: bool

    @property
    def turned(self) -> Duel:
        """Return the same pair as seen by `b`."""
        share = self.share
        turned = Interval(_rest(share.mean), _rest(share.high), _rest(share.low), share.n)
        return Duel(self.b, self.a, turned, _rest(self.stronger), self.differ)

    @property
    def ahead(self) -> bool:
        """Return whether the two differ, and `a` is the stronger."""
        share = 0.5 if self.share.mean is None else self.share.mean
        return self.differ and (share if self.stronger is None else self.stronger) > 0.5


@dataclass(frozen=True)
class SeatMean:
    """The mean score of a player in one seat."""

    player: str
    seat: SeatId
    score: Interval


@dataclass(frozen=True)
class Standings:
    """The standings after `played` matches, of which `failed` were not played to their end.

    `spent` is the spending of all players, abandoned matches included. Seats are compared by the ratings in
    `seat_effects`, in Elo points against the average seat.
    """

    played: int
    planned: int
    failed: int
    table: Sequence[Standing]
    """The best first."""
    cross: Sequence[Duel]
    """Each pair once, in the order of the table."""
    seats: Sequence[SeatMean]
    seat_effects: Mapping[SeatId, Interval]
    spent: Spent

    @cached_property
    def duels(self) -> dict[tuple[str, str], Duel]:
        """Return every pair in both orders."""
        return {(pair.a, pair.b): pair for own in self.cross for pair in (own, own.turned)}

    def ranks(self, player: str) -> tuple[int, int]:
        """Return the best and the worst rank that a player may have, by the pairs that are separated."""
        others = [row.player for row in self.table if row.player != player]
        above = sum(self.duels[other, player].ahead for other in others)
        below = sum(self.duels[player, other].ahead for other in others)
        return 1 + above, len(self.table) - below

    def equals(self, player: str) -> list[str]:
        """Return the players that `player` is not ahead of."""
        return [row.player for row in self.table if row.player != player and not self.duels[player, row.player].ahead]


class Results:
    """The results of the played matches: scores, ratings and separations."""

    def __init__(self, plan: TournamentPlan, matches: Iterable[PlayedMatch], level: float, pair_level: float) -> None:
        """`level` is the coverage of each interval, and `pair_level` the coverage of the lead over one other player."""
        self._plan = plan
        self._matches = sorted(matches, key=lambda match: match.pairing.number)
        self._level = level
        self._pair_level = pair_level
        self._scores = self._scores_by(lambda player, seat: player)

    @property
    def scores(self) -> dict[str, Interval]:
        """Return the score of each player."""
        return {player: self._mean(self._scores.get(player, {})) for player in self._plan.players}

    @property
    def ranked(self) -> list[str]:
        """Return the players, the best first: by rating if opponents differed, else by score."""
        scores = self.scores
        ratings = {rating.player: rating.mean for rating in self._table.ratings} if self._by_rating else {}

        def place(player: str) -> tuple[bool, float]:
            value = ratings.get(player) if self._by_rating else scores[player].mean
            return value is None, -(value or 0.0)

        return sorted(self._plan.players, key=place)

    @property
    def separations(self) -> list[Separation]:
        """Return the lead of the first player over each other one; none where no match counts yet."""
        leader, *others = self.ranked
        if leader not in self._scores:
            return []
        rated = {frozenset((pair.a, pair.b)): pair.differ for pair in self._table.pairs} if self._by_rating else {}
        separations = []
        for other in others:
            lead = self._lead(leader, other)
            apart = rated.get(frozenset((leader, other)), False) if self._by_rating else lead.excludes(0.0)
            separations.append(Separation(leader, other, lead, apart))
        return separations

    def standings(self, planned: int, abandoned: Spent) -> Standings:
        """Return the standings; `abandoned` is the spending on matches that began again."""
        spent = Spent()
        spent.add(abandoned)
        for record in (record for match in self._matches for record in match.seats):
            spent.add(record.spent)
        ratings = {rating.player: rating for rating in self._table.ratings}
        return Standings(
            played=len(self._matches),
            planned=planned,
            failed=sum(match.failed for match in self._matches),
            table=[self._standing(player, ratings.get(player)) for player in self.ranked],
            cross=self._cross(),
            seats=self._seat_scores(),
            seat_effects={effect.seat: _rated(effect, len(self._matches)) for effect in self._table.seats},
            spent=spent,
        )

    @property
    def _by_rating(self) -> bool:
        return self._plan.format in ("swiss", "fixed", "ladder")

    def _scores_by(self, key: Callable[[str, SeatId], K]) -> dict[K, dict[int, list[float]]]:
        """Return the counted scores by a key of player and seat, and by opening."""
        scores: dict[K, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
        for match in self._matches:
            counted = match.counted
            for seat, player in compared(self._plan, match):
                if seat in counted:
                    scores[key(player, seat)][match.pairing.opening].append(counted[seat])
        return scores

    def _mean(self, values: ByOpening) -> Interval:
        return grouped_interval(list(values.values()), level=self._level)

    def _lead(self, a: str, b: str) -> Interval:
        """Return the difference of two players' scores over the openings in which both count."""
        first, second = self._scores[a], self._scores[b]
        shared = [opening for opening in first if opening in second]
        gaps = [fmean(first[opening]) - fmean(second[opening]) for opening in shared]
        return mean_interval(gaps, self._pair_level, (-1.0, 1.0))

    @cached_property
    def _table(self) -> RatingTable:
        """Return the ratings; empty if too few matches count. They are computed on first use."""
        results = [
            ScoredMatch(match.pairing.players, match.counted, match.pairing.opening)
            for match in self._matches
            if len(match.counted) > 1
        ]
        try:
            return rating_model()(results, level=self._level)
        except RatingError:
            return RatingTable([], [], [])

    def _standing(self, player: str, rating: Rating | None) -> Standing:
        total, matches, counted = PlayerTotals(), 0, 0
        wins = 0
        for match in self._matches:
            own = [seat for seat, name in compared(self._plan, match) if name == player]
            matches += bool(own)
            counted += any(seat in match.counted for seat in own)
            for record in match.seats:
                if match.pairing.players[record.seat] == player:
                    total.add(record)
                    wins += record.won and record.seat in own and record.seat in match.counted
        score = self._mean(self._scores.get(player, {}))
        rated = NOTHING if rating is None else _rated(rating, rating.games)
        return Standing(player, matches, counted, wins, score, rated, total)

    def _cross(self) -> list[Duel]:
        """Return every pair in the order of the table, with the share of comparisons that the first won."""
        shares: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
        for match in self._matches:
            for pair, share in ScoredMatch(match.pairing.players, match.counted).comparisons().items():
                shares[pair][match.pairing.opening].append(share)
        rated = {(pair.a, pair.b): (pair.probability, pair.differ) for pair in self._table.pairs}
        rated |= {(b, a): (1 - probability, differ) for (a, b), (probability, differ) in rated.items()}
        rows = []
        for a, b in combinations(self.ranked, 2):
            stronger, differ = rated.get((a, b), (None, False))
            if not self._by_rating:
                differ = a in self._scores and b in self._scores and self._lead(a, b).excludes(0.0)
            rows.append(Duel(a, b, self._mean(shares.get((a, b), {})), stronger, differ))
        return rows

    def _seat_scores(self) -> list[SeatMean]:
        scores = self._scores_by(lambda player, seat: (player, seat))
        return [
            SeatMean(player, seat, self._mean(scores.get((player, seat), {})))
            for player, seat in product(self.ranked, self._plan.seats)
        ]


def compared(plan: TournamentPlan, match: PlayedMatch) -> list[tuple[SeatId, str]]:
    """Return the compared seats of a match with their players: in `one-against-all`, only the single player's."""
    seated = match.pairing.players
    names = list(seated.values())
    single = plan.format == "one-against-all"
    return [(seat, name) for seat, name in seated.items() if not single or names.count(name) == 1]


def _rated(rating: Rating | SeatEffect, n: int) -> Interval:
    return Interval(rating.mean, rating.low, rating.high, n)


def _rest(share: float | None) -> float | None:
    return None if share is None else 1 - share


def pair_level(players: int, level: float = LEVEL) -> float:
    """Return the level of one of all pairs so that all hold together (Bonferroni)."""
    return 1 - (1 - level) / (players * (players - 1) / 2)
