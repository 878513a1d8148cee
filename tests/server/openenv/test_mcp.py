"""The standard MCP endpoint, with the real client: a match from start to end, by a key and nothing else."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError

from grandstand.games.catalog import GAMES
from tests.support.live_server import LiveServer
from tests.support.server.mcp_keys import key_in
from tests.support.server.tokens import TOKEN


def mcp(server: LiveServer, **headers: str) -> Client[Any]:
    return Client(StreamableHttpTransport(server.url + "/mcp-server", headers=headers))


async def call_text(client: Client[Any], tool: str, **words: Any) -> str:
    """Return the answer of a tool, which is one text and nothing else."""
    result = await client.call_tool(tool, words)
    assert result.structured_content is None
    (content,) = result.content
    assert content.type == "text"
    return content.text


def test_a_client_plays_a_match_to_its_end(server: LiveServer) -> None:
    async def play() -> None:
        async with mcp(server) as client:
            names = {tool.name for tool in await client.list_tools()}
            assert names == {"list_games", "start_match", "play", "legal", "leave_match"}
            games = (await client.call_tool("list_games", {})).data
            assert {game["game"] for game in games} == set(GAMES)
            words = {"seat": "FRANCE", "opponents": "hold", "max_turns": 2, "seed": 1}
            answer = await call_text(client, "start_match", **words)
            key = key_in(answer)
            assert "Give your orders as" in answer
            assert "F BRE" in json.loads(await call_text(client, "legal", key=key))["orders"]
            refused = await call_text(client, "play", key=key, action={"orders": ["A PAR - MOS"]})
            assert refused.startswith("Refused: orders[0]: ")
            assert "Give your orders as" not in refused
        async with mcp(server) as client:  # another connection, another process for all it knows
            assert "F1901M" in await call_text(client, "play", key=key, reply='{"orders": ["A PAR - PIC"]}')
            again = await call_text(client, "play", key=key, number=0, reply='{"orders": ["A PAR - PIC"]}')
            assert again.startswith("Decision 1:"), "a repeated call counts once"
            over = await call_text(client, "play", key=key, number=1, action={"orders": []})
            assert over.startswith("The match is over: after 2 turns. Your score is 0.")
            with pytest.raises(ToolError, match="has ended"):
                await client.call_tool("play", {"key": key})

    asyncio.run(play())


def test_what_cannot_be_is_named(server: LiveServer) -> None:
    async def play() -> None:
        async with mcp(server) as client:
            for tool, words, named in [
                ("start_match", {"seat": "SPAIN"}, "seat: diplomacy has no seat"),
                ("start_match", {"options": {"overs": 3}}, "options.overs"),
                ("play", {"key": "x"}, "key: must be the key"),
                ("play", {"key": "a/b/c"}, "nor that of a seat of a match in the record"),
            ]:
                with pytest.raises(ToolError, match=f"^{named}" if ":" in named else named):
                    await client.call_tool(tool, words)

    asyncio.run(play())
    assert "Traceback" not in server.log.read_text(), "a refusal is no bug of ours"


def test_a_turn_of_cricket_says_nothing_twice(server: LiveServer) -> None:
    """Whole answers, characters on the wire: the prompt of the moment, and hardly more."""

    async def play() -> list[int]:
        sizes = []
        async with mcp(server) as client:
            words = {"game": "cricket", "seat": "home", "opponents": "random", "options": {"overs": 1}, "seed": 1}
            key = key_in(await call_text(client, "start_match", **words))
            while True:
                must = json.loads(await call_text(client, "legal", key=key))["must"]
                call = {"reply": json.dumps({"calls": [{"tool": must, "arguments": {}}]})}
                result = await client.call_tool_mcp("play", {"key": key, **call})
                sizes.append(len(result.model_dump_json()))
                (content,) = result.content
                assert content.type == "text"
                text = content.text
                assert not text.startswith("Refused")
                if text.startswith("The match is over"):
                    return sizes
                lines = [line for line in text.splitlines() if len(line) > 30]
                assert len(lines) == len(set(lines))

    sizes = asyncio.run(play())
    assert len(sizes) > 6
    assert sum(sizes) / len(sizes) < 3500


def test_a_foreign_page_cannot_call_through_the_browser_of_somebody_here(server: LiveServer) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = "application/json, text/event-stream"
    for headers in ({"host": "evil.example:8000"}, {"origin": "http://evil.example"}):
        for path in ("/mcp-server", "/mcp"):
            answer = server.post(path, call, accept=accept, **headers)
            assert (answer.status_code, answer.json()["detail"].partition(":")[0]) == (403, "Host")
    assert server.post("/mcp-server", call, accept=accept).json()["result"]["tools"]


def test_a_seat_that_is_given_up_ends_its_match(server: LiveServer) -> None:
    async def play() -> str:
        async with mcp(server) as client:
            key = key_in(await call_text(client, "start_match", opponents="hold"))
            await client.call_tool("leave_match", {"key": key})
            return key.partition("/")[0]

    server.wait_for(asyncio.run(play()), status="stopped")


@pytest.mark.long
def test_who_calls_is_known_by_the_token(small: LiveServer) -> None:
    async def play(**headers: str) -> str:
        async with mcp(small, **headers) as client:
            key = key_in(await call_text(client, "start_match", opponents={"ITALY": "person"}))
            await client.call_tool("leave_match", {"key": key})
            return key.partition("/")[0]

    with pytest.raises(ToolError, match="built-in players only"):
        asyncio.run(play())
    assert asyncio.run(play(authorization=f"Bearer {TOKEN}")).startswith("diplomacy-")
