"""A series of matches that is played from here, and its own episode, whose seats are the players."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from grandstand.campaign_events import SERIES
from grandstand.campaigns.campaign import Executor, Stopped
from grandstand.campaigns.match_episode import Reported, play_matches, players_of
from grandstand.campaigns.match_executor import MatchObserver, Workers
from grandstand.campaigns.matches import CampaignMatches, FixedSchedule
from grandstand.campaigns.series.document import EndedSeries, document
from grandstand.campaigns.series.report import report
from grandstand.campaigns.words import called, listed, matches
from grandstand.events import EpisodeCreated
from grandstand.games.base import SeatId
from grandstand.play.headless import MatchPlan, MatchResult
from grandstand.play.ratings.seat_records import Spent
from grandstand.play.record_folder import SERIES_RECORD
from grandstand.players.llm.budget import Budget
from grandstand.players.roster import roster_of
from grandstand.report import Report
from grandstand.spectator.bus import Observer

NAMED = 3
"""Players that the title names; of more it gives their number."""


class SeriesRun:
    """A series that is played. `abandoned` is what was spent on matches that were abandoned."""

    def __init__(self, plans: Sequence[MatchPlan], workers: Workers, budget: Budget, abandoned: Spent) -> None:
        self._plans = plans
        self._matches = CampaignMatches(FixedSchedule(list(plans)), workers, budget, abandoned)
        self._began = time.perf_counter()

    def play(
        self,
        executor: Executor[MatchPlan, MatchResult],
        observers: Sequence[MatchObserver] = (),
        viewer: Observer | None = None,
    ) -> EndedSeries:
        """Play all matches that are not stored, and show the series' own episode to `viewer`.

        It is recorded in the folder of the matches, if there is more than one. Raises CampaignRefused.
        """
        reported = Reported(self._created("cli" if viewer is None else "publisher"), len(self._plans), self._report)
        return self._ended(play_matches(self._matches, executor, observers, reported, self._file(), viewer))

    def _file(self) -> Path | None:
        first = self._plans[0]
        if first.folder is None or first.format != "jsonl" or len(self._plans) == 1:
            return None
        return first.folder / SERIES_RECORD

    def _created(self, origin: str) -> EpisodeCreated:
        first = self._plans[0]
        names = list(dict.fromkeys(first.players))
        who = listed([called(name) for name in names]) if len(names) <= NAMED else f"{len(names)} players"
        return EpisodeCreated.model_validate({
            "game": SERIES,
            "title": f"{matches(len(self._plans))} of {first.game}: {who}",
            "options": {"game": first.game, **first.options},
            "seats": players_of(names, roster_of(first.roster)),
            "origin": origin,
            "reveal": "live",
        })  # fmt: skip

    def _report(self, stopped: Stopped | None) -> tuple[Report, Mapping[SeatId, float]]:
        whole = document(self._ended(stopped))
        whole["complete"] = whole["complete"] and whole["matches"] == whole["planned"]
        scores = {name: row["mean_score"] for name, row in whole["players"].items() if row["mean_score"] is not None}
        return report(whole), scores

    def _ended(self, stopped: Stopped | None) -> EndedSeries:
        played = self._matches.results
        results = [played[plan.episode_id] for plan in self._plans if plan.episode_id in played]
        return EndedSeries(self._plans, results, stopped, time.perf_counter() - self._began)
