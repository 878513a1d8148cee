"""OpenEnv's routes and the MCP endpoint as one app. It takes seconds to import: `openenv_gate.py` does so late."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from fastapi import FastAPI
from openenv.core.env_server.http_server import HTTPEnvServer
from openenv.core.env_server.types import ConcurrencyConfig
from starlette.types import ASGIApp

from models import MatchAction, MatchObservation, MatchState
from players.roster import Roster
from server import problems, reference
from server.environment import DESCRIPTION, NAME, MatchEnvironment
from server.openenv_mcp import endpoint
from server.openenv_seats import RemoteSeats

MCP_PATH = "/mcp-server"


@asynccontextmanager
async def serving(seats: RemoteSeats, roster: Roster, *, sessions: int, idle: float) -> AsyncIterator[ASGIApp]:
    """The app, started. OpenEnv ends a session after `idle` seconds without a message; its socket ends with it."""
    server = HTTPEnvServer(
        partial(MatchEnvironment, seats, asyncio.get_running_loop()),
        MatchAction,
        MatchObservation,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=sessions, session_timeout=idle),
        env_name=NAME,
        state_cls=MatchState,
    )
    app = FastAPI(
        title="Grandstand over OpenEnv", version="1.0.0", description=DESCRIPTION, docs_url=None, redoc_url=None
    )
    problems.install(app)
    server.register_routes(app)
    reference.install(app, "/docs")
    mcp = endpoint(seats, roster).http_app(path=MCP_PATH, stateless_http=True, json_response=True)
    app.mount("", mcp)
    async with app.router.lifespan_context(app), mcp.router.lifespan_context(mcp):
        yield app
