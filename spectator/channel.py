"""A stream that many viewers share: one episode, one viewpoint, one framing; each event is encoded once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from grandstand.models import EpisodeSummary, Event
from grandstand.spectator.errors import CloseCode
from grandstand.spectator.frames import ResyncFrame, SnapshotFrame
from grandstand.spectator.framing import Framing, StreamPosition
from grandstand.spectator.snapshot import snapshot_at
from grandstand.spectator.viewpoint import Viewpoint, redact

CHUNK = 64 * 1024
"""Bytes that a viewer that is behind receives at a time; a larger frame is sent alone."""

WINDOW = 4 * 1024 * 1024
"""Bytes of encoded frames that are cached; older frames are encoded again for a viewer that needs them."""


class Subscriber(ABC):
    """The connection of one viewer. Transports are subclasses: they send bytes, and pause and resume at the hub.

    The only state of a viewer besides its connection is `cursor`, the number of the next event that it needs. Only the
    hub sets the fields.
    """

    __slots__ = ("channel", "cursor", "paused_at")

    def __init__(self) -> None:
        self.channel: Channel | None = None
        """None before joining and after leaving."""
        self.cursor = 0
        """Valid only while the viewer is not live: a live viewer needs `channel.sent` next."""
        self.paused_at: float | None = None

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Send `data`, complete frames, without blocking. May call the hub to pause this viewer before it returns."""

    @abstractmethod
    def close(self, code: CloseCode) -> None:
        """Close the connection with `code` after the data written so far. The viewer has left the hub already."""

    @abstractmethod
    def abort(self) -> None:
        """Drop the connection immediately."""

    @abstractmethod
    def keep_alive(self, now: float) -> None:
        """Send a ping if one is due. Called every few seconds of the loop's clock while the viewer is not paused."""


class Channel:
    """The encoded frames of one stream, and its viewers."""

    def __init__(self, viewpoint: Viewpoint, framing: Framing, events: Sequence[Event]) -> None:
        self.viewpoint = viewpoint
        self.framing = framing
        self.events = events
        """The whole log, a list that grows."""
        self.sent = len(events)
        """Every live viewer has received all events below this number."""
        self.viewers: set[Subscriber] = set()
        self.live: set[Subscriber] = set()
        """The viewers that have received everything up to `sent` and can take more."""
        self._frames: dict[int, bytes] = {}
        self._cached = 0
        self._snapshot: tuple[int, bytes] = (-1, b"")

    @property
    def ended(self) -> bool:
        """Return whether the episode has ended and its last event was sent."""
        return self.sent == len(self.events) and self.events[-1].type == "EpisodeEnded"

    def chunk(self, start: int, stop: int) -> tuple[bytes, int]:
        """Return frames from `start` on, below `stop`, at most CHUNK bytes but at least one; and the next number."""
        parts: list[bytes] = []
        size = 0
        while start < stop:
            frame = self._frame(start)
            if parts and size + len(frame) > CHUNK:
                break
            parts.append(frame)
            size += len(frame)
            start += 1
        return (parts[0] if len(parts) == 1 else b"".join(parts)), start

    def opening(self, after: StreamPosition | None, summary: EpisodeSummary) -> tuple[bytes, int]:
        """Return the first bytes of the stream for a viewer at position `after`, and the number that follows.

        A viewer at a position of this stream gets only the missing events. Any other viewer gets a snapshot of the
        current state, preceded by a resync if its position is not part of this stream.
        """
        if after is None:
            return self._snapshot_frame(summary), len(self.events)
        if after.seq < len(self.events) and self.events[after.seq].epoch == after.epoch:
            return b"", after.seq + 1
        last = StreamPosition(self.events[-1].epoch, self.events[-1].seq)
        reason = f"{after} is not part of this stream, which is at {last}"
        resync = self.framing(ResyncFrame(reason=reason).model_dump_json().encode(), None)
        return resync + self._snapshot_frame(summary), len(self.events)

    def _snapshot_frame(self, summary: EpisodeSummary) -> bytes:
        """Return the latest snapshot as a frame; built once for all viewers that join at the same event."""
        last = self.events[-1]
        if self._snapshot[0] != last.seq:
            frame = SnapshotFrame(snapshot=snapshot_at(summary, self.events, self.viewpoint))
            json = frame.model_dump_json().encode()
            self._snapshot = (last.seq, self.framing(json, StreamPosition(last.epoch, last.seq)))
        return self._snapshot[1]

    def _frame(self, seq: int) -> bytes:
        frame = self._frames.get(seq)
        if frame is None:
            event = self.events[seq]
            json = redact(event, self.viewpoint).model_dump_json().encode()
            frame = self._frames[seq] = self.framing(json, StreamPosition(event.epoch, seq))
            self._cached += len(frame)
            while self._cached > WINDOW:
                self._cached -= len(self._frames.pop(next(iter(self._frames))))
        return frame
