"""The WebSocket over which a foreign program watches matches in its own protocol, which the game translates.

Such a program sees what a spectator sees: it reads the same history and the same stream.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from fastapi import WebSocket
from starlette.websockets import WebSocketDisconnect

from grandstand.games.catalog import GAMES
from grandstand.games.exchange import LeaveMatch, ListMatches, MatchObserver, ObserverRequest, PublicEvent, WatchMatch
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.models import Event
from grandstand.server.transport.plain_socket import LINES, Lines
from grandstand.spectator.errors import CloseCode, UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.framing import StreamPosition
from grandstand.spectator.history import History
from grandstand.spectator.hub import SLOW_AFTER, Hub
from grandstand.spectator.viewpoint import Viewpoint

log = logging.getLogger(__name__)

OBSERVERS = 128
"""Connections of foreign programs at the same time."""

OBSERVERS_EACH = 16
"""Connections of foreign programs from one address."""

MATCHES_EACH = 8
"""Matches that one connection watches at the same time."""

MAX_RECEIVED = 16 * 1024
"""Bytes of a request."""

Listing = Callable[[str], Awaitable[Sequence[EpisodeSummary]]]
"""Name of a game -> the public summaries of its newest matches."""

Look = Callable[[str], Viewpoint]
"""Episode -> the viewpoint of a spectator. Raises PermissionError or UnknownEpisode."""


class Observers:
    """The connections that are open, by visitor."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()
        self.turn = asyncio.Lock()
        """Held while a match is read for a client that joins, so that one is read at a time."""

    def full(self, visitor: str) -> bool:
        """Return whether one more from `visitor` is too many."""
        return self._open[visitor] >= OBSERVERS_EACH or self._open.total() >= OBSERVERS

    @contextmanager
    def counted(self, visitor: str) -> Iterator[None]:
        """Count a connection from `visitor` until the block ends."""
        self._open[visitor] += 1
        try:
            yield
        finally:
            self._open[visitor] -= 1
            if not self._open[visitor]:
                del self._open[visitor]


def _watched_game() -> GameSpec:
    """Return the game whose matches foreign programs watch."""
    return next(spec for spec in map(game_spec, GAMES) if spec.exchange.observe is not None)


class _Refused(Exception):
    """A match that cannot be watched; the message says why."""


