"""An evaluation that is being played, and its own episode."""

from __future__ import annotations

import time
from collections.abc import Sequence

from grandstand.campaigns.campaign import Executor, Stopped
from grandstand.campaigns.evaluation.document import Ended, Results, document
from grandstand.campaigns.evaluation.episode import Document, reported
from grandstand.campaigns.evaluation.plan import EvalPlan
from grandstand.campaigns.match_episode import play_matches
from grandstand.campaigns.match_executor import MatchObserver
from grandstand.campaigns.matches import CampaignMatches, FixedSchedule
from grandstand.play.headless import MatchPlan, MatchResult
from grandstand.play.ratings.seat_records import Spent
from grandstand.play.record_folder import EVALUATION_RECORD
from grandstand.players.llm.budget import Budget
from grandstand.spectator.bus import Observer


class EvaluationRun:
    """An evaluation in progress. `abandoned` is the spending on matches that were abandoned."""

    def __init__(self, plan: EvalPlan, budget: Budget, abandoned: Spent) -> None:
        self._plan, self._budget = plan, budget
        schedule = FixedSchedule(list(plan.matches.values()))
        self._matches = CampaignMatches(schedule, plan.workers, budget, abandoned)
        self._began = time.perf_counter()

    def play(
        self,
        executor: Executor[MatchPlan, MatchResult],
        observers: Sequence[MatchObserver] = (),
        viewer: Observer | None = None,
    ) -> Ended:
        """Play all matches that are not stored, and show the evaluation's own episode to `viewer`.

        Raises CampaignRefused.
        """
        file = None if self._plan.records is None else self._plan.records / EVALUATION_RECORD
        shown = reported(self._plan, "cli" if viewer is None else "publisher", self._document)
        stopped = play_matches(self._matches, executor, observers, shown, file, viewer)
        return self._ended(stopped)

    def _document(self, stopped: Stopped | None) -> Document:
        return document(self._plan, self._ended(stopped))

    def _ended(self, stopped: Stopped | None) -> Ended:
        played = self._matches.results
        results: Results = {
            key: played[match.episode_id] for key, match in self._plan.matches.items() if match.episode_id in played
        }
        return Ended(results, stopped, time.perf_counter() - self._began, self._budget)
