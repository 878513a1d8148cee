"""OpenEnv's addresses. Its app is loaded at the first request for one of them, since the import takes seconds.

They are listed here so that none of ours is shadowed: OpenEnv's own patterns would match every address of
two parts.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from importlib import import_module
from importlib.util import find_spec

from fastapi.responses import JSONResponse
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from grandstand.models import valid_text
from grandstand.players.roster import Roster
from grandstand.server.auth import SPECTATOR, Auth, Unauthorized, visitor_of
from grandstand.server.http import problem
from grandstand.server.openenv.connection import CONNECTION, Connection
from grandstand.server.openenv.seats import RemoteSeats
from grandstand.spectator.errors import StorageError

log = logging.getLogger(__name__)

SOCKETS = ("/ws", "/mcp")
MCP = ("/mcp", "/mcp-server", "/mcp-server/seat")
PAGES = (
    *MCP,
    *("/reset", "/step", "/state", "/metadata", "/schema", "/list_environments"),
    *("/docs", "/docs/oauth2-redirect", "/redoc", "/openapi.json"),
)
TASKS = "/grandstand/"
HEALTH = "/health"
SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
"""The JSON escape of half a surrogate pair; the other half usually follows."""

IDLE = 900.0
"""Seconds without a message after which a session is closed: a model may think for minutes about one turn."""

UNUSED = 60.0
"""Seconds after which a session that has no match is closed: it takes the place of another."""

MISSING = (
    "OpenEnv is not installed on this server: run `pip install 'grandstand[openenv]'`, or in a checkout "
    "scripts/setup/openenv, and start again"
)
FAILED = "OpenEnv could not be loaded"
FOREIGN = (
    "Host: this server is for programs on its own machine, by the name localhost and from no other page; "
    "start it with GRANDSTAND_HOST=0.0.0.0 or an operator token to serve others"
)


class LazyMount(BaseRoute):
    """OpenEnv's addresses, as one route of the app."""

    def __init__(self, seats: RemoteSeats, roster: Roster, auth: Auth, sessions: int) -> None:
        """At most `sessions` are served at the same time."""
        self._seats = seats
        self._roster = roster
        self._auth = auth
        self._sessions = sessions
        self._loaded: asyncio.Future[ASGIApp] | None = None
        self._serving: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        path = scope.get("path", "")
        if scope["type"] == "websocket":
            ours = path in SOCKETS
        elif path == HEALTH:  # where a browser comes for the page of that name
            ours = "text/html" not in HTTPConnection(scope).headers.get("accept", "")
        else:
            ours = path in PAGES or path.startswith(TASKS)
        return (Match.FULL if ours else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await self._socket(scope, Socket(receive, send, IDLE))
        elif scope["path"] == HEALTH:
            await JSONResponse({"status": "healthy"})(scope, receive, send)
        elif not installed():
            await problem(501, "Not installed", MISSING)(scope, receive, send)
        else:
            try:
                app = await self._app()
            except Exception as error:
                await problem(503, FAILED, _error_text(error), **{"Retry-After": "30"})(scope, receive, send)
                return
            connection = await self._connection(scope)
            if self._foreign(scope, connection):
                await problem(403, "Not allowed", FOREIGN)(scope, receive, send)
                return
            CONNECTION.set(connection)
            await app(scope, receive, send)

    async def close(self) -> None:
        """Unload OpenEnv when the server stops."""
        self._stop.set()
        if self._serving is not None:
            await asyncio.gather(self._serving, return_exceptions=True)

    async def _socket(self, scope: Scope, socket: Socket) -> None:
        await socket.accept()  # at once: a client waits ten seconds for this, and loading may take as long
        if not installed():
            await socket.refuse(MISSING)
            return
        try:
            app = await self._app()
        except Exception as error:
            await socket.refuse(f"{FAILED}: {_error_text(error)}")
            return
        connection = await self._connection(scope, socket)
        if self._foreign(scope, connection):
            await socket.refuse(FOREIGN)
            return
        CONNECTION.set(connection)
        listening = asyncio.create_task(socket.listen())
        try:
            await app(scope, socket.receive, socket.send)
        finally:
            listening.cancel()

    async def _connection(self, scope: Scope, socket: Socket | None = None) -> Connection:
        """Return the caller of a session. An unknown token is ignored: it may be that of a proxy."""
        connection = HTTPConnection(scope)
        try:
            await self._seats.access.prefetch(connection)
            grant = self._auth.grant(connection)
        except (Unauthorized, StorageError):
            grant = SPECTATOR
        return Connection(grant, visitor_of(connection), socket)

    def _foreign(self, scope: Scope, connection: Connection) -> bool:
        """Return whether a foreign page may be calling MCP through the browser of somebody at this machine.

        On a server where everybody is an operator, a request with a foreign Host or Origin is not one of an operator.
        """
        return self._auth.mode == "open" and scope["path"] in MCP and connection.grant == SPECTATOR

    async def _app(self) -> ASGIApp:
        """Return OpenEnv's app. All requests wait while it is loaded; after a failure the next request tries again."""
        if self._loaded is None or (self._loaded.done() and self._loaded.exception() is not None):
            self._loaded = asyncio.get_running_loop().create_future()
            self._serving = asyncio.create_task(self._serve(self._loaded), name="openenv")
        return await asyncio.shield(self._loaded)

    async def _serve(self, loaded: asyncio.Future[ASGIApp]) -> None:
        try:
            module = await asyncio.to_thread(import_module, "grandstand.server.openenv.app")
            async with module.serving(self._seats, self._roster, self._sessions, IDLE, UNUSED) as app:
                loaded.set_result(app)
                await self._stop.wait()
        except Exception as error:
            log.exception(FAILED)
            if not loaded.done():
                loaded.set_exception(error)


class Socket:
    """A socket between the server and OpenEnv: accepted at once, and closed after long silence."""

    def __init__(self, receive: Receive, send: Send, idle: float) -> None:
        self.gone = asyncio.Event()
        """Set when the client has disconnected, also in the middle of a step."""
        self._receive = receive
        self._send = send
        self._idle = idle
        self._silence: asyncio.Timeout | None = None
        self._received: asyncio.Queue[Message] = asyncio.Queue(maxsize=2)
        self._closed = False

    async def accept(self) -> None:
        self._received.put_nowait(await self._receive())
        await self._send({"type": "websocket.accept"})

    async def listen(self) -> None:
        """Read the client's messages until it disconnects."""
        while not self.gone.is_set():
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                self.gone.set()
            elif text := message.get("text"):
                message["text"] = valid_frame(text)
            await self._received.put(message)

    async def refuse(self, why: str) -> None:
        """Send `why` in the form that OpenEnv's clients show to their user, and close."""
        error = {"type": "error", "data": {"message": why, "code": "SESSION_ERROR"}}
        await self.send({"type": "websocket.send", "text": json.dumps(error)})
        await self.send({"type": "websocket.close", "code": 1011})

    def disconnect(self) -> None:
        """End the session: the next `receive` returns the client's disconnection."""
        self._idle = 0.0
        if self._silence is not None:
            self._silence.reschedule(0.0)

    async def receive(self) -> Message:
        """Return the client's next message, or its disconnection after too long a silence."""
        try:
            async with asyncio.timeout(self._idle) as self._silence:
                return await self._received.get()
        except TimeoutError:
            await self.send({"type": "websocket.close", "code": 1001, "reason": "silent for too long"})
            return {"type": "websocket.disconnect", "code": 1001}
        finally:
            self._silence = None

    async def send(self, message: Message) -> None:
        """Send, unless the client is gone: OpenEnv would go on sending to it, and fail."""
        if self._closed or message["type"] == "websocket.accept":
            return
        self._closed = message["type"] == "websocket.close"
        try:
            await self._send(message)
        except OSError:
            self._closed = True


def valid_frame(text: str) -> str:
    """Return a client's message with valid Unicode, as OpenEnv expects it: it ends a session that sends anything else.

    The contents of a step stay as they are: the seat's observation says what is wrong with them.
    """
    if not SURROGATE.search(text):
        return text
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(message, dict):
        return text
    data = message.get("data")
    if message.get("type") == "step" and isinstance(data, dict):
        message = {"type": "step", "data": {valid_text(key): value for key, value in data.items()}}
        return json.dumps(message)
    return valid_text(json.dumps(message, ensure_ascii=False))


def _error_text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def installed() -> bool:
    """Return whether the `openenv` package is installed."""
    return find_spec("openenv") is not None
