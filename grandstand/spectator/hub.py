"""The hub: delivers the streams of all episodes to their viewers. An observer of the bus, without a web framework.

A viewer has no queue, task, lock or timer here. A viewer that can take bytes is *live*: each new piece of the stream
is joined once, and the same bytes are written to all live viewers. A viewer that cannot is *paused*: only its cursor
is kept, and when its connection takes bytes again, it catches up from the shared frames, a chunk at a time. A viewer
that stays paused is dropped. However many viewers there are, sending takes the loop's time in slices,
between which it serves others. Everything runs on the event loop's thread, so that "snapshot, then subscribe" is
atomic.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from itertools import islice

from grandstand.models import Event
from grandstand.spectator.channel import Channel, Subscriber, WriteAll, write_each
from grandstand.spectator.errors import CloseCode, StorageError
from grandstand.spectator.framing import Framing, StreamPosition
from grandstand.spectator.history import History
from grandstand.spectator.viewpoint import Viewpoint

log = logging.getLogger(__name__)

SLOW_AFTER = 25.0
"""Seconds after which a viewer that takes no bytes is dropped."""

SLICE = 0.01
"""CPU seconds of sending after which the loop serves others."""

BREATHER = 0.5
"""Seconds without sending after each second of it, where more is due."""

BATCH = 256
"""Live viewers that receive a piece between two looks at the clock."""

BETWEEN = 32
"""Viewers that catch up between two looks at the clock, a look at which costs a tenth of a message."""

SWEEP_EVERY = 5.0
"""Seconds between checks of every viewer."""

Key = tuple[Viewpoint, Framing]


async def _nobody_is_ahead(episode_id: str, after: StreamPosition) -> None:
    """Read nothing: no other server writes to the record."""


class Hub:
    """The channels of all episodes and their viewers."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._episodes: dict[str, dict[Key, Channel]] = {}
        self._dirty: set[Channel] = set()
        """Channels with events that were not sent to their live viewers yet."""
        self._behind: dict[Subscriber, None] = {}
        """Viewers that can take bytes and have not reached their channel's `sent`, in the order of their turns."""
        self._behind_first = False
        """Whether they are next: the last slice ended before them."""
        self._rest_until = 0.0
        self._spent = 0.0
        """CPU seconds of sending since nothing was due."""
        self._pumping: asyncio.TimerHandle | None = None
        self._sweeping: asyncio.TimerHandle | None = None
        self._closed: CloseCode | None = None
        self.catch_up: Callable[[str, StreamPosition], Awaitable[None]] = _nobody_is_ahead
        """Reads what is not known here of an episode, for a viewer at a later position."""
        self.write_all: WriteAll = write_each
        """Writes a piece to at most BATCH viewers of one channel."""
        self.closed = asyncio.Event()
        """Set when the server stops, so that requests stop waiting."""

    def viewers(self, episode_id: str | None = None) -> int:
        """Return the number of connections to one episode, or to all."""
        return sum(len(channel.viewers) for channel in self._channels(episode_id))

    def watched(self) -> list[str]:
        """Return the episodes that have viewers."""
        return list(self._episodes)

    def refuse(self, code: CloseCode) -> None:
        """Close every viewer that joins from now on."""
        self._closed = code

    def audience(self, episode_id: str | None = None) -> int:
        """Return the number of viewers; in a delayed episode, of the delayed viewers only.

        Undelayed viewers leave when the match ends, which must not become known before its release.
        """
        return sum(
            len(channel.viewers)
            for channel in self._channels(episode_id)
            if channel.viewpoint.delayed or not channel.events[0].data.get("delay")
        )

    def playing(self, episode_id: str) -> set[str]:
        """Return the seats whose players are connected; others who look as a seat are delayed viewers."""
        channels = self._channels(episode_id)
        return {view.seat for view in (one.viewpoint for one in channels) if view.seat and not view.delayed}

    def on_events(self, events: Sequence[Event]) -> None:
        """Mark the episode's channels. Events are sent later, so that the publisher never waits for a viewer."""
        self._mark(events[0].episode_id)

    def on_released(self, episode_id: str) -> None:
        """Mark the episode's channels: events were released to delayed viewers."""
        self._mark(episode_id)

    def _mark(self, episode_id: str) -> None:
        channels = self._episodes.get(episode_id)
        if channels:
            for channel in channels.values():
                channel.events = self._history.events(episode_id, channel.viewpoint)
                self._dirty.add(channel)
            self._schedule()

    async def ready(self, episode_id: str, after: StreamPosition | None = None) -> None:
        """Load an episode into memory, so that `join` need not read a long record. Raises UnknownEpisode.

        A viewer at `after` may come from another server that is ahead: then this one reads what it does not know yet.
        Raises StorageError if it cannot.
        """
        if after is None:
            await self._history.prefetch(episode_id)
        await self._history.load(episode_id)
        kept = self._history.kept(episode_id)
        if after is not None and kept is not None and after.seq >= len(kept) and after.epoch >= kept[-1].epoch:
            await self.catch_up(episode_id, after)

    def join(
        self, viewer: Subscriber, episode_id: str, viewpoint: Viewpoint, framing: Framing, after: StreamPosition | None
    ) -> None:
        """Start `viewer`'s stream behind `after`, or with a snapshot if that is None or not part of the stream.

        Must be called on the loop's thread. Raises UnknownEpisode.
        """
        if self._closed is not None:
            viewer.close(self._closed)
            return
        events = self._history.events(episode_id, viewpoint)
        channels = self._episodes.setdefault(episode_id, {})
        channel = channels.get((viewpoint, framing))
        if channel is None:
            channel = channels[viewpoint, framing] = Channel(viewpoint, framing, events)
        viewer.channel = channel
        channel.viewers.add(viewer)
        try:
            summary = partial(self._history.summary, episode_id, viewpoint)
            opening, viewer.cursor = channel.opening(after, summary)
            if channel.sent < viewer.cursor:
                self._put_off(channel)
        except StorageError as error:
            log.warning("episode %s cannot be shown for now: %s", episode_id, error)
            self._dismiss(viewer, CloseCode.STOPPING)
            return
        except Exception:
            log.exception("episode %s cannot be shown as %s", episode_id, viewpoint)
            self._dismiss(viewer, CloseCode.INTERNAL)
            return
        self._write([viewer], opening)
        self._advance(viewer)
        if self._behind:
            self._schedule()
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(SWEEP_EVERY, self._sweep)

    def pause(self, viewer: Subscriber) -> None:
        """Pause a viewer that cannot take more bytes; only its position is kept."""
        if viewer.channel is not None and viewer.paused_at is None:
            viewer.paused_at = asyncio.get_running_loop().time()
            self._behind.pop(viewer, None)
            viewer.channel.live.pop(viewer, None)

    def resume(self, viewer: Subscriber) -> None:
        """Resume a viewer that can take bytes again; it catches up in its turn."""
        if viewer.channel is not None and viewer.paused_at is not None:
            viewer.paused_at = None
            self._behind[viewer] = None
            self._schedule()

    def leave(self, viewer: Subscriber) -> None:
        """Forget `viewer`, and its channel with the last one. Idempotent."""
        channel, viewer.channel = viewer.channel, None
        if channel is None:
            return
        channel.viewers.discard(viewer)
        channel.live.pop(viewer, None)
        self._behind.pop(viewer, None)
        if not channel.viewers:
            self._dirty.discard(channel)
            episode_id = channel.events[0].episode_id
            del self._episodes[episode_id][channel.viewpoint, channel.framing]
            if not self._episodes[episode_id]:
                del self._episodes[episode_id]

    def close(self, code: CloseCode) -> None:
        """Send pending events, then close every viewer with `code`, and every viewer that joins later."""
        self._closed = code
        self.closed.set()
        for channel in self._channels():
            self._flush(channel, math.inf)
            for viewer in tuple(channel.viewers):
                self._dismiss(viewer, code)
        for timer in (self._pumping, self._sweeping):
            if timer is not None:
                timer.cancel()

    def _channels(self, episode_id: str | None = None) -> Iterator[Channel]:
        groups = self._episodes.values() if episode_id is None else [self._episodes.get(episode_id, {})]
        yield from [channel for group in groups for channel in group.values()]

    def _schedule(self) -> None:
        if self._pumping is None:
            self._pumping = asyncio.get_running_loop().call_at(self._rest_until, self._pump)

    def _pump(self) -> None:
        """Send new events, and one chunk to each viewer that is behind, until a slice of the loop's time has passed.

        If more is due it follows after a breather. Then comes a pause for as long as all of it took, so that the
        events that are published in the meantime are sent to each viewer in one write; a single event is sent
        immediately. Sending thus takes at most two thirds of the loop's time for any number of viewers.
        """
        self._pumping = None
        began = time.thread_time()
        deadline = began + SLICE
        work: list[Channel | Subscriber] = [*self._dirty, *self._behind]
        if self._behind_first:
            work.reverse()
        for count, waiting in enumerate(work, 1):
            if isinstance(waiting, Channel):
                self._flush(waiting, deadline)
            else:
                self._advance(waiting)
            if (count % BETWEEN == 0 or isinstance(waiting, Channel)) and time.thread_time() > deadline:
                self._behind_first = isinstance(waiting, Channel)
                break
        took = time.thread_time() - began
        self._spent += took
        more = bool(self._behind or self._dirty)
        self._rest_until = asyncio.get_running_loop().time() + (BREATHER * took if more else self._spent)
        if more:
            self._schedule()
        else:
            self._spent = 0.0

    def _flush(self, channel: Channel, deadline: float) -> None:
        """Send new events to every live viewer: the same bytes for all.

        After `deadline`, in CPU time of this thread, the channel stays marked, and the other viewers have to wait.
        """
        try:
            while self._send_piece(channel) or channel.sent < len(channel.events):
                if time.thread_time() > deadline:
                    return
        except Exception:
            log.exception("event %d cannot be encoded; its stream ends here", channel.sent)
            for viewer in tuple(channel.viewers):
                self._dismiss(viewer, CloseCode.INTERNAL)
        self._dirty.discard(channel)
        channel.piece = b""
        if channel.ended:
            for viewer in tuple(channel.live):
                self._dismiss(viewer, CloseCode.COMPLETE)

    def _send_piece(self, channel: Channel) -> bool:
        """Send new events to some of the live viewers; return whether others may still await them."""
        turns = list(islice(channel.turns, BATCH))
        if not turns and channel.sent < len(channel.events):
            channel.next_piece()
            turns = list(islice(channel.turns, BATCH))
        start, sent = channel.piece_start, channel.sent
        viewers = [
            viewer
            for viewer in turns
            if viewer.cursor == start and viewer.paused_at is None and viewer.channel is not None
        ]
        for viewer in viewers:
            viewer.cursor = sent
        self._write(viewers, channel.piece)
        return bool(turns)

    def _put_off(self, channel: Channel) -> None:
        """Let all live viewers catch up in their turn, so that the next to join are at the end of the log."""
        self._behind.update(channel.live)
        channel.live.clear()
        channel.turns = iter(())
        channel.sent = len(channel.events)

    def _advance(self, viewer: Subscriber) -> None:
        """Send one chunk to a viewer that is behind; it becomes live when it has received everything."""
        self._behind.pop(viewer, None)
        channel = viewer.channel
        if channel is None or viewer.paused_at is not None:
            return
        if viewer.cursor < channel.sent:
            try:
                data, viewer.cursor = channel.chunk(viewer.cursor, channel.sent)
            except Exception:
                log.exception("event %d or a later one cannot be encoded; a viewer's stream ends here", viewer.cursor)
                self._dismiss(viewer, CloseCode.INTERNAL)
                return
            self._write([viewer], data)
            if viewer.channel is None or viewer.paused_at is not None:
                return
        if viewer.cursor < channel.sent:
            self._behind[viewer] = None
            return
        channel.live[viewer] = None
        if channel.ended:
            self._dismiss(viewer, CloseCode.COMPLETE)

    def _write(self, viewers: Sequence[Subscriber], data: bytes) -> None:
        if data:
            for viewer, error in self.write_all(viewers, data):
                self._cut(viewer, error)

    def _dismiss(self, viewer: Subscriber, code: CloseCode) -> None:
        self.leave(viewer)
        try:
            viewer.close(code)
        except Exception as error:
            self._cut(viewer, error)

    def _cut(self, viewer: Subscriber, error: Exception) -> None:
        """Drop a viewer whose connection failed; other viewers are not affected."""
        log.info("a viewer's connection failed and is cut: %s", error)
        self.leave(viewer)
        viewer.abort()

    def _sweep(self) -> None:
        """Ping every viewer, and drop those that have taken no bytes for too long."""
        loop = asyncio.get_running_loop()
        now = loop.time()
        for channel in self._channels():
            for viewer in tuple(channel.viewers):
                if viewer.paused_at is not None:
                    if now - viewer.paused_at > SLOW_AFTER:
                        self._dismiss(viewer, CloseCode.SLOW)
                    continue
                try:
                    viewer.keep_alive(now)
                except Exception as error:
                    self._cut(viewer, error)
        self._sweeping = loop.call_later(SWEEP_EVERY, self._sweep) if self._episodes else None
