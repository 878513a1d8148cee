"""The server as one ASGI app with all its addresses, and as a process that serves it.

`openenv/mount.py` lists the addresses of OpenEnv.
"""

from __future__ import annotations

import errno
import logging
import signal
import socket
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import uvicorn
from fastapi import APIRouter, FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute
from starlette.types import Lifespan

from grandstand.server.api import games, health, metrics, streams
from grandstand.server.api.episodes import (
    audience,
    episodes,
    legacy,
    lobby,
    matches,
    moments,
    publish,
    records,
    sandbox,
    tournaments,
)
from grandstand.server.api.files import cards, clips, exports, imports, page, reference
from grandstand.server.api.people import feeds, leaderboard, player_pages, session, sign_in
from grandstand.server.api.seats import choices, completions, own_models, seats
from grandstand.server.cluster.forwarding import forwarded
from grandstand.server.http import install_problems
from grandstand.server.log import hide_secrets
from grandstand.server.matches.steering import Elsewhere
from grandstand.server.openenv.mount import LazyMount
from grandstand.server.parts import ServerParts
from grandstand.server.settings import Settings, SettingsError, from_environment
from grandstand.server.transport.edge import App, Edge
from grandstand.server.transport.sockets import Server, server_socket, uvicorn_options

log = logging.getLogger(__name__)

DESCRIPTION = """
Matches between agents, live: start one, list them, read any episode's events, a snapshot of any moment, or the whole
record. `episode_id/seq` is the one address of a moment. Errors are RFC 9457 problem details.
"""

ROUTERS: Sequence[tuple[str, APIRouter]] = (
    ("/api", health.router),
    ("/metrics", metrics.router),
    ("/api", session.router),
    ("", sign_in.router),  # /oauth/...
    ("/api", games.router),
    ("/api", leaderboard.router),
    ("/api", feeds.router),  # before the names of players, which may end in anything
    ("/api", player_pages.router),
    ("/api/lobby", lobby.router),
    ("/api/moments", moments.router),
    ("/api/tournaments", tournaments.router),
    ("/api/publish", publish.router),
    ("/api/imports", imports.router),
    ("/api/play", seats.starts),
    ("/api/clips", clips.router),
    ("/api/episodes", episodes.router),
    ("/api/episodes", matches.router),
    ("/api/episodes/{episode_id}/audience", audience.router),
    ("/api/viewers", audience.viewers),
    ("/api/episodes/{episode_id}", records.router),
    ("/api/episodes/{episode_id}/sandbox", sandbox.router),
    ("/api/episodes/{episode_id}", exports.router),
    ("/api/episodes/{episode_id}", cards.router),
    ("/api/episodes/{episode_id}", streams.router),
    ("/api/episodes/{episode_id}/clips", clips.listing),
    ("/api/episodes/{episode_id}/models", own_models.router),
    ("/api/episodes/{episode_id}/seats/{seat}", seats.router),
    ("/api/episodes/{episode_id}/seats/{seat}/choices", choices.router),
    ("/v1", completions.router),
    ("/custom", legacy.router),
    ("", streams.observers),  # the socket at /
    ("", page.router),  # /, /cockpit, /episode/..., /embed/... and the other documents and files of the page
)
"""The prefix of each router. The page takes every address that is left, so it is the last."""


def _built(prefix: str, router: APIRouter) -> Sequence[BaseRoute]:
    """Return the routes of a router under a prefix, built.

    FastAPI builds a route when an address is first compared with it, for which all requests would wait.
    """
    parent = APIRouter()
    parent.include_router(router, prefix=prefix)
    nowhere = {"type": "http", "method": "GET", "path": "/", "root_path": "", "query_string": b"", "headers": []}
    for route in parent.routes:
        route.matches(nowhere)
    return parent.routes


ROUTES = [(router, _built(prefix, router)) for prefix, router in ROUTERS]
"""The routes of each router, the same for every app of a process."""

BODY_LIMITS = {
    "/api/publish/": publish.MAX_BODY,
    "/api/imports": imports.MAX_BODY,
    "/v1/": completions.MAX_BODY,
}
"""The beginnings of addresses that take larger bodies than others, and the bytes of them."""


