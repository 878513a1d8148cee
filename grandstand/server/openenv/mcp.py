"""Seats for MCP clients: an MCP endpoint at which a client begins matches.

The endpoint has no state, so nothing is lost when a client disconnects: each call names a seat by
its key, `MATCH/SEAT/TOKEN`.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from fastmcp.tools import ToolResult
from pydantic import Field

from grandstand.games.catalog import FIRST, GAMES
from grandstand.models import MatchAction, MatchObservation
from grandstand.play.preparation import loaded_spec
from grandstand.players.roster import Roster
from grandstand.server.http import ANSWERS
from grandstand.server.openenv.connection import CONNECTION
from grandstand.server.openenv.match import NUMBER_HELP, QUIET, RemoteSeat
from grandstand.server.openenv.reset import LONGEST_WAIT, Reset
from grandstand.server.openenv.seats import RemoteSeats

INSTRUCTIONS = """\
Play a seat of a match. Call start_match, read what it says, answer with play, and go on until the match is over. While
others have to act, call play without arguments to wait."""

Wait = Annotated[float, Field(ge=0, le=LONGEST_WAIT, description="Seconds to wait for the seat's turn.")]
SeatKey = Annotated[str, Field(description="The seat's key, as start_match gave it.")]
Reply = Annotated[str | None, Field(description="Your answer, in the form that the start of the match asks for.")]
TheAction = Annotated[dict[str, Any] | None, Field(description="Instead of `reply`: an action, as `legal` tells.")]
Number = Annotated[int | None, Field(ge=0, description=NUMBER_HELP)]
Messages = Annotated[list[dict[str, Any]] | None, Field(description="Instead of `reply`: what you say in press.")]


REFUSALS = tuple(ANSWERS)
"""The errors by which a request is refused."""


def endpoint(seats: RemoteSeats, roster: Roster) -> FastMCP:
    """Return the server for MCP clients."""
    server: FastMCP = FastMCP("grandstand", instructions=INSTRUCTIONS)
    tools = MatchTools(seats, roster)
    for tool in (tools.list_games, tools.start_match, tools.play, tools.legal, tools.leave_match):
        server.tool(tool)
    return server


class MatchTools:
    """The tools of the endpoint; clients read their names, parameters and docstrings."""

    def __init__(self, seats: RemoteSeats, roster: Roster) -> None:
        self._seats = seats
        self._roster = roster

    async def list_games(self) -> list[dict[str, Any]]:
        """Return the games, their seats, and the players that can be seated as opponents."""
        specs = [await loaded_spec(name) for name in sorted(GAMES)]
        return [
            {
                "game": spec.name,
                "title": spec.rules.title,
                "seats": list(spec.seats()),
                "opponents": [info.name for info in self._roster.players(spec) if info.available],
            }
            for spec in specs
        ]

    async def start_match(
        self,
        game: str = FIRST,
        seat: str | None = None,
        opponents: str | dict[str, str] | None = None,
        options: dict[str, Any] | None = None,
        seed: int | None = None,
        max_turns: int | None = None,
    ) -> ToolResult:
        """Begin a match and take a seat in it; built-in players take the others unless `opponents` names them."""
        words = {"game": game, "seat": seat, "opponents": opponents, "options": options, "seed": seed}
        words |= {"max_turns": max_turns}
        with refusals():
            reset = Reset.read({name: value for name, value in words.items() if value is not None})
            taken = await self._seats.take(reset, CONNECTION.get())
            try:
                observation = await taken.first()
            finally:
                taken.leave(QUIET)
        return plain(
            f"The key of your seat {observation.seat}: {taken.key}",
            taken.news(observation.system_prompt),
            moment_text(observation),
        )

    async def play(
        self,
        key: SeatKey,
        reply: Reply = None,
        action: TheAction = None,
        messages: Messages = None,
        number: Number = None,
        wait: Wait = LONGEST_WAIT,
    ) -> ToolResult:
        """Answer for the seat, or without arguments wait for its turn; returns what the seat sees then."""
        with refusals():
            taken = await self._join(key)
            try:
                answer = MatchAction(reply=reply, action=action, messages=messages, number=number, wait=wait)
                observation = await taken.step(answer)
            finally:
                taken.leave(QUIET)
        return plain(error_text(observation), taken.news(observation.system_prompt), moment_text(observation))

    async def legal(self, key: SeatKey) -> ToolResult:
        """Return what the seat may do now, as data; nothing while others have to act."""
        with refusals():
            taken = await self._join(key)
            try:
                return plain(json.dumps(taken.legal()))
            finally:
                taken.leave(QUIET)

    async def leave_match(self, key: SeatKey) -> str:
        """Give the seat up; a match that nobody else plays in is stopped."""
        with refusals():
            (await self._join(key)).leave(0)
        return "left"

    async def _join(self, key: str) -> RemoteSeat:
        match_id, seat, token = (*key.split("/"), "", "")[:3]
        if not token:
            raise ToolError("key: must be the key that start_match gave, MATCH/SEAT/TOKEN")
        await self._seats.access.prefetch_seat(match_id, token)
        return await self._seats.join(match_id, seat, token, Reset())


@contextmanager
def refusals() -> Iterator[None]:
    """Turn the refusal of a request into the tool's answer; FastMCP logs other errors with a traceback."""
    try:
        yield
    except REFUSALS as error:
        raise ToolError(str(error), log_level=logging.INFO) from error


def plain(*parts: str) -> ToolResult:
    """Return a result of text alone: structured content would repeat all of it."""
    return ToolResult(content="\n\n".join(filter(None, parts)))


def error_text(observation: MatchObservation) -> str:
    field = f"{observation.error_field}: " if observation.error_field else ""
    return f"Refused: {field}{observation.error}" if observation.error else ""


def moment_text(observation: MatchObservation) -> str:
    """Return the moment as text, and the state of the match if the seat is not asked."""
    if observation.status == "over":
        why = f": {observation.message}" if observation.message else ""
        return f"The match is over{why}. Your score is {observation.reward:.4g}."
    waiting = observation.status == "waiting"
    now = "Others have to act; call play without arguments to wait." if waiting else f"Decision {observation.number}:"
    return "\n\n".join(filter(None, (now, observation.text)))
