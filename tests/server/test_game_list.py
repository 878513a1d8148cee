"""The list of games is made once for all who ask at the same time."""

from __future__ import annotations

import asyncio
import time

import pytest

from grandstand.players.roster import Roster
from grandstand.server.game_list import GameList


def test_it_is_made_once_for_all_who_ask_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []

    def make(self: GameList) -> bytes:
        time.sleep(0.05)  # a thread makes it, and all have asked before it is done
        made.append(b"[]")
        return made[-1]

    monkeypatch.setattr(GameList, "_make", make)

    async def asked() -> list[bytes]:
        games = GameList(Roster.load())
        return await asyncio.gather(*(games.json() for _ in range(5)))

    assert asyncio.run(asked()) == [b"[]"] * 5
    assert len(made) == 1
