"""A server where visitors sign in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.support.live_server import LiveServer, live_server
from tests.support.players.chat_server import ChatServer
from tests.support.server.openid_server import OpenIdServer
from tests.support.server.own_models import TOKEN


@contextmanager
def serving(data: Path, endpoint: ChatServer, provider: OpenIdServer, *flags: str, **more: Any) -> Iterator[LiveServer]:
    env: Any = {
        "constants": {"grandstand.server.sign_in.ENDPOINT": endpoint.url},
        "GRANDSTAND_OPERATOR_TOKEN": TOKEN,
        "GRANDSTAND_VISITOR_KEYS": "true",
        "GRANDSTAND_VISITOR_ENDPOINTS": f"other={endpoint.url}/other",
        "GRANDSTAND_VISITOR_PACE": "0",
        **provider.environment,
        **more,
    }
    with live_server(data, "--log-level", "debug", *flags, **env) as server:
        yield server
