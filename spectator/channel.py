"""One stream as many viewers share it: one episode, one viewpoint, one framing; each event encoded once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from grandstand.models import EpisodeSummary, Event, ResyncFrame, SnapshotFrame
from grandstand.spectator.errors import CloseCode
from grandstand.spectator.framing import Framing, Position
from grandstand.spectator.snapshot import snapshot_at
from grandstand.spectator.viewpoint import Viewpoint, redact

CHUNK = 64 * 1024
"""Bytes that a viewer who is behind is handed at a time; a frame that is larger goes alone."""

WINDOW = 4 * 1024 * 1024
"""Bytes of frames kept to share; older ones are encoded anew for whoever still needs them."""


class Subscriber(ABC):
    """One viewer's connection. A transport is a subclass: it takes bytes, and tells the hub when it cannot take more.

    All a viewer costs besides its connection is `cursor`, the number of the next event it needs. The hub alone
    sets the fields.
    """

    __slots__ = ("channel", "cursor", "paused_at")

    def __init__(self) -> None:
        self.channel: Channel | None = None
        """None before joining and after leaving."""
        self.cursor = 0
        """Only kept while the viewer is not live: who is live needs `channel.sent`."""
        self.paused_at: float | None = None

    @abstractmethod
    def write(self, data: bytes) -> None:
        """Send `data`, whole frames, without blocking. May have the hub pause this viewer before it returns."""

    @abstractmethod
    def close(self, code: CloseCode) -> None:
        """Tell the viewer why, behind what was written, and end. The viewer has left already."""

    @abstractmethod
    def abort(self) -> None:
        """Cut the connection at once."""

    @abstractmethod
    def keep_alive(self, now: float) -> None:
        """Ping if it is time to. Called every few seconds of the loop's clock while the viewer is not paused."""


class Channel:
    """Shared frames, and who reads them."""

    def __init__(self, viewpoint: Viewpoint, framing: Framing, events: Sequence[Event]) -> None:
        self.viewpoint = viewpoint
        self.framing = framing
        self.events = events
        """The whole log, a list that grows."""
        self.sent = len(events)
        """Every live viewer has all events below this number."""
        self.viewers: set[Subscriber] = set()
        self.live: set[Subscriber] = set()
        """Those of `viewers` who have everything up to `sent` and can take more."""
        self._frames: dict[int, bytes] = {}
        self._kept = 0
        self._snapshot: tuple[int, bytes] = (-1, b"")

    @property
    def ended(self) -> bool:
        """Whether all that there will ever be was sent."""
        return self.sent == len(self.events) and self.events[-1].type == "EpisodeEnded"

    def chunk(self, start: int, stop: int) -> tuple[bytes, int]:
        """The frames from `start` on, below `stop`, at most CHUNK bytes but at least one; and the next number."""
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

    def opening(self, after: Position | None, summary: EpisodeSummary) -> tuple[bytes, int]:
        """How the stream begins for who has everything up to `after`: first bytes, and the number that follows.

        Who holds a true prefix of this stream gets what is missing and nothing else. Everybody else gets the whole
        moment: a snapshot, and before it a resync where they hold something that is not part of this stream.
        """
        if after is None:
            return self._whole_moment(summary), len(self.events)
        if after.seq < len(self.events) and self.events[after.seq].epoch == after.epoch:
            return b"", after.seq + 1
        last = Position(self.events[-1].epoch, self.events[-1].seq)
        reason = f"{after} is not part of this stream, which is at {last}"
        resync = self.framing(ResyncFrame(reason=reason).model_dump_json().encode(), None)
        return resync + self._whole_moment(summary), len(self.events)

    def _whole_moment(self, summary: EpisodeSummary) -> bytes:
        """The latest snapshot; built once for all who join at the same moment."""
        last = self.events[-1]
        if self._snapshot[0] != last.seq:
            frame = SnapshotFrame(snapshot=snapshot_at(summary, self.events, self.viewpoint))
            json = frame.model_dump_json().encode()
            self._snapshot = (last.seq, self.framing(json, Position(last.epoch, last.seq)))
        return self._snapshot[1]

    def _frame(self, seq: int) -> bytes:
        frame = self._frames.get(seq)
        if frame is None:
            event = self.events[seq]
            json = redact(event, self.viewpoint).model_dump_json().encode()
            frame = self._frames[seq] = self.framing(json, Position(event.epoch, seq))
            self._kept += len(frame)
            while self._kept > WINDOW:
                self._kept -= len(self._frames.pop(next(iter(self._frames))))
        return frame
