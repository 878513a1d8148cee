"""The events of episodes, cached in memory and read from the record, and their release to delayed viewers."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from grandstand.models import Event
from grandstand.spectator.errors import RecordError, StorageError, UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.store.interface import EpisodeStore
from grandstand.spectator.summary import fold
from grandstand.spectator.viewpoint import OPERATOR, Viewpoint

KEPT_ENDED = 16
"""Number of ended episodes that stay in memory, so that a popular replay is read from disk once."""

UNREAD = 60.0
"""Seconds after which an ended episode that nobody reads is dropped, in idle moments."""

KEPT_PUBLISHED = 64 * 1024 * 1024
"""Bytes of JSON of the unfinished episodes of other programs and servers that stay in memory. The least recently used
are dropped first, and read again on the next request."""


@dataclass(slots=True)
class EpisodeLog:
    """The events of one episode, and those that delayed viewers may see. Without a delay the two are one list."""

    events: list[Event]
    released: list[Event]
    delay: float
    due: deque[tuple[int, float]] = field(default_factory=deque)
    """Pending releases in order: (number of events, time of release by the monotonic clock)."""
    summary: EpisodeSummary | None = None
    """The fold of `released`, if there is a delay."""
    size: int = 0
    """Bytes of JSON, of an unfinished published episode."""
    read_at: float = 0.0
    """The time of the last use of an ended episode, by the monotonic clock."""

    @property
    def behind(self) -> bool:
        """Return whether some events are not released to delayed viewers yet."""
        return len(self.released) < len(self.events)

    def add(self, events: Sequence[Event], now: float) -> None:
        """Add events committed at `now` by the monotonic clock, so that changes of the wall clock have no effect."""
        self.events.extend(events)
        if self.delay:
            self.due.append((len(self.events), now + self.delay))

    def release(self, now: float) -> None:
        """Release the events that are old enough. The first event is never delayed: it makes the episode known."""
        stop = 1 if self.delay else 0
        while self.due and self.due[0][1] <= now:
            stop, _ = self.due.popleft()
        for event in self.events[len(self.released) : stop]:
            self.released.append(event)
            self.summary = fold(self.summary, event)


class History:
    """The committed events of every episode, from seq 0. It is the first observer of the bus."""

    def __init__(
        self,
        recorder: EpisodeStore,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        """Create a history over `recorder`. `wall_clock` is used only for events that are read from the record."""
        self._recorder = recorder
        self.elsewhere: Callable[[str, str | None], bool] = lambda episode_id, origin: origin == "publisher"
        """Whether an episode, given with its origin, is played by another program or server: then it need not stay in
        memory."""
        self._clock = clock
        self._wall_clock = wall_clock
        self._live: dict[str, EpisodeLog] = {}
        self._published: OrderedDict[str, EpisodeLog] = OrderedDict()
        self._published_size = 0
        self._ended: OrderedDict[str, EpisodeLog] = OrderedDict()
        self._loading: dict[str, asyncio.Task[None]] = {}

    def on_events(self, events: Sequence[Event]) -> None:
        episode_id, first = events[0].episode_id, events[0]
        # A log that is in memory already keeps its release times.
        log = self._remove(episode_id)
        if log is None:
            if first.seq and self.elsewhere(episode_id, self._recorder.summary(episode_id).origin):
                return  # read again on the next request
            log = self._new_log(first)
        log.add(events, self._clock())
        self._keep(log, events)

    def on_released(self, episode_id: str) -> None:
        """Release the events that have become old enough."""
        if self.holds(episode_id):
            self._log(episode_id).release(self._clock())

    def behind(self) -> dict[str, EpisodeSummary]:
        """Return the public summaries of the episodes whose last events are not released yet."""
        now = self._clock()
        summaries = {}
        for episode_id, log in (*self._live.items(), *self._published.items(), *self._ended.items()):
            if log.delay:
                log.release(now)
                if log.behind and log.summary:
                    summaries[episode_id] = log.summary
        return summaries

    def recover(self) -> Iterator[tuple[str, float, list[float]]]:
        """Restore delays after a restart: yield (episode, its delay, seconds until each release)."""
        for episode_id in self._recorder.held_back(self._wall_clock()):
            yield episode_id, *self.releases(episode_id)

    async def prefetch(self, episode_id: str, token_sha256: str = "") -> None:
        """Read what a request asks of the record first, without blocking the loop.

        An episode in memory is shown as it is known while the record cannot be read; otherwise StorageError is raised.
        """
        try:
            await self._recorder.prefetch(episode_id, token_sha256)
        except StorageError:
            if token_sha256 or not self.holds(episode_id):
                raise
        try:
            if episode_id and self._recorder.summary(episode_id).delay:
                await self.load(episode_id)
        except StorageError:
            raise
        except (UnknownEpisode, RecordError):
            pass  # the request will meet it

    async def load(self, episode_id: str) -> None:
        """Load the events of an episode into memory without blocking the loop. Raises UnknownEpisode."""
        if self.holds(episode_id):
            return
        await self._recorder.prefetch(episode_id)
        self._recorder.summary(episode_id)
        if episode_id not in self._loading:
            self._loading[episode_id] = asyncio.create_task(self._load(episode_id))
        await asyncio.shield(self._loading[episode_id])

    async def _load(self, episode_id: str) -> None:
        try:
            new = events = await self._recorder.load(episode_id)
            while new and not self.holds(episode_id) and events[-1].seq < self._recorder.summary(episode_id).last_seq:
                new = await self._recorder.apart(partial(self._after, episode_id, events[-1].seq))
                events += new  # published in the meantime
            if not self.holds(episode_id):
                self._keep(self._read_log(events), events)
        finally:
            del self._loading[episode_id]

    def _after(self, episode_id: str, seq: int) -> list[Event]:
        return list(self._recorder.events(episode_id, seq + 1))

    def events(self, episode_id: str, viewpoint: Viewpoint = OPERATOR) -> Sequence[Event]:
        """Return all events so far that are released to `viewpoint`. Raises UnknownEpisode.

        The result is the list that grows: read it immediately.
        """
        log = self._log(episode_id)
        if not viewpoint.delayed or not log.delay:
            return log.events
        log.release(self._clock())
        return log.released

    def holds(self, episode_id: str) -> bool:
        """Return whether the events of an episode are in memory."""
        return episode_id in self._live or episode_id in self._published or episode_id in self._ended

    def kept(self, episode_id: str) -> Sequence[Event] | None:
        """Return all events so far, to be read immediately, if they are in memory."""
        return self._log(episode_id).events if self.holds(episode_id) else None

    def summary(self, episode_id: str, viewpoint: Viewpoint = OPERATOR) -> EpisodeSummary:
        """Return the fold of `events(episode_id, viewpoint)`. Raises UnknownEpisode."""
        summary = self._recorder.summary(episode_id)
        if not viewpoint.delayed or not summary.delay:
            return summary
        log = self._log(episode_id)
        log.release(self._clock())
        assert log.summary is not None
        return log.summary

    def unfinished(self) -> list[str]:
        """Return the unfinished episodes that are in memory."""
        return [*self._live, *self._published]

    def releases(self, episode_id: str) -> tuple[float, list[float]]:
        """Return the delay of an episode, and the seconds until each pending release."""
        log, now = self._log(episode_id), self._clock()
        return log.delay, [max(0.0, due - now) for _, due in log.due]

    def forget(self, episode_id: str) -> None:
        """Drop the episode from memory, because its record has changed by other means than the bus."""
        self._remove(episode_id)

    def drop_unread(self) -> None:
        """Drop the ended episode that was read least recently, if nobody has read it for a while.

        It is read from the record again on the next request. It is one at a time, since to free an event takes 5 µs.
        """
        before = self._clock() - UNREAD
        unread = (key for key, log in self._ended.items() if log.read_at < before and not log.behind)
        if key := next(unread, ""):
            del self._ended[key]

    def _remove(self, episode_id: str) -> EpisodeLog | None:
        """Remove the log of the episode from memory and return it; None if it is not in memory."""
        if log := self._published.pop(episode_id, None):
            self._published_size -= log.size
            return log
        return self._live.pop(episode_id, None) or self._ended.pop(episode_id, None)

    def _log(self, episode_id: str) -> EpisodeLog:
        log = self._live.get(episode_id)
        if log is not None:
            return log
        for logs in (self._published, self._ended):
            if episode_id in logs:
                logs.move_to_end(episode_id)
                log = logs[episode_id]
                log.read_at = self._clock()
                return log
        self._recorder.summary(episode_id)
        events = list(self._recorder.events(episode_id))
        log = self._read_log(events)
        self._keep(log, events)
        return log

    def _keep(self, log: EpisodeLog, new: Sequence[Event]) -> None:
        """Put `log`, to which `new` was added, into memory, and drop the logs that exceed the limits.

        Logs with pending releases stay: their times would be computed from the wall clock if they were read again.
        The record is not asked: for a match of another server, that would block the loop.
        """
        created, last = log.events[0], log.events[-1]
        episode_id = created.episode_id
        if last.type == "EpisodeEnded":
            self._ended[episode_id] = log
            log.read_at = self._clock()
            spare = [key for key, other in self._ended.items() if not other.behind]
            for key in spare[: max(0, len(self._ended) - KEPT_ENDED)]:
                del self._ended[key]
        elif not self.elsewhere(episode_id, created.data.get("origin")):
            self._live[episode_id] = log
        else:
            log.size += sum(len(json.dumps(event.data)) for event in new)
            self._published[episode_id] = log
            self._published_size += log.size
            spare = [key for key, other in self._published.items() if not other.behind]
            for key in spare[: len(self._published) - 1]:
                if self._published_size <= KEPT_PUBLISHED:
                    break
                self._published_size -= self._published.pop(key).size

    def _new_log(self, first: Event) -> EpisodeLog:
        """Return the log of an episode as it was before the event `first`."""
        if first.seq:
            return self._read_log(list(self._recorder.events(first.episode_id, 0, first.seq)))
        delay = float(first.data.get("delay", 0.0))
        events: list[Event] = []
        return EpisodeLog(events, [] if delay else events, delay)

    def _read_log(self, events: list[Event]) -> EpisodeLog:
        """Return a log of events from the record, with releases computed from the recorded times.

        The wall clock may have been changed since: no event is withheld for longer than the delay from now.
        """
        delay = float(events[0].data.get("delay", 0.0))
        if not delay:
            return EpisodeLog(events, events, 0.0)
        now, wall = self._clock(), self._wall_clock()
        log = EpisodeLog(events, [], delay)
        left = 0.0
        for count, event in enumerate(events, 1):
            left = max(left, min(delay, event.at + delay - wall))
            if log.due and log.due[-1][1] == now + left:
                log.due.pop()
            log.due.append((count, now + left))
        log.release(now)
        return log
