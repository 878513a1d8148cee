"""The composition root: every part of the server is made and wired here, and nowhere else."""

from __future__ import annotations

import fcntl
import gc
import logging
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import IO, Any

import uvicorn
from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import Lifespan

from grandstand.players.roster import Roster
from grandstand.server.access import Access, VisitorBounds, seats_in
from grandstand.server.api import legacy, page, problems, publish, reference, router
from grandstand.server.api.publish import PublishedMatches
from grandstand.server.auth import Auth, RateLimit
from grandstand.server.bucket import open_bucket
from grandstand.server.log import MatchLog
from grandstand.server.log_secrets import hide_secrets
from grandstand.server.matches.driver import Driver
from grandstand.server.matches.showcase import Showcase
from grandstand.server.metrics import Now, ServerMetrics
from grandstand.server.metrics import router as metrics_router
from grandstand.server.openenv.connection import SessionLimits
from grandstand.server.openenv.mount import LazyMount
from grandstand.server.openenv.seats import RemoteSeats
from grandstand.server.settings import PREFIX, Settings
from grandstand.server.transport import event_stream, sockets
from grandstand.server.transport.edge import App, Edge
from grandstand.server.transport.sockets import Server, server_socket, uvicorn_options
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import RecordError
from grandstand.spectator.history import History
from grandstand.spectator.hub import Hub
from grandstand.spectator.recorder import Recorder

log = logging.getLogger(__name__)

DESCRIPTION = """
Matches between agents, live: start one, list them, read any episode's events, a snapshot of any moment, or the whole
record. `episode_id/seq` is the one address of a moment. Errors are RFC 9457 problem details.
"""


def create_app(settings: Settings | None = None, at_end: Callable[[], None] = lambda: None) -> FastAPI:
    """Return the whole server as one ASGI app; `at_end` is called when it has stopped.

    Raises SettingsError or RecordError if it cannot start.
    """
    settings = settings or Settings.load()
    lock = _lock(settings.data)
    store = settings.data / "grandstand.db"
    recorder = Recorder(store)
    history = History(recorder)
    hub = Hub(history)
    metrics = ServerMetrics()
    bus = Bus(metrics.timed(recorder))
    bus.add(history)
    bus.add(hub)
    auth = Auth(settings.host, settings.operator_sha256, seats_in(recorder))
    bus.add(metrics)
    bus.add(MatchLog(history))
    roster = Roster.load(settings.roster)
    bounds = VisitorBounds(settings.visitor_pace, settings.visitor_turns, settings.visitor_matches)
    access = Access(auth, history, RateLimit(settings.visitor_starts, 60.0), bounds)
    driver = Driver(bus, history, recorder, roster, slots=settings.slots, queue=settings.queue, pace=settings.pace)
    games = [name.strip() for name in settings.showcase.split(",") if name.strip()]
    bucket = open_bucket(settings.bucket, recorder)
    if bucket:
        bus.add(bucket)

    def forget(episode_id: str) -> None:
        history.forget(episode_id)
        if bucket:
            bucket.forget(episode_id)

    published = PublishedMatches(bus, recorder, limit=settings.published_live, idle=settings.published_idle)
    showcase = Showcase(driver, recorder, forget, games, settings.showcase_kept)
    seats = RemoteSeats(driver, bus, access, roster, matches=settings.openenv_sessions)
    bus.add(seats)

    def on_resumed(episode_id: str) -> None:
        if recorder.summary(episode_id).origin == "openenv":
            seats.resumed([episode_id])

    driver.on_resumed = on_resumed
    limits = SessionLimits(
        settings.openenv_sessions, settings.visitor_sessions, settings.openenv_idle, settings.openenv_unused
    )
    gate = LazyMount(seats, roster, auth, limits)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        if bucket:
            bucket.restore_running()
        for episode_id, delay, releases in history.recover():
            bus.recover(episode_id, delay, releases)
        driver.resume_all()
        if bucket:
            bucket.begin()
        published.begin()
        showcase.begin()
        gc.freeze()
        yield
        showcase.close()
        published.close()
        await gate.close()
        seats.close()
        await driver.close()
        if bucket:
            await bucket.close()
        recorder.close()
        lock.close()
        at_end()

    app = _new_app(settings, lifespan)
    app.state.hub = hub
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=5)
    problems.install(app)
    app.include_router(router.router(driver, bus, history, recorder, hub, roster, access))
    app.include_router(publish.router(bus, recorder, settings.publish_sha256, published))
    app.include_router(legacy.router(driver, roster, access))
    app.include_router(metrics_router(metrics, Now(driver, hub, store), access.operator))
    app.include_router(sockets.router(hub, access.look))
    app.include_router(event_stream.router(hub, access.look))
    app.router.routes.append(gate)
    reference.install(app, "/api/docs")
    page.install(app, settings.page)
    return app


def _new_app(settings: Settings, lifespan: Lifespan[FastAPI]) -> App:
    """Return the app without its routes."""
    return App(
        edge=partial(
            Edge,
            body_limit=settings.body_limit,
            body_limits={"/api/publish/": publish.MAX_BODY},
            root_path=settings.root_path,
            frame_ancestors=settings.frame_ancestors,
        ),
        title="Grandstand",
        version=version("grandstand"),
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        openapi_url="/api/openapi.json",
        redoc_url=None,
    )


def _lock(folder: Path) -> IO[str]:
    """Hold `folder` for this process: two servers on one record would play the same matches twice."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "lock").open("w")
    except OSError as error:
        raise RecordError(f"data: cannot use {folder}: {error}. Name a writable folder with --data.") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise RecordError(
            f"data: another server uses {folder}. Stop it, or name another folder with --data."
        ) from error
    return file


def run(settings: Settings) -> None:
    """Serve until stopped. Raise OSError if the address cannot be used, RecordError if the data cannot."""
    hide_secrets()
    app = create_app(settings)
    listener = server_socket(settings.host, settings.port)
    host, port = listener.getsockname()[:2]
    print_address(host, port)
    log.info("the record is in %s", settings.data.resolve())
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=5,
        forwarded_allow_ips=settings.proxies,
        **uvicorn_options(),
    )
    if threading.current_thread() is threading.main_thread():
        # Uvicorn raises the signal again once it has stopped. A stop that was asked for ends with status 0.
        signal.signal(signal.SIGTERM, _stopped)
    Server(config, app.state.hub, settings.request_timeout).run(sockets=[listener])


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
    flags: dict[str, Any] = {} if f"{PREFIX}HOST" in os.environ else {"host": "0.0.0.0"}
    if f"{PREFIX}DATA" in os.environ:
        return create_app(Settings.load(flags))
    folder = TemporaryDirectory(prefix="grandstand-")
    return create_app(Settings.load({**flags, "data": folder.name}), at_end=folder.cleanup)
