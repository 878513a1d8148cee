"""The standard MCP endpoint, with the real client: a match from start to end, by a key and nothing else."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError

from tests.openenv.conftest import TOKEN
from tests.support.live_server import LiveServer


def mcp(server: LiveServer, **headers: str) -> Client[Any]:
    return Client(StreamableHttpTransport(server.url + "/mcp-server", headers=headers))


def test_a_client_plays_a_match_to_its_end(server: LiveServer) -> None:
    async def play() -> None:
        async with mcp(server) as client:
            names = {tool.name for tool in await client.list_tools()}
            assert names == {"list_games", "start_match", "play", "leave_match"}
            games = (await client.call_tool("list_games", {})).data
            assert {game["game"] for game in games} == {"cricket", "diplomacy"}
            words = {"seat": "FRANCE", "opponents": "hold", "max_turns": 2, "seed": 1}
            seen = (await client.call_tool("start_match", words)).data
            key = seen["key"]
            assert seen["status"] == "choose"
            assert "FRANCE" in seen["text"]
            seen = (await client.call_tool("play", {"key": key, "action": {"orders": ["A PAR - MOS"]}})).data
            assert seen["error_field"] == "orders[0]"
        async with mcp(server) as client:  # another connection, another process for all it knows
            seen = (await client.call_tool("play", {"key": key, "reply": '{"orders": ["A PAR - PIC"]}'})).data
            assert seen["index"] == 1
            seen = (await client.call_tool("play", {"key": key, "action": {"orders": []}})).data
            assert seen["done"]
            assert seen["reward"] > 0
            with pytest.raises(ToolError, match="is stopped"):
                await client.call_tool("play", {"key": key})

    asyncio.run(play())


def test_what_cannot_be_is_named(server: LiveServer) -> None:
    async def play() -> None:
        async with mcp(server) as client:
            for tool, words, named in [
                ("start_match", {"seat": "SPAIN"}, "seat: diplomacy has no seat"),
                ("start_match", {"options": {"overs": 3}}, "options.overs"),
                ("play", {"key": "x"}, "key: must be the key"),
                ("play", {"key": "a/b/c"}, "no episode 'a'"),
            ]:
                with pytest.raises(ToolError, match=named):
                    await client.call_tool(tool, words)

    asyncio.run(play())


def test_a_seat_that_is_given_up_ends_its_match(server: LiveServer) -> None:
    async def play() -> str:
        async with mcp(server) as client:
            seen = (await client.call_tool("start_match", {"opponents": "hold"})).data
            await client.call_tool("leave_match", {"key": seen["key"]})
            return str(seen["match_id"])

    server.wait_for(asyncio.run(play()), status="stopped")


def test_who_calls_is_known_by_the_token(small: LiveServer) -> None:
    async def play(**headers: str) -> str:
        async with mcp(small, **headers) as client:
            seen = (await client.call_tool("start_match", {"opponents": {"ITALY": "person"}})).data
            await client.call_tool("leave_match", {"key": seen["key"]})
            return str(seen["match_id"])

    with pytest.raises(ToolError, match="built-in players only"):
        asyncio.run(play())
    assert asyncio.run(play(authorization=f"Bearer {TOKEN}")).startswith("diplomacy-")