class ObserverConnection:
    """One connection: its requests, answered in order, and a task for each match that it watches."""

    def __init__(
        self, connection: WebSocket, turn: asyncio.Lock, history: History, hub: Hub, listing: Listing, look: Look
    ) -> None:
        self._connection = connection
        self._turn = turn
        self._spec = _watched_game()
        self._history = history
        self._hub = hub
        self._listing = listing
        self._spectator = look
        self._sending = asyncio.Lock()
        self._watched: dict[tuple[str, str], tuple[MatchObserver, asyncio.Task[None]]] = {}
        """(name, episode id) -> the observer of the match, and the task that sends its frames."""
        self._closing: asyncio.Future[tuple[int, str]] = asyncio.get_running_loop().create_future()
        """The code and the reason with which the connection is closed."""

    async def serve(self) -> None:
        """Answer requests until either side ends the connection."""
        reading = asyncio.create_task(self._read())
        reading.add_done_callback(self._read_all)
        try:
            code, reason = await self._closing
        finally:
            tasks = [reading, *(task for _, task in self._watched.values())]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
            async with asyncio.timeout(SLOW_AFTER):
                await self._connection.close(code, reason)

    def _close(self, code: int, reason: str) -> None:
        if not self._closing.done():
            self._closing.set_result((code, reason))

    def _read_all(self, reading: asyncio.Task[None]) -> None:
        if not reading.cancelled():
            self._fail(reading.exception())

    def _fail(self, error: BaseException | None) -> None:
        """Close because of `error`; None means that the client is gone."""
        if isinstance(error, TimeoutError):
            self._close(CloseCode.SLOW, "slow")
        elif error is None or isinstance(error, WebSocketDisconnect):
            self._close(1000, "")
        else:
            log.error("a connection of an observer failed", exc_info=error)
            self._close(1011, "the server cannot answer; its log has the reason")

    async def _read(self) -> None:
        assert self._spec.exchange.observe is not None
        while (message := await self._connection.receive())["type"] != "websocket.disconnect":
            text = message.get("text")
            if text is None or len(text) > MAX_RECEIVED:
                self._close(1003 if text is None else 1009, f"requests are texts of at most {MAX_RECEIVED} bytes")
                return
            try:
                request = self._spec.exchange.observe(text)
            except ValueError as error:
                self._close(1007, str(error).encode()[:120].decode(errors="ignore"))
                return
            await self._answer(request)

    async def _answer(self, request: ObserverRequest) -> None:
        if isinstance(request, WatchMatch):
            try:
                await self._watch(request)
            except (_Refused, UnknownEpisode) as error:  # it may be deleted while others are read
                await self._send(request.refuse(str(error)))
        elif isinstance(request, ListMatches):
            matches = [summary.model_dump(mode="json") for summary in await self._listing(self._spec.name)]
            await self._send(request.answer(matches))
        else:
            if isinstance(request, LeaveMatch):
                self._leave(request)
            if request.frame is not None:
                await self._send(request.frame)

    async def _watch(self, request: WatchMatch) -> None:
        key = (request.name, request.episode_id)
        if key in self._watched:
            await self._send(request.again(self._watched[key][0]))
            return
        if len(self._watched) >= MATCHES_EACH:
            raise _Refused(f"game_id: one connection watches {MATCHES_EACH} matches at most; leave one first")
        look = await self._look(request.episode_id)
        async with self._turn:
            events = list(self._history.events(request.episode_id, look))
            follower, frames = await asyncio.to_thread(lambda: request.begin(_public(events, look)))
        for frame in frames:
            await self._send(frame)
        outbox = Lines(self._hub)
        self._hub.join(outbox, request.episode_id, look, LINES, StreamPosition(events[-1].epoch, events[-1].seq))
        outbox.sender = asyncio.create_task(self._follow(outbox, follower))
        self._watched[key] = (follower, outbox.sender)
        outbox.sender.add_done_callback(lambda task: self._followed(key, outbox, task))

    async def _look(self, episode_id: str) -> Viewpoint:
        """Return the viewpoint of a spectator, as the other streams do. Raise _Refused."""
        try:
            await self._hub.ready(episode_id)
            look = self._spectator(episode_id)
        except (PermissionError, UnknownEpisode) as error:
            raise _Refused(f"game_id: {error}") from error
        game = self._history.summary(episode_id, look).game
        if game != self._spec.name:
            raise _Refused(f"game_id: {episode_id} is a match of {game}, not of {self._spec.name}")
        return look

    async def _follow(self, outbox: Lines, follower: MatchObserver) -> None:
        """Send the events of a match until its stream ends; the code of `outbox` is then the reason."""
        async for message in outbox.messages():
            frame = json.loads(message)
            if frame["frame"] == "event":
                event = frame["event"]
                for text in follower.take(PublicEvent(event["type"], event["data"], event["at"])):
                    await self._send(text)
            elif frame["frame"] != "withheld":  # a resync: the client's events are no longer part of the stream
                outbox.code = CloseCode.SLOW
                return

    def _followed(self, key: tuple[str, str], outbox: Lines, task: asyncio.Task[None]) -> None:
        """Forget a match whose stream is complete. Close the connection if a stream ended for another reason."""
        self._hub.leave(outbox)
        if not task.cancelled() and task.exception() is not None:
            self._fail(task.exception())
        elif outbox.code is CloseCode.COMPLETE:
            self._watched.pop(key, None)
        elif outbox.code is not None:
            self._close(outbox.code, outbox.code.name.lower())

    def _leave(self, request: LeaveMatch) -> None:
        for key in [*self._watched]:
            if key[0] == request.name and request.episode_id in (None, key[1]):
                self._watched.pop(key)[1].cancel()

    async def _send(self, frame: str) -> None:
        """Send one frame. Raise TimeoutError if the client takes no bytes."""
        async with self._sending, asyncio.timeout(SLOW_AFTER):
            await self._connection.send_text(frame)


def _public(events: Sequence[Event], look: Viewpoint) -> list[PublicEvent]:
    visible = (look.known(event) for event in events)
    return [PublicEvent(event.type, event.data, event.at) for event in visible if event is not None]
