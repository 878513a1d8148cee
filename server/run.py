"""Runs the server: one process, one loop, a socket of our own making."""

from __future__ import annotations

import uvicorn

from server.app import create_app
from server.log_secrets import hide_secrets
from server.settings import Settings
from server.sockets import Server, server_socket, uvicorn_options


def run(settings: Settings) -> None:
    """Serve until told to stop. Raises OSError where the address cannot be used, RecordError where the data cannot."""
    hide_secrets()
    app = create_app(settings)
    listener = server_socket(settings.host, settings.port)
    host, port = listener.getsockname()[:2]
    print_address(host, port)
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=5, **uvicorn_options())
    Server(config, app.state.hub).run(sockets=[listener])


def print_address(host: str, port: int) -> None:
    """Say where to look; a person and a test both read it."""
    shown = f"[{host}]" if ":" in host else host
    print(f"Grandstand is at http://{shown}:{port}", flush=True)  # noqa: T201
