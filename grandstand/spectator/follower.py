"""A viewer in another process: follows one episode of a server, each number once and in order, over as many connections
as it takes.

After a lost connection it resumes by its position, as a page does; a server that was killed and started again loses
nothing. docs/protocol.md describes the stream.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, urlencode

import httpx2
from pydantic import TypeAdapter, ValidationError
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI

from grandstand.models import Event
from grandstand.spectator.errors import CloseCode
from grandstand.spectator.frames import (
    EventFrame,
    EventPage,
    Frame,
    ResyncFrame,
    Snapshot,
    SnapshotFrame,
    WithheldFrame,
)

FIRST_WAIT, LONGEST_WAIT = 0.25, 10.0
"""Seconds between attempts to connect; the wait doubles each time, with jitter."""
PAGE = 5000
FRAME: TypeAdapter[Frame] = TypeAdapter(Frame)


class WatchRefused(Exception):
    """The server cannot be reached at all, or refuses this viewer; the message gives the reason and the remedy."""


@dataclass(frozen=True, slots=True)
class FollowState:
    """The state of the connection."""

    name: Literal["live", "reconnecting", "complete"]
    wait: float = 0.0
    """Seconds until the next attempt to connect."""


class Follower:
    """Follows an episode. `slots` holds, by number, the events that this viewer may know, and None for the others."""

    def __init__(self, server: str, episode_id: str, viewpoint: str = "spectator", token: str = "") -> None:
        """`server` is the address of its root, without a slash at the end."""
        self.slots: list[Event | None] = []
        self.generation = 0
        """Incremented when another record replaces the events received so far."""
        self._path = f"{server}/api/episodes/{quote(episode_id, safe='')}"
        self._viewpoint = viewpoint
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._position: tuple[int, int] | None = None

    @property
    def events(self) -> list[Event]:
        """Return the events that this viewer may know."""
        return [event for event in self.slots if event is not None]

    async def follow(self) -> AsyncIterator[FollowState]:
        """Yield whenever something has changed, until the episode is over. Raise WatchRefused."""
        async with httpx2.AsyncClient(headers=self._headers, timeout=30.0) as client:
            await self._check(client)
            wait = FIRST_WAIT
            while True:
                code = None
                try:
                    async with connect(self._address(), additional_headers=self._headers, max_size=None) as socket:
                        async for state in self._read(socket, client):
                            wait = FIRST_WAIT
                            yield state
                except ConnectionClosed as closed:
                    code = closed.rcvd.code if closed.rcvd else None
                    self._check_code(code, closed.rcvd.reason if closed.rcvd else "")
                except (OSError, InvalidHandshake, httpx2.TransportError, httpx2.HTTPStatusError):
                    pass
                except (InvalidURI, ValidationError) as error:
                    raise WatchRefused(f"{self._path}: {error}") from error
                if code == CloseCode.COMPLETE:
                    yield FollowState("complete")
                    return
                pause = wait * random.uniform(0.5, 1.0)
                yield FollowState("reconnecting", pause)
                await asyncio.sleep(pause)
                wait = min(LONGEST_WAIT, 2 * wait)

    async def _check(self, client: httpx2.AsyncClient) -> None:
        """Ask for the episode once, whose refusal has a reason. Raise WatchRefused."""
        try:
            response = await client.get(self._path + "/events", params={"as": self._viewpoint, "stop": 0})
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise WatchRefused(
                f"{self._path}: the server cannot be reached: {error or type(error).__name__}"
            ) from error
        if response.is_error:
            raise WatchRefused(_reason(response))

    def _address(self) -> str:
        """Return the address of the socket."""
        query = {"as": self._viewpoint}
        if self._position:
            query["after"] = "{}.{}".format(*self._position)
        return f"ws{self._path.removeprefix('http')}/watch?{urlencode(query)}"

    async def _read(self, socket: ClientConnection, client: httpx2.AsyncClient) -> AsyncIterator[FollowState]:
        if self._position:
            yield FollowState("live")  # a viewer who has missed nothing receives no frame
        async for text in socket:
            match FRAME.validate_json(text):
                case SnapshotFrame(snapshot=snapshot):
                    if not await self._join(snapshot, client):
                        return
                case ResyncFrame():
                    self._position = None
                    self.slots.clear()
                    self.generation += 1
                    continue
                case EventFrame() | WithheldFrame() as frame:
                    if not self._add(frame):
                        return
            yield FollowState("live")

    def _add(self, frame: EventFrame | WithheldFrame) -> bool:
        """Add a frame. Return False if an earlier one is missing: the stream is then resumed from the gap."""
        event = frame.event if isinstance(frame, EventFrame) else None
        seq = event.seq if event else frame.seq if isinstance(frame, WithheldFrame) else -1
        if seq > len(self.slots):
            return False
        if seq == len(self.slots):
            self.slots.append(event)
            epoch = event.epoch if event else self._position[0] if self._position else 0
            self._position = (epoch, seq)
        return True

    async def _join(self, snapshot: Snapshot, client: httpx2.AsyncClient) -> bool:
        """Fetch the events before a snapshot, and go on from there.

        Return False if some cannot be had: another server answered, which does not know them yet.
        """
        while len(self.slots) <= snapshot.seq:
            query: dict[str, str | int] = {
                "as": self._viewpoint,
                "first": len(self.slots),
                "stop": snapshot.seq + 1,
            }
            response = await client.get(self._path + "/events", params=query)
            page = EventPage.model_validate_json(response.raise_for_status().content)
            for frame in page.frames:
                self.slots.append(frame.event if isinstance(frame, EventFrame) else None)
            if not page.frames:
                return False
        self._position = (snapshot.epoch, snapshot.seq)
        return True

    def _check_code(self, code: int | None, reason: str) -> None:
        """Raise WatchRefused if the server will not accept this viewer."""
        codes = {each.value: each for each in CloseCode}
        if code in codes and not codes[code].reconnect and code != CloseCode.COMPLETE:
            raise WatchRefused(f"{self._path}: {reason or codes[code].name}")


def _reason(response: httpx2.Response) -> str:
    """Return the server's reason for a refusal."""
    try:
        return f"{response.status_code}: {response.json()['detail']}"
    except (ValueError, KeyError, TypeError):
        return f"{response.url} answered {response.status_code}; is this the address of a Grandstand server?"
