"""Uvicorn's HTTP protocol, with a bound on how long a request may take to arrive."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

IGNORED = 1024 * 1024
"""Bytes that are still read of a request that was answered already, so that its sender receives the answer."""

TIMED_OUT = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"

REQUEST_TIMEOUT = 30.0
"""Seconds within which a request must be complete: a silent connection takes the place of another client."""


class HttpProtocol(H11Protocol):
    """Cuts a connection whose request, head and body, is not complete within `REQUEST_TIMEOUT` seconds."""

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        super().__init__(config=config, server_state=server_state, app_state=app_state)
        self._deadline: asyncio.TimerHandle | None = None
        self._ignored = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is not self:  # the connection is a WebSocket now
            self._stop()
        elif self._arriving():
            self._start()
            self._ignore(len(data))
        else:
            self._stop()
            self._ignored = 0

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._arriving():  # a part of the next request has arrived
            self._start()

    def _arriving(self) -> bool:
        """Return whether a part of a request has arrived."""
        if self.conn.their_state is h11.IDLE:
            return bool(self.conn.trailing_data[0])
        return self.conn.their_state is h11.SEND_BODY

    def _start(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(REQUEST_TIMEOUT, self._time_out)

    def _stop(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _time_out(self) -> None:
        self._deadline = None
        in_body = self.conn.their_state is h11.SEND_BODY
        if self._arriving() and not (in_body and self.cycle.response_started):
            self.transport.write(TIMED_OUT)
        self._give_up()

    def _ignore(self, size: int) -> None:
        """Count the bytes of a request that was answered already, and close the connection if there are too many."""
        if self.cycle is not None and self.cycle.response_complete and self.conn.their_state is h11.SEND_BODY:
            self._ignored += size
            if self._ignored > IGNORED:
                self._give_up()

    def _give_up(self) -> None:
        """Close the connection. An endpoint that still reads the body sees that its client has disconnected."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()
