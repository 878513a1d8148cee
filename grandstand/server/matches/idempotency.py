"""Requests are carried out whole, and those with an `Idempotency-Key` once: a repetition returns the first result."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

from grandstand.games.base import OptionError
from grandstand.models import Wire
from grandstand.spectator.errors import StorageError
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_rows import Request
from grandstand.spectator.store.interface import EpisodeStore

T = TypeVar("T")

ANSWER = 4.5
"""Seconds for which a caller waits: longer than the commits before its own and its own take, unless the record does not
answer. It is then not known whether the work is recorded; it goes on until that is known."""

_begun: set[asyncio.Task[Any]] = set()


def stored_request(key: str | None, body: Wire) -> Request | None:
    """Return the request as it is stored, None if it has no key."""
    return None if key is None else Request(key, hashlib.sha256(body.model_dump_json().encode()).hexdigest())


async def scoped_key(recorder: EpisodeStore, scope: str, key: str | None) -> str | None:
    """Return the key of a request as one of `scope`, None if it has none, once it is read what is known of it."""
    if key is None:
        return None
    await recorder.prefetch(key=f"{scope} {key}")
    return f"{scope} {key}"


def earlier_result(recorder: EpisodeStore, request: Request | None) -> EpisodeSummary | None:
    """Return the episode of an earlier request with the same key. Raise OptionError if that request differed."""
    known = None if request is None else recorder.answered(request.key)
    if request is None or known is None:
        return None
    body, episode_id = known
    if body != request.body:
        raise OptionError("Idempotency-Key: it was sent before with another request; take a new key for this one")
    return recorder.summary(episode_id)


async def whole(
    work: Coroutine[Any, Any, T], unclaimed: Callable[[T], None] = lambda result: None, seconds: float | None = ANSWER
) -> T:
    """Return the result of `work`, which goes on to its end if the caller is cancelled or has waited for `seconds`.

    `unclaimed` is then called with the result. Raises StorageError for a caller that has waited long enough.
    """
    task = asyncio.ensure_future(work)
    _begun.add(task)
    task.add_done_callback(_begun.discard)
    try:
        done, _ = await asyncio.wait((task,), timeout=seconds)
    except asyncio.CancelledError:
        task.add_done_callback(partial(_drop, unclaimed))
        raise
    if not done:
        task.add_done_callback(partial(_drop, unclaimed))
        raise StorageError("the record does not answer; it is not known whether the request will be carried out")
    return task.result()


def _drop(unclaimed: Callable[[T], None], task: asyncio.Task[T]) -> None:
    if not task.cancelled() and task.exception() is None:
        unclaimed(task.result())
