"""Sessions of OpenEnv and of MCP clients where the record is in PostgreSQL: none reads or commits on the event loop."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
import uvicorn
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError
from mcp import McpError
from websockets.asyncio.client import connect

from grandstand.events import SeatOpened
from grandstand.models import Draft
from grandstand.server.auth import digest
from grandstand.server.main import create_app
from grandstand.server.parts import ServerParts
from grandstand.server.settings import Settings
from grandstand.server.transport.sockets import Server, server_socket, uvicorn_options
from tests.support.server.cluster import OPERATOR, TOKEN
from tests.support.server.match_services import until
from tests.support.server.mcp_keys import key_in
from tests.support.server.postgres import Postgres
from tests.support.spectator.logs import EPISODE, finished_log, short_log
from tests.support.spectator.stores import calls_on_loop, forget_reads, postgres_store

MATCH: dict[str, Any] = {"game": "diplomacy", "seat": "FRANCE", "options": {"press": "none"}, "wait": 0}

ENDED, LIVE, UNKNOWN = (
    {"match": name, "seat": "NORTH", "seat_token": f"token of {name}"} for name in (EPISODE, "live-1", "unknown")
)
"""Seats of a match that has ended, of one that another server plays, and of one that does not exist."""

Json = Mapping[str, Any]


def _recorded(url: str) -> None:
    """Record a match that has ended and one of another server, each with the token of a seat."""
    store = postgres_store(url)
    for seat in (ENDED, LIVE):
        opened = Draft.of(SeatOpened(seat="NORTH", token_sha256=digest(seat["seat_token"])), "private")
        log = short_log(opened)
        if seat is ENDED:
            log.append(finished_log()[-1].model_copy(update={"seq": len(log)}))
        store.on_events([event.model_copy(update={"episode_id": seat["match"]}) for event in log])
    store.close()


class Caller:
    """Calls a server in every way that OpenEnv and MCP have. Before each call the server forgets what it has read."""

    def __init__(self, url: str, parts: ServerParts, client: httpx2.AsyncClient) -> None:
        self.url = url
        self.parts = parts
        self._client = client

    def forget(self) -> None:
        forget_reads(self.parts.recorder)

    async def send(self, path: str, body: object = None, headers: Json = OPERATOR, method: str = "POST") -> Any:
        """Return the answer to a request, whether it is refused or not."""
        self.forget()
        answer = await self._client.request(method, path, json=body, headers=dict(headers), timeout=60)
        assert answer.status_code != 500, f"{path} {body}: {answer.text}"
        return answer.json() if "json" in answer.headers["content-type"] else answer.text

    async def talk(self, path: str, messages: Sequence[Json], headers: Json = OPERATOR) -> list[Any]:
        """Send messages on a socket, and return the answers."""
        answers = []
        self.forget()
        async with connect(self.url.replace("http", "ws") + path, additional_headers=dict(headers)) as socket:
            for message in messages:
                self.forget()
                await socket.send(json.dumps(message))
                if message.get("type") != "close":
                    answers.append(json.loads(await socket.recv()))
        return answers

    async def tools(self, path: str, calls: Sequence[tuple[str, Json]], headers: Json = OPERATOR) -> list[str]:
        """List the tools of an endpoint, call some, and return the texts of those that are not refused."""
        texts = []
        transport = StreamableHttpTransport(self.url + path, headers=dict(headers))
        async with Client(transport) as client:
            for name, arguments in calls:
                self.forget()
                with suppress(McpError):
                    await client.list_tools()
                self.forget()
                with suppress(ToolError, McpError):
                    texts += [str(part.text) for part in (await client.call_tool(name, dict(arguments))).content]
        return texts


@asynccontextmanager
async def _server(url: str, data: Path, calls: list[str]) -> AsyncIterator[Caller]:
    """Serve in this event loop. The `calls` of the start do not count: nobody is connected yet."""
    before = list(calls)
    words = {"data": data, "store": url, "showcase": "", "openenv_sessions": 3}
    app = create_app(Settings.load({**words, "operator_token": TOKEN}))
    parts: ServerParts = app.state.parts
    listener = server_socket("127.0.0.1", 0)
    config = uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=5, **uvicorn_options())
    server = Server(config, parts.hub)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    await until(lambda: server.started)
    calls[:] = before
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    async with httpx2.AsyncClient(base_url=address) as client:
        yield Caller(address, parts, client)
    server.should_exit = True
    await serving


def _rpc(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def _calls(session: str) -> Iterator[dict[str, Any]]:
    """Yield requests of OpenEnv's dialect of MCP."""
    held = {"session_id": session} if session else {}
    yield _rpc("tools/list", **held)
    for name, arguments in (("legal", {}), ("play", {"reply": "hold", "wait": 0}), ("act", {"A_PAR": "A PAR H"})):
        yield _rpc("tools/call", name=name, arguments=arguments, **held)


