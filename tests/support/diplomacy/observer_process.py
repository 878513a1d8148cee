"""The `diplomacy` package's own client behind a pipe: one JSON command per line in, one JSON answer per line out.

Runs in a process of its own, with the package on its path; nothing else imports it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from typing import Any

from diplomacy.client.connection import connect  # type: ignore[import-not-found]
from diplomacy.utils.exceptions import DiplomacyException  # type: ignore[import-not-found]
from diplomacy.utils.export import to_saved_game_format  # type: ignore[import-not-found]

PATIENCE = 120
"""Seconds for one command: it bounds how long a failure takes."""


async def come_true(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110 - the package changes its games without telling
        await asyncio.sleep(0.02)


class Client:
    """One user of the package: its connection, its channel, and the games that it observes."""

    def __init__(self) -> None:
        self.connection: Any = None
        self.channel: Any = None
        self.games: dict[str, Any] = {}
        self.changes: list[dict[str, Any]] = []
        self.messages: list[str] = []

    async def connect(self, port: int) -> None:
        self.connection = await connect("127.0.0.1", port)
        self.channel = await self.connection.authenticate("a visitor", "any password")

    async def games_listed(self, **filters: Any) -> list[dict[str, Any]]:
        return [info.to_dict() for info in await self.channel.list_games(**filters)]

    async def join(self, game_id: str) -> dict[str, Any]:
        game = self.games[game_id] = await self.channel.join_game(game_id=game_id)
        game.add_on_game_processed(lambda game, notification: self.changes.append(self.state(game.game_id)))
        game.add_on_game_message_received(lambda _, item: self.messages.append(item.message.message))
        return self.state(game_id)

    async def play(self, game_id: str, power: str) -> None:
        await self.channel.join_game(game_id=game_id, power_name=power)

    async def order(self, game_id: str) -> None:
        await self.games[game_id].set_orders(power_name="FRANCE", orders=["A PAR H"])

    async def synchronize(self, game_id: str) -> str:
        return str((await self.games[game_id].synchronize()).phase)

    async def leave(self, game_id: str) -> None:
        await self.games.pop(game_id).leave()

    async def until(self, game_id: str, phase: str) -> list[dict[str, Any]]:
        """The states after each `game_processed`, as soon as the game has come to `phase`."""
        await come_true(lambda: bool(self.state(game_id)["phase"] == phase))
        return self.changes

    async def until_status(self, game_id: str, status: str) -> None:
        await come_true(lambda: bool(self.games[game_id].status == status))

    async def until_reconnected(self) -> None:
        await come_true(lambda: self.connection.connection_count > 1 and self.connection.is_reconnecting.is_set())

    async def look(self, game_id: str) -> dict[str, Any]:
        return self.state(game_id)

    async def export(self, game_id: str) -> Any:
        return to_saved_game_format(self.games[game_id])

    async def until_received(self, count: int) -> None:
        await come_true(lambda: len(self.messages) >= count)

    def state(self, game_id: str) -> dict[str, Any]:
        game = self.games[game_id]
        state = game.get_state()
        return {
            "phase": state["name"],
            "units": state["units"],
            "retreats": state["retreats"],
            "centers": state["centers"],
            "messages": [[item.sender, item.recipient, item.message] for item in game.messages.values()],
            "status": game.status,
            "note": state["note"],
            "history": list(map(str, game.state_history.keys())),
            "players": {power.name: power.get_controller() for power in game.powers.values()},
        }


async def main() -> None:
    client = Client()
    while line := await asyncio.to_thread(sys.stdin.readline):
        command = json.loads(line)
        try:
            answer = {"answer": await asyncio.wait_for(getattr(client, command.pop("do"))(**command), PATIENCE)}
        except DiplomacyException as error:
            answer = {"error": type(error).__name__, "message": str(error)}
        print(json.dumps(answer), flush=True)  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main())
