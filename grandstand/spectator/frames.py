"""The messages of a stream, one JSON object each, and the snapshots and pages of a record that are made of them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from grandstand.models import EpisodeSummary, Event, Wire


class EventFrame(Wire):
    """One event that the viewer may know."""

    frame: Literal["event"] = "event"
    event: Event


class WithheldFrame(Wire):
    """The number of an event that the viewer may not know. The content is withheld, never the number."""

    frame: Literal["withheld"] = "withheld"
    seq: int


class Snapshot(Wire):
    """All that is needed to draw the moment `seq`: the last whole state before it, and the frames since.

    `state` is the `state` field of the event `state_seq`, the last such event that the viewer may know.
    """

    episode: EpisodeSummary
    viewpoint: str
    epoch: int
    seq: int
    state_seq: int | None
    state: Any
    recent: list[EventFrame | WithheldFrame]


class SnapshotFrame(Wire):
    """The start of a stream: the next numbered frame is `snapshot.seq + 1`."""

    frame: Literal["snapshot"] = "snapshot"
    snapshot: Snapshot


class ResyncFrame(Wire):
    """The viewer's frames are not a prefix of this stream and must be dropped. A snapshot follows."""

    frame: Literal["resync"] = "resync"
    reason: str


Frame = Annotated[EventFrame | WithheldFrame | SnapshotFrame | ResyncFrame, Field(discriminator="frame")]


class EventPage(Wire):
    """A run of an episode's events as one viewpoint may know them; `frames[i]` has number `first + i`."""

    episode_id: str
    epoch: int
    viewpoint: str
    first: int
    last_seq: int
    frames: list[EventFrame | WithheldFrame]
