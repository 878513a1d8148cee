"""`GET /api/lobby`: a snapshot of the lobby; `GET /api/lobby/changes`: a stream of its changes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response

from grandstand.server.api.tagged import tagged
from grandstand.server.bodies.lobby import Lobby
from grandstand.server.parts import Parts
from grandstand.server.transport.event_stream import EventStream

router = APIRouter(tags=["episodes"])


@router.get("", response_model=Lobby)
async def lobby(parts: Parts, request: Request) -> Response:
    """Return the live, waiting and latest ended matches, as spectators may know them, with an ETag."""
    return tagged(request, await parts.lobby.whole(), "application/json")


@router.get(
    "/changes",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Changes; `id` is the version."}},
)
async def changes(
    parts: Parts,
    after: Annotated[str, Query(max_length=40, description="The version that the client has.")] = "",
    last_event_id: Annotated[str | None, Header(max_length=40, description="As `after`, and before it.")] = None,
) -> Response:
    """Stream the changes of the lobby after a version as server-sent events.

    Each is an object with the version `after` which it follows, the new `version`, and the fields that changed.
    An object in it has only the entries that changed, and an entry that is an object only
    the fields that changed; `null` marks an entry that has gone. An empty `after` gives the whole lobby.
    """
    return EventStream(lambda send: parts.lobby.send_all(send, last_event_id or after), lambda: None)
