"""The OpenEnv environment: one session is one seat of a match that the server holds.

OpenEnv creates one for every HTTP request, so the constructor does no work.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from grandstand.games.base import Json
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.models import MatchAction, MatchObservation, MatchState
from grandstand.server.matches.steering import CommandError
from grandstand.server.openenv.connection import CONNECTION, NOBODY, Connection
from grandstand.server.openenv.match import GRACE, QUIET, RemoteSeat
from grandstand.server.openenv.reset import LONGEST_WAIT, Reset
from grandstand.server.openenv.seat_tools import SessionTools
from grandstand.server.openenv.seats import RemoteSeats
from grandstand.server.openenv.tasks import reset_task, splits, tasks

NAME = "grandstand"
DESCRIPTION = (
    f"Matches of these games: {', '.join(game_spec(name).rules.title for name in GAMES)}. A session plays one seat, "
    "against built-in players or other sessions; every match is recorded and can be watched live."
)


class MatchEnvironment(Environment):  # type: ignore[misc]
    """One session: its seat and the number of its steps."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, seats: RemoteSeats, loop: asyncio.AbstractEventLoop) -> None:
        """`loop` is where the matches are played."""
        super().__init__()
        self._seats = seats
        self._loop = loop
        self._seat: RemoteSeat | None = None
        self._steps = 0
        self._episode_id: str | None = None
        self._connection = NOBODY
        self._closed = False
        self._release: Callable[[], None] | None = None
        self.used = False
        """True once the session has had a seat."""
        self.mcp_client = SessionTools(self.step_async, self.call, self.legal, self.tools)
        """The tools that play this session's seat, for OpenEnv's own MCP route."""

    def belongs_to(self, connection: Connection, release: Callable[[], None]) -> None:
        """Set who opened the session; `release` is called once when it ends, in the event loop of the matches."""
        self._connection, self._release = connection, release

    async def reset_async(
        self, seed: int | None = None, episode_id: str | None = None, **words: Any
    ) -> MatchObservation:
        """Begin a match, or join one; see `Reset` for the words.

        Raises OptionError for a word that is unknown or cannot be used, and what RemoteSeats.take raises.
        """
        self._attend()
        reset = Reset.read(words if seed is None else {**words, "seed": seed})
        await self._seats.prefetch(reset)
        self._leave(0)
        self._seat = await self._take(reset)
        self.used = True
        self._steps = 0
        self._episode_id = episode_id or self._seat.match_id
        return await self._seat.first()

    async def step_async(
        self, action: MatchAction, timeout_s: float | None = None, request_id: str | None = None, **words: Any
    ) -> MatchObservation:
        """Answer for the seat. `match`, `seat` and `seat_token` name one where the client has no session.

        Raises CommandError without a seat. The observation says what the rules refuse.
        """
        self._attend()
        if words:
            reset = Reset.read(words)
            await self._seats.prefetch(reset)
            seat = await self._take(reset)
            self._leave(0)
            self.used = True
            self._seat, self._episode_id = seat, seat.match_id
        held = self._held()
        self._steps += 1
        return await held.step(action, LONGEST_WAIT if timeout_s is None else timeout_s)

    def reset(self, seed: int | None = None, episode_id: str | None = None, **words: Any) -> MatchObservation:
        """`reset_async` for a thread of its own."""
        return self._wait_for(self.reset_async(seed, episode_id, **words))

    def step(self, action: MatchAction, timeout_s: float | None = None, **words: Any) -> MatchObservation:
        """`step_async` for a thread of its own."""
        return self._wait_for(self.step_async(action, timeout_s, **words))

    @property
    def state(self) -> MatchState:
        self._attend()
        if self._seat is None:
            return MatchState(episode_id=self._episode_id, step_count=self._steps)
        return self._seat.state(self._episode_id, self._steps)

    def close(self) -> None:
        """End the session: its seat is kept for a while, then given up. Idempotent, from any thread."""
        if not self._closed:
            self._closed = True
            self._loop.call_soon_threadsafe(self._gone)

    def get_metadata(self) -> EnvironmentMetadata:
        return EnvironmentMetadata(name=NAME, description=DESCRIPTION, version=version("grandstand"))

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> MatchObservation:
        """Answer for the seat with a tool of the game. Raises CommandError without a seat."""
        self._attend()
        held = self._held()
        self._steps += 1
        return await held.call(tool, arguments)

    def tools(self) -> list[Json]:
        """Return what the session's seat may do now as tools of the game; none without a seat."""
        self._attend()
        return [] if self._seat is None else self._seat.tools()

    async def legal(self) -> Json:
        """Return what the session's seat may do now, as data. Raises CommandError without a seat."""
        self._attend()
        return self._held().legal()

    def list_splits(self) -> list[dict[str, str]]:
        return [{"name": name, "type": "test"} for name in splits()]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        return [asdict(task) for task in tasks(split)]

    def num_tasks(self, split: str) -> int:
        return len(tasks(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        return asdict(reset_task(split, index))

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        return self.list_tasks(split)[start:stop]

    def _attend(self) -> None:
        """Set the caller. Raise CommandError if the session is over."""
        if self._closed:
            raise CommandError("session: it was closed after a long silence; connect again")
        self._connection = CONNECTION.get()

    async def _take(self, reset: Reset) -> RemoteSeat:
        """Take the seat that `reset` requests. Raise CommandError if the session is over by then."""
        seat = await self._seats.take(reset, self._connection)
        if self._closed:
            seat.leave(QUIET)
            self._attend()
        return seat

    def _held(self) -> RemoteSeat:
        if self._seat is None:
            raise CommandError(
                "step: there is no match; reset first, or name one with match, seat and seat_token, "
                "over HTTP beside `action` and not inside it"
            )
        return self._seat

    def _leave(self, seconds: float) -> None:
        if self._seat is not None:
            self._seat.leave(seconds)
            self._seat = None

    def _gone(self) -> None:
        if self._release is not None:
            self._release()
        socket = self._connection.socket
        self._leave(GRACE if socket else QUIET)
        if socket is not None:
            socket.disconnect()

    def _wait_for(self, answer: Coroutine[Any, Any, MatchObservation]) -> MatchObservation:
        """Return the result of a coroutine, run in the loop of the matches. Raises RuntimeError in that loop."""
        if asyncio._get_running_loop() is self._loop:
            answer.close()
            raise RuntimeError("reset and step would wait for themselves here; await reset_async and step_async")
        return asyncio.run_coroutine_threadsafe(answer, self._loop).result()
