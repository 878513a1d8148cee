"""The events of ended episodes in compressed segments.

A segment never changes, so browsers, nginx and other caches may keep it for ever.
"""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from hashlib import sha256

from fastapi import Request, Response
from fastapi.responses import FileResponse

from grandstand.server.api.tagged import has_newest
from grandstand.server.cards.cache import FileCache
from grandstand.spectator.frames import EpisodeSummary

log = logging.getLogger(__name__)

SEGMENT = 5000
"""Number of events of a segment, which the page knows too; the last segment of an episode may have fewer."""

FORMAT = 1
"""The version of the encoding. Segments of an earlier one are not served from the cache."""

LEVEL = 6
"""Level of compression."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Which events of an ended episode are in a segment, and from which viewpoint."""

    episode_id: str
    epoch: int
    viewpoint: str
    first: int
    stop: int

    @property
    def name(self) -> str:
        """The name of its file: every server gives the same bytes the same name."""
        return sha256(repr((FORMAT, self)).encode()).hexdigest()[:40]


def segment_of(
    summary: EpisodeSummary, viewpoint: str, epoch: int | None, first: int, stop: int | None
) -> Segment | None:
    """Return the segment of exactly the events with `first <= seq < stop`; None if there is none.

    The client names the last `epoch` of the episode: a power failure can take back the end of an episode, which then
    goes on in another epoch.
    """
    end = min(first + SEGMENT, summary.last_seq + 1)
    if summary.ended_at is None or summary.epoch != epoch or first % SEGMENT or not first < end == stop:
        return None
    return Segment(summary.episode_id, summary.epoch, viewpoint, first, end)


async def segment_response(
    request: Request, segment: Segment, cache: FileCache, content: Callable[[], AsyncIterator[bytes]]
) -> Response:
    """Return a segment from `cache`, or made of its JSON `content`; 304 if the request names its ETag."""
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable",
        "Content-Encoding": "gzip",
        "ETag": f'"{segment.name}"',
        "Vary": "Accept-Encoding",
    }
    if has_newest(request, headers["ETag"]):
        return Response(status_code=304, headers=headers)
    if (path := await asyncio.to_thread(cache.get, segment.name)) is None:
        text = b"".join([piece async for piece in content()])
        # Without the time, so that the bytes are the same on every server.
        body = await asyncio.to_thread(gzip.compress, text, LEVEL, mtime=0)
        try:
            path = await asyncio.to_thread(cache.put, segment.name, body)
        except OSError as error:
            log.warning("a segment cannot be kept in %s: %s", cache.folder, error)
            return Response(body, media_type="application/json", headers=headers)
    return FileResponse(path, media_type="application/json", headers=headers)


def takes_gzip(request: Request) -> bool:
    """Return whether the client can read a segment."""
    return "gzip" in request.headers.get("accept-encoding", "")
