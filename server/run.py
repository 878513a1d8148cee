"""Runs the server: one process, one loop, a socket of our own making."""

from __future__ import annotations

import logging
import signal
import threading
from types import FrameType

import uvicorn
from grandstand.server.log_secrets import hide_secrets
from grandstand.server.main import create_app
from grandstand.server.settings import Settings
from grandstand.server.transport.sockets import Server, server_socket, uvicorn_options

log = logging.getLogger(__name__)


def run(settings: Settings) -> None:
    """Serve until told to stop. Raises OSError where the address cannot be used, RecordError where the data cannot."""
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
    """Print where the server is; a person and a test both read it."""
    shown = f"[{host}]" if ":" in host else host
    print(f"Grandstand is at http://{shown}:{port}", flush=True)  # noqa: T201
