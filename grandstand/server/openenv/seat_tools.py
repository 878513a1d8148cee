"""The tools of one seat over MCP: `play` and `legal`, and the choices of the moment as tools of the game.

A session of OpenEnv has them at OpenEnv's MCP address. Any MCP client has them at an endpoint of its own, which knows
the seat by the seat's token in the header of each request, and has no state either.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from fastmcp import Context, FastMCP
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools import Tool, ToolResult
from mcp.types import CallToolRequestParams, ListToolsRequest, ServerNotification, ToolListChangedNotification

from grandstand.games.base import Json
from grandstand.models import MatchAction, MatchObservation
from grandstand.server.openenv.connection import CONNECTION
from grandstand.server.openenv.match import OWN_TOOLS, QUIET, RemoteSeat
from grandstand.server.openenv.mcp import (
    Messages,
    Number,
    Reply,
    TheAction,
    Wait,
    error_text,
    moment_text,
    plain,
    refusals,
)
from grandstand.server.openenv.reset import LONGEST_WAIT
from grandstand.server.openenv.seats import RemoteSeats

INSTRUCTIONS = """\
Play your seat of a match until the match is over. Call play without arguments to read what is asked, and while others
have to act. The other tools are what the seat may do now; they change from decision to decision."""


class SessionTools:
    """The tools of one session, as the client that OpenEnv calls for its MCP address."""

    def __init__(
        self,
        step: Callable[[MatchAction], Awaitable[MatchObservation]],
        call: Callable[[str, Mapping[str, Any]], Awaitable[MatchObservation]],
        legal: Callable[[], Awaitable[Json]],
        offered: Callable[[], Sequence[Json]],
    ) -> None:
        """`offered` returns the tools of the game."""
        self._step = step
        self._call = call
        self._legal = legal
        self._offered = offered
        self._own: dict[str, Callable[..., Awaitable[Json]]] = {"play": self.play, "legal": self.legal}
        self._asked = ""

    def is_connected(self) -> bool:
        return True

    async def __aenter__(self) -> SessionTools:
        return self

    async def __aexit__(self, *error: object) -> None: ...

    async def list_tools(self) -> list[dict[str, Json]]:
        """Return the two tools of every session and those of the game that are offered now."""
        own = [Tool.from_function(function) for function in self._own.values()]
        return [
            {"name": tool.name, "description": tool.description or "", "inputSchema": tool.parameters}
            for tool in [*own, *map(_tool, self._offered())]
        ]

    async def call_tool(self, name: str, arguments: Mapping[str, Any]) -> Json:
        """Return what a tool answers; one that is not offered now is refused, as any answer that is not legal."""
        if name in self._own:
            return await self._own[name](**arguments)
        return self._result(await self._call(name, arguments))

    async def play(
        self,
        reply: Reply = None,
        action: TheAction = None,
        messages: Messages = None,
        number: Number = None,
        wait: Wait = LONGEST_WAIT,
    ) -> dict[str, Any]:
        """Answer for the seat, or without arguments wait for its turn; returns what the seat sees then."""
        answer = MatchAction(reply=reply, action=action, messages=messages, number=number, wait=wait)
        return self._result(await self._step(answer))

    async def legal(self) -> Json:
        """Return what the seat may do now, as data; nothing while others have to act."""
        return await self._legal()

    def _result(self, observation: MatchObservation) -> dict[str, Any]:
        news = "" if observation.system_prompt in ("", self._asked) else observation.system_prompt
        self._asked = observation.system_prompt or self._asked
        result: dict[str, Any] = {
            "text": "\n\n".join(filter(None, (news, moment_text(observation)))),
            "error": error_text(observation),
        }
        if observation.done:
            result |= {"done": True, "reward": observation.reward}
        else:
            result["number"] = observation.number
        return {name: value for name, value in result.items() if value not in ("", None)}


def seat_endpoint(seats: RemoteSeats) -> FastMCP:
    """Return the server for MCP clients that have the token of a seat."""
    server: FastMCP = FastMCP("grandstand", instructions=INSTRUCTIONS, middleware=[GameTools(seats)])

    @server.tool
    async def play(
        context: Context,
        reply: Reply = None,
        action: TheAction = None,
        messages: Messages = None,
        number: Number = None,
        wait: Wait = LONGEST_WAIT,
    ) -> ToolResult:
        """Answer for the seat, or without arguments wait for its turn; returns what the seat sees then."""
        async with _seat(seats, context) as taken:
            answer = MatchAction(reply=reply, action=action, messages=messages, number=number, wait=wait)
            return _answer(taken, await taken.step(answer))

    @server.tool
    async def legal(context: Context) -> ToolResult:
        """Return what the seat may do now, as data; nothing while others have to act."""
        async with _seat(seats, context) as taken:
            return plain(json.dumps(taken.legal()))

    @server.tool
    async def leave_match(context: Context) -> str:
        """Give the seat up; a match that nobody else plays in is stopped."""
        async with _seat(seats, context, keep=0) as _:
            return "left"

    return server


class GameTools(Middleware):
    """The tools of the game that a seat is offered now, beside those of every seat."""

    def __init__(self, seats: RemoteSeats) -> None:
        self._seats = seats

    async def on_list_tools(
        self, context: MiddlewareContext[ListToolsRequest], call_next: CallNext[ListToolsRequest, Sequence[Tool]]
    ) -> Sequence[Tool]:
        async with _seat(self._seats) as taken:
            offered = taken.tools()
            taken.match.listed[taken.seat] = offered
        return [*await call_next(context), *map(_tool, offered)]

    async def on_call_tool(
        self,
        context: MiddlewareContext[CallToolRequestParams],
        call_next: CallNext[CallToolRequestParams, ToolResult],
    ) -> ToolResult:
        name, arguments = context.message.name, context.message.arguments or {}
        if name in OWN_TOOLS:
            return await call_next(context)
        async with _seat(self._seats, context.fastmcp_context) as taken:
            return _answer(taken, await taken.call(name, arguments))


@asynccontextmanager
async def _seat(seats: RemoteSeats, context: Context | None = None, keep: float = QUIET) -> AsyncIterator[RemoteSeat]:
    """Take the caller's seat for one request and keep it for `keep` seconds; afterwards say if its tools changed."""
    with refusals():
        taken = await seats.seat_of(CONNECTION.get())
        try:
            yield taken
            changed = taken.tools() != taken.match.listed.get(taken.seat)
        finally:
            taken.leave(keep)
    if context is not None and changed:
        changed_now = ServerNotification(ToolListChangedNotification())
        await context.session.send_notification(changed_now, related_request_id=context.request_id)


def _answer(taken: RemoteSeat, observation: MatchObservation) -> ToolResult:
    return plain(error_text(observation), taken.news(observation.system_prompt), moment_text(observation))


def _tool(offered: Json) -> Tool:
    return Tool(**offered)
