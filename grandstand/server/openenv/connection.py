"""The owner of a session. OpenEnv does not pass it to environments, so it is set before OpenEnv is called."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from grandstand.server.auth import SPECTATOR, Grant


class SessionSocket(Protocol):
    """A socket that a session lives on."""

    gone: asyncio.Event
    """Set when the client is gone."""

    def disconnect(self) -> None:
        """Close it."""


@dataclass(frozen=True, slots=True)
class Connection:
    """The caller of a session: its grant and its visitor."""

    grant: Grant = SPECTATOR
    visitor: str = "unknown"
    socket: SessionSocket | None = None
    """None if each request stands alone."""


NOBODY = Connection()
CONNECTION: ContextVar[Connection] = ContextVar("connection", default=NOBODY)
"""Set for each request and each socket."""
