"""The live streams: of one episode, over a WebSocket or as server-sent events, and of all matches for observers."""

from __future__ import annotations

import contextlib
from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response, WebSocket
from starlette.websockets import WebSocketDisconnect

from grandstand.games.base import OptionError
from grandstand.server.auth import visitor_of
from grandstand.server.http import ViewpointText, admitted, problem
from grandstand.server.parts import Parts
from grandstand.server.transport.event_stream import EventStream, Outbox
from grandstand.server.transport.observers import MAX_RECEIVED, ObserverConnection
from grandstand.server.transport.plain_socket import watch_plainly
from grandstand.server.transport.sockets import BOUND, DEFLATE, HAND_OVER, offers_deflate
from grandstand.spectator.errors import CloseCode, RecordError, StorageError, UnknownEpisode
from grandstand.spectator.framing import SERVER_SENT, WEB_SOCKET, WEB_SOCKET_DEFLATED, StreamPosition
from grandstand.spectator.viewpoint import Viewpoint

router = APIRouter()
observers = APIRouter()


@router.websocket("/watch")
async def watch(
    parts: Parts,
    connection: WebSocket,
    episode_id: str,
    after: str | None = None,
    viewpoint: ViewpointText = "spectator",
    lines: bool = False,
) -> None:
    """Send an episode's stream over a WebSocket.

    With `lines` a message may have several frames, one a line, and is compressed if the client can read that.
    """
    hub = parts.hub
    hand_over = connection.scope.get("extensions", {}).get(HAND_OVER)
    deflated = lines and hand_over is not None and offers_deflate(connection.headers)
    await connection.accept(headers=DEFLATE if deflated else None)
    try:
        position = None if after is None else StreamPosition.parse(after)
        await hub.ready(episode_id, position)
        look = parts.access.look(connection, viewpoint, episode_id)
        if hand_over is None:  # another ASGI server holds the connection
            await watch_plainly(connection, hub, episode_id, look, position)
            return
        viewer = hand_over["to"](hub)
    except PermissionError as error:
        await _refuse(connection, CloseCode.FORBIDDEN, error)
    except UnknownEpisode as error:
        await _refuse(connection, CloseCode.NOT_FOUND, error)
    except ValueError as error:
        await _refuse(connection, CloseCode.BAD_REQUEST, error)
    except StorageError as error:
        await _refuse(connection, CloseCode.STOPPING, error)
    except RecordError as error:
        await _refuse(connection, CloseCode.INTERNAL, error)
    except WebSocketDisconnect:
        return
    else:
        hub.join(viewer, episode_id, look, WEB_SOCKET_DEFLATED if deflated else WEB_SOCKET, position)


async def _refuse(connection: WebSocket, code: CloseCode, error: Exception) -> None:
    """Close with `code`. The socket is accepted first, because a browser cannot see why a handshake fails."""
    reason = str(error).encode()[:120].decode(errors="ignore")
    with contextlib.suppress(WebSocketDisconnect):
        await connection.close(code, reason)


@router.get(
    "/stream",
    tags=["episodes"],
    response_class=Response,
    responses={
        200: {"content": {"text/event-stream": {}}, "description": "Frames, one a message; `id` is epoch.seq."},
        204: {"description": "The episode has ended and the client has all of it: do not reconnect."},
    },
)
async def stream(
    parts: Parts,
    connection: Request,
    episode_id: str,
    viewpoint: ViewpointText = "spectator",
    after: Annotated[str | None, Query(description="Resume after this position, `epoch.seq`.")] = None,
    last_event_id: Annotated[str | None, Header(description="As `after`, and before it.")] = None,
) -> Response:
    """Stream an episode as server-sent events, where WebSockets cannot be used."""
    text = last_event_id or after
    try:
        position = None if text is None else StreamPosition.parse(text)
    except ValueError as error:
        raise OptionError(str(error)) from error
    await parts.hub.ready(episode_id, position)
    look = admitted(parts.access, connection, viewpoint, episode_id)
    outbox = Outbox(parts.hub)
    parts.hub.join(outbox, episode_id, look, SERVER_SENT, position)
    return (
        Response(status_code=204) if outbox.used_up else EventStream(outbox.send_all, lambda: parts.hub.leave(outbox))
    )


@observers.websocket("/")
async def observe(parts: Parts, connection: WebSocket) -> None:
    """Let a foreign program watch matches in its own protocol."""
    visitor = visitor_of(connection)
    if parts.observers.full(visitor):
        await _deny(connection)
        return
    with parts.observers.counted(visitor):
        bound = connection.scope.get("extensions", {}).get(BOUND)
        if bound is not None:  # our own server holds the connection
            bound["messages"](MAX_RECEIVED)
        await connection.accept()

        def look(episode_id: str) -> Viewpoint:
            return parts.access.look(connection, "spectator", episode_id)

        turn, listing = parts.observers.turn, parts.newest
        await ObserverConnection(connection, turn, parts.history, parts.hub, listing, look).serve()


async def _deny(connection: WebSocket) -> None:
    """Refuse the handshake."""
    if "websocket.http.response" in connection.scope.get("extensions", {}):
        too_many = "too many programs watch matches here; close one, or try again later"
        await connection.send_denial_response(problem(503, "Too many observers", too_many))
    else:
        await connection.close(1013)
