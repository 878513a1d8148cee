"""The games, and how players have done in them."""

from __future__ import annotations

import asyncio
import dataclasses
import time

from fastapi import APIRouter, Request, Response
from pydantic import TypeAdapter

from grandstand.games.registry import GAMES, game_spec
from grandstand.games.spec import GameSpec
from grandstand.play.exchange.exporting import formats
from grandstand.players.roster import Roster
from grandstand.server.api.people.player_records import records
from grandstand.server.api.tagged import tagged
from grandstand.server.bodies import GameInfo, PlayerRecord
from grandstand.server.match_results import MatchResults

GAMES_KEPT = 10.0
"""Seconds for which the list of games is cached."""


def router(results: MatchResults, roster: Roster) -> APIRouter:
    """Return the routes."""
    api = APIRouter(tags=["games"])
    listing = GameList(roster)

    @api.get("/games", response_model=list[GameInfo])
    async def games(request: Request) -> Response:
        """List the games with their seats, options and players."""
        return tagged(request, await listing.json(), "application/json")

    @api.get("/players")
    async def players(game: str | None = None) -> list[PlayerRecord]:
        """Return how players have done in the finished matches of each option set of this record."""
        return await records(results, game)

    return api


class GameList:
    """The list of games as JSON, cached: players come and go with keys and files."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._json = b""
        self._made_at = -GAMES_KEPT

    async def json(self) -> bytes:
        """Return the list, at most GAMES_KEPT seconds old. It is made in another thread."""
        now = time.monotonic()
        if now - self._made_at >= GAMES_KEPT:
            self._made_at, self._json = now, await asyncio.to_thread(self._make)
        return self._json

    def _make(self) -> bytes:
        return TypeAdapter(list[GameInfo]).dump_json([game_info(game_spec(name), self._roster) for name in GAMES])


def game_info(spec: GameSpec, roster: Roster) -> GameInfo:
    """Return `spec` as the API shows it."""
    schema = TypeAdapter(spec.options).json_schema()
    for field in dataclasses.fields(spec.options):
        about = schema["properties"][field.name]
        about["description"] = field.metadata.get("help", "")
        if choices := field.metadata.get("choices"):
            about["enum"] = list(choices)
    return GameInfo(
        name=spec.name,
        title=spec.title,
        seats=list(spec.seats),
        options=schema,
        players=roster.players(spec),
        formats=formats(spec.name),
    )
