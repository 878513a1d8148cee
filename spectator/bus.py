"""The one place where events get their number. Stamps, has them recorded, then tells the observers."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from models import Draft, Event
from spectator.errors import RecordError

log = logging.getLogger(__name__)


class Observer(Protocol):
    """A listener. It is called after the commit, never blocks, and is removed when it raises."""

    def on_events(self, events: Sequence[Event]) -> None: ...


class Bus:
    """Numbers the events of every episode and delivers them in order, Recorder first."""

    def __init__(self, recorder: Observer, clock: Callable[[], float] = time.time) -> None:
        self._recorder = recorder
        self._clock = clock
        self._observers: list[Observer] = []
        self._position: dict[str, tuple[int, int]] = {}

    def add(self, observer: Observer) -> None:
        """Observers are called in the order in which they were added."""
        self._observers.append(observer)

    def open(self, episode_id: str, epoch: int, next_seq: int = 0) -> None:
        """Take up an episode: a new one, or one that goes on from the record at `next_seq`."""
        self._position[episode_id] = (epoch, next_seq)

    def publish(self, episode_id: str, drafts: Iterable[Draft]) -> Sequence[Event]:
        """Stamp, commit and deliver `drafts` as one batch. Raises RecordError; then nothing was delivered."""
        epoch, seq = self._position[episode_id]
        at = round(self._clock(), 3)
        events = [
            Event(episode_id=episode_id, epoch=epoch, seq=number, at=at, type=kind, audience=audience, data=data)
            for number, (kind, data, audience) in enumerate(drafts, seq)
        ]
        if not events:
            return events
        try:
            self._recorder.on_events(events)
        except Exception as error:
            raise RecordError(
                f"episode {episode_id}: events {seq} to {events[-1].seq} not recorded: {error}"
            ) from error
        self._position[episode_id] = (epoch, events[-1].seq + 1)
        for observer in tuple(self._observers):
            try:
                observer.on_events(events)
            except Exception:
                log.exception("observer %s failed and is removed; the match goes on", type(observer).__name__)
                self._observers.remove(observer)
        if events[-1].type == "EpisodeEnded":
            del self._position[episode_id]
        return events
