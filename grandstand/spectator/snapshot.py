"""Snapshots: the data that a viewer needs to show one moment of an episode, computed from the events up to it."""

from __future__ import annotations

from collections.abc import Sequence

from grandstand.models import Event
from grandstand.spectator.frames import EpisodeSummary, Snapshot
from grandstand.spectator.summary import summary_of
from grandstand.spectator.viewpoint import Viewpoint, redact


def snapshot(events: Sequence[Event], viewpoint: Viewpoint, *, recent: bool = True) -> Snapshot:
    """Return the state at the last of `events`, which must start at seq 0, as visible from `viewpoint`.

    Without `recent` that field is empty: the caller adds the events after `state_seq`.
    """
    if not events:
        raise ValueError("an episode without events has no snapshot")
    return snapshot_at(summary_of(events), events, viewpoint, last_state(events, viewpoint), recent=recent)


def snapshot_at(
    summary: EpisodeSummary, events: Sequence[Event], viewpoint: Viewpoint, base: int, *, recent: bool = True
) -> Snapshot:
    """Return the snapshot after `events`, as `snapshot` does, for a caller that has their `summary` and the number of
    the last state already."""
    return Snapshot(
        episode=summary,
        viewpoint=str(viewpoint),
        epoch=summary.epoch,
        seq=events[-1].seq,
        state_seq=base if base >= 0 else None,
        state=events[base].data["state"] if base >= 0 else None,
        recent=[redact(event, viewpoint) for event in events[base + 1 :]] if recent else [],
    )


def last_state(events: Sequence[Event], viewpoint: Viewpoint, after: int = -1) -> int:
    """Return the number of the last of `events` that carries a state visible from `viewpoint`; `after` if none of those
    behind it does."""
    for number in range(len(events) - 1, after, -1):
        if "state" in events[number].data and viewpoint.known(events[number]):
            return number
    return after
