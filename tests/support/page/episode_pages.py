"""Everything that a viewpoint can read of an episode, to test that it reads no secret."""

from __future__ import annotations

import asyncio

import httpx2
from websockets.asyncio.client import connect

from tests.support.live_server import LiveServer
from tests.support.waiting import PATIENCE


def episode_pages(server: LiveServer, episode: str, viewpoint: str) -> dict[str, str]:
    """Return the text that a viewpoint can read of a finished match, by the name of the page."""
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
