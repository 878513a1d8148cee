"""Who a session belongs to. OpenEnv tells its environments nothing of that, so it is noted before OpenEnv comes."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from grandstand.server.auth import SPECTATOR, Grant


class Line(Protocol):
    """A connection that lasts."""

    gone: asyncio.Event
    """Set when nobody is at the other end any more."""

    def disconnect(self) -> None:
        """Close it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What sessions may take."""

    sessions: int
    """At the same time."""
    each: int
    """Of them, for one address that is not an operator's."""
    idle: float
    """Seconds without a message after which a session is closed."""
    unused: float
    """Seconds after which a session is closed that has not reset or joined a match."""


@dataclass(frozen=True, slots=True)
class Connection:
    """Who is asking, and from where."""

    grant: Grant = SPECTATOR
    host: str = ""
    socket: Line | None = None
    """None where each request comes by itself."""


NOBODY = Connection()
CONNECTION: ContextVar[Connection] = ContextVar("connection", default=NOBODY)
"""Set for each request and each socket."""
