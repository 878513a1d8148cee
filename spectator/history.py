"""The events of the episodes in play, in memory, and of ended ones, from the record, and how far the public may see."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from models import EpisodeSummary, Event
from spectator.recorder import Recorder
from spectator.summary import fold
from spectator.viewpoint import OPERATOR, Viewpoint

KEPT_ENDED = 16
"""How many ended episodes stay in memory: a popular replay is read from disk once."""

KEPT_PUBLISHED = 64 * 1024 * 1024
"""Bytes of JSON of the unfinished published episodes that stay in memory. Those not written to or read for the longest
are dropped first, and read again when somebody looks."""


@dataclass(slots=True)
class Log:
    """One episode: all events, and those that delayed viewers may see. Without a delay the two are one list."""

    events: list[Event]
    released: list[Event]
    delay: float
    summary: EpisodeSummary | None = None
    """The fold of `released`, where there is a delay."""
    size: int = 0
    """Bytes of JSON, of an unfinished published episode."""

    def release(self, now: float) -> None:
        """Let delayed viewers have what is old enough."""
        while len(self.released) < len(self.events):
            event = self.events[len(self.released)]
            if event.at + self.delay > now and event.seq:
                return
            self.released.append(event)
            self.summary = fold(self.summary, event)


class History:
    """Every committed event of an episode, from seq 0. The first observer of the bus."""

    def __init__(self, recorder: Recorder, clock: Callable[[], float] = time.time) -> None:
        self._recorder = recorder
        self._clock = clock
        self._live: dict[str, Log] = {}
        self._published: OrderedDict[str, Log] = OrderedDict()
        self._published_size = 0
        self._ended: OrderedDict[str, Log] = OrderedDict()
        self._loading: dict[str, asyncio.Task[None]] = {}

    def on_events(self, events: Sequence[Event]) -> None:
        episode_id = events[0].episode_id
        summary = self._recorder.summary(episode_id)
        log = self._forgotten(episode_id)
        if log is not None:
            log.events.extend(events)
        elif not events[0].seq:
            log = _log(list(events))
        elif summary.origin != "publisher":
            log = _log([*self._recorder.events(episode_id, 0, events[0].seq), *events])
        else:
            return
        self._keep(log, summary, events)

    def on_released(self, episode_id: str) -> None:
        """The clock has moved on: some of the episode has become old enough."""
        log = self._live.get(episode_id) or self._published.get(episode_id) or self._ended.get(episode_id)
        if log is not None:
            log.release(self._clock())

    async def load(self, episode_id: str) -> None:
        """Have `events(episode_id)` at hand without holding up the loop. Raises UnknownEpisode."""
        if self._in_memory(episode_id):
            return
        self._recorder.summary(episode_id)
        if episode_id not in self._loading:
            self._loading[episode_id] = asyncio.create_task(self._load(episode_id))
        await asyncio.shield(self._loading[episode_id])

    async def _load(self, episode_id: str) -> None:
        try:
            events = await self._recorder.load(episode_id)
            if not self._in_memory(episode_id):
                events += self._recorder.events(episode_id, len(events))  # what was published meanwhile
                self._keep(_log(events), self._recorder.summary(episode_id), events)
        finally:
            del self._loading[episode_id]

    def events(self, episode_id: str, viewpoint: Viewpoint = OPERATOR) -> Sequence[Event]:
        """All events so far that `viewpoint` may have the numbers of. Raises UnknownEpisode.

        The sequence is the list that grows: read it, do not keep it.
        """
        log = self._log(episode_id)
        if not viewpoint.delayed or not log.delay:
            return log.events
        log.release(self._clock())
        return log.released

    def summary(self, episode_id: str, viewpoint: Viewpoint = OPERATOR) -> EpisodeSummary:
        """The fold of `events(episode_id, viewpoint)`. Raises UnknownEpisode."""
        summary = self._recorder.summary(episode_id)
        if not viewpoint.delayed or not summary.delay:
            return summary
        log = self._log(episode_id)
        log.release(self._clock())
        assert log.summary is not None
        return log.summary

    def forget(self, episode_id: str) -> None:
        """Drop what is in memory: the record grew by another way."""
        self._forgotten(episode_id)

    def _in_memory(self, episode_id: str) -> bool:
        return episode_id in self._live or episode_id in self._published or episode_id in self._ended

    def _forgotten(self, episode_id: str) -> Log | None:
        """Return the log of the episode, which is dropped from memory; None where it is not there."""
        if log := self._published.pop(episode_id, None):
            self._published_size -= log.size
            return log
        return self._live.pop(episode_id, None) or self._ended.pop(episode_id, None)

    def _log(self, episode_id: str) -> Log:
        log = self._live.get(episode_id)
        if log is not None:
            return log
        for logs in (self._published, self._ended):
            if episode_id in logs:
                logs.move_to_end(episode_id)
                return logs[episode_id]
        summary = self._recorder.summary(episode_id)
        events = list(self._recorder.events(episode_id))
        log = _log(events)
        self._keep(log, summary, events)
        return log

    def _keep(self, log: Log, summary: EpisodeSummary, new: Sequence[Event]) -> None:
        """Have `log`, to which `new` was added, in memory; what that leaves no room for is dropped."""
        if summary.ended_at is not None:
            self._ended[summary.episode_id] = log
            while len(self._ended) > KEPT_ENDED:
                self._ended.popitem(last=False)
        elif summary.origin != "publisher":
            self._live[summary.episode_id] = log
        else:
            log.size += sum(len(json.dumps(event.data)) for event in new)
            self._published[summary.episode_id] = log
            self._published_size += log.size
            while self._published_size > KEPT_PUBLISHED and len(self._published) > 1:
                self._published_size -= self._published.popitem(last=False)[1].size


def _log(events: list[Event]) -> Log:
    delay = float(events[0].data.get("delay", 0.0))
    return Log(events, [] if delay else events, delay)
