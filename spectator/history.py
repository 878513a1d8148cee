"""The events of the episodes in play, in memory, and of ended ones, from the record, and how far the public may see."""

from __future__ import annotations

import asyncio
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


@dataclass(slots=True)
class Log:
    """One episode: all events, and those that delayed viewers may see. Without a delay the two are one list."""

    events: list[Event]
    released: list[Event]
    delay: float
    summary: EpisodeSummary | None = None
    """The fold of `released`, where there is a delay."""

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
        self._ended: OrderedDict[str, Log] = OrderedDict()
        self._loading: dict[str, asyncio.Task[None]] = {}

    def on_events(self, events: Sequence[Event]) -> None:
        episode_id = events[0].episode_id
        log = self._live.get(episode_id) or self._ended.pop(episode_id, None)
        if log is None:
            before = self._recorder.events(episode_id, 0, events[0].seq) if events[0].seq else ()
            log = _log([*before, *events])
        else:
            log.events.extend(events)
        self._live[episode_id] = log
        if events[-1].type == "EpisodeEnded":
            self._keep_ended(episode_id, self._live.pop(episode_id))

    def on_released(self, episode_id: str) -> None:
        """The clock has moved on: some of the episode has become old enough."""
        self._log(episode_id).release(self._clock())

    async def load(self, episode_id: str) -> None:
        """Have `events(episode_id)` at hand without holding up the loop. Raises UnknownEpisode."""
        if episode_id in self._live or episode_id in self._ended:
            return
        self._recorder.summary(episode_id)
        if episode_id not in self._loading:
            self._loading[episode_id] = asyncio.create_task(self._load(episode_id))
        await asyncio.shield(self._loading[episode_id])

    async def _load(self, episode_id: str) -> None:
        try:
            events = await self._recorder.load(episode_id)
            if episode_id not in self._live and episode_id not in self._ended:
                self._keep_ended(episode_id, _log(events))
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
        self._live.pop(episode_id, None)
        self._ended.pop(episode_id, None)

    def _log(self, episode_id: str) -> Log:
        log = self._live.get(episode_id)
        if log is not None:
            return log
        if episode_id in self._ended:
            self._ended.move_to_end(episode_id)
            return self._ended[episode_id]
        self._recorder.summary(episode_id)
        log = _log(list(self._recorder.events(episode_id)))
        self._keep_ended(episode_id, log)
        return log

    def _keep_ended(self, episode_id: str, log: Log) -> None:
        self._ended[episode_id] = log
        while len(self._ended) > KEPT_ENDED:
            self._ended.popitem(last=False)


def _log(events: list[Event]) -> Log:
    delay = float(events[0].data.get("delay", 0.0))
    return Log(events, [] if delay else events, delay)
