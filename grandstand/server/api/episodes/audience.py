"""What viewers say of a match: the questions that they call and their reactions, and the name of a viewer."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Request

from grandstand.server.auth import digest
from grandstand.server.bodies.audience import VIEWER, CallQuestion, MatchAudience, NameViewer, SendReaction
from grandstand.server.http import problems
from grandstand.server.parts import Parts, ServerParts
from grandstand.server.purse import CALL

router = APIRouter(tags=["episodes"])
viewers = APIRouter(tags=["episodes"])


@router.get("", responses=problems(403))
async def audience(
    parts: Parts,
    connection: Request,
    episode_id: str,
    viewer: Annotated[
        str, Header(alias="Grandstand-Viewer", pattern=f"{VIEWER}|^$", description="The caller, as in a call.")
    ] = "",
) -> MatchAudience:
    """Return what viewers say: questions of a live match with the caller's calls, the table of the day, and reactions.

    The chances of an open question are left out until the caller has called it. Those who play in the match may not
    ask: what viewers think is no part of it.
    """
    _check_watches(parts, connection, episode_id)
    return await _audience(parts, episode_id, digest(viewer))


@router.post("/calls", responses=problems(403, 409, 422, 429))
async def call(parts: Parts, connection: Request, episode_id: str, request: CallQuestion) -> MatchAudience:
    """Call one option of an open question. A call stands, and counts against the server's chance of this moment."""
    _check_watches(parts, connection, episode_id)
    _charge(parts, connection)
    viewer = digest(request.viewer)
    await parts.predictions.call(episode_id, request, viewer)
    return await _audience(parts, episode_id, viewer)


@router.post("/reactions", responses=problems(403, 422, 429))
async def react(parts: Parts, connection: Request, episode_id: str, request: SendReaction) -> MatchAudience:
    """React to a moment. One reaction of each kind counts for each viewer and moment, and stands."""
    _check_watches(parts, connection, episode_id)
    _charge(parts, connection)
    viewer = digest(request.viewer)
    parts.reactions.react(episode_id, request, viewer)
    return await _audience(parts, episode_id, viewer)


@viewers.put("/name", status_code=204, responses=problems(422, 429))
async def name(parts: Parts, connection: Request, request: NameViewer) -> None:
    """Stand in the table of the day under a name, or under none."""
    _charge(parts, connection)
    parts.predictions.name(digest(request.viewer), request.name.strip())


async def _audience(parts: ServerParts, episode_id: str, viewer: str) -> MatchAudience:
    asked = await parts.predictions.questions(episode_id, viewer)
    return MatchAudience(**dict(asked), reactions=parts.reactions.moments(episode_id, viewer))


def _check_watches(parts: ServerParts, connection: Request, episode_id: str) -> None:
    """Raise PermissionError for a caller who plays in the match."""
    parts.access.check_known(episode_id)
    grant = parts.access.auth.grant(connection)
    if grant.seat is not None and grant.episode_id == episode_id:
        raise PermissionError("whoever plays in a match is no viewer of it; open it without the seat's token")


def _charge(parts: ServerParts, connection: Request) -> None:
    """Charge a visitor for a call, a reaction or a name. Raise CannotAfford."""
    parts.purse.draw(parts.access.visitor(connection), CALL, "a call or a reaction")
