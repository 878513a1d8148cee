"""Accepts connections, never more at a time than this process has file descriptors for."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import resource
import socket
import time
from collections.abc import Callable, Sized

log = logging.getLogger(__name__)

ROUND = 16
"""Connections that are accepted in one turn of the event loop."""

BACKLOG = 512
"""Connections that the kernel keeps until they are accepted."""

RETRY = 0.1
"""Seconds between two checks whether connections can be accepted again."""

REPEAT = 60.0
"""Seconds after which the same warning is logged again."""

SPARE = 256
"""File descriptors that are kept for files and model endpoints; with a low limit, a quarter of it."""


def raise_file_limit() -> int | None:
    """Raise the soft limit of open files to the hard one; return the new limit, or None if there is none."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with contextlib.suppress(OSError, ValueError):  # some systems refuse their own hard limit
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if soft == resource.RLIM_INFINITY else soft


def connection_limit(files: int | None) -> int | None:
    """Return how many connections may be open with at most `files` open files; None is no limit."""
    if files is None:
        return None
    try:
        used = len(os.listdir("/dev/fd"))
    except OSError:
        used = 32
    return max(8, files - used - min(SPARE, files // 4))


class Acceptor:
    """Accepts connections of one listening socket, in place of asyncio's own server.

    asyncio's accept loop tries again at once when descriptors have run out, and logs each try. This one leaves the
    listener alone until descriptors are free again: new connections wait in the kernel meanwhile.
    """

    def __init__(
        self,
        listener: socket.socket,
        protocol: Callable[[], asyncio.Protocol],
        connections: Sized,
        limit: int | None,
    ) -> None:
        """Begin to accept. `connections` are the open ones, at most `limit`."""
        self._listener = listener
        self._protocol = protocol
        self._connections = connections
        self._limit = limit
        self._opening: set[asyncio.Task[tuple[asyncio.Transport, asyncio.Protocol]]] = set()
        self._loop = asyncio.get_running_loop()
        self._retry: asyncio.TimerHandle | None = None
        self._logged_at = -REPEAT
        listener.setblocking(False)
        self._loop.add_reader(listener, self._accept)

    def close(self) -> None:
        """Accept no more."""
        if self._retry is not None:
            self._retry.cancel()
        self._loop.remove_reader(self._listener)

    async def wait_closed(self) -> None:
        """Wait until the last accepted connection has its protocol."""
        await asyncio.gather(*self._opening, return_exceptions=True)

    @property
    def _full(self) -> bool:
        return self._limit is not None and len(self._connections) + len(self._opening) >= self._limit

    def _accept(self) -> None:
        for _ in range(ROUND):
            if self._full:
                self._pause(f"{self._limit} connections are open, as many as the limit of open files allows")
                return
            try:
                connection, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._pause(f"no connection can be accepted: {error.strerror}")
                return
            connection.setblocking(False)
            task = self._loop.create_task(self._loop.connect_accepted_socket(self._protocol, connection))
            self._opening.add(task)
            task.add_done_callback(self._opened)

    def _opened(self, task: asyncio.Task[tuple[asyncio.Transport, asyncio.Protocol]]) -> None:
        self._opening.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.info("a connection failed as it was accepted: %s", error)

    def _pause(self, why: str) -> None:
        self._loop.remove_reader(self._listener)
        self._retry = self._loop.call_later(RETRY, self._resume)
        now = time.monotonic()
        if now - self._logged_at >= REPEAT:
            self._logged_at = now
            log.warning("%s; new ones wait. Raise the limit: `ulimit -n`, or LimitNOFILE of a systemd unit.", why)

    def _resume(self) -> None:
        self._retry = None
        if self._full:
            self._retry = self._loop.call_later(RETRY, self._resume)
        else:
            self._loop.add_reader(self._listener, self._accept)
