"""The card of a moment and the clip of a range, which illustrate links: they show what spectators may see."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import FileResponse, Response

from grandstand.games.base import OptionError
from grandstand.models import MAX_NUMBER, Event
from grandstand.server.api.tagged import has_newest
from grandstand.server.cards.drawing import anchor, card_svg, clip_frames, clip_moments
from grandstand.server.cards.encoding import encoded_card, encoded_clip
from grandstand.server.cards.studio import CARDS, CLIPS, Work
from grandstand.server.http import problems
from grandstand.server.parts import Parts
from grandstand.spectator.history import History
from grandstand.spectator.summary import outlook_at
from grandstand.spectator.viewpoint import SPECTATOR

KEPT = "public, max-age=86400"
"""`Cache-Control` of a picture whose address names the moment: it never changes."""
FRESH = "no-cache"
"""`Cache-Control` of the picture of the latest moment: clients check its ETag each time."""

Responses = dict[int | str, dict[str, Any]]
Number = Annotated[int, Query(ge=0, le=MAX_NUMBER)]
PNG: Responses = {200: {"content": {"image/png": {}}, "description": "The card, 1200 by 630 pixels."}}
GIF: Responses = {200: {"content": {"image/gif": {}}, "description": "The clip, an animated picture of at most 3 MB."}}


router = APIRouter(tags=["episodes"], responses=problems(404, 422, 429, 503))


@router.api_route("/card", methods=["HEAD"], include_in_schema=False)
@router.get("/card", response_class=Response, responses=PNG)
async def card(
    parts: Parts, request: Request, episode_id: str, seq: Annotated[int | None, Query(ge=0, le=MAX_NUMBER)] = None
) -> Response:
    """Return the picture of a moment, by default the latest: board, headline and standing.

    It shows only what spectators may know by now.
    """
    events = await released(parts.history, episode_id)
    moment = anchor(events, len(events) - 1 if seq is None else happened("seq", seq, events))
    name = parts.studio.name(*key(events, moment), suffix=".png")
    if response := unchanged(request, name, seq is not None):
        return response

    def prepare() -> Work:
        return encoded_card, (card_svg(events, moment),)

    return picture(
        await parts.studio.file(name, prepare, CARDS, parts.access.visitor(request)), "image/png", seq is not None
    )


@router.api_route("/clip", methods=["HEAD"], include_in_schema=False)
@router.get("/clip", response_class=Response, responses=GIF)
async def clip(parts: Parts, request: Request, episode_id: str, first: Number, last: Number) -> Response:
    """Return an animated picture of the turns or balls after event `first` up to event `last`."""
    events = await released(parts.history, episode_id)
    if first >= last:
        raise OptionError(f"last: {last} is not after {first}; a clip begins at `first` and ends at `last`")
    end = anchor(events, happened("last", last, events))
    start = min(anchor(events, first), end)
    name = parts.studio.name(*key(events, end), start, suffix=".gif")
    if response := unchanged(request, name, pinned=True):
        return response

    def prepare() -> Work:
        moments, seconds = clip_moments(events, start, end)
        return encoded_clip, (clip_frames(events, moments), seconds)

    return picture(
        await parts.studio.file(name, prepare, CLIPS, parts.access.visitor(request)), "image/gif", pinned=True
    )


async def released(history: History, episode_id: str) -> Sequence[Event]:
    """Return a copy of the events of an episode that are released to spectators."""
    await history.load(episode_id)
    return list(history.events(episode_id, SPECTATOR))


def key(events: Sequence[Event], seq: int) -> tuple[object, ...]:
    """Return the cache key of a card: the event, and the outlook, which may be published after the event."""
    outlook = outlook_at(events, seq)
    return (events[seq].episode_id, events[seq].epoch, seq, None if outlook is None else outlook.seq)


def happened(field: str, seq: int, events: Sequence[Event]) -> int:
    """Return `seq` if spectators know of that event. Raise OptionError otherwise."""
    if seq >= len(events):
        raise OptionError(f"{field}: {seq} has not happened; the last event is {len(events) - 1}")
    return seq


def unchanged(request: Request, name: str, pinned: bool) -> Response | None:
    """Return a 304 response if the caller has this picture already, else None."""
    return Response(status_code=304, headers=_headers(name, pinned)) if has_newest(request, f'"{name}"') else None


def picture(path: Path, media_type: str, pinned: bool) -> Response:
    """Return a picture as a response."""
    return FileResponse(path, media_type=media_type, headers=_headers(path.name, pinned))


def _headers(name: str, pinned: bool) -> dict[str, str]:
    return {"ETag": f'"{name}"', "Cache-Control": KEPT if pinned else FRESH}
