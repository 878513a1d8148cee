"""The list of the games, as the API shows them."""

from __future__ import annotations

import asyncio
import dataclasses
import time
from random import Random

from pydantic import TypeAdapter

from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.play.exchange.exporting import formats
from grandstand.players.roster import Roster
from grandstand.server.bodies.lobby import GameInfo

GAMES_KEPT = 10.0
"""Seconds for which the list of games is cached."""


class GameList:
    """The list of games as JSON, cached for GAMES_KEPT seconds: keys and files change which players are available."""

    def __init__(self, roster: Roster) -> None:
        self._roster = roster
        self._json = b""
        self._made_at = -GAMES_KEPT
        self._making = asyncio.Lock()

    async def json(self) -> bytes:
        """Return the list, at most GAMES_KEPT seconds old. It is made in another thread."""
        async with self._making:
            now = time.monotonic()
            if now - self._made_at >= GAMES_KEPT:
                self._json = await asyncio.to_thread(self._make)
                self._made_at = now
            return self._json

    def _make(self) -> bytes:
        return TypeAdapter(list[GameInfo]).dump_json([game_info(game_spec(name), self._roster) for name in GAMES])


def game_info(spec: GameSpec, roster: Roster) -> GameInfo:
    """Return `spec` as the API shows it."""
    schema = TypeAdapter(spec.rules.options).json_schema()
    for field in dataclasses.fields(spec.rules.options):
        about = schema["properties"][field.name]
        about["description"] = field.metadata.get("help", "")
        if choices := field.metadata.get("choices"):
            about["enum"] = list(choices)
    return GameInfo(
        name=spec.name,
        title=spec.rules.title,
        seats=list(spec.seats()),
        seats_by=spec.seats_by,
        options=schema,
        players=roster.players(spec),
        cast=list(spec.bots.showcase(Random(0))),
        formats=formats(spec.name),
    )
