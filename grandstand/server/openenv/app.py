"""OpenEnv's routes and the MCP endpoint as one app. `mount.py` imports it late, because that takes seconds."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI
from openenv.core.env_server.exceptions import SessionCapacityError
from openenv.core.env_server.http_server import HTTPEnvServer
from openenv.core.env_server.types import ConcurrencyConfig
from starlette.routing import Route
from starlette.types import ASGIApp

from grandstand.models import MatchAction, MatchObservation, MatchState
from grandstand.players.roster import Roster
from grandstand.server.api.files import reference
from grandstand.server.http import install_problems
from grandstand.server.openenv.connection import CONNECTION, Connection
from grandstand.server.openenv.environment import DESCRIPTION, NAME, MatchEnvironment
from grandstand.server.openenv.mcp import endpoint
from grandstand.server.openenv.seat_tools import seat_endpoint
from grandstand.server.openenv.seats import RemoteSeats

MCP_PATH = "/mcp-server"
SEAT_PATH = "/mcp-server/seat"


class SessionServer(HTTPEnvServer):  # type: ignore[misc]
    """OpenEnv's server with limits, so that nobody can hold all sessions by opening many or leaving them unused."""

    def __init__(self, *about: Any, seats: RemoteSeats, unused: float, **more: Any) -> None:
        """`seats` counts the sessions of a visitor; `unused` is in seconds."""
        super().__init__(*about, **more)
        self._seats = seats
        self._unused = unused
        self._ending: set[asyncio.Task[None]] = set()

    async def _create_session(self) -> tuple[str, MatchEnvironment]:
        owner = CONNECTION.get()
        held, each = self._seats.held(owner.visitor), self._seats.each
        if not owner.grant.operator and held >= each:
            raise SessionCapacityError(
                active_sessions=held,
                max_sessions=each,
                message=f"this address has {each} sessions and matches already; close one, or connect as an operator",
            )
        self._seats.sessions[owner.visitor] += 1
        try:
            session_id, environment = await super()._create_session()
        except BaseException:
            self._release(owner.visitor)
            raise
        timer = asyncio.get_running_loop().call_later(self._unused, self._end_unused, session_id, environment, owner)

        def release() -> None:
            timer.cancel()
            self._release(owner.visitor)

        environment.belongs_to(owner, release)
        return session_id, environment

    def _release(self, visitor: str) -> None:
        self._seats.sessions[visitor] -= 1
        self._seats.sessions += Counter()  # drops those of zero

    def _end_unused(self, session_id: str, environment: MatchEnvironment, owner: Connection) -> None:
        if environment.used or session_id in self._session_websocket_attachments:
            return
        if owner.socket is not None:
            owner.socket.disconnect()
            return
        ending = asyncio.create_task(self._destroy_session(session_id))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)


@asynccontextmanager
async def serving(
    seats: RemoteSeats, roster: Roster, sessions: int, idle: float, unused: float
) -> AsyncIterator[ASGIApp]:
    """Start the app and yield it. OpenEnv ends a session and its socket after `idle` seconds without a message."""
    server = SessionServer(
        partial(MatchEnvironment, seats, asyncio.get_running_loop()),
        MatchAction,
        MatchObservation,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=sessions, session_timeout=idle),
        env_name=NAME,
        state_cls=MatchState,
        seats=seats,
        unused=unused,
    )
    app = FastAPI(
        title="Grandstand over OpenEnv",
        version="1.0.0",
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    install_problems(app)
    server.register_routes(app)
    reference.install(app, "/docs", "/openapi.json")
    mcp = endpoint(seats, roster).http_app(path=MCP_PATH, stateless_http=True, json_response=True)
    # in a stream of events, because a client is told with an answer that the tools have changed
    seat = seat_endpoint(seats).http_app(path=SEAT_PATH, stateless_http=True)
    app.router.routes.append(Route(SEAT_PATH, seat))
    app.mount("", mcp)
    async with (
        app.router.lifespan_context(app),
        mcp.router.lifespan_context(mcp),
        seat.router.lifespan_context(seat),
    ):
        yield app
