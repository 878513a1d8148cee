"""A tournament in progress: draws pairings, adds the results of their matches, and decides when it is over.

In a ladder, matches go where ratings are least certain, and a new player meets the anchors first. Ratings are estimated
from all matches at once: the online estimate is biased if pairings depend on ratings. The information of a match is
that of its result on the difference of its two players, p (1 − p) with the expected share p, times the variance of that
difference.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from random import Random
from typing import TYPE_CHECKING, Any

from grandstand.campaign_events import Pairing
from grandstand.campaigns.tournament.plan import FIRST_LOOK, TournamentPlan
from grandstand.campaigns.tournament.schedule import Lineup, meetings, opening_of, swiss_round
from grandstand.campaigns.tournament.standings import PlayedMatch, Results, Standings, pair_level
from grandstand.models import OutcomeData, Status
from grandstand.play.ratings.intervals import LEVEL
from grandstand.play.ratings.models import rating_model
from grandstand.play.ratings.seat_records import SeatRecord, Spent
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


if TYPE_CHECKING:
    from grandstand.campaigns.tournament.sequential import Looks


@dataclass(frozen=True)
class MatchSetup:
    """The options and the seed of a match. The seed is for operators alone."""

    options: Mapping[str, Any]
    seed: int


class Tournament:
    """A tournament by its plan. It is deterministic: the same plan and results give the same pairings.

    >>> tournament = Tournament(plan)
    >>> while pairings := tournament.draw():
    ...     for pairing in pairings:
    ...         setup = tournament.match_of(pairing)
    ...         tournament.add(pairing.number, episode_id, status, message, seat_records)
    >>> tournament.outcome()
    """

    def __init__(self, plan: TournamentPlan) -> None:
        self.plan = plan
        self.pairings: list[Pairing] = []
        """All drawn pairings, by number."""
        self.played: dict[int, PlayedMatch] = {}
        """The matches that ended, by number."""
        self.abandoned = Spent()
        """Spending on abandoned matches, whether or not they were played again."""
        self._met: Counter[tuple[str, str]] = Counter()
        self._byes: Counter[str] = Counter()
        self._openings = 0
        self._ladder = Ladder(plan)
        self._laddered = 0
        self._results: Results | None = None

    @property
    def ladder(self) -> Ladder:
        """Return the ladder after the matches up to the first that is not played yet."""
        while match := self.played.get(self._laddered):
            self._ladder.add(match)
            self._laddered += 1
        return self._ladder

    @property
    def planned(self) -> int:
        """Return the most matches that the tournament may play."""
        return self.plan.planned

    @property
    def waiting(self) -> bool:
        """Return whether a pairing that was drawn has not been played."""
        return len(self.played) < len(self.pairings)

    @property
    def over(self) -> bool:
        """Return whether everything is played, or the results are precise enough."""
        if self.waiting or not self._openings:
            return False
        alone = self.plan.format == "ladder" and len(self.ladder.players) < 2
        return alone or self._openings >= self.plan.last_opening or self._precise()

    def draw(self) -> Sequence[Pairing]:
        """Return the pairings to be played next; none while drawn matches are not played yet, or if the tournament is
        over.

        A Swiss tournament and a ladder draw a round, one that ends by precision draws the openings to the next look at
        its results, and any other draws all pairings at once.
        """
        if self.waiting or self.over:
            return []
        first = len(self.pairings)
        for opening in range(self._openings, self._next_stop()):
            lineups = self._lineups(opening)
            for lineup in lineups:
                number = len(self.pairings)
                self.pairings.append(Pairing(number=number, round=opening + 1, opening=opening, players=dict(lineup)))
            self._met.update(meetings(lineups))
            self._openings += 1
        return self.pairings[first:]

    def match_of(self, pairing: Pairing) -> MatchSetup:
        """Return the options and the seed of the match of `pairing`."""
        return MatchSetup(self.plan.match_options(pairing.opening), self.plan.match_seed(pairing.opening))

    def add(
        self, number: int, episode_id: str, status: Status, message: str, seat_records: Sequence[SeatRecord]
    ) -> PlayedMatch:
        """Add the result of a match that ended in any way. Raises KeyError for a number that was not drawn."""
        if not 0 <= number < len(self.pairings):
            raise KeyError(f"pairing {number} was not drawn")
        match = PlayedMatch(self.pairings[number], episode_id, status, message, seat_records)
        self.played[number] = match
        self._results = None
        return match

    def book(self, spent: Spent) -> None:
        """Count spending on a match that was abandoned."""
        self.abandoned.add(spent)

    def standings(self) -> Standings:
        """Return the standings after the matches that were played so far."""
        return self._current.standings(self.planned, self.abandoned)

    def outcome(self) -> OutcomeData:
        """Return the result: the mean scores, and a winner only if its lead over every other player is certain."""
        results = self._current
        scores = {player: interval.mean or 0.0 for player, interval in results.scores.items()}
        separations = results.separations
        if not separations:
            return OutcomeData(reason="no result", winners=[], scores=scores, text="No match counts for any player.")
        leader = separations[0].a
        mean, equals = scores[leader], [row.b for row in separations if not row.differ]
        if not equals:
            text = f"{leader} won with a mean score of {mean:.3f}; its lead over every other player is significant."
            return OutcomeData(reason="decided", winners=[leader], scores=scores, text=text)
        text = f"{leader} leads with a mean score of {mean:.3f}, but not significantly over {_listed(equals)}."
        return OutcomeData(reason="undecided", winners=[], scores=scores, text=text)

    @cached_property
    def _looks(self) -> Looks:
        return self._looks_at(LEVEL)

    @cached_property
    def _pair_looks(self) -> Looks:
        return self._looks_at(pair_level(len(self.plan.players)))

    def _looks_at(self, level: float) -> Looks:
        from grandstand.campaigns.tournament.sequential import looks  # imports numpy, which a server needs nowhere else

        return looks(FIRST_LOOK, self.plan.last_opening, 1 - level)

    @property
    def _current(self) -> Results:
        """Return the results so far; with repeated looks, the level of intervals is that of the next look."""
        if self._results is None:
            level, lead = LEVEL, pair_level(len(self.plan.players))
            if self.plan.until:
                level, lead = self._looks.level(self._openings), self._pair_looks.level(self._openings)
            self._results = Results(self.plan, self.played.values(), level, lead)
        return self._results

    def _next_stop(self) -> int:
        """Return the number of openings up to which pairings can be drawn without further results."""
        if self.plan.format in ("swiss", "ladder"):
            return self._openings + 1
        if self.plan.until:
            return next(count for count in self._looks.at if count > self._openings)
        return self.plan.last_opening

    def _precise(self) -> bool:
        """Return whether the results are precise enough for the plan's `until`, or the leader is certain."""
        if not self.plan.until:
            return False
        if self.plan.goal == "scores":
            halves = [interval.half for interval in self._current.scores.values()]
            return all(half is not None and half <= self.plan.until for half in halves)
        separations = self._current.separations
        near = [row.lead.half is not None and row.lead.half <= self.plan.until for row in separations]
        return bool(separations) and all(row.differ or small for row, small in zip(separations, near, strict=True))

    def _lineups(self, opening: int) -> Sequence[Lineup]:
        match self.plan.format:
            case "swiss":
                return self._swiss(opening)
            case "ladder":
                return self.ladder.round(opening)
            case _:
                return opening_of(self.plan, opening, self._met)

    def _swiss(self, round: int) -> list[Lineup]:
        ranked = self._current.ranked if self.played else self._first_order()
        lineups = swiss_round(self.plan, round, ranked, self._met, self._byes)
        playing = {player for lineup in lineups for player in lineup.values()}
        self._byes.update(player for player in self.plan.players if player not in playing)
        return lineups

    def _first_order(self) -> list[str]:
        return Random(f"{self.plan.seed}/order").sample(self.plan.players, len(self.plan.players))


def pilot(pairings: Sequence[Pairing], size: int) -> list[Pairing]:
    """Return the first `size` pairings to play so that as many players as possible take part early."""
    remaining = list(pairings)
    selection: list[Pairing] = []
    involved: set[str] = set()
    while remaining and len(selection) < size:
        best = max(remaining, key=lambda pairing: len(set(pairing.players.values()) - involved))
        remaining.remove(best)
        selection.append(best)
        involved |= set(best.players.values())
    return selection


def _listed(names: Sequence[str], most: int = 4) -> str:
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return ", ".join(names)


def milestone(played: int) -> int:
    """Return the number of played matches after which standings are due again: every match at first, then fewer."""
    return max(played + 1, ceil(played * 1.1))
