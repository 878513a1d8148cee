"""The evaluation's own episode: its report after some matches each time, from its creation to its end.

Its game is `evaluation`, and its seats are the two players. Seeds are in no event.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from grandstand.campaign_events import EVALUATION
from grandstand.campaigns.campaign import Stopped
from grandstand.campaigns.evaluation.plan import EvalPlan
from grandstand.campaigns.evaluation.report import report
from grandstand.campaigns.match_executor import MatchObserver
from grandstand.campaigns.words import called, matches
from grandstand.models import Draft, EpisodeCreated, EpisodeEnded, EpisodeStarted, SeatInfo, TurnStarted
from grandstand.play.headless import MatchPlan, MatchResult
from grandstand.players.roster import roster_of
from grandstand.report import ReportLog
from grandstand.spectator.bus import Bus

GROWTH = 1.1
"""The report is made again each time that there are so many times as many results."""

Document = Mapping[str, Any]


class EvaluationEpisode(MatchObserver):
    """Publishes an evaluation. `document` returns its JSON document as it is now."""

    def __init__(self, plan: EvalPlan, bus: Bus, document: Callable[[Stopped | None], Document]) -> None:
        self._plan, self._bus, self._document = plan, bus, document
        self._id = f"{EVALUATION}-{secrets.token_hex(6)}"
        self._log = ReportLog()
        self._done, self._due, self._turns = 0, 1, 0
        bus.open(self._id, 0)

    def begin(self, origin: str) -> None:
        """Publish the beginning."""
        plan = self._plan
        names = list(dict.fromkeys((plan.player, plan.reference)))
        about = plan.settings
        del about["seed"]
        created = EpisodeCreated.model_validate({
            "game": EVALUATION,
            "title": f"{called(plan.player)} and {called(plan.reference)} on {plan.game}/{plan.pack}",
            "options": about,
            "seats": [SeatInfo(seat=name, player=name, kind=_kind(plan, name)) for name in names],
            "origin": origin,
            "reveal": "live",
        })  # fmt: skip
        self._publish([Draft.of(created), Draft.of(EpisodeStarted())])

    def restored(self, outcomes: Sequence[tuple[MatchPlan, MatchResult]]) -> None:
        self._done += len(outcomes)
        self._update()

    def ended(self, unit: MatchPlan, outcome: MatchResult) -> None:
        self._done += 1
        if self._done >= self._due or self._done == len(self._plan.matches):
            self._update()

    def end(self, stopped: Stopped | None) -> None:
        """Publish the last report and the end."""
        message = "" if stopped is None else f"{stopped.why}; {matches(self._done)} were played"
        drafts = self._log.drafts(report(self._document(stopped)), message)
        status = "finished" if stopped is None else "stopped"
        self._publish([*drafts, Draft.of(EpisodeEnded.model_validate({"status": status, "message": message}))])

    def _update(self) -> None:
        """Publish the report, and a turn with the mean scores."""
        self._due = max(self._done + 1, round(GROWTH * self._done))
        document = self._document(None)
        row = document["measures"].get("score", {})
        means = {self._plan.reference: "reference", self._plan.player: "player"}
        scores = {name: row[side]["mean"] for name, side in means.items() if row and row[side]["mean"] is not None}
        turn = TurnStarted(
            index=self._turns, turn=f"{self._done} of {len(self._plan.matches)}", to_act=[], scores=scores
        )
        self._turns += 1
        told = f"{matches(self._done)} played."
        self._publish([*self._log.drafts(report(document), told), Draft.of(turn)])

    def _publish(self, drafts: Sequence[Draft]) -> None:
        if drafts:
            self._bus.publish(self._id, drafts)


def _kind(plan: EvalPlan, name: str) -> str:
    return str(roster_of(plan.roster).settings(name).get("kind", "bot"))
