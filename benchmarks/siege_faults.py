"""What a siege does to the servers: faults of processes, disk, clocks and providers, and floods of requests."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from random import Random

import httpx2

from benchmarks.siege_cluster import Cluster, Node
from benchmarks.siege_viewers import Match
from tests.support.live_server import LiveServer
from tests.support.players import chat_server, models
from tests.support.server.cluster import OPERATOR

SHIFTS = (-86_400.0, -3_600.0, -30.0, 30.0, 3_600.0, 86_400.0)
"""Seconds by which a clock jumps."""

READS = (
    "/api/episodes", "/api/games", "/api/players", "/api/health", "/api/episodes/{}", "/api/episodes/{}/events",
    "/api/episodes/{}/snapshot", "/api/episodes/{}/replay", "/api/episodes/{}/card", "/episode/{}",
)  # fmt: skip
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
PING = b"\x89\x80\0\0\0\0"
UNMASKED = b"\x81\x05hello"
ENDLESS = b"\x81\xff" + (2**62).to_bytes(8, "big") + b"\0\0\0\0"

AT_ONCE = 50
"""Requests of a legal flood at the same time."""


@dataclass
class Siege:
    """The cluster under siege, its matches, and the draws of one fault."""

    cluster: Cluster
    matches: Sequence[Match]
    rng: Random

    @property
    def node(self) -> Node:
        return self.rng.choice(self.cluster.nodes)

    @property
    def episode(self) -> str:
        return self.rng.choice(self.matches).episode if self.matches else "none"


Fault = Callable[[Siege], Awaitable[None]]


async def server_killed(siege: Siege) -> None:
    """SIGKILL; it is started again after some seconds."""
    await _ended(siege, LiveServer.kill)


async def server_stopped(siege: Siege) -> None:
    """SIGTERM; it is started again when it has ended."""
    await _ended(siege, LiveServer.stop)


async def _ended(siege: Siege, end: Callable[[LiveServer], object]) -> None:
    node, seconds = siege.node, siege.rng.uniform(0.0, 4.0)
    async with node.lock:
        if node.server is not None:
            await asyncio.to_thread(end, node.server)
        node.server = None
        await asyncio.sleep(seconds)
        await asyncio.to_thread(node.up)


async def server_frozen(siege: Siege) -> None:
    """SIGSTOP for less or more than a lease, then SIGCONT."""
    node, seconds = siege.node, siege.rng.uniform(1.0, 10.0)
    async with node.lock:
        if node.server is not None:
            node.server.process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(seconds)
            node.server.process.send_signal(signal.SIGCONT)


async def service_killed(name: str, most: float, siege: Siege) -> None:
    """SIGKILL of all its processes; it is started again within `most` seconds."""
    async with siege.cluster.locks[name]:
        service = siege.cluster.service(name)
        service.kill()
        await asyncio.sleep(siege.rng.uniform(0.2, most))
        await asyncio.to_thread(service.start)


async def service_frozen(name: str, most: float, siege: Siege) -> None:
    """SIGSTOP of all its processes, then SIGCONT within `most` seconds."""
    async with siege.cluster.locks[name]:
        service = siege.cluster.service(name)
        service.signal(signal.SIGSTOP)
        await asyncio.sleep(siege.rng.uniform(0.5, most))
        service.signal(signal.SIGCONT)


async def redis_emptied(siege: Siege) -> None:
    """FLUSHALL."""
    async with siege.cluster.locks["redis"]:
        await asyncio.to_thread(siege.cluster.redis.client.flushall)


async def disk_full(siege: Siege) -> None:
    """No space is left for PostgreSQL and for the servers' folders."""
    cluster = siege.cluster
    if cluster.disk is None:
        return
    async with cluster.locks["postgres"]:
        await asyncio.to_thread(cluster.disk.fill)
        await asyncio.sleep(siege.rng.uniform(2.0, 6.0))
        cluster.disk.make_room()
        if cluster.postgres.ended():  # it ends if it cannot recover from a log that it could not write
            await asyncio.to_thread(cluster.postgres.start)


async def clock_jumps(siege: Siege) -> None:
    """Let the wall clock of one server jump, and jump back."""
    node = siege.node
    if node.clock is None:
        return
    async with siege.cluster.locks[f"clock of {node.name}"]:
        node.clock.shift(siege.rng.choice(SHIFTS))
        await asyncio.sleep(siege.rng.uniform(2.0, 10.0))
        node.clock.shift(0.0)


async def provider_fails(siege: Siege) -> None:
    """Let the provider of models hang, drip, flood, break off or answer nonsense."""
    async with siege.cluster.locks["model"]:
        siege.cluster.model.answer = chat_server.FAULTS[siege.rng.choice(sorted(chat_server.FAULTS))]
        await asyncio.sleep(siege.rng.uniform(3.0, 10.0))
        siege.cluster.model.answer = chat_server.says(models.HOLD)


async def garbage(siege: Siege) -> None:
    """Open connections that send no HTTP."""
    await _raw(siege, 100, lambda rng: rng.randbytes(rng.randrange(1, 3000)))


