"""The endpoint of a seat, with the real client: the choices of the moment are the tools that it lists."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.messages import MessageHandler
from fastmcp.client.transports import StreamableHttpTransport
from mcp import McpError
from mcp.types import ToolListChangedNotification

from tests.support.live_server import LiveServer

OWN = ["play", "legal", "leave_match"]


class Changes(MessageHandler):
    """The number of times that the server said that its tools have changed."""

    def __init__(self) -> None:
        self.count = 0

    async def on_tool_list_changed(self, message: ToolListChangedNotification) -> None:
        self.count += 1


def seated(server: LiveServer, changes: Changes | None = None, **words: Any) -> Client[Any]:
    """Return a client with the seat's token of a new match."""
    observation = server.post("/reset", {"seed": 1, **words}).raise_for_status().json()["observation"]
    token = observation["metadata"]["seat_token"]
    headers = {"authorization": f"Bearer {token}"}
    return Client(StreamableHttpTransport(server.url + "/mcp-server/seat", headers=headers), message_handler=changes)


async def said(client: Client[Any], tool: str, **arguments: Any) -> str:
    (content,) = (await client.call_tool(tool, arguments)).content
    assert content.type == "text"
    return content.text


@pytest.mark.long
def test_a_captain_plays_an_over_with_the_tools_that_it_is_offered(server: LiveServer) -> None:
    async def play() -> set[str]:
        changes = Changes()
        met: set[str] = set()
        words = {"game": "cricket", "seat": "home", "opponents": "random", "options": {"overs": 1}}
        async with seated(server, changes, **words) as client:
            text, count = "", -1
            while not text.startswith("The match is over"):
                if changes.count != count:
                    count = changes.count
                    tools = [tool for tool in await client.list_tools() if tool.name not in OWN]
                    met.update(tool.name for tool in tools)
                must = tools[0].name
                if must == "bowl_delivery":
                    assert "yorker" in tools[0].inputSchema["properties"]["length"]["enum"]
                    late = await said(client, "set_toss", decision="bat")
                    assert late.startswith("Refused: set_toss: is not among the tools that are offered now; there are ")
                    assert "bowl_delivery" in late.splitlines()[0]
                    odd = await said(client, must, length="doosra")
                    assert odd.startswith("Refused: length: 'doosra' is not possible")
                text = await said(client, must, **({"length": "yorker"} if must == "bowl_delivery" else {}))
                assert not text.startswith("Refused")
            assert count > 3
        return met

    assert asyncio.run(play()) >= {"bowl_delivery", "play_delivery", "choose_bowler", "analyze_situation"}


def test_a_power_orders_with_act(server: LiveServer) -> None:
    async def play() -> None:
        async with seated(server, game="diplomacy", seat="FRANCE", opponents="hold", max_turns=2) as client:
            assert [tool.name for tool in await client.list_tools()] == [*OWN, "act"]
            assert "F1901M" in await said(client, "act", A_PAR="A PAR - PIC")
            act = (await client.list_tools())[-1]
            assert "A_PIC" in act.inputSchema["properties"]
            again = await said(client, "act", A_PAR="A PAR - PIC", number=0)
            assert again.startswith("Decision 1:"), "a repeated call counts once"
            assert (await said(client, "act", A_PIC="- BEL", number=1)).startswith("The match is over")

    asyncio.run(play())


def test_without_a_seats_token_it_says_what_is_missing(server: LiveServer) -> None:
    async def play() -> None:
        async with Client(StreamableHttpTransport(server.url + "/mcp-server/seat")) as client:
            with pytest.raises(McpError, match="connect with the token of a seat"):
                await client.list_tools()

    asyncio.run(play())
