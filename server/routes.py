"""The REST API under /api: start, list, read and download episodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import TypeAdapter
from spectator.hub import Hub
from starlette.requests import HTTPConnection

from games.base import GameSpec, OptionError
from games.registry import GAMES, game_spec
from models import (
    EpisodeList,
    EpisodeSummary,
    EventPage,
    GameInfo,
    Health,
    Problem,
    Snapshot,
    StartEpisode,
    Status,
)
from players.roster import available
from server.driver import Driver
from spectator.history import History
from spectator.recorder import Recorder
from spectator.replay import to_lines
from spectator.snapshot import snapshot
from spectator.viewpoint import Viewpoint, redact

Admit = Callable[[HTTPConnection, str, str], Viewpoint]
"""(connection, viewpoint text, episode id) -> viewpoint. Raises PermissionError, ValueError, UnknownEpisode."""

PAGE_LIMIT = 5000
"""Events in one answer."""

As = Annotated[str, Query(alias="as", description="`spectator`, `operator` or `seat:NAME`.")]
REFUSALS: dict[int | str, dict[str, Any]] = {
    404: {"model": Problem, "description": "No such episode."},
    422: {"model": Problem, "description": "A field cannot be used; `field` names it."},
}


def router(driver: Driver, history: History, recorder: Recorder, hub: Hub, admit: Admit) -> APIRouter:
    """The routes over these parts."""
    api = APIRouter(prefix="/api")

    @api.get("/health", tags=["server"])
    async def health() -> Health:
        """Whether the server serves, and how much is going on."""
        return Health(
            status="ok",
            version=version("grandstand"),
            live=driver.live,
            queued=len(driver.queued),
            viewers=hub.viewers(),
        )

    @api.get("/games", tags=["games"])
    async def games() -> list[GameInfo]:
        """The games, their options and their free players."""
        return [game_info(game_spec(name)) for name in GAMES]

    @api.get("/episodes", tags=["episodes"])
    async def episodes(
        game: str | None = None,
        status: Annotated[list[Status], Query()] = [],  # noqa: B006
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        offset: Annotated[int, Query(ge=0)] = 0,
    ) -> EpisodeList:
        """Episodes, newest first; filter by game and status."""
        found, total = recorder.summaries(game=game, status=status, limit=limit, offset=offset)
        return EpisodeList(episodes=found, total=total)

    @api.post("/episodes", status_code=201, tags=["episodes"], responses={422: REFUSALS[422], 429: {"model": Problem}})
    async def start(
        request: StartEpisode, response: Response, idempotency_key: Annotated[str | None, Header(max_length=200)] = None
    ) -> EpisodeSummary:
        """Start a match, or queue it. Sent again with the same `Idempotency-Key` it answers with the same match."""
        summary = driver.start(request, key=idempotency_key)
        response.headers["Location"] = f"/api/episodes/{summary.episode_id}"
        return summary

    @api.get("/episodes/{episode_id}", tags=["episodes"], responses=REFUSALS)
    async def episode(episode_id: str) -> EpisodeSummary:
        """One episode as it stands."""
        return recorder.summary(episode_id)

    @api.get("/episodes/{episode_id}/events", tags=["episodes"], responses=REFUSALS)
    async def events(
        connection: Request,
        episode_id: str,
        viewpoint: As = "spectator",
        first: Annotated[int, Query(ge=0)] = 0,
        stop: Annotated[int | None, Query(ge=0)] = None,
    ) -> EventPage:
        """Events with `first <= seq < stop` as one viewpoint may know them, at most 5000 an answer."""
        look = _admit(connection, viewpoint, episode_id)
        log = history.events(episode_id)
        end = min(len(log), first + PAGE_LIMIT, len(log) if stop is None else stop)
        return EventPage(
            episode_id=episode_id,
            epoch=log[0].epoch,
            viewpoint=str(look),
            first=first,
            last_seq=log[-1].seq,
            frames=[redact(event, look) for event in log[first:end]],
        )

    @api.get("/episodes/{episode_id}/snapshot", tags=["episodes"], responses=REFUSALS)
    async def snapshot_at(
        connection: Request,
        episode_id: str,
        viewpoint: As = "spectator",
        seq: Annotated[int | None, Query(ge=0)] = None,
    ) -> Snapshot:
        """All that is needed to paint one moment: by default the latest."""
        look = _admit(connection, viewpoint, episode_id)
        log = history.events(episode_id)
        if seq is not None and seq >= len(log):
            raise OptionError(f"seq: {seq} has not happened; the last event is {len(log) - 1}")
        return snapshot(log if seq is None else log[: seq + 1], look)

    @api.get("/episodes/{episode_id}/replay", tags=["episodes"], responses=REFUSALS)
    async def replay(connection: Request, episode_id: str, viewpoint: As = "spectator") -> StreamingResponse:
        """The record as a download: a header line, then one event a line."""
        look = _admit(connection, viewpoint, episode_id)
        lines: Iterator[str] = to_lines(list(history.events(episode_id)), look)
        return StreamingResponse(
            lines,
            media_type="application/x-ndjson",
            headers={"Content-Disposition": f'attachment; filename="{episode_id}.jsonl"'},
        )

    @api.get("/episodes/{episode_id}/export/{format}", tags=["episodes"], responses=REFUSALS)
    async def export(episode_id: str, format: str) -> JSONResponse:
        """The episode's public record in one of its game's own formats (`saved-game`, `cricsheet`)."""
        summary = recorder.summary(episode_id)
        exports = game_spec(summary.game).exports
        if format not in exports:
            raise OptionError(f"format: {summary.game} has no {format!r}; there are {', '.join(exports) or 'none'}")
        public = [(event.type, event.data) for event in history.events(episode_id) if event.audience == "public"]
        return JSONResponse(exports[format](public, summary.model_dump(mode="json")))

    def _admit(connection: HTTPConnection, viewpoint: str, episode_id: str) -> Viewpoint:
        try:
            return admit(connection, viewpoint, episode_id)
        except ValueError as error:
            raise OptionError(f"as: {error}") from error

    return api


def game_info(spec: GameSpec) -> GameInfo:
    """`spec` as the API shows it."""
    schema = TypeAdapter(spec.options).json_schema()
    return GameInfo(name=spec.name, title=spec.title, seats=list(spec.seats), options=schema, players=available(spec))