def create_app(settings: Settings | None = None, at_end: Callable[[], None] = lambda: None) -> FastAPI:
    """Return the whole server as one ASGI app; `at_end` is called when it has stopped.

    Raises SettingsError or RecordError if it cannot start.
    """
    settings = settings or Settings.load()
    parts = ServerParts(settings)
    openenv = LazyMount(parts.remote_seats, parts.roster, parts.access.auth, settings.openenv_sessions)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        await run_in_threadpool(lambda: None)  # the first thread needs an import, for which a request would wait
        parts.begin()
        yield
        await openenv.close()
        await parts.close()
        at_end()

    app = _new_app(settings, lifespan)
    app.state.parts = parts
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=5)
    install_problems(app)
    app.add_exception_handler(Elsewhere, forwarded)  # type: ignore[arg-type]
    add_routes(app, parts, openenv)
    return app


def add_routes(app: FastAPI, parts: ServerParts, openenv: LazyMount) -> None:
    """Add every route to `app`. Of the two at /health, OpenEnv's is the first: it leaves browsers to the page."""
    app.router.routes.append(openenv)
    for router, routes in ROUTES:
        if router is not sign_in.router or parts.accounts.provider is not None:
            app.router.routes.extend(routes)
    reference.install(app, "/api/docs", "/api/openapi.json")
    app.mount("/assets", page.Assets(directory=parts.settings.page / "assets", check_dir=False), name="assets")
    app.add_exception_handler(404, page.missing)


def _new_app(settings: Settings, lifespan: Lifespan[FastAPI]) -> App:
    """Return the app without its routes."""
    return App(
        edge=partial(
            Edge,
            body_limits=BODY_LIMITS,
            root_path=settings.root_path,
            frame_ancestors=settings.frame_ancestors,
            embed_ancestors=settings.embed_ancestors,
        ),
        title="Grandstand",
        version=version("grandstand"),
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        openapi_url=None,
        redoc_url=None,
    )


def run(settings: Settings) -> None:
    """Serve until stopped. Raise SettingsError if the address cannot be used, RecordError if the data cannot."""
    hide_secrets()
    app = create_app(settings)
    listener = _listener(settings.host, settings.port)
    host, port = listener.getsockname()[:2]
    app.state.parts.be_at(host, port)
    print_address(host, port)
    log.info("the record is in %s", settings.data.resolve() if settings.store is None else "PostgreSQL")
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=5,
        forwarded_allow_ips=settings.proxies,
        **uvicorn_options(),
    )
    if threading.current_thread() is threading.main_thread():
        # Uvicorn raises the signal again once it has stopped; the exit status is to be 0.
        signal.signal(signal.SIGTERM, _stopped)
    Server(config, app.state.parts.hub).run(sockets=[listener])


def _listener(host: str, port: int) -> socket.socket:
    """Return a socket that listens there. Raises SettingsError naming the setting and the remedy."""
    try:
        return server_socket(host, port)
    except OSError as error:
        field, remedy = "host (--host)", "name an address of this machine"
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            field, remedy = "port (--port)", "name another, or 0 for a free one"
        reason = str(error.strerror).partition(" (while")[0]
        raise SettingsError(f"{field}: cannot listen on {host}:{port}: {reason}; {remedy}") from error


def _stopped(_signal: int, _frame: FrameType | None) -> None: ...


def print_address(host: str, port: int) -> None:
    """Print the server's address, for users and tests."""
    name = f"[{host}]" if ":" in host else host
    print(f"Grandstand is at http://{name}:{port}", flush=True)  # noqa: T201


def main() -> None:
    """Serve with the settings of the environment, as OpenEnv's tools do."""
    run(Settings.load())


def foreign_app() -> FastAPI:
    """Return the app for an ASGI server that is not ours, such as plain `uvicorn server.app:app`.

    Under it the bind address is unknown, so unless GRANDSTAND_HOST is set no one is an operator. OpenEnv's tools start
    several in the user's own folder, so without GRANDSTAND_DATA each has a temporary one.
    """
    flags: dict[str, Any] = {} if from_environment("host") else {"host": "0.0.0.0"}
    if from_environment("data"):
        return create_app(Settings.load(flags))
    folder = TemporaryDirectory(prefix="grandstand-")
    return create_app(Settings.load({**flags, "data": folder.name}), at_end=folder.cleanup)
