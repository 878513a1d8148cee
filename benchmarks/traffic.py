"""Measure what one match sends to one viewer at its usual pace, for the arithmetic of docs/scale.md.

    python -m benchmarks.traffic --seconds 180

Each game has a server of its own with one match between its default players and one spectator. Batches are the
commits of the server; bytes are those of the frames after the snapshot, as they are and in the compressed messages that
the page receives, and of the file that an operator downloads, also if all of them are compressed at once.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import tempfile
from pathlib import Path

from websockets.asyncio.client import connect

from benchmarks.report import Cell, add_out, publish, table
from grandstand.spectator.framing import WEB_SOCKET_DEFLATED
from tests.support import http
from tests.support.live_server import live_server
from tests.support.server.metrics import samples

GAMES = ("cricket", "diplomacy")
COLUMNS = (
    "game",
    "events/s",
    "batches/s",
    "bytes/s to a spectator",
    "the same, as the page receives them",
    "bytes of an event",
    "the same, gzip",
    "bytes of an event in an operator's file",
    "the same, gzip",
)
SETTLED = 10.0
"""Seconds before the measurement: the match begins."""
BATCHES = "grandstand_commit_seconds_count[]"


async def received(url: str, seconds: float) -> list[bytes]:
    """Return the messages that a spectator receives in some seconds, without the snapshot."""
    messages: list[bytes] = []
    async with connect(url, max_size=None) as socket:
        await socket.recv()
        try:
            async with asyncio.timeout(seconds):
                async for message in socket:
                    messages.append(message.encode() if isinstance(message, str) else message)
        except TimeoutError:
            pass
    return messages


async def measure(game: str, folder: Path, seconds: float) -> list[Cell]:
    """Return the row of a game."""
    with live_server(folder) as server:
        episode = await asyncio.to_thread(server.start_match, game=game, seed=1)
        await asyncio.sleep(SETTLED)
        before = await asyncio.to_thread(samples, server)
        address = f"ws{server.url.removeprefix('http')}/api/episodes/{episode}/watch?lines=true"
        messages = await received(address, seconds)
        after = await asyncio.to_thread(samples, server)
        record = await asyncio.to_thread(http.get, f"{server.url}/api/episodes/{episode}/replay?as=operator")
    frames = b"\n".join(messages).splitlines()
    size, count = sum(map(len, frames)), len(frames)
    compressed = sum(len(WEB_SOCKET_DEFLATED.one(message, None)) for message in messages)
    batches = (after[BATCHES] - before[BATCHES]) / seconds
    shown = [size / seconds, compressed / seconds, size / count, len(gzip.compress(b"\n".join(messages))) / count]
    file = record.raise_for_status().content
    events = file.count(b"\n") - 1
    return [game, count / seconds, batches, *shown, len(file) / events, len(gzip.compress(file)) / events]


async def measure_all(folder: Path, seconds: float) -> list[list[Cell]]:
    """Return the rows of all games, measured at the same time."""
    return await asyncio.gather(*(measure(game, folder / game, seconds) for game in GAMES))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=180.0)
    add_out(parser)
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(measure_all(Path(folder), flags.seconds))
    publish(
        "The traffic of a match",
        f"{flags.seconds:g} s at the default pace",
        [table("Traffic", COLUMNS, rows)],
        flags.out,
    )


if __name__ == "__main__":
    main()
