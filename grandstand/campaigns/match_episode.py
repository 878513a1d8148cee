"""The own episode of a campaign with fixed matches: a report from time to time.

Seeds are in no event.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grandstand.campaigns.campaign import Campaign, CampaignRefused, Executor, Stopped
from grandstand.campaigns.match_executor import MatchObserver
from grandstand.campaigns.matches import CampaignMatches
from grandstand.campaigns.words import matches
from grandstand.events import EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted
from grandstand.games.base import SeatId
from grandstand.models import Draft
from grandstand.play.headless import MatchLog, MatchPlan, MatchResult
from grandstand.play.record_folder import part_of
from grandstand.players.roster import Roster
from grandstand.report import Report, ReportLog
from grandstand.spectator.bus import Bus, Observer

GROWTH = 1.1
"""The report is made again each time that the number of results has grown by this factor."""


@dataclass(frozen=True)
class Reported:
    """The published part of a campaign: its first event, the number of its matches, and its current report.

    `report` also returns the mean scores of the players.
    """

    created: EpisodeCreated
    planned: int
    report: Callable[[Stopped | None], tuple[Report, Mapping[SeatId, float]]]


def players_of(names: Iterable[str], roster: Roster) -> list[SeatInfo]:
    """Return the seats of a campaign's own episode: each player once, with its kind."""
    return [
        SeatInfo(seat=name, player=name, kind=str(roster.settings(name).get("kind", "bot")))
        for name in dict.fromkeys(names)
    ]


class MatchesEpisode(MatchObserver):
    """Publishes a campaign while it is played."""

    def __init__(self, reported: Reported, bus: Bus) -> None:
        self._reported, self._bus = reported, bus
        self._id = f"{reported.created.game}-{secrets.token_hex(6)}"
        self._log = ReportLog()
        self._done, self._due, self._turns = 0, 1, 0
        bus.open(self._id, 0)

    def begin(self) -> None:
        """Publish the beginning."""
        self._publish([Draft.of(self._reported.created), Draft.of(EpisodeStarted())])

    def restored(self, outcomes: Sequence[tuple[MatchPlan, MatchResult]]) -> None:
        self._done += len(outcomes)
        self._update()

    def ended(self, unit: MatchPlan, outcome: MatchResult) -> None:
        self._done += 1
        if self._done >= self._due or self._done == self._reported.planned:
            self._update()

    def end(self, stopped: Stopped | None) -> None:
        """Publish the last report and the end."""
        message = "" if stopped is None else f"{stopped.why}; {matches(self._done)} were played"
        drafts = self._log.drafts(self._reported.report(stopped)[0], message)
        status = "finished" if stopped is None else "stopped"
        self._publish([*drafts, Draft.of(EpisodeEnded.model_validate({"status": status, "message": message}))])

    def _update(self) -> None:
        """Publish the report, and a turn with the mean scores."""
        self._due = max(self._done + 1, round(GROWTH * self._done))
        report, scores = self._reported.report(None)
        turn = TurnStarted(
            index=self._turns, turn=f"{self._done} of {self._reported.planned}", to_act=[], scores=dict(scores)
        )
        self._turns += 1
        self._publish([*self._log.drafts(report, f"{matches(self._done)} played."), Draft.of(turn)])

    def _publish(self, drafts: Sequence[Draft]) -> None:
        if drafts:
            self._bus.publish(self._id, drafts)


def play_matches(
    campaign: CampaignMatches,
    executor: Executor[MatchPlan, MatchResult],
    observers: Sequence[MatchObserver],
    reported: Reported,
    file: Path | None,
    viewer: Observer | None,
) -> Stopped | None:
    """Play all matches that are not stored; record the campaign's own episode in `file` and show it to `viewer`.

    Raises CampaignRefused.
    """
    if file is not None:
        file.parent.mkdir(exist_ok=True)
        part_of(file).unlink(missing_ok=True)
    with MatchLog(file) as log:
        bus = Bus(log)
        if viewer is not None:
            bus.add(viewer)
        episode = MatchesEpisode(reported, bus)
        episode.begin()
        try:
            stopped = Campaign(campaign, executor, (episode, *observers)).run()
        except CampaignRefused as refused:
            episode.end(Stopped(str(refused)))
            raise
        episode.end(stopped)
    return stopped
