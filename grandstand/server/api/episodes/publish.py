"""The publish API: an external driver streams the events of a match, which is recorded and shown like any other.

It is idempotent on (epoch, seq): known events are skipped, and a gap is refused with the number that is due.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import ValidationError

from grandstand.games.base import OptionError
from grandstand.games.registry import GAMES
from grandstand.models import (
    CORE_EVENTS,
    Draft,
    EpisodeCreated,
    EpisodeEnded,
    Event,
    PrivateBatch,
    PublishBatch,
    Published,
)
from grandstand.play.event_schema import event_schemas
from grandstand.server.api.json_stream import PIECE_SECONDS
from grandstand.server.api.parameters import problems
from grandstand.server.auth import RateLimit, digest
from grandstand.server.matches.driver import Full
from grandstand.server.visitors import TooMany
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import StorageError, UnknownEpisode
from grandstand.spectator.recorder import Recorder

log = logging.getLogger(__name__)

MAX_BODY = 1024 * 1024
"""Bytes of one request; the edge of the app refuses more."""

MAX_EVENT = 256 * 1024
"""Bytes of one event's data."""

MAX_PARTS = 1000
"""Events of one PrivateBatch."""

MAX_EVENTS = 50_000
"""Events of one episode."""

RELAYED_BYTES = 64 * 1024
RELAYED_EVENTS = 200
"""Bytes of data and number of events that are recorded and delivered before the event loop serves others."""

MAX_EPISODE = 64 * 1024 * 1024
"""Bytes of one episode's data."""

NAMED_ERRORS = 1000
"""Mistakes in one request up to which the first is named."""

NEVER_PRIVATE = frozenset({"PrivateBatch", "EpisodeCreated", "EpisodeEnded", "TurnStarted"})
"""Events that cannot be part of a batch: what the server itself reads of an episode stands in events of their own."""

SWEEP_EVERY = 30.0
"""Seconds between looks for drivers that are silent."""

EPISODES_A_MINUTE = 30
REQUESTS_A_MINUTE = 1200

EPISODE_ID = re.compile(r"[a-z0-9][a-z0-9-]{2,63}")


@dataclass(slots=True)
class Stream:
    """An unfinished published episode: when its driver last sent something, and how large it has become."""

    heard_at: float
    size: int


