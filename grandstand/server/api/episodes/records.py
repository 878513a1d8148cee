"""An episode's record from one viewpoint: its events, a snapshot of any moment, and the download."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from grandstand.games.base import OptionError
from grandstand.models import MAX_NUMBER
from grandstand.server.api.json_stream import pieces, with_frames
from grandstand.server.bodies.matches import Glance
from grandstand.server.http import ViewpointText, admitted, problems
from grandstand.server.lobby.glances import glance
from grandstand.server.parts import Parts
from grandstand.spectator.frames import EventPage, Snapshot
from grandstand.spectator.framing import StreamPosition
from grandstand.spectator.replay import to_lines
from grandstand.spectator.snapshot import snapshot
from grandstand.spectator.viewpoint import SPECTATOR

PAGE_LIMIT = 5000
"""Events in one page."""


router = APIRouter(tags=["episodes"], responses=problems(403, 404, 422))


@router.get("/events", response_model=EventPage)
async def events(
    parts: Parts,
    connection: Request,
    episode_id: str,
    viewpoint: ViewpointText = "spectator",
    first: Annotated[int, Query(ge=0, le=MAX_NUMBER)] = 0,
    stop: Annotated[int | None, Query(ge=0, le=MAX_NUMBER)] = None,
) -> StreamingResponse:
    """Return the events with `first <= seq < stop` that a viewpoint may know, at most 5000 in one response."""
    view = admitted(parts.access, connection, viewpoint, episode_id)
    await parts.history.load(episode_id)
    log = parts.history.events(episode_id, view)
    if stop is not None and stop > len(log):  # a viewer may know from another server that there are more
        await parts.hub.ready(episode_id, StreamPosition(log[-1].epoch, stop - 1))
    end = min(len(log), first + PAGE_LIMIT, len(log) if stop is None else stop)
    page = EventPage(
        episode_id=episode_id,
        epoch=log[0].epoch,
        viewpoint=str(view),
        first=first,
        last_seq=log[-1].seq,
        frames=[],
    )
    return StreamingResponse(
        with_frames(page, log[first:end], view, parts.long_responses), media_type="application/json"
    )


@router.get("/snapshot", response_model=Snapshot)
async def snapshot_at(
    parts: Parts,
    connection: Request,
    episode_id: str,
    viewpoint: ViewpointText = "spectator",
    seq: Annotated[int | None, Query(ge=0, le=MAX_NUMBER)] = None,
) -> StreamingResponse:
    """Return all that is needed to draw one moment, by default the latest."""
    view = admitted(parts.access, connection, viewpoint, episode_id)
    await parts.history.load(episode_id)
    log = parts.history.events(episode_id, view)
    if seq is not None and seq >= len(log):
        raise OptionError(f"seq: {seq} has not happened; the last event is {len(log) - 1}")
    log = log[: len(log) if seq is None else seq + 1]
    moment = await asyncio.to_thread(snapshot, log, view, recent=False)
    first = 0 if moment.state_seq is None else moment.state_seq + 1
    frames = with_frames(moment, log[first : moment.seq + 1], view, parts.long_responses)
    return StreamingResponse(frames, media_type="application/json")


@router.get("/glance")
async def glance_at(
    parts: Parts, episode_id: str, seq: Annotated[int | None, Query(ge=0, le=MAX_NUMBER)] = None
) -> Glance:
    """Return a moment as spectators may know it, by default the latest: its picture and the standing."""
    await parts.history.load(episode_id)
    log = parts.history.events(episode_id, SPECTATOR)
    if seq is not None and seq >= len(log):
        raise OptionError(f"seq: {seq} has not happened; the last event is {len(log) - 1}")
    return await asyncio.to_thread(glance, log, len(log) - 1 if seq is None else seq)


@router.get("/replay")
async def replay(
    parts: Parts, connection: Request, episode_id: str, viewpoint: ViewpointText = "spectator"
) -> StreamingResponse:
    """Download the record as JSON lines: a header, then one event a line."""
    view = admitted(parts.access, connection, viewpoint, episode_id)
    await parts.history.load(episode_id)
    lines = to_lines(list(parts.history.events(episode_id, view)), view)
    return StreamingResponse(
        pieces(lines, parts.long_responses),
        media_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{episode_id}.jsonl"'},
    )
