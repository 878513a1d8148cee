"""An episode's record from one viewpoint: its events, a snapshot of any moment, and the download."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import StreamingResponse

from grandstand.games.base import OptionError
from grandstand.models import MAX_NUMBER, Event
from grandstand.server.api.episodes.segments import SEGMENT, Segment, segment_of, segment_response, takes_gzip
from grandstand.server.api.json_stream import pieces, with_frames
from grandstand.server.bodies.matches import Glance
from grandstand.server.http import ViewpointText, admitted, problems
from grandstand.server.lobby.glances import glance
from grandstand.server.parts import Parts, ServerParts
from grandstand.spectator.errors import StorageError
from grandstand.spectator.frames import EventPage, Snapshot
from grandstand.spectator.framing import StreamPosition
from grandstand.spectator.replay import to_lines
from grandstand.spectator.snapshot import snapshot
from grandstand.spectator.viewpoint import SPECTATOR, Viewpoint

router = APIRouter(tags=["episodes"], responses=problems(403, 404, 422))


@router.get("/events", response_model=EventPage)
async def events(
    parts: Parts,
    connection: Request,
    episode_id: str,
    viewpoint: ViewpointText = "spectator",
    first: Annotated[int, Query(ge=0, le=MAX_NUMBER)] = 0,
    stop: Annotated[int | None, Query(ge=0, le=MAX_NUMBER)] = None,
    epoch: Annotated[int | None, Query(ge=0, le=MAX_NUMBER)] = None,
) -> Response:
    """Return the events with `first <= seq < stop` that a viewpoint may know, at most 5000 in one response.

    With the `epoch` of the summary of an episode that has ended, a whole segment of it (`first` is a multiple of 5000,
    `stop` the next one or the end) is compressed and may be kept for ever.
    """
    view = admitted(parts.access, connection, viewpoint, episode_id)
    summary = parts.history.summary(episode_id, SPECTATOR)
    segment = segment_of(summary, str(view), epoch, first, stop)
    if segment is not None and takes_gzip(connection) and parts.access.anybody_looks(view, summary):
        content = partial(_whole, parts, view, segment)
        return await segment_response(connection, segment, parts.segments, content)
    log = await _log(parts, episode_id, view, stop)
    return StreamingResponse(_frames(parts, log, view, first, stop), media_type="application/json")


async def _log(parts: ServerParts, episode_id: str, view: Viewpoint, stop: int | None) -> Sequence[Event]:
    """Return the events that a viewpoint may know; they are read up to `stop` if they are known on another server."""
    await parts.history.load(episode_id)
    log = parts.history.events(episode_id, view)
    if stop is not None and stop > len(log):
        await parts.hub.ready(episode_id, StreamPosition(log[-1].epoch, stop - 1))
    return log


async def _whole(parts: ServerParts, view: Viewpoint, segment: Segment) -> AsyncIterator[bytes]:
    """Yield a segment as JSON. Raises StorageError if this server cannot read all of it for now."""
    log = await _log(parts, segment.episode_id, view, segment.stop)
    if len(log) < segment.stop:
        raise StorageError(f"the end of {segment.episode_id} is not read here yet")
    async for piece in _frames(parts, log, view, segment.first, segment.stop):
        yield piece


def _frames(
    parts: ServerParts, log: Sequence[Event], view: Viewpoint, first: int, stop: int | None
) -> AsyncIterator[bytes]:
    """Yield a page of events as JSON."""
    end = min(len(log), first + SEGMENT, len(log) if stop is None else stop)
    page = EventPage(
        episode_id=log[0].episode_id,
        epoch=log[0].epoch,
        viewpoint=str(view),
        first=first,
        last_seq=log[-1].seq,
        frames=[],
    )
    return with_frames(page, log[first:end], view, parts.long_responses)


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