async def _begun(caller: Caller) -> dict[str, str]:
    """Begin a match and return its seat."""
    observation = (await caller.send("/reset", MATCH))["observation"]
    token = observation["metadata"]["seat_token"]
    return {"match": observation["match_id"], "seat": observation["seat"], "seat_token": token}


async def _by_http(caller: Caller) -> None:
    """Send every operation of OpenEnv's app, with each token."""
    ours = await _begun(caller)
    seats = (ours, ENDED, LIVE, UNKNOWN)
    more: Sequence[Json] = ({}, {"token": TOKEN}, {"token": "nobody"}, {"opponents": {"GERMANY": "remote"}})
    resets: list[Json] = [{}, {"split": "diplomacy", "index": 0}, *({**MATCH, **words} for words in more)]
    bodies: dict[str, Sequence[object]] = {
        "/reset": [*({**words, "wait": 0} for words in resets), *seats],
        "/step": [{"action": {"reply": "hold", "wait": 0}, **seat} for seat in ({}, *seats)],
        "/mcp": [*_calls(""), *_calls("nobody's"), _rpc("openenv/session/create"), _rpc("openenv/session/close")],
    }
    operations = (await caller.send("/openapi.json", method="GET"))["paths"]
    assert {"/reset", "/step", "/state", "/schema", "/metadata", "/mcp"} <= set(operations)
    for path, methods in operations.items():
        for method in methods:
            for body in bodies.get(path, [{"split": "diplomacy", "index": 0}]):
                for headers in (OPERATOR, _bearer("nobody"), *(_bearer(seat["seat_token"]) for seat in seats)):
                    address = path.format(env_name="grandstand")
                    await caller.send(address, None if method == "get" else body, headers, method.upper())
    await caller.send("/health", method="GET")


async def _by_socket(caller: Caller) -> None:
    """Play on sockets: several matches, one after another, and the tools of a session."""
    step = {"type": "step", "data": {"action": {"orders": []}, "wait": 0}}
    state = {"type": "state"}
    ours = await _begun(caller)
    for headers in (OPERATOR, _bearer("nobody"), _bearer(ours["seat_token"]), _bearer(LIVE["seat_token"])):
        messages: list[Json] = [step, state]
        for words in (MATCH, {**MATCH, "token": TOKEN, "max_turns": 1}, ours, ENDED, LIVE, UNKNOWN, MATCH):
            messages += [{"type": "reset", "data": words}, state, step, step]
        messages += [{"type": "mcp", "data": call} for call in _calls("")]
        answers = await caller.talk("/ws", [*messages, {"type": "close"}], headers)
        assert [answer["type"] for answer in answers].count("observation") >= 4
        await caller.talk("/mcp", list(_calls("")), headers)
    session = (await caller.send("/mcp", _rpc("openenv/session/create")))["result"]["session_id"]
    await caller.talk(f"/ws?session_id={session}", [{"type": "reset", "data": MATCH}, step])
    for call in (*_calls(session), _rpc("openenv/session/close", session_id=session)):
        assert "result" in await caller.send("/mcp", call)


async def _by_tool(caller: Caller, seat: Json) -> None:
    """Call each tool of both endpoints, with the key and the token of a seat."""
    play = {"reply": "hold", "wait": 0}
    moves: list[tuple[str, Json]] = [("legal", {}), ("play", play), ("act", {"A_PAR": "A PAR H"}), ("leave_match", {})]
    key = "{match}/{seat}/{seat_token}".format(**seat)
    keyed = [(name, {**arguments, "key": key}) for name, arguments in moves if name != "act"]
    for headers in (OPERATOR, _bearer("nobody")):
        await caller.tools("/mcp-server", [("list_games", {}), *keyed], headers)
    await caller.tools("/mcp-server/seat", moves, _bearer(seat["seat_token"]))


@pytest.mark.long
def test_no_session_reads_or_commits_on_the_event_loop(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a match of this server, one that has ended, one that another server plays, and one that does not exist."""
    url, calls = postgres.database(), calls_on_loop(monkeypatch)
    _recorded(url)

    async def scene() -> None:
        async with _server(url, tmp_path / "data", calls) as caller:
            await _by_http(caller)
            await _by_socket(caller)
            words = {name: value for name, value in MATCH.items() if name != "wait"}
            (text,) = await caller.tools("/mcp-server", [("start_match", words)])
            match, seat, token = key_in(text).split("/")
            await caller.send(f"/api/episodes/{match}/commands", {"command": "leave", "seat": seat})
            for held in ({"match": match, "seat": seat, "seat_token": token}, ENDED, LIVE, UNKNOWN):
                await _by_tool(caller, held)
            kept = await _begun(caller)
        async with _server(url, tmp_path / "data", calls) as caller:
            await until(lambda: kept["match"] in caller.parts.driver.playing)
            await _by_tool(caller, kept)

    asyncio.run(scene())
    assert calls == [], "\n\n".join(calls)
