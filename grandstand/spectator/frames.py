"""The messages of a stream, one JSON object each: events, snapshots, pages of a record, and what a publisher sends."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from grandstand.events import Moment, OutlookUpdated, Reveal, SeatInfo, TrainingMatch
from grandstand.models import Event, OutcomeData, SeatId, Status, Wire


class QueuePlace(Wire):
    """The place of a match in the queue, from 1, and an estimate of the seconds until it begins."""

    place: int
    seconds: float | None = None


class EpisodeSummary(Wire):
    """An episode in the lobby, folded from its public events alone."""

    episode_id: str
    epoch: int
    game: str
    title: str
    status: Status
    origin: str
    source: str = ""
    options: dict[str, Any]
    seats: list[SeatInfo]
    reveal: Reveal = "never"
    delay: float = 0.0
    clock: float | None = None
    approve: bool = False
    voice: bool = False
    commentator: str = ""
    parent: Moment | None = None
    training: TrainingMatch | None = None
    visitor: bool = False
    created_at: float
    started_at: float | None = None
    ended_at: float | None = None
    last_seq: int
    turn: str = ""
    scores: dict[SeatId, float] = {}
    outlook: OutlookUpdated | None = None
    headline: str = Field(default="", description="The headline of a campaign's report.")
    paused: bool = False
    taken: list[SeatId] = Field(default=[], description="Seats that a person has taken over.")
    left: list[SeatId] = Field(default=[], description="Seats whose person has left, so that a built-in player acts.")
    outcome: OutcomeData | None = None
    message: str = ""
    queue: QueuePlace | None = Field(default=None, description="Its place in the queue while it waits for a slot.")
    reference: bool = Field(default=False, description="True if it came with the installation.")


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


class PublishBatch(Wire):
    """Events of one episode, in order, from an external driver."""

    events: list[Event] = Field(min_length=1, max_length=1000)


class Published(Wire):
    """The progress of a published episode: the server has all events below `next_seq`."""

    next_seq: int
