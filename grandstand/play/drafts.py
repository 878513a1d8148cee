"""Game events as drafts, and private drafts in batches, so that their number reveals nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from grandstand.games.base import GameEvent
from grandstand.games.match import event_data
from grandstand.games.picture import PictureSeen, PictureShown
from grandstand.models import Draft, PrivateBatch, PrivateEvent


def game_draft(event: GameEvent) -> Draft:
    """Return a game event as a draft, ready to publish."""
    seats = event.seats()
    return Draft(type(event).__name__, event_data(event), "public" if seats is None else sorted(seats))


def private_batch(drafts: Iterable[Draft]) -> Draft:
    """Return the private drafts as one event, so that they have one number together."""
    parts = [
        PrivateEvent.model_construct(type=kind, audience=audience, data=data)
        for kind, data, audience in drafts
        if audience != "public"
    ]
    return Draft.of(PrivateBatch.model_construct(events=parts), "private")


def in_one_batch(drafts: Sequence[Draft]) -> list[Draft]:
    """Return a batch of the private `drafts`, which may be empty, and then the public drafts in order.

    The seats' view of a picture is in a batch after it: a viewer who joins there receives the picture and what follows.
    """
    seen = [item for item in drafts if item.type == PictureSeen.__name__]
    batched = [private_batch(item for item in drafts if item not in seen)]
    for item in drafts:
        if item.audience == "public":
            batched += [item, private_batch(seen)] if item.type == PictureShown.__name__ else [item]
    return batched
