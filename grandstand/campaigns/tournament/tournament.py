"""A tournament in progress: draws pairings, adds the results of their matches, and decides when it is over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from random import Random
from typing import TYPE_CHECKING, Any

from grandstand.campaign_events import Pairing
from grandstand.campaigns.tournament.ladder import Ladder
from grandstand.campaigns.tournament.plan import FIRST_LOOK, TournamentPlan
from grandstand.campaigns.tournament.schedule import Lineup, meetings, opening_of, swiss_round
from grandstand.campaigns.tournament.standings import PlayedMatch, Results, Standings, pair_level
from grandstand.models import OutcomeData, Status
from grandstand.play.ratings.intervals import LEVEL
from grandstand.play.ratings.seat_records import SeatRecord, Spent

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
