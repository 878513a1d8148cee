"""The network between the viewers and the servers of a siege: its connections are cut, fall silent and stall."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from random import Random

RESET = struct.pack("ii", 1, 0)
"""SO_LINGER with which a connection is closed by RST."""

CUTS = ("end", "reset", "reset for the server", "silence", "stall")
"""What happens to a connection: FIN or RST to both sides; RST to the server alone, the viewer hears nothing; both hear
nothing (half-open, as after a power loss); or nothing comes for some seconds, as if the viewer read nothing."""
SHARES = (540, 440, 8, 4, 8)

Address = tuple[str, int]


class Link:
    """One connection of a viewer to a server."""

    def __init__(self, viewer: asyncio.StreamWriter, server: asyncio.StreamWriter) -> None:
        self._viewer = viewer
        self._server = server
        self._flow = asyncio.Event()
        self._flow.set()
        self._silent = False
        self.stream = False
        """Whether it is a WebSocket that has begun, and that nothing has happened to."""

    async def pipe(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        """Pass on what comes from one side, until it ends."""
        with suppress(OSError):
            while data := await source.read(65536):
                await self._flow.wait()
                if not self._silent:
                    sink.write(data)
                    await sink.drain()
                self.stream = self.stream or data.startswith(b"HTTP/1.1 101")
        self.stream = False
        if not self._silent:
            sink.close()

    def cut(self, how: str, seconds: float) -> None:
        """Let `how`, one of CUTS, happen; a stall lasts `seconds`."""
        self.stream = False
        match how:
            case "end":
                self._viewer.close()
                self._server.close()
            case "reset":
                _reset(self._viewer)
                _reset(self._server)
            case "reset for the server":
                self._silent = True
                _reset(self._server)
            case "silence":
                self._silent = True
            case _:
                self._flow.clear()
                asyncio.get_running_loop().call_later(seconds, self._flow.set)

    def heal(self) -> None:
        """Close it if it is silent, and let it go on if it stalls."""
        self._flow.set()
        if self._silent:
            self.close()

    def close(self) -> None:
        """Cut both sides."""
        self._flow.set()
        for side in (self._viewer, self._server):
            side.transport.abort()


def _reset(side: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        side.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
    side.transport.abort()


class Network:
    """Forwards the connections of a port to servers, each to one that takes it."""

    def __init__(self, servers: Callable[[], Sequence[Address]], rng: Random) -> None:
        """`servers` returns the addresses of those that are up."""
        self._servers = servers
        self._rng = rng
        self._links: set[Link] = set()
        self._piping: set[asyncio.Task[None]] = set()
        self.counts: Counter[str] = Counter()
        self.url = ""

    async def begin(self) -> None:
        self._listener = await asyncio.start_server(self._connected, "127.0.0.1", 0, backlog=1024)
        self.url = "http://{}:{}".format(*self._listener.sockets[0].getsockname())

    async def close(self) -> None:
        self._listener.close()
        for link in list(self._links):
            link.close()
        await asyncio.gather(*self._piping, return_exceptions=True)

    def cut_some(self) -> None:
        """Let something happen to one of the streams, if there is one."""
        streams = sorted((link for link in self._links if link.stream), key=id)
        if streams:
            (how,) = self._rng.choices(CUTS, SHARES)
            self.counts[how] += 1
            self._rng.choice(streams).cut(how, self._rng.uniform(5.0, 50.0))

    def heal(self) -> None:
        """Close what is silent, and let go on what stalls."""
        for link in list(self._links):
            link.heal()

    @property
    def disconnects(self) -> int:
        """Return the number of streams that were lost."""
        return self.counts.total() - self.counts["stall"]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._piping.add(task)
        task.add_done_callback(self._piping.discard)
        servers = list(self._servers())
        self._rng.shuffle(servers)
        for host, port in servers:
            try:
                answers, server = await asyncio.wait_for(asyncio.open_connection(host, port), 2.0)
                break
            except (OSError, TimeoutError):
                continue
        else:
            writer.transport.abort()
            return
        link = Link(writer, server)
        self._links.add(link)
        try:
            await asyncio.gather(link.pipe(reader, server), link.pipe(answers, writer))
        finally:
            self._links.discard(link)
            link.close()
