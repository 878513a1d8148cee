"""What viewers call in a match: its questions, a call, and the name of the caller."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Request

from grandstand.server.auth import TooMany, digest, visitor_of
from grandstand.server.bodies.predictions import VIEWER, CallQuestion, MatchQuestions, NameViewer
from grandstand.server.http import problems
from grandstand.server.parts import Parts, ServerParts

router = APIRouter(tags=["episodes"])
viewers = APIRouter(tags=["episodes"])


@router.get("", responses=problems(403))
async def questions(
    parts: Parts,
    connection: Request,
    episode_id: str,
    viewer: Annotated[
        str, Header(alias="Grandstand-Viewer", pattern=f"{VIEWER}|^$", description="The caller, as in a call.")
    ] = "",
) -> MatchQuestions:
    """Return the questions that a live match asks its viewers, with the caller's own calls and the table of the day.

    The chances of an open question are left out until the caller has called it. Those who play in the match may not
    ask: what viewers think is no part of it.
    """
    _check_watches(parts, connection, episode_id)
    return await parts.predictions.questions(episode_id, digest(viewer))


@router.post("", responses=problems(403, 409, 422, 429))
async def call(parts: Parts, connection: Request, episode_id: str, request: CallQuestion) -> MatchQuestions:
    """Call one option of an open question. A call stands, and counts against the server's chance of this moment."""
    _check_watches(parts, connection, episode_id)
    _count(parts, connection)
    viewer = digest(request.viewer)
    await parts.predictions.call(episode_id, request, viewer)
    return await parts.predictions.questions(episode_id, viewer)


@viewers.put("/name", status_code=204, responses=problems(422, 429))
async def name(parts: Parts, connection: Request, request: NameViewer) -> None:
    """Stand in the table of the day under a name, or under none."""
    _count(parts, connection)
    parts.predictions.name(digest(request.viewer), request.name.strip())


def _check_watches(parts: ServerParts, connection: Request, episode_id: str) -> None:
    """Raise PermissionError for a caller who plays in the match."""
    parts.access.check_known(episode_id)
    grant = parts.access.auth.grant(connection)
    if grant.seat is not None and grant.episode_id == episode_id:
        raise PermissionError("whoever plays in a match does not call it; open it without the seat's token")


def _count(parts: ServerParts, connection: Request) -> None:
    """Count a request of a visitor. Raise TooMany."""
    if wait := parts.predictions.limit.take(visitor_of(connection)):
        raise TooMany("too many calls from here", wait)
