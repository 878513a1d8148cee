"""The publish API: an external driver streams the events of a match, which is recorded and shown like any other.

It is idempotent on (epoch, seq): known events are skipped, and a gap is refused with the number that is due.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import re
import time
from collections.abc import Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import ValidationError

from grandstand.events import CORE_EVENTS, EpisodeCreated
from grandstand.games.base import OptionError
from grandstand.games.catalog import GAMES
from grandstand.models import Event, PrivateBatch
from grandstand.play.event_schema import event_schemas
from grandstand.server.api.json_stream import PIECE_SECONDS
from grandstand.server.auth import digest
from grandstand.server.http import problems
from grandstand.server.matches.idempotency import whole
from grandstand.server.parts import Parts, ServerParts
from grandstand.spectator.errors import UnknownEpisode
from grandstand.spectator.frames import PublishBatch, Published
from grandstand.spectator.store.interface import EpisodeStore

MAX_BODY = 1024 * 1024
"""Bytes of one request; the edge of the app refuses more."""

MAX_EVENT = 256 * 1024
"""Bytes of one event's data."""

MAX_PARTS = 1000
"""Events of one PrivateBatch."""

MAX_EVENTS = 50_000
"""Events of one episode."""

NAMED_ERRORS = 1000
"""Validation errors up to which the first is named in the answer; listing more takes too long."""

NEVER_PRIVATE = frozenset({"PrivateBatch", "EpisodeCreated", "EpisodeEnded", "TurnStarted"})
"""Events that cannot be part of a batch, because the server itself reads them."""

EPISODE_ID = re.compile(r"[a-z0-9][a-z0-9-]{2,63}")

router = APIRouter(tags=["publishing"])


@router.get("/{episode_id}", responses=problems(403))
async def where(parts: Parts, request: Request, episode_id: str) -> Published:
    """Return the number of the next event: 0 for an unknown episode."""
    _admit(parts, request, episode_id)
    return Published(next_seq=_next_seq(parts.recorder, episode_id))


@router.post("/{episode_id}", responses={**problems(403, 422), 409: {"model": Published}})
async def publish(parts: Parts, request: Request, episode_id: str) -> JSONResponse:
    """Add events. Known events are skipped; if one is missing, 409 names the number that is due."""
    _admit(parts, request, episode_id)
    batch = await asyncio.to_thread(_read, await request.body())
    return await whole(_add(parts, episode_id, batch), seconds=None)


async def _add(parts: ServerParts, episode_id: str, batch: list[Event]) -> JSONResponse:
    """Record and deliver the events that are new."""
    recorder, published = parts.recorder, parts.published
    async with published.turn:
        due = _next_seq(recorder, episode_id)
        await _check_epoch(batch[0], due, recorder)
        events = [event for event in batch if event.seq >= due]
        if events and events[0].seq != due:
            return JSONResponse(Published(next_seq=due).model_dump(), 409)
        if events:
            checked = await _checked(episode_id, due, events, recorder)
            published.check_room(episode_id, sum(size for _, size in checked))
            if due == 0:
                game = events[0].data.get("game", "")
                published.starts.draw(f"game {game}", 1, f"a published episode of {game}")
            await published.relay(episode_id, checked)
        return JSONResponse(Published(next_seq=due + len(events)).model_dump())


def _admit(parts: ServerParts, request: Request, episode_id: str) -> None:
    """Raise PermissionError, OptionError or CannotAfford unless the request may publish under this id."""
    token_sha256 = parts.settings.publish_sha256
    if token_sha256 is None:
        raise PermissionError("this server takes no published matches: set GRANDSTAND_PUBLISH_TOKEN on it")
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not hmac.compare_digest(digest(token.strip()), token_sha256):
        raise PermissionError("token: send the publish token as `Authorization: Bearer ...`")
    if not EPISODE_ID.fullmatch(episode_id):
        raise OptionError("episode_id: 3 to 64 small letters, digits and dashes")
    parts.published.requests.draw("publisher", 1, "a published batch")


def _next_seq(recorder: EpisodeStore, episode_id: str) -> int:
    try:
        summary = recorder.summary(episode_id)
    except UnknownEpisode:
        return 0
    if summary.origin != "publisher":
        raise PermissionError(f"{episode_id} is a match of this server; publish under another id")
    return summary.last_seq + 1


def _read(body: bytes) -> list[Event]:
    try:
        return PublishBatch.model_validate_json(body).events
    except ValidationError as error:
        raise OptionError(_first(error, "")) from error


async def _check_epoch(first: Event, due: int, recorder: EpisodeStore) -> None:
    """Raise OptionError if a repeated event has another epoch than the recorded one."""
    stop = min(due, first.seq + 1)
    for known in await recorder.apart(lambda: list(recorder.events(first.episode_id, first.seq, stop))):
        if known.epoch != first.epoch:
            raise OptionError(f"events.0.epoch: event {first.seq} is known here with epoch {known.epoch}")


async def _checked(
    episode_id: str, due: int, events: Sequence[Event], recorder: EpisodeStore
) -> Sequence[tuple[Event, int]]:
    """Return `events` as they are recorded, each with the bytes of its data. They must continue the episode.

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
    """Return the event's data as its type parses it, so that the record can be read back. Raises OptionError."""
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
    """Return `data` as the event type `kind` parses it. Raises OptionError.

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
