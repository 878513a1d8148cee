"""A Snapshot: what a viewer needs to paint one moment, taken from the events up to it."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.models import EpisodeSummary, Event, Snapshot
from grandstand.spectator.summary import summary_of
from grandstand.spectator.viewpoint import Viewpoint, redact


def snapshot(events: Sequence[Event], viewpoint: Viewpoint, *, recent: bool = True) -> Snapshot:
    """The moment of the last of `events`, which must start at seq 0, as `viewpoint` may know it.

    Without `recent` that field is empty: what follows `state_seq` is the caller's to add.
    """
    if not events:
        raise ValueError("an episode without events has no snapshot")
    return snapshot_at(summary_of(events), events, viewpoint, recent=recent)


def snapshot_at(
    summary: EpisodeSummary, events: Sequence[Event], viewpoint: Viewpoint, *, recent: bool = True
) -> Snapshot:
    """As `snapshot`, where the fold of `events` is already at hand."""
    base = len(events)
    for base in range(len(events) - 1, -1, -1):
        if "state" in events[base].data and viewpoint.known(events[base]):
            break
    else:
        base = -1
    return Snapshot(
        episode=summary,
        viewpoint=str(viewpoint),
        epoch=summary.epoch,
        seq=events[-1].seq,
        state_seq=base if base >= 0 else None,
        state=events[base].data["state"] if base >= 0 else None,
        recent=[redact(event, viewpoint) for event in events[base + 1 :]] if recent else [],
    )
