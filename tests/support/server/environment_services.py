"""Seats that sessions play, without sockets and without OpenEnv."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

from grandstand.games.base import Action
from grandstand.models import MatchAction, MatchObservation
from grandstand.players.roster import Roster
from grandstand.server.access import Access, seats_in
from grandstand.server.auth import OPERATOR, Auth, digest
from grandstand.server.openenv.connection import Connection
from grandstand.server.openenv.match import RemoteSeat
from grandstand.server.openenv.reset import Reset
from grandstand.server.openenv.seats import RemoteSeats
from tests.support.server.match_services import MatchServices

OPERATING = Connection(OPERATOR)


class EnvironmentServices(MatchServices):
    """The parts of a server, with seats that sessions can take."""

    def __init__(
        self,
        path: Path | str = ":memory:",
        *,
        matches: int = 4,
        each: int = 16,
        credits: float = 60.0,
        host: str = "127.0.0.1",
        token: str | None = None,
    ) -> None:
        super().__init__(path, credits=credits)
        self.auth = Auth(host, digest(token) if token else None, seats_in(self.recorder))
        access = Access(self.auth, self.history)
        self.seats = RemoteSeats(self.driver, self.bus, access, Roster.load(), matches=matches, each=each)
        self.bus.add(self.seats)

    async def take(self, connection: Connection = OPERATING, **words: Any) -> RemoteSeat:
        """Take a seat that is shown the moment in every form."""
        return await self.seats.take(Reset.read({"show": ["text", "view", "legal"], **words}), connection)

    async def begin(self, connection: Connection = OPERATING, **words: Any) -> tuple[RemoteSeat, MatchObservation]:
        """Take a seat; return it and its first observation."""
        seat = await self.take(connection, **words)
        return seat, await seat.first()


def run(scene: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(scene())  # type: ignore[arg-type]


def act(**action: Any) -> MatchAction:
    return MatchAction(action=action)


def orders(*orders: str) -> MatchAction:
    return act(orders=list(orders))


WAIT_NOT = MatchAction(wait=0)


def choice(seat: RemoteSeat, bot: str = "random") -> Action:
    """Return the action of a built-in player in the seat now."""
    match = seat.match.live.runner.match
    return match.spec.bots.players[bot](match.game, seat.seat, match.rng(seat.seat))


async def play_out(seat: RemoteSeat, observation: MatchObservation, rng: Random) -> list[MatchObservation]:
    """Play to the end as a client that sometimes sends invalid actions; return every observation."""
    every = [observation]
    while not every[-1].done:
        assert len(every) < 5000
        if every[-1].status != "choose":
            action = MatchAction()
        elif rng.random() < 0.1:
            action = rng.choice(
                [MatchAction(reply="hm"), act(orders=["A LON - MOS"]), act(tool="fly"), MatchAction(messages=[])]
            )
        else:
            action = MatchAction(action=dict(choice(seat)))
        every.append(await seat.step(action))
    return every


def dumped(observation: MatchObservation) -> str:
    return json.dumps(observation.model_dump(mode="json"))
