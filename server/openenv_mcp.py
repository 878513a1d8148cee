"""Seats for MCP clients: a standard endpoint of its own, and the tools of a session that OpenEnv holds.

The endpoint keeps nothing between calls, so nothing is lost when a client goes away: a seat is named in each call by
its key, `MATCH/SEAT/TOKEN`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from fastmcp import FastMCP
from fastmcp.exceptions import ToolError
from pydantic import Field

from games.registry import GAMES, game_spec
from models import MatchAction, MatchObservation
from players.roster import Roster
from server.openenv_connection import CONNECTION
from server.openenv_match import QUIET
from server.openenv_reset import LONGEST_WAIT, Reset
from server.openenv_seats import RemoteSeats

INSTRUCTIONS = """\
Play a seat of a match. Call start_match, read `instructions` and `text`, answer with play, and go on until `done`.
While `status` is "waiting" others have to act: call play without arguments to wait."""

Wait = Annotated[float, Field(ge=0, le=LONGEST_WAIT, description="Seconds to wait for the seat's turn.")]
Key = Annotated[str, Field(description="The seat's key, as start_match gave it.")]
Reply = Annotated[str | None, Field(description="Your answer to `text`, as `instructions` say: one JSON object.")]
TheAction = Annotated[dict[str, Any] | None, Field(description="Instead of `reply`: an action, as `legal` has them.")]
Messages = Annotated[list[dict[str, Any]] | None, Field(description="Instead of `reply`: what you say in press.")]


def session_tools(step: Callable[[MatchAction], Awaitable[MatchObservation]]) -> FastMCP:
    """The tools of one session, which has its seat already."""
    server: FastMCP = FastMCP("grandstand", instructions=INSTRUCTIONS)

    @server.tool
    async def play(
        reply: Reply = None, action: TheAction = None, messages: Messages = None, wait: Wait = LONGEST_WAIT
    ) -> dict[str, Any]:
        """Answer for the seat, or without arguments wait for its turn; answers with what the seat sees then."""
        return _told(await step(MatchAction(reply=reply, action=action, messages=messages, wait=wait)))

    return server


def endpoint(seats: RemoteSeats, roster: Roster) -> FastMCP:
    """The server for MCP clients."""
    server: FastMCP = FastMCP("grandstand", instructions=INSTRUCTIONS)

    @server.tool
    async def list_games() -> list[dict[str, Any]]:
        """The games there are, their seats, and who can be seated as an opponent."""
        specs = [game_spec(name) for name in sorted(GAMES)]
        return [
            {
                "game": spec.name,
                "title": spec.title,
                "seats": list(spec.seats),
                "opponents": [info.name for info in roster.players(spec) if info.available],
            }
            for spec in specs
        ]

    @server.tool
    async def start_match(
        game: str = "diplomacy",
        seat: str | None = None,
        opponents: str | dict[str, str] | None = None,
        options: dict[str, Any] | None = None,
        seed: int | None = None,
        max_turns: int | None = None,
    ) -> dict[str, Any]:
        """Begin a match and take a seat in it; the others are the house's unless `opponents` says who plays them."""
        words = {"game": game, "seat": seat, "opponents": opponents, "options": options, "seed": seed}
        words |= {"max_turns": max_turns}
        reset = Reset.read({name: value for name, value in words.items() if value is not None})
        taken = seats.take(reset, CONNECTION.get())
        try:
            return {"key": taken.key, **_told(await taken.first())}
        finally:
            taken.leave(QUIET)

    @server.tool
    async def play(
        key: Key,
        reply: Reply = None,
        action: TheAction = None,
        messages: Messages = None,
        wait: Wait = LONGEST_WAIT,
    ) -> dict[str, Any]:
        """Answer for the seat, or without arguments wait for its turn; answers with what the seat sees then."""
        taken = seats.join(*_parts(key))
        try:
            return _told(await taken.step(MatchAction(reply=reply, action=action, messages=messages, wait=wait)))
        finally:
            taken.leave(QUIET)

    @server.tool
    async def leave_match(key: Key) -> str:
        """Give the seat up; a match that nobody else plays in is stopped."""
        seats.join(*_parts(key)).leave(0)
        return "left"

    return server


def _parts(key: str) -> tuple[str, str, str]:
    match_id, seat, token = (*key.split("/"), "", "")[:3]
    if not token:
        raise ToolError("key: must be the key that start_match gave, MATCH/SEAT/TOKEN")
    return match_id, seat, token


def _told(seen: MatchObservation) -> dict[str, Any]:
    """What a model needs of an observation: its text says all that the data says."""
    return seen.model_dump(mode="json", exclude={"view", "metadata", "seat_token"}, exclude_defaults=True)
