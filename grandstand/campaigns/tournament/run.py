"""A tournament that is being played: stored results, the pilot and its estimate, and the tournament's own episode."""

from __future__ import annotations

import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import fmean

from grandstand.campaign_events import Pairing
from grandstand.campaigns.tournament.episode import TournamentEpisode
from grandstand.campaigns.tournament.setup import TournamentSetup
from grandstand.campaigns.tournament.standings import Standing
from grandstand.campaigns.tournament.tournament import Tournament, pilot
from grandstand.models import Draft
from grandstand.play.headless import MatchLog, MatchPlan, MatchResult, part_of
from grandstand.play.ratings.statistics import Spent
from grandstand.play.record_folder import RECORD, open_folder, settle_part, settle_parts, spent_on, stored_result
from grandstand.play.workers import Stopped, play_all
from grandstand.players.llm.budget import Budget
from grandstand.spectator.bus import Bus, Observer


class TournamentRefused(Exception):
    """The tournament cannot go on; the message names the reason and the remedy. What was played is kept."""


@dataclass(frozen=True)
class TournamentEstimate:
    """The expected use of the matches that are left. `dollars` is None if no price is known."""

    matches: int
    played: int
    """The matches on which it rests."""
    tokens: int
    dollars: float | None
    seconds: float

    def excess(self, budget: Budget) -> str:
        """Return which limit of the budget the estimate exceeds; empty if none."""
        if budget.tokens is not None and self.tokens > budget.tokens - budget.tokens_spent:
            return f"about {self.tokens:,} tokens are needed, and {budget.tokens - budget.tokens_spent:,} are left"
        if budget.dollars is not None and (self.dollars or 0.0) > budget.dollars - budget.dollars_spent:
            left = budget.dollars - budget.dollars_spent
            return f"about ${self.dollars:.4f} are needed, and ${left:.4f} are left"
        return ""


Confirm = Callable[[TournamentEstimate], None]
"""Called once with the estimate of what is left. Raises TournamentRefused if it is too much."""


@dataclass(frozen=True)
class TournamentEnd:
    """The end of a tournament: complete, or stopped for a reason."""

    tournament: Tournament
    results: Mapping[int, MatchResult]
    """The results by the number of the pairing."""
    stopped: Stopped | None
    seconds: float
    budget: Budget
    estimate: TournamentEstimate | None


