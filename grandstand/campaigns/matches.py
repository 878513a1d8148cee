"""The matches of a campaign: drawn from a schedule, restored from a folder of records, within a budget."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import fmean
from typing import Protocol

from grandstand.campaigns.campaign import PILOT, CampaignEstimate
from grandstand.campaigns.match_executor import Workers
from grandstand.campaigns.match_folder import settle_part, spent_on, stored_result
from grandstand.campaigns.words import many
from grandstand.play.headless import MatchPlan, MatchResult
from grandstand.play.ratings.seat_records import Spent
from grandstand.play.record_folder import part_of
from grandstand.players.llm.budget import Budget


class Schedule(Protocol):
    """Decides which matches are played."""

    @property
    def planned(self) -> int | None:
        """Return the most matches that may be played; None if there is no last one."""

    def draw(self) -> Sequence[MatchPlan]:
        """Return the matches to play next; none if the campaign is over."""

    def add(self, match: MatchPlan, result: MatchResult) -> None:
        """Take a result."""

    def pilot(self, matches: Sequence[MatchPlan], size: int) -> Sequence[MatchPlan]:
        """Return so many of the matches to play before the cost of the others is estimated."""


class FixedSchedule:
    """Matches that are known from the start."""

    def __init__(self, matches: Sequence[MatchPlan]) -> None:
        self._matches = matches
        self.planned = len(matches)

    def draw(self) -> Sequence[MatchPlan]:
        matches, self._matches = self._matches, ()
        return matches

    def add(self, match: MatchPlan, result: MatchResult) -> None:
        """Do nothing: no match depends on another."""

    def pilot(self, matches: Sequence[MatchPlan], size: int) -> Sequence[MatchPlan]:
        return matches[:size]


class CampaignMatches:
    """The plan of a campaign of matches.

    What was spent on matches that are restored, or were abandoned, is booked in the budget.
    """

    def __init__(
        self, schedule: Schedule, workers: Workers, budget: Budget, abandoned: Spent, pilot: int | None = None
    ) -> None:
        """`abandoned` is the spending on matches that were abandoned, and is added to.

        `pilot` is the least number of matches for an estimate; by default PILOT if there is a limit.
        """
        self._schedule, self._workers, self._budget = schedule, workers, budget
        limited = budget.tokens is not None or budget.dollars is not None
        self._pilot = pilot if pilot is not None else PILOT if limited else 0
        self.results: dict[str, MatchResult] = {}
        """The results by the id of the match."""
        self.drawn: list[MatchPlan] = []
        self.abandoned = abandoned
        budget.book(self.abandoned.tokens, self.abandoned.dollars or 0.0)

    def draw(self) -> Sequence[MatchPlan]:
        matches = self._schedule.draw()
        self.drawn += matches
        return matches

    def stored(self, match: MatchPlan) -> MatchResult | None:
        """Return the result that the folder has. Raises OptionError."""
        result = stored_result(match)
        if result is not None:
            spent = spent_on([result], Spent())
            self._budget.book_earlier(spent.tokens, spent.dollars or 0.0, result.ended_at)
        return result

    def add(self, match: MatchPlan, result: MatchResult) -> None:
        if match.file is not None and (part := part_of(match.file)).exists():
            self.abandoned.add(settle_part(part))
        self.results[match.episode_id] = result
        self._schedule.add(match, result)

    def pilot(self, units: Sequence[MatchPlan]) -> Sequence[MatchPlan]:
        return self._schedule.pilot(units, max(0, self._pilot - len(self.results)))

    def estimate(self) -> CampaignEstimate | None:
        """Return the expected use of the matches that are left, from the seats of those that were played."""
        planned = self._schedule.planned
        if planned is None or not self.results:
            return None
        played = self.results.values()
        spent: dict[str, list[Spent]] = defaultdict(list)
        for result in played:
            for record in result.seats:
                spent[record.player].append(record.spent)
        every = [item for items in spent.values() for item in items] or [Spent()]
        tokens = dollars = 0.0
        for player, count in self._seats_left(planned).items():
            items = spent.get(player, every)
            tokens += count * fmean(item.tokens for item in items)
            dollars += count * fmean(item.dollars or 0.0 for item in items)
        left = planned - len(played)
        at_once = max(1, min(left, self._workers.jobs * self._workers.concurrency))
        return CampaignEstimate(
            left=left,
            units=many(left, "more match", "more matches"),
            measured=len(played),
            source=many(len(played), "match", "matches"),
            seconds=left * fmean(result.seconds for result in played) / at_once,
            tokens=round(tokens),
            dollars=dollars if any(item.dollars is not None for item in every) else None,
        )

    def _seats_left(self, planned: int) -> Counter[str]:
        """Return the number of seats that each player is still to take; matches not yet drawn count evenly for all."""
        seats: Counter[str] = Counter()
        for match in self.drawn:
            if match.episode_id not in self.results:
                seats.update(match.players)
        players = dict.fromkeys(player for match in self.drawn for player in match.players)
        undrawn = (planned - len(self.drawn)) * len(self.drawn[0].players)
        for player in players:
            seats[player] += round(undrawn / len(players))
        return seats
