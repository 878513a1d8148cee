"""The events of the episodes in play, in memory, and of ended ones, from the record."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from models import EpisodeSummary, Event
from spectator.recorder import Recorder

KEPT_ENDED = 16
"""How many ended episodes stay in memory: a popular replay is read from disk once."""


class History:
    """Every committed event of an episode, from seq 0. An observer of the bus."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._live: dict[str, list[Event]] = {}
        self._ended: OrderedDict[str, list[Event]] = OrderedDict()

    def on_events(self, events: Sequence[Event]) -> None:
        episode_id = events[0].episode_id
        log = self._live.get(episode_id)
        if log is None:
            log = self._live[episode_id] = []
            if events[0].seq:
                log.extend(self._recorder.events(episode_id, 0, events[0].seq))
        log.extend(events)
        if events[-1].type == "EpisodeEnded":
            self._keep_ended(episode_id, self._live.pop(episode_id))

    def events(self, episode_id: str) -> Sequence[Event]:
        """All events so far. The sequence is the live list: read it, do not keep it. Raises UnknownEpisode."""
        log = self._live.get(episode_id)
        if log is not None:
            return log
        if episode_id in self._ended:
            self._ended.move_to_end(episode_id)
            return self._ended[episode_id]
        self._recorder.summary(episode_id)
        log = list(self._recorder.events(episode_id))
        self._keep_ended(episode_id, log)
        return log

    def summary(self, episode_id: str) -> EpisodeSummary:
        """The fold of `events(episode_id)`. Raises UnknownEpisode."""
        return self._recorder.summary(episode_id)

    def forget(self, episode_id: str) -> None:
        """Drop what is in memory: the record grew by another way."""
        self._live.pop(episode_id, None)
        self._ended.pop(episode_id, None)

    def _keep_ended(self, episode_id: str, log: list[Event]) -> None:
        self._ended[episode_id] = log
        while len(self._ended) > KEPT_ENDED:
            self._ended.popitem(last=False)