class PublishedMatches:
    """The unfinished published episodes: how many there are, how large they are, and which have been given up."""

    def __init__(
        self, bus: Bus, recorder: Recorder, *, limit: int, idle: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """At most `limit` at a time; an episode ends when its driver has sent nothing for `idle` seconds."""
        self._bus = bus
        self._recorder = recorder
        self._limit = limit
        self._idle = idle
        self._clock = clock
        self._streams: dict[str, Stream] = {}
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Take up those of the record, and end the silent ones from now on."""
        unfinished, _ = self._recorder.summaries(status=("live", "queued"), limit=10_000)
        for summary in unfinished:
            if summary.origin == "publisher":
                self._bus.open(summary.episode_id, summary.epoch, summary.last_seq + 1, summary.delay)
                self._streams[summary.episode_id] = Stream(self._clock(), self._recorder.size(summary.episode_id))
        self._sweep_soon()

    def close(self) -> None:
        if self._timer:
            self._timer.cancel()

    def check_room(self, episode_id: str, size: int) -> None:
        """Raise Full or OptionError if `size` bytes of events cannot be added to the episode."""
        stream = self._streams.get(episode_id)
        if stream is None and len(self._streams) >= self._limit:
            raise Full(f"{self._limit} published matches are live; let one end, or try again later")
        if (stream.size if stream else 0) + size > MAX_EPISODE:
            raise OptionError(f"events: an episode may have {MAX_EPISODE} bytes of data; end this one, begin another")

    async def relay(self, episode_id: str, checked: Sequence[tuple[Event, int]]) -> None:
        """Record and deliver events, each with the bytes of its data, some in each turn of the loop.

        If that fails, those recorded so far stay, and the driver is told the number of the next event when it asks.
        """
        part: list[Event] = []
        total = 0
        for number, (event, size) in enumerate(checked, 1):
            part.append(event)
            total += size
            if total > RELAYED_BYTES or len(part) == RELAYED_EVENTS or number == len(checked):
                self._bus.relay(part)
                self.added(episode_id, total, event.type == EpisodeEnded.__name__)
                part, total = [], 0
                await asyncio.sleep(0)

    def added(self, episode_id: str, size: int, ended: bool) -> None:
        """Count `size` bytes as added."""
        stream = self._streams.pop(episode_id, None)
        if not ended:
            self._streams[episode_id] = Stream(self._clock(), size + (stream.size if stream else 0))

    def sweep(self) -> None:
        """End the episodes whose drivers are silent."""
        now = self._clock()
        for episode_id in [
            episode_id for episode_id, stream in self._streams.items() if now - stream.heard_at > self._idle
        ]:
            summary = self._recorder.summary(episode_id)
            ended = EpisodeEnded(
                status="interrupted", message=f"the driver elsewhere sent nothing for {self._idle:g} seconds"
            )
            try:
                self._bus.open(episode_id, summary.epoch, summary.last_seq + 1, summary.delay)
                self._bus.publish(episode_id, [Draft.of(ended)])
            except StorageError as error:
                log.warning("published episode %s cannot be ended yet: %s", episode_id, error)
            else:
                del self._streams[episode_id]

    def _sweep_soon(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(min(SWEEP_EVERY, self._idle), self._swept)

    def _swept(self) -> None:
        try:
            self.sweep()
        finally:
            self._sweep_soon()


def router(bus: Bus, recorder: Recorder, token_sha256: str | None, matches: PublishedMatches) -> APIRouter:
    """Return the routes; without a token, every request is refused."""
    api = APIRouter(prefix="/api/publish", tags=["publishing"])
    requests = RateLimit(REQUESTS_A_MINUTE, 60.0)
    starts = RateLimit(EPISODES_A_MINUTE, 60.0)
    turn = asyncio.Lock()  # held while a batch is checked and delivered, which takes many turns of the loop

    def admit(request: Request, episode_id: str) -> None:
        if token_sha256 is None:
            raise PermissionError("this server takes no published matches: set GRANDSTAND_PUBLISH_TOKEN on it")
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(digest(token.strip()), token_sha256):
            raise PermissionError("token: send the publish token as `Authorization: Bearer ...`")
        if not EPISODE_ID.fullmatch(episode_id):
            raise OptionError("episode_id: 3 to 64 small letters, digits and dashes")
        if wait := requests.take("publisher"):
            raise TooMany("too many batches were published", wait)

    def next_seq(episode_id: str) -> int:
        try:
            summary = recorder.summary(episode_id)
        except UnknownEpisode:
            return 0
        if summary.origin != "publisher":
            raise PermissionError(f"{episode_id} is a match of this server; publish under another id")
        return summary.last_seq + 1

    @api.get("/{episode_id}", responses=problems(403))
    async def where(request: Request, episode_id: str) -> Published:
        """Return the number of the next event: 0 for an unknown episode."""
        admit(request, episode_id)
        return Published(next_seq=next_seq(episode_id))

    @api.post("/{episode_id}", responses={**problems(403, 422), 409: {"model": Published}})
    async def publish(request: Request, episode_id: str) -> JSONResponse:
        """Add events. Known events are skipped; if one is missing, 409 names the number that is due."""
        admit(request, episode_id)
        batch = await asyncio.to_thread(_read, await request.body())
        async with turn:
            due = next_seq(episode_id)
            _check_epoch(batch[0], due, recorder)
            events = [event for event in batch if event.seq >= due]
            if events and events[0].seq != due:
                return JSONResponse(Published(next_seq=due).model_dump(), 409)
            if events:
                checked = await _checked(episode_id, due, events, recorder)
                matches.check_room(episode_id, sum(size for _, size in checked))
                if due == 0 and (wait := starts.take(str(events[0].data.get("game", "")))):
                    raise TooMany("too many episodes of this game were published", wait)
                await matches.relay(episode_id, checked)
            return JSONResponse(Published(next_seq=due + len(events)).model_dump())

    return api


def _read(body: bytes) -> list[Event]:
    try:
        return PublishBatch.model_validate_json(body).events
    except ValidationError as error:
        raise OptionError(_first(error, "")) from error


def _check_epoch(first: Event, due: int, recorder: Recorder) -> None:
    """Raise OptionError if repeated events belong to another history under the same numbers."""
    for known in recorder.events(first.episode_id, first.seq, min(due, first.seq + 1)):
        if known.epoch != first.epoch:
            raise OptionError(f"events.0.epoch: event {first.seq} is known here with epoch {known.epoch}")


async def _checked(
    episode_id: str, due: int, events: Sequence[Event], recorder: Recorder
) -> Sequence[tuple[Event, int]]:
    """Return `events` as they are kept, with the bytes of their data, once they continue the episode.

    Raises OptionError.
    """
    if due + len(events) > MAX_EVENTS:
        raise OptionError(f"events: an episode may have {MAX_EVENTS}")
    if due == 0 and events[0].type != "EpisodeCreated":
        raise OptionError("events.0.type: an episode starts with EpisodeCreated")
    known = recorder.summary(episode_id) if due else None
    if known is not None and known.ended_at is not None:
        why = f" ({known.message})" if known.message else ""
        raise OptionError(f"events.0.seq: {episode_id} has ended{why}; nothing follows EpisodeEnded")
    game = str(events[0].data.get("game", "")) if known is None else known.game
    checked: list[tuple[Event, int]] = []
    began = time.thread_time()
    for number, event in enumerate(events):
        where = f"events.{number}"
        if event.episode_id != episode_id:
            raise OptionError(f"{where}.episode_id: {event.episode_id!r} is not {episode_id!r}")
        if event.seq != due + number:
            raise OptionError(f"{where}.seq: {event.seq} does not follow {due + number - 1}")
        if event.type == "EpisodeEnded" and number != len(events) - 1:
            raise OptionError(f"{where}.type: nothing follows EpisodeEnded")
        data = _checked_data(game, event, where)
        checked.append((event.model_copy(update={"data": data}), len(json.dumps(data))))
        if time.thread_time() - began > PIECE_SECONDS:
            await asyncio.sleep(0)
            began = time.thread_time()
    return checked


def _checked_data(game: str, event: Event, where: str) -> dict[str, Any]:
    """Return the event's data as its type reads it: what is recorded can be read back. Raises OptionError."""
    if event.type != PrivateBatch.__name__:
        return _typed(game, event.type, event.data, where)
    if event.audience != "private":
        raise OptionError(f"{where}.audience: of a PrivateBatch it is 'private'; its parts have their own")
    try:
        batch = PrivateBatch.model_validate(event.data)
    except ValidationError as error:
        raise OptionError(_first(error, f"{where}.data.")) from error
    if len(batch.events) > MAX_PARTS:
        raise OptionError(f"{where}.data.events: a PrivateBatch has at most {MAX_PARTS}")
    parts = []
    for number, part in enumerate(batch.events):
        at = f"{where}.data.events.{number}"
        if part.type in NEVER_PRIVATE:
            raise OptionError(f"{at}.type: {part.type} has a number of its own")
        parts.append(part.model_copy(update={"data": _typed(game, part.type, part.data, at)}))
    return PrivateBatch(events=parts).model_dump(mode="json")


def _typed(game: str, kind: str, data: dict[str, Any], where: str) -> dict[str, Any]:
    """Return `data` as the event type `kind` reads it. Raises OptionError.

    The types of the games known here are strict, as are our own; the events of other games are any JSON.
    """
    try:
        size = len(json.dumps(data, ensure_ascii=False, allow_nan=False).encode())
    except ValueError:
        raise OptionError(f"{where}.data{_not_json(data)}: JSON has no NaN, infinity or lone surrogate") from None
    if size > MAX_EVENT:
        raise OptionError(f"{where}.data: more than {MAX_EVENT} bytes")
    schema = event_schemas(game).get(kind)
    if schema is None:
        if game in GAMES:
            raise OptionError(f"{where}.type: {game} has no event {kind!r}")
        return data
    try:
        checked = schema.model_validate(data)
    except ValidationError as error:
        raise OptionError(_first(error, f"{where}.data.")) from error
    if isinstance(checked, EpisodeCreated) and checked.origin != "publisher":
        raise OptionError(f"{where}.data.origin: must be 'publisher', not {checked.origin!r}")
    return checked.model_dump(mode="json", exclude_unset=kind not in CORE_EVENTS)


def _not_json(value: Any) -> str:
    """Return the path of the first part of `value` that cannot be written as JSON: `.state.x`."""
    if isinstance(value, dict | list):
        for name, part in value.items() if isinstance(value, dict) else enumerate(value):
            try:
                json.dumps({name: part}, ensure_ascii=False, allow_nan=False).encode()
            except ValueError:
                return f".{name!s}".encode(errors="replace").decode() + _not_json(part)
    return ""


def _first(error: ValidationError, prefix: str) -> str:
    if error.error_count() > NAMED_ERRORS:  # to list them takes too long
        return f"{prefix.rstrip('.') or 'body'}: {error.error_count()} parts of it do not fit; see docs/protocol.md"
    first = error.errors()[0]
    where = prefix + ".".join(str(part) for part in first["loc"])
    return f"{where or 'body'}: {first['msg']}"
