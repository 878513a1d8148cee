"""The published episode of an evaluation: its game is `evaluation`, and its seats are the two players."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from grandstand.campaign_events import EVALUATION
from grandstand.campaigns.campaign import Stopped
from grandstand.campaigns.evaluation.plan import EvalPlan
from grandstand.campaigns.evaluation.report import report
from grandstand.campaigns.match_episode import Reported, players_of
from grandstand.campaigns.words import called
from grandstand.events import EpisodeCreated
from grandstand.games.base import SeatId
from grandstand.players.roster import roster_of
from grandstand.report import Report

Document = Mapping[str, Any]


def reported(plan: EvalPlan, origin: str, document: Callable[[Stopped | None], Document]) -> Reported:
    """Return the published part of an evaluation. `document` returns its current JSON document."""

    def now(stopped: Stopped | None) -> tuple[Report, Mapping[SeatId, float]]:
        whole = document(stopped)
        row = whole["measures"].get("score", {})
        means = {plan.reference: "reference", plan.player: "player"}
        scores = {name: row[side]["mean"] for name, side in means.items() if row and row[side]["mean"] is not None}
        return report(whole), scores

    return Reported(_created(plan, origin), len(plan.matches), now)


def _created(plan: EvalPlan, origin: str) -> EpisodeCreated:
    about = plan.settings
    del about["seed"]
    return EpisodeCreated.model_validate({
        "game": EVALUATION,
        "title": f"{called(plan.player)} and {called(plan.reference)} on {plan.game}/{plan.pack}",
        "options": about,
        "seats": players_of((plan.player, plan.reference), roster_of(plan.roster)),
        "origin": origin,
        "reveal": "live",
    })  # fmt: skip
