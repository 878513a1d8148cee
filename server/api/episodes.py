"""The lobby's list of episodes, one episode's summary, and its exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import JSONResponse

from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.models import MAX_NUMBER, EpisodeSummary, Status
from grandstand.server.api.health import public_queue
from grandstand.server.api.parameters import problems
from grandstand.server.bodies import EpisodeList, LaneInfo
from grandstand.server.matches.driver import Driver
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.viewpoint import SPECTATOR


def router(
    driver: Driver, history: History, recorder: Recorder, hub: Hub, lanes: Callable[[], list[LaneInfo]]
) -> APIRouter:
    """Return the routes."""
    api = APIRouter(prefix="/episodes", tags=["episodes"])

    @api.get("")
    async def episodes(
        game: str | None = None,
        status: Annotated[list[Status], Query()] = [],  # noqa: B006
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        offset: Annotated[int, Query(ge=0, le=MAX_NUMBER)] = 0,
    ) -> EpisodeList:
        """List episodes, newest first; filter by game and status."""
        behind = history.behind()
        public, total = recorder.summaries(game=game, status=status, limit=limit, offset=offset, behind=behind)
        watched = {summary.episode_id: hub.audience(summary.episode_id) for summary in public}
        return EpisodeList(
            episodes=public,
            total=total,
            viewers={episode_id: count for episode_id, count in watched.items() if count},
            queue=public_queue(driver, behind),
            lanes=lanes(),
            waiting=list(driver.storage_faults),
        )

    @api.get("/{episode_id}", responses=problems(404, 422))
    async def episode(episode_id: str) -> EpisodeSummary:
        """Return the summary of one episode."""
        return history.summary(episode_id, SPECTATOR)

    @api.get("/{episode_id}/export/{format}", responses=problems(404, 422))
    async def export(episode_id: str, format: str) -> JSONResponse:
        """Export the public record of an episode in a format of its game (`saved-game`, `cricsheet`)."""
        await history.load(episode_id)
        summary = history.summary(episode_id, SPECTATOR)
        exports = game_spec(summary.game).exports
        if format not in exports:
            raise OptionError(f"format: {summary.game} has no {format!r}; there are {', '.join(exports) or 'none'}")
        public = [(e.type, e.data) for e in history.events(episode_id, SPECTATOR) if e.audience == "public"]
        return JSONResponse(exports[format](public, summary.model_dump(mode="json")))

    return api
