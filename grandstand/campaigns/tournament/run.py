"""A tournament that is being played: its matches as a plan, and its own episode."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from grandstand.campaign_events import Pairing
from grandstand.campaigns.campaign import Campaign, CampaignEstimate, CampaignRefused, Executor, Stopped
from grandstand.campaigns.match_executor import MatchObserver
from grandstand.campaigns.match_folder import abandoned, open_folder, settle_parts
from grandstand.campaigns.matches import CampaignMatches
from grandstand.campaigns.tournament.episode import TournamentEpisode
from grandstand.campaigns.tournament.setup import TournamentSetup
from grandstand.campaigns.tournament.standings import Standing
from grandstand.campaigns.tournament.tournament import Tournament, pilot
from grandstand.models import Draft
from grandstand.play.headless import MatchLog, MatchPlan, MatchResult
from grandstand.play.record_folder import RECORD, part_of
from grandstand.players.llm.budget import Budget
from grandstand.spectator.bus import Bus, Observer


@dataclass(frozen=True)
class TournamentEnd:
    """The end of a tournament: complete, or stopped for a reason."""

    tournament: Tournament
    results: Mapping[int, MatchResult]
    """The results by the number of the pairing."""
    stopped: Stopped | None
    seconds: float
    budget: Budget
    estimate: CampaignEstimate | None


class TournamentSchedule:
    """The pairings of a tournament as matches."""

    def __init__(self, setup: TournamentSetup) -> None:
        self.tournament = Tournament(setup.plan)
        self._setup = setup
        self.pairings: dict[str, Pairing] = {}
        """The pairings by the id of the match."""

    @property
    def planned(self) -> int | None:
        return None if self._setup.plan.endless else self.tournament.planned

    def draw(self) -> Sequence[MatchPlan]:
        matches = []
        for pairing in self.tournament.draw():
            match = self._setup.match(self.tournament, pairing)
            self.pairings[match.episode_id] = pairing
            matches.append(match)
        return matches

    def add(self, match: MatchPlan, result: MatchResult) -> None:
        number = self.pairings[match.episode_id].number
        self.tournament.add(number, match.episode_id, result.status, result.message, result.seats)

    def pilot(self, matches: Sequence[MatchPlan], size: int) -> Sequence[MatchPlan]:
        """Return `size` matches in which as many players as possible take part; none for an endless tournament."""
        if self.planned is None:
            return []
        by_number = {self.pairings[match.episode_id].number: match for match in matches}
        pairings = [self.pairings[match.episode_id] for match in matches]
        return [by_number[pairing.number] for pairing in pilot(pairings, size)]


class EpisodePublisher(MatchObserver):
    """Publishes what happens in a tournament as its own episode."""

    def __init__(self, schedule: TournamentSchedule, episode: TournamentEpisode, bus: Bus) -> None:
        self._schedule, self._episode, self._bus = schedule, episode, bus
        self._id = f"tournament-{secrets.token_hex(6)}"
        bus.open(self._id, 0)

    def publish(self, drafts: Sequence[Draft]) -> None:
        self._bus.publish(self._id, drafts)

    def drawn(self, units: Sequence[MatchPlan]) -> None:
        self.publish(self._episode.drawn([self._schedule.pairings[match.episode_id] for match in units]))

    def restored(self, outcomes: Sequence[tuple[MatchPlan, MatchResult]]) -> None:
        for match, _ in outcomes:
            self.publish(self._episode.stored(self._number(match), match.episode_id))
        self.publish(self._episode.standings())

    def began(self, unit: MatchPlan) -> None:
        self.publish(self._episode.began(self._number(unit), unit.episode_id))

    def ended(self, unit: MatchPlan, outcome: MatchResult) -> None:
        self.publish(self._episode.ended(self._number(unit)))

    def _number(self, match: MatchPlan) -> int:
        return self._schedule.pairings[match.episode_id].number


class TournamentRun(MatchObserver):
    """A tournament that is played from here."""

    def __init__(self, setup: TournamentSetup, budget: Budget, resume: bool, held: ExitStack) -> None:
        """Open the folder of records, which no other process uses until `held` is closed. Raises OptionError."""
        self.setup = setup
        self.budget = budget
        self._schedule = TournamentSchedule(setup)
        self.tournament = self._schedule.tournament
        if setup.records is not None:
            open_folder(setup.records, setup.description, resume, "tournament", held)
            part_of(setup.records / RECORD).unlink(missing_ok=True)
            settle_parts(setup.records)
            self.tournament.book(abandoned(setup.records))
        self._matches = CampaignMatches(
            self._schedule, setup.workers, budget, self.tournament.abandoned, setup.plan.pilot
        )
        self._episode: TournamentEpisode | None = None
        self._estimate: CampaignEstimate | None = None

    @property
    def leader(self) -> Standing | None:
        """Return the first player of the results that were published last."""
        return None if self._episode is None else self._episode.leader

    @property
    def results(self) -> Mapping[str, MatchResult]:
        """Return the results so far by the id of the match."""
        return self._matches.results

    def play(
        self,
        executor: Executor[MatchPlan, MatchResult],
        observers: Sequence[MatchObserver] = (),
        viewer: Observer | None = None,
    ) -> TournamentEnd:
        """Play all matches that are not stored, and show the tournament's own episode to `viewer`.

        Raises CampaignRefused.
        """
        began = time.perf_counter()
        file = None if self.setup.records is None else self.setup.records / RECORD
        with MatchLog(file) as log:
            bus = Bus(log)
            if viewer is not None:
                bus.add(viewer)
            watchable = viewer is None
            episode = TournamentEpisode(self.tournament, self.setup.kinds, watchable=watchable, clock=time.time)
            self._episode = episode
            publisher = EpisodePublisher(self._schedule, episode, bus)
            publisher.publish(episode.created(origin="cli" if viewer is None else "publisher", reveal="live"))
            try:
                stopped = Campaign(self._matches, executor, (publisher, self, *observers)).run()
            except CampaignRefused as refused:
                publisher.publish(episode.over(str(refused)))
                raise
            publisher.publish(episode.over("" if stopped is None else self._why(stopped)))
        numbers = {pairing.number: name for name, pairing in self._schedule.pairings.items()}
        results = {number: self.results[numbers[number]] for number in sorted(self.tournament.played)}
        seconds = time.perf_counter() - began
        return TournamentEnd(self.tournament, results, stopped, seconds, self.budget, self._estimate)

    def estimated(self, estimate: CampaignEstimate) -> None:
        self._estimate = estimate

    def _why(self, stopped: Stopped) -> str:
        planned = "" if self.setup.plan.endless else f"of {self.tournament.planned} "
        return f"{stopped.why}; {len(self.results)} {planned}matches were played"
