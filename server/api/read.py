"""The API's reading half: what goes on, who can play, any episode's events, moments and record."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import TypeAdapter
from starlette.requests import HTTPConnection

from grandstand.games.base import OptionError
from grandstand.games.registry import GAMES, game_spec
from grandstand.games.spec import GameSpec
from grandstand.models import (
    MAX_NUMBER,
    EpisodeList,
    EpisodeSummary,
    Event,
    EventPage,
    GameInfo,
    Health,
    PlayerRecord,
    Problem,
    Snapshot,
    Status,
)
from grandstand.players.roster import Roster
from grandstand.server.api.player_records import PlayerRecords
from grandstand.server.matches.driver import Driver
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import to_lines
from grandstand.spectator.snapshot import snapshot
from grandstand.spectator.viewpoint import SPECTATOR, Viewpoint, redact

Admit = Callable[[HTTPConnection, str, str], Viewpoint]
"""(connection, viewpoint text, episode id) -> viewpoint. Raises PermissionError, ValueError, UnknownEpisode."""

PAGE_LIMIT = 5000
"""Events in one answer."""

PAGE_BYTES = 64 * 1024
SLICE = 0.01
"""Bytes that are sent, and CPU seconds that are taken, at a time for one answer."""

GAMES_KEPT = 10.0
"""Seconds for which the list of games is sent as it was."""

As = Annotated[str, Query(alias="as", description="`spectator`, `seat:NAME`, `analyst` or `operator`.")]
REFUSALS: dict[int | str, dict[str, Any]] = {
    404: {"model": Problem, "description": "No such episode."},
    422: {"model": Problem, "description": "A field cannot be used; `field` names it."},
}


def router(driver: Driver, history: History, recorder: Recorder, hub: Hub, roster: Roster, admit: Admit) -> APIRouter:
    """The routes over these parts."""
    api = APIRouter(prefix="/api")
    records = PlayerRecords(recorder)
    kept_games: tuple[float, bytes] = (-GAMES_KEPT, b"")

    def game_list() -> bytes:
        """Return the games as JSON, made anew now and then: players come and go with keys and files."""
        nonlocal kept_games
        now = time.monotonic()
        if now - kept_games[0] >= GAMES_KEPT:
            infos = [game_info(game_spec(name), roster) for name in GAMES]
            kept_games = now, TypeAdapter(list[GameInfo]).dump_json(infos)
        return kept_games[1]

    @api.get("/health", tags=["server"])
    async def health() -> Health:
        """Whether the server serves, and how much is going on."""
        faults = driver.storage_faults
        behind = history.behind()
        playing = [episode_id for episode_id in driver.playing if episode_id not in behind]
        unseen = [known for known in behind.values() if known.origin != "publisher" and known.status == "live"]
        return Health(
            status="waiting" if faults else "ok",
            storage=next(iter(faults.values()), None),
            version=version("grandstand"),
            live=len(playing) + len(unseen),
            queued=len(waiting(behind)),
            viewers=hub.audience(),
        )

    @api.get("/games", tags=["games"], response_model=list[GameInfo])
    async def games() -> Response:
        """The games, their options and their free players."""
        return Response(game_list(), media_type="application/json")

    @api.get("/players", tags=["games"])
    async def players(game: str | None = None) -> list[PlayerRecord]:
        """How players have done in the last 500 finished episodes of this record."""
        episodes, _ = recorder.summaries(game=game, status=["finished"], limit=500, behind=history.behind())
        return await records.of(episodes)

    @api.get("/episodes", tags=["episodes"])
    async def episodes(
        game: str | None = None,
        status: Annotated[list[Status], Query()] = [],  # noqa: B006
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
        offset: Annotated[int, Query(ge=0, le=MAX_NUMBER)] = 0,
    ) -> EpisodeList:
        """Episodes, newest first; filter by game and status."""
        behind = history.behind()
        public, total = recorder.summaries(game=game, status=status, limit=limit, offset=offset, behind=behind)
        watched = {summary.episode_id: hub.audience(summary.episode_id) for summary in public}
        return EpisodeList(
            episodes=public,
            total=total,
            viewers={episode_id: count for episode_id, count in watched.items() if count},
            queue=waiting(behind),
            waiting=list(driver.storage_faults),
        )

    @api.get("/episodes/{episode_id}", tags=["episodes"], responses=REFUSALS)
    async def episode(episode_id: str) -> EpisodeSummary:
        """One episode as it stands."""
        return history.summary(episode_id, SPECTATOR)

    @api.get("/episodes/{episode_id}/events", tags=["episodes"], responses=REFUSALS, response_model=EventPage)
    async def events(
        connection: Request,
        episode_id: str,
        viewpoint: As = "spectator",
        first: Annotated[int, Query(ge=0, le=MAX_NUMBER)] = 0,
        stop: Annotated[int | None, Query(ge=0, le=MAX_NUMBER)] = None,
    ) -> StreamingResponse:
        """Events with `first <= seq < stop` as one viewpoint may know them, at most 5000 an answer."""
        look = _admit(connection, viewpoint, episode_id)
        await history.load(episode_id)
        log = history.events(episode_id, look)
        end = min(len(log), first + PAGE_LIMIT, len(log) if stop is None else stop)
        page = EventPage(
            episode_id=episode_id,
            epoch=log[0].epoch,
            viewpoint=str(look),
            first=first,
            last_seq=log[-1].seq,
            frames=[],
        )
        return StreamingResponse(_filled(page, log[first:end], look), media_type="application/json")

    @api.get("/episodes/{episode_id}/snapshot", tags=["episodes"], responses=REFUSALS, response_model=Snapshot)
    async def snapshot_at(
        connection: Request,
        episode_id: str,
        viewpoint: As = "spectator",
        seq: Annotated[int | None, Query(ge=0, le=MAX_NUMBER)] = None,
    ) -> StreamingResponse:
        """All that is needed to paint one moment: by default the latest."""
        look = _admit(connection, viewpoint, episode_id)
        await history.load(episode_id)
        log = history.events(episode_id, look)
        if seq is not None and seq >= len(log):
            raise OptionError(f"seq: {seq} has not happened; the last event is {len(log) - 1}")
        moment = snapshot(log if seq is None else log[: seq + 1], look, recent=False)
        first = 0 if moment.state_seq is None else moment.state_seq + 1
        return StreamingResponse(_filled(moment, log[first : moment.seq + 1], look), media_type="application/json")

    @api.get("/episodes/{episode_id}/replay", tags=["episodes"], responses=REFUSALS)
    async def replay(connection: Request, episode_id: str, viewpoint: As = "spectator") -> StreamingResponse:
        """The record as a download: a header line, then one event a line."""
        look = _admit(connection, viewpoint, episode_id)
        await history.load(episode_id)
        lines: Iterator[str] = to_lines(list(history.events(episode_id, look)), look)
        return StreamingResponse(
            _pages(lines),
            media_type="application/x-ndjson",
            headers={"Content-Disposition": f'attachment; filename="{episode_id}.jsonl"'},
        )

    @api.get("/episodes/{episode_id}/export/{format}", tags=["episodes"], responses=REFUSALS)
    async def export(episode_id: str, format: str) -> JSONResponse:
        """The episode's public record in one of its game's own formats (`saved-game`, `cricsheet`)."""
        await history.load(episode_id)
        summary = history.summary(episode_id, SPECTATOR)
        exports = game_spec(summary.game).exports
        if format not in exports:
            raise OptionError(f"format: {summary.game} has no {format!r}; there are {', '.join(exports) or 'none'}")
        public = [(e.type, e.data) for e in history.events(episode_id, SPECTATOR) if e.audience == "public"]
        return JSONResponse(exports[format](public, summary.model_dump(mode="json")))

    def waiting(behind: Mapping[str, EpisodeSummary]) -> list[str]:
        """Return the queue as spectators may know it: with the delayed matches that have left it unseen."""
        queued = driver.queued
        left = [known.episode_id for known in behind.values() if known.status == "queued"]
        return [*(episode_id for episode_id in left if episode_id not in queued), *queued]

    def _admit(connection: HTTPConnection, viewpoint: str, episode_id: str) -> Viewpoint:
        try:
            return admit(connection, viewpoint, episode_id)
        except ValueError as error:
            raise OptionError(f"as: {error}") from error

    return api


async def _pages(lines: Iterator[str]) -> AsyncIterator[bytes]:
    """The lines, many at a time; the loop serves others between them."""
    page: list[bytes] = []
    size = 0
    began = time.thread_time()
    for line in lines:
        page.append(line.encode())
        size += len(page[-1])
        if size > PAGE_BYTES or time.thread_time() - began > SLICE:
            yield b"".join(page)
            page.clear()
            size = 0
            await asyncio.sleep(0)
            began = time.thread_time()
    yield b"".join(page)


async def _filled(answer: Snapshot | EventPage, events: Sequence[Event], look: Viewpoint) -> AsyncIterator[bytes]:
    """`answer`, whose last field is an empty list, as JSON with the frames of `events` in that list."""
    head = answer.model_dump_json().encode()
    assert head.endswith(b"[]}")
    yield head.removesuffix(b"]}")
    frames = (redact(event, look).model_dump_json() for event in events)
    async for page in _pages(("," if number else "") + frame for number, frame in enumerate(frames)):
        yield page
    yield b"]}"


def game_info(spec: GameSpec, roster: Roster) -> GameInfo:
    """`spec` as the API shows it."""
    schema = TypeAdapter(spec.options).json_schema()
    for field in dataclasses.fields(spec.options):
        about = schema["properties"][field.name]
        about["description"] = field.metadata.get("help", "")
        if choices := field.metadata.get("choices"):
            about["enum"] = list(choices)
    return GameInfo(
        name=spec.name, title=spec.title, seats=list(spec.seats), options=schema, players=roster.players(spec)
    )
