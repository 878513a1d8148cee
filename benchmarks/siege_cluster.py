"""What a siege attacks: two servers of one record, their PostgreSQL, Redis and disk, and a provider of models."""

from __future__ import annotations

import asyncio
import shutil
import struct
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx2

from benchmarks.siege_network import Address
from tests.support.live_server import LiveServer
from tests.support.players.chat_server import ChatServer, says
from tests.support.players.models import HOLD, roster
from tests.support.requirements import MissingRequirementError
from tests.support.server.cluster import OPERATOR, Servers
from tests.support.server.disk import SmallDisk, small_disk
from tests.support.server.metrics import samples
from tests.support.server.postgres import Postgres, postgres_server
from tests.support.server.redis import RedisServer, redis_server

DISK = "400m"
"""Size of the disk of PostgreSQL and of the servers' folders."""

FLAGS = ("--slots", "6", "--queue", "200", "--pace", "0.3")
ATTEMPTS = 20
"""Starts of a server that may fail, a second apart, as a supervisor tries again."""


class Clock:
    """The wall clock of one server."""

    def __init__(self, library: Path, file: Path) -> None:
        self._file = file
        self.shift(0.0)
        self.within = ("env", f"LD_PRELOAD={library}", f"CLOCK_SHIFT={file}")
        """The command before that of the server."""

    def shift(self, seconds: float) -> None:
        """Let the clock be wrong by some seconds."""
        with self._file.open("r+b" if self._file.exists() else "wb") as file:
            file.write(struct.pack("d", seconds))


@dataclass(frozen=True)
class Usage:
    """The resources of a server: bytes of memory, open files with sockets, and tasks of its event loop."""

    memory: float
    files: float
    tasks: float
    viewers: float


@dataclass
class Node:
    """One of the servers. A supervisor starts it again whenever it has ended."""

    name: str
    start: Callable[[], LiveServer]
    clock: Clock | None
    server: LiveServer | None = None
    since: float = 0.0
    usage: list[Usage] = field(default_factory=list)
    """Samples of the present process."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while something is done to its process."""

    def up(self) -> None:
        """Start it."""
        for attempt in range(ATTEMPTS):
            try:
                self.server, self.usage, self.since = self.start(), [], time.monotonic()
                return
            except AssertionError:
                if attempt == ATTEMPTS - 1:
                    raise
                time.sleep(1.0)

    def measure(self) -> None:
        """Add a sample of its resources."""
        if self.server is not None:
            values = samples(self.server, headers=OPERATOR, timeout=5.0)
            names = ("process_resident_memory_bytes", "process_open_fds", "grandstand_tasks", "grandstand_viewers")
            self.usage.append(Usage(*(values[f"{name}[]"] for name in names)))


@dataclass
class Cluster:
    """All that is attacked."""

    url: str
    """URL of the record."""
    nodes: Sequence[Node]
    postgres: Postgres
    redis: RedisServer
    disk: SmallDisk | None
    model: ChatServer
    missing: Sequence[str]
    """What this machine does not allow, in sentences."""
    locks: dict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    """One for each thing that only one fault acts on at a time."""
    answers: Counter[int] = field(default_factory=Counter)
    """Status codes that floods were answered with."""
    deaths: int = 0
    """Servers that ended by themselves."""

    def service(self, name: str) -> Postgres | RedisServer:
        """Return the service called `postgres` or `redis`."""
        services: Mapping[str, Postgres | RedisServer] = {"postgres": self.postgres, "redis": self.redis}
        return services[name]

    def addresses(self) -> list[Address]:
        """Return where the servers listen that have a process."""
        parts = [urlsplit(node.server.url) for node in self.nodes if node.server is not None]
        return [(part.hostname or "", part.port or 0) for part in parts]

    async def supervise(self) -> None:
        """Start each server again that ended by itself, and measure all of them, for ever."""
        while True:
            for node in self.nodes:
                async with node.lock:
                    if node.server is None or node.server.process.poll() is not None:
                        self.deaths += 1
                        await asyncio.to_thread(node.up)
                await self.measure(node)
            await asyncio.sleep(2.0)

    async def measure(self, node: Node) -> None:
        """Measure a server, unless it does not answer now."""
        with suppress(httpx2.HTTPError):
            await asyncio.to_thread(node.measure)


@contextmanager
def besieged(folder: Path) -> Iterator[Cluster]:
    """Run the cluster for the block."""
    folder.chmod(0o755)  # PostgreSQL has a user of its own
    with ExitStack() as stack:
        missing: list[str] = []
        try:
            disk = stack.enter_context(small_disk(folder / "disk", DISK))
        except MissingRequirementError:
            disk = None
            missing.append("No file system could be mounted, so that no disk was full.")
        library = _clock_library(folder)
        if library is None:
            missing.append("There is no C compiler, so that no clock jumped.")
        postgres = stack.enter_context(postgres_server(disk.folder if disk else None))
        redis = stack.enter_context(redis_server())
        model = stack.enter_context(ChatServer(says(HOLD)))
        names = roster(folder, model, "model", impatient=("model",))
        servers = Servers(disk.folder if disk else folder, postgres.database(), stack)
        flags = (*FLAGS, "--bus", redis.url, "--roster", str(names))

        def node(name: str) -> Node:
            clock = None if library is None else Clock(library, folder / f"{name}.clock")
            within = clock.within if clock else ()
            return Node(name, lambda: servers.start("all", *flags, name=name, within=within), clock)

        nodes = [node(name) for name in ("one", "two")]
        for each in nodes:
            each.up()
        yield Cluster(servers.url, nodes, postgres, redis, disk, model, missing)


def _clock_library(folder: Path) -> Path | None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    library = folder / "clock.so"
    source = Path(__file__).with_name("siege_clock.c")
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library
