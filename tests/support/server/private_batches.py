"""The parts of private batches, for tests that look for an event inside and outside batches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from grandstand.models import Event, flat


def visible_events(frames: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield every event that `frames` show, as JSON has it, those within batches one by one."""
    for frame in frames:
        if frame["frame"] == "event":
            for event in flat([Event.model_validate(frame["event"])]):
                yield event.model_dump(mode="json")


def including_parts(change: Callable[[Event], Event]) -> Callable[[Event], Event]:
    """Return a function that applies `change` to an event and to the parts of a batch."""

    def changed(event: Event) -> Event:
        if event.type != "PrivateBatch":
            return change(event)
        parts = [change(part).model_dump(include={"type", "audience", "data"}) for part in flat([event])]
        return event.model_copy(update={"data": {"events": parts}})

    return changed
