"""The games, and how players have done in them."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from grandstand.games.picture import Place
from grandstand.server.api.people.player_records import records
from grandstand.server.api.tagged import tagged
from grandstand.server.bodies.lobby import GameInfo
from grandstand.server.bodies.players import PlayerRecord
from grandstand.server.lobby.glances import ground
from grandstand.server.parts import Parts

router = APIRouter(tags=["games"])


@router.get("/games", response_model=list[GameInfo])
async def games(parts: Parts, request: Request) -> Response:
    """List the games with their seats, options and players."""
    return tagged(request, await parts.games.json(), "application/json")


@router.get("/games/{game}/ground", response_model=list[Place])
async def game_ground(request: Request, game: str) -> Response:
    """Return the places of a game's pictures that are the same at every moment but for their owners, as of a map."""
    return tagged(request, await asyncio.to_thread(ground, game), "application/json")


@router.get("/players")
async def players(parts: Parts, game: str | None = None) -> list[PlayerRecord]:
    """Return how players have done in the finished matches of each option set of this record."""
    return await records(parts.results, game)
