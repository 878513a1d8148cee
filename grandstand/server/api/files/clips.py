"""The clips of the voice: an episode's list, and the audio of each clip whose line is released."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import FileResponse, Response
from starlette.types import Receive, Scope, Send

from grandstand.games.base import OptionError
from grandstand.server.bodies.health import ClipList
from grandstand.server.http import ViewpointText, admitted, problem, problems
from grandstand.server.parts import Parts, ServerParts
from grandstand.spectator.errors import UnknownEpisode
from grandstand.spectator.viewpoint import SPECTATOR
from grandstand.spectator.voice.growing import BrokenOff, GrowingClip
from grandstand.spectator.voice.speech import MEDIA_TYPES

FOREVER = "max-age=31536000, immutable"
"""A clip never changes: its name is a hash of its contents."""

SHARED, PRIVATE = f"public, {FOREVER}", f"private, {FOREVER}"
"""`Cache-Control` of a clip. A shared cache may keep it only if every spectator may have it."""


class GrowingAudio(Response):
    """The response with a clip that is still being made: each piece is sent as soon as it is made.

    If the clip breaks off, the response ends without its last chunk, so that no client takes it for complete.
    """

    def __init__(self, clip: GrowingClip) -> None:
        headers = {"Cache-Control": "no-store", "Accept-Ranges": "none", "X-Accel-Buffering": "no"}
        super().__init__(headers=headers, media_type=MEDIA_TYPES[clip.form])
        del self.headers["Content-Length"]
        self._clip = clip

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        try:
            async for piece in self._clip.pieces():
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        except BrokenOff:
            return  # the server closes the connection
        await send({"type": "http.response.body", "body": b"", "more_body": False})


router = APIRouter(tags=["voice"])
listing = APIRouter(tags=["voice"])


@listing.get("", responses=problems(403, 404, 422))
async def clips_of(
    parts: Parts, connection: Request, episode_id: str, viewpoint: ViewpointText = "spectator"
) -> ClipList:
    """Return the clips of the lines that a viewpoint may know."""
    view = admitted(parts.access, connection, viewpoint, episode_id)
    last = parts.history.summary(episode_id, view).last_seq
    more = parts.voice.makes(episode_id)
    ready = parts.voice.clips.of_episode(episode_id) if parts.voice.clips else []
    return ClipList(clips=[clip for clip in ready if clip.comment <= last], more=more)


@router.get("/{clip}", responses={**problems(404), 200: {"content": {"audio/mpeg": {}, "audio/wav": {}}}})
async def clip(
    parts: Parts,
    connection: Request,
    clip: Annotated[str, Path(pattern="^[0-9a-f]{64}$", description="The name in `VoiceReady`.")],
    viewpoint: ViewpointText = "spectator",
) -> Response:
    """Return the audio of a clip, or a range of it. A clip without a released line is answered with 404.

    A clip that is still being made is sent as it is made, without ranges; if it breaks off, the response is cut.
    """
    stored, growing = parts.voice.clips.get(clip) if parts.voice.clips else None, parts.voice.growing(clip)
    lines = parts.voice.clips.lines_of(clip) if parts.voice.clips and stored else [growing.line] if growing else []
    allowed = await _allowed(parts, connection, lines, viewpoint)
    if not allowed:
        return problem(404, "No such clip", "no line with this clip is released to this viewpoint")
    if stored and parts.voice.clips:
        headers = {"Cache-Control": allowed, "ETag": f'"{clip}"'}
        return FileResponse(parts.voice.clips.path(clip), media_type=MEDIA_TYPES[stored.form], headers=headers)
    assert growing is not None
    return GrowingAudio(growing)


async def _allowed(parts: ServerParts, connection: Request, lines: Iterable[tuple[str, int]], viewpoint: str) -> str:
    """Return how the clip of `lines` may be cached; empty if the caller may not have it.

    The name of a clip is a hash of its words, which could be guessed: a line of it must be released to the caller.
    """
    allowed = ""
    for episode_id, comment in lines:
        try:
            await parts.history.prefetch(episode_id)
            if comment <= parts.history.summary(episode_id, SPECTATOR).last_seq:
                return SHARED
            view = admitted(parts.access, connection, viewpoint, episode_id)
            if comment <= parts.history.summary(episode_id, view).last_seq:
                allowed = PRIVATE
        except (UnknownEpisode, PermissionError, OptionError):  # the viewpoint may be one of another episode
            continue
    return allowed