class TournamentRun:
    """A tournament that is played in this process or in processes of it."""

    def __init__(self, setup: TournamentSetup, budget: Budget, resume: bool, held: ExitStack) -> None:
        """Open the folder of records, which no other process uses until `held` is closed. Raises OptionError."""
        self.setup = setup
        self.tournament = Tournament(setup.plan)
        self.budget = budget
        self.results: dict[int, MatchResult] = {}
        self.leader: Standing | None = None
        """The first player of the results that were published last."""
        self.advanced: Callable[[], object] = lambda: None
        """Called after each match."""
        if setup.records is not None:
            open_folder(setup.records, setup.description, resume, "tournament", held)
            part_of(setup.records / RECORD).unlink(missing_ok=True)
            self.tournament.book(settle_parts(setup.records))
        spent = self.tournament.abandoned
        budget.book(spent.tokens_in + spent.tokens_out, spent.dollars or 0.0)

    def play(self, confirm: Confirm, viewer: Observer | None = None) -> TournamentEnd:
        """Play all matches that are not stored, and show the tournament's own episode to `viewer`.

        `confirm` is called after the pilot. Raises TournamentRefused.
        """
        began = time.perf_counter()
        file = None if self.setup.records is None else self.setup.records / RECORD
        with MatchLog(file) as log:
            self._bus = Bus(log)
            if viewer is not None:
                self._bus.add(viewer)
            watchable = viewer is None
            self._episode = TournamentEpisode(self.tournament, self.setup.kinds, watchable=watchable, clock=time.time)
            self._id = f"tournament-{secrets.token_hex(6)}"
            self._bus.open(self._id, 0)
            origin = "cli" if viewer is None else "publisher"
            self._publish(self._episode.created(origin=origin, reveal="live"))
            try:
                stopped, estimate = self._play_rounds(confirm)
            except TournamentRefused as refused:
                self._publish(self._episode.over(str(refused)))
                raise
            self._publish(self._episode.over("" if stopped is None else self._why(stopped)))
        results = {number: self.results[number] for number in sorted(self.results)}
        return TournamentEnd(self.tournament, results, stopped, time.perf_counter() - began, self.budget, estimate)

    def _why(self, stopped: Stopped) -> str:
        planned = "" if self.setup.plan.endless else f"of {self.tournament.planned} "
        return f"{stopped.why}; {len(self.results)} {planned}matches were played"

    def _play_rounds(self, confirm: Confirm) -> tuple[Stopped | None, TournamentEstimate | None]:
        """Play all draws. The pilot comes before the rest of the first draw."""
        estimate: TournamentEstimate | None = None
        while pairings := self.tournament.draw():
            self._publish(self._episode.drawn(pairings))
            left = self._without_stored(pairings)
            if estimate is None and left and not self.setup.plan.endless:
                first = pilot(left, max(0, self.setup.plan.pilot - len(self.results)))
                if stopped := self._play(first):
                    return stopped, None
                left = [pairing for pairing in left if pairing not in first]
                estimate = self.estimate()
                confirm(estimate)
            if stopped := self._play(left):
                return stopped, estimate
        return None, estimate

    def _without_stored(self, pairings: Sequence[Pairing]) -> list[Pairing]:
        """Take the results that are stored, and return the pairings that are left to play."""
        left = []
        for pairing in pairings:
            match = self.setup.match(self.tournament, pairing)
            result = stored_result(match)
            if result is None:
                left.append(pairing)
                continue
            spent = spent_on([result], Spent())
            tokens = spent.tokens_in + spent.tokens_out
            self.budget.book_earlier(tokens, spent.dollars or 0.0, result.ended_at)
            self._take(pairing.number, match, result)
            self._publish(self._episode.stored(pairing.number, match.episode_id))
            self.advanced()
        if len(left) < len(pairings):
            self._publish(self._episode.standings())
        return left

    def _play(self, pairings: Sequence[Pairing]) -> Stopped | None:
        """Play some of the pairings; a match that fails does not stop the others."""
        plans = [self.setup.match(self.tournament, pairing) for pairing in pairings]

        def began(index: int) -> None:
            self._publish(self._episode.began(pairings[index].number, plans[index].episode_id))

        def done(index: int, result: MatchResult) -> None:
            self._end(pairings[index].number, plans[index], result)

        def failed(index: int, error: Exception) -> None:
            self._settle(plans[index])
            self._end(pairings[index].number, plans[index], _failure(plans[index], error))

        try:
            return play_all(plans, self.setup.workers, done, self.budget, failed, began)
        except BrokenExecutor as error:
            raise TournamentRefused("a process that plays matches was killed; continue with --resume") from error

    def _settle(self, match: MatchPlan) -> None:
        """Count what was spent on a match that failed."""
        if match.file is not None and part_of(match.file).exists():
            self.tournament.book(settle_part(part_of(match.file)))

    def _end(self, number: int, match: MatchPlan, result: MatchResult) -> None:
        self._take(number, match, result)
        self._publish(self._episode.ended(number))
        self.advanced()

    def _take(self, number: int, match: MatchPlan, result: MatchResult) -> None:
        self.results[number] = result
        self.tournament.add(number, match.episode_id, result.status, result.message, result.seats)

    def _publish(self, drafts: Sequence[Draft]) -> None:
        self.leader = self._episode.leader
        self._bus.publish(self._id, drafts)

    def estimate(self) -> TournamentEstimate:
        """Return the expected use of the matches that are left, from the seats of those that were played."""
        plan = self.setup.plan
        seats: Counter[str] = Counter()
        for pairing in self.tournament.pairings:
            if pairing.number not in self.results:
                seats.update(pairing.players.values())
        undrawn = self.tournament.planned - len(self.tournament.pairings)
        for player in plan.players:
            seats[player] += round(undrawn * len(plan.seats) / len(plan.players))
        spent: dict[str, list[Spent]] = defaultdict(list)
        for result in self.results.values():
            for record in result.seats:
                spent[record.player].append(record.spent)
        every = [item for items in spent.values() for item in items] or [Spent()]
        tokens = dollars = 0.0
        for player, count in seats.items():
            items = spent.get(player, every)
            tokens += count * fmean(item.tokens_in + item.tokens_out for item in items)
            dollars += count * fmean(item.dollars or 0.0 for item in items)
        left = self.tournament.planned - len(self.results)
        priced = any(item.dollars is not None for item in every)
        seconds = fmean(result.seconds for result in self.results.values()) if self.results else 0.0
        at_once = max(1, min(left, self.setup.workers.jobs * self.setup.workers.concurrency))
        return TournamentEstimate(
            matches=left,
            played=len(self.results),
            tokens=round(tokens),
            dollars=dollars if priced else None,
            seconds=left * seconds / at_once,
        )


def _failure(match: MatchPlan, error: Exception) -> MatchResult:
    """Return the result of a match that ended by an error of our own."""
    return MatchResult(
        seed=match.seed,
        file=None,
        status="error",
        reason="",
        message=f"{type(error).__name__}: {error}",
        winners=[],
        scores={},
        events=0,
        seats=[],
    )
