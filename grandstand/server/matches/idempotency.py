"""Requests with an `Idempotency-Key`: each is carried out once, and a repetition returns the first result."""

from __future__ import annotations

import hashlib

from grandstand.games.base import OptionError
from grandstand.models import Wire
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_rows import Request
from grandstand.spectator.store.interface import EpisodeStore


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
