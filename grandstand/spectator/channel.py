"""A stream that many viewers share: one episode, one viewpoint, one framing; each event is encoded once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence

from grandstand.models import Event
from grandstand.spectator.errors import CloseCode
from grandstand.spectator.frames import EpisodeSummary, ResyncFrame, SnapshotFrame
from grandstand.spectator.framing import Framing, StreamPosition
from grandstand.spectator.snapshot import last_state, snapshot_at
from grandstand.spectator.summary import summary_of
from grandstand.spectator.viewpoint import Viewpoint, redact

CHUNK = 64 * 1024
"""The most bytes that a viewer who is behind receives at a time; a larger frame is sent alone."""

SNAPSHOT = 128 * 1024
"""The most bytes of events after the last state in a snapshot. A viewer receives the others as separate frames,
a chunk at a time, so that a long episode without states does not delay other viewers."""

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


Failures = Iterable[tuple[Subscriber, Exception]]
"""Viewers whose connection failed, with the error."""

WriteAll = Callable[[Sequence[Subscriber], bytes], Failures]


def write_each(viewers: Sequence[Subscriber], data: bytes) -> Failures:
    """Write `data` to one viewer after another."""
    for viewer in viewers:
        try:
            viewer.write(data)
        except Exception as error:
            yield viewer, error


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
        self.live: dict[Subscriber, None] = {}
        """The viewers that have received everything up to `sent`, or await their turn, and can take more, in order."""
        self.turns: Iterator[Subscriber] = iter(())
        """The live viewers that are still to receive `piece`; some may have left or been paused meanwhile."""
        self.piece = b""
        """The frames up to `sent` that are being sent."""
        self.piece_start = 0
        """The number of its first event."""
        self._frames: dict[int, bytes] = {}
        self._cached = 0
        self._snapshot: tuple[int, int, bytes] = (0, 0, b"")
        """The latest snapshot: the length of the log that it was made for, the number that follows it, and its frame.
        """
        self._last_state = (0, -1)
        """The length of the log that was searched for a state, and the number of the last one, or -1."""

    @property
    def ended(self) -> bool:
        """Return whether the episode has ended and its last event was sent."""
        return self.sent == len(self.events) and self.events[-1].type == "EpisodeEnded"

    def next_piece(self) -> None:
        """Read what follows `sent`, for all live viewers."""
        self.piece_start = self.sent
        if self.framing.several is None or self.sent + 1 == len(self.events):
            self.piece, self.sent = self.chunk(self.sent, len(self.events))
        else:
            jsons: list[bytes] = []
            size = 0
            while self.sent < len(self.events) and size < CHUNK:
                jsons.append(self._json(self.sent))
                size += len(jsons[-1])
                self.sent += 1
            self.piece = self.framing.several(jsons)
        self.turns = iter(tuple(self.live))

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

    def opening(self, after: StreamPosition | None, summary: Callable[[], EpisodeSummary]) -> tuple[bytes, int]:
        """Return the first bytes of the stream for a viewer at position `after`, and the number that follows.

        A viewer at a position of this stream gets only the missing events. Any other viewer gets a snapshot of the
        current state, preceded by a resync if its position is not part of this stream. `summary` is called only for a
        new snapshot: it may have to read the record.
        """
        if after is None:
            return self._snapshot_frame(summary)
        if after.seq < len(self.events) and self.events[after.seq].epoch == after.epoch:
            return b"", after.seq + 1
        last = StreamPosition(self.events[-1].epoch, self.events[-1].seq)
        reason = f"{after} is not part of this stream, which is at {last}"
        resync = self.framing.one(ResyncFrame(reason=reason).model_dump_json().encode(), None)
        frame, following = self._snapshot_frame(summary)
        return resync + frame, following

    def _snapshot_frame(self, summary: Callable[[], EpisodeSummary]) -> tuple[bytes, int]:
        """Return a snapshot as a frame, and the number of the event that follows it.

        It shows the latest moment, or an earlier one where the events since the last state are more than SNAPSHOT
        bytes. It is built once for all viewers that join at the same event.
        """
        made_for, following, frame = self._snapshot
        if made_for != len(self.events):
            state = self._find_state()
            following = self._snapshot_end(state)
            events = self.events if following == len(self.events) else self.events[:following]
            episode = summary() if events is self.events else summary_of(events)
            last = events[-1]
            shown = SnapshotFrame(snapshot=snapshot_at(episode, events, self.viewpoint, state))
            json = shown.model_dump_json().encode()
            frame = self.framing.one(json, StreamPosition(last.epoch, last.seq))
            self._snapshot = (len(self.events), following, frame)
        return frame, following

    def _find_state(self) -> int:
        """Return the number of the last event that carries a state, or -1. Each event is looked at once."""
        searched, state = self._last_state
        newest = last_state(self.events, self.viewpoint, searched - 1)
        if newest >= searched:
            state = newest
        self._last_state = len(self.events), state
        return state

    def _snapshot_end(self, state: int) -> int:
        """Return the number of the first event that does not fit into a snapshot which begins with event `state`."""
        size = 0
        for seq in range(state + 1, len(self.events)):
            size += len(self._frame(seq))
            if size > SNAPSHOT and seq > 0:
                return seq
        return len(self.events)

    def _frame(self, seq: int) -> bytes:
        frame = self._frames.get(seq)
        if frame is None:
            event = self.events[seq]
            frame = self._frames[seq] = self.framing.one(self._json(seq), StreamPosition(event.epoch, seq))
            self._cached += len(frame)
            while self._cached > WINDOW:
                self._cached -= len(self._frames.pop(next(iter(self._frames))))
        return frame

    def _json(self, seq: int) -> bytes:
        return redact(self.events[seq], self.viewpoint).model_dump_json().encode()
