"""All that a viewpoint can read of an episode, for tests of what it must not know."""

from __future__ import annotations

import asyncio

import httpx2
from websockets.asyncio.client import connect

from tests.support.live_server import LiveServer
from tests.support.waiting import PATIENCE


def episode_pages(server: LiveServer, episode: str, viewpoint: str) -> dict[str, str]:
    """Return what a viewpoint reads of a finished match, by the way it is read."""
    address = f"{server.url}/api/episodes/{episode}"
    pages = {"socket": asyncio.run(_watched(address.replace("http", "ws", 1), viewpoint))}
    for page in ("events", "replay", "snapshot"):
        answer = httpx2.get(f"{address}/{page}?as={viewpoint}", timeout=PATIENCE, verify=False)
        pages[page] = answer.raise_for_status().text
    return pages


async def _watched(address: str, viewpoint: str) -> str:
    received = ""
    async with connect(f"{address}/watch?as={viewpoint}", max_size=None) as socket:
        while "EpisodeEnded" not in received:
            received += str(await asyncio.wait_for(socket.recv(), PATIENCE))
    return received