async def half_requests(siege: Siege) -> None:
    """Open connections that begin a request and go on no more."""
    await _raw(
        siege,
        200,
        lambda rng: b"POST /api/episodes HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{"[: rng.randrange(70)],
    )


async def bad_frames(siege: Siege) -> None:
    """Open WebSockets with floods of pings, frames that are not masked, and frames without end."""
    path = f"/api/episodes/{siege.episode}/watch"
    frames = (PING * 20_000, UNMASKED * 10, ENDLESS + bytes(100_000), b"\x8b" * 100)
    await _raw(siege, 30, lambda rng: HANDSHAKE.format(path=path).encode() + rng.choice(frames))


async def large_bodies(siege: Siege) -> None:
    """Send bodies far beyond the limit, and nested a thousand times."""
    head = "POST /api/episodes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n"
    bodies = (b"x" * 20_000_000, b"[" * 100_000, b'{"a":' * 10_000)
    whole = [head.format(len(body)).encode() + body for body in bodies]
    await _raw(siege, 8, lambda rng: rng.choice(whole))


async def slow_readers(siege: Siege) -> None:
    """Ask for everything and read nothing."""
    asked = [
        f"GET /api/episodes/{siege.episode}/{what} HTTP/1.1\r\nHost: x\r\n\r\n" * 20 for what in ("replay", "stream")
    ]
    path = f"/api/episodes/{siege.episode}/watch?after=1.0"
    texts = [*asked, HANDSHAKE.format(path=path)]
    await _raw(siege, 60, lambda rng: rng.choice(texts).encode(), reads=False)


async def _raw(siege: Siege, count: int, said: Callable[[Random], bytes], *, reads: bool = True) -> None:
    """Open connections to a server at once, send bytes, and hold them for some seconds."""
    if not (addresses := siege.cluster.addresses()):
        return
    (host, port), seconds = siege.rng.choice(addresses), siege.rng.uniform(3.0, 12.0)

    async def one(data: bytes) -> None:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(seconds):
                reader, writer = await asyncio.open_connection(host, port, limit=4096)
                try:
                    writer.write(data)
                    while reads and await reader.read(65536):
                        pass
                    await asyncio.sleep(seconds)
                finally:
                    writer.transport.abort()

    await asyncio.gather(*(one(said(siege.rng)) for _ in range(count)))


async def reads(siege: Siege) -> None:
    """Let many visitors read all that there is."""
    paths = [siege.rng.choice(READS).format(siege.episode) for _ in range(300)]
    await _requests(siege, [("GET", path, None) for path in paths])


async def starts(siege: Siege) -> None:
    """Start many short matches, some of games that do not exist."""
    games = ("cricket", "diplomacy", "chess", "no-such-game")
    bodies = [{"game": siege.rng.choice(games), "turns": 6, "pace": 0.2} for _ in range(40)]
    await _requests(siege, [("POST", "/api/episodes", body) for body in bodies], OPERATOR)


async def _requests(
    siege: Siege, wanted: Sequence[tuple[str, str, object]], rights: Mapping[str, str] | None = None
) -> None:
    """Send requests of many visitors to all servers, and count the answers."""
    if not (addresses := siege.cluster.addresses()):
        return
    turn = asyncio.Semaphore(AT_ONCE)
    async with httpx2.AsyncClient(timeout=20.0, verify=False) as client:

        async def one(number: int, method: str, path: str, body: object) -> None:
            host, port = addresses[number % len(addresses)]
            headers = {"X-Forwarded-For": f"203.0.113.{number % 250}", **(rights or {})}
            async with turn:
                with suppress(httpx2.HTTPError):
                    answer = await client.request(method, f"http://{host}:{port}{path}", json=body, headers=headers)
                    siege.cluster.answers[answer.status_code] += 1

        await asyncio.gather(*(one(number, *each) for number, each in enumerate(wanted)))


FAULTS: Mapping[str, tuple[Fault, int]] = {
    "a server is killed": (server_killed, 3),
    "a server is frozen": (server_frozen, 3),
    "a server is stopped": (server_stopped, 2),
    "Redis is killed": (partial(service_killed, "redis", 4.0), 2),
    "Redis is frozen": (partial(service_frozen, "redis", 6.0), 2),
    "Redis is emptied": (redis_emptied, 1),
    "PostgreSQL is killed": (partial(service_killed, "postgres", 3.0), 2),
    "PostgreSQL is frozen": (partial(service_frozen, "postgres", 5.0), 2),
    "the disk is full": (disk_full, 2),
    "a clock jumps": (clock_jumps, 3),
    "the provider of models fails": (provider_fails, 3),
    "garbage": (garbage, 1),
    "half requests": (half_requests, 1),
    "bad frames": (bad_frames, 1),
    "large bodies": (large_bodies, 1),
    "slow readers": (slow_readers, 1),
    "legal reads": (reads, 2),
    "legal starts": (starts, 1),
}
"""Each fault with its weight in the draw."""

ENDING = ("a server is killed", "a server is stopped")
"""Faults after which a server is another process, whose resources begin anew."""
