"""The matches that are played now, each one task, and the queue of those that wait for a slot."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator

from grandstand.models import Draft, EpisodeEnded
from grandstand.server.matches.live_match import LiveMatch
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import RecordError
from grandstand.spectator.recorder import Recorder

log = logging.getLogger(__name__)


class MatchSlots:
    """A number of slots, in which matches are played side by side."""

    def __init__(self, bus: Bus, recorder: Recorder, count: int) -> None:
        self.count = count
        self.live: dict[str, LiveMatch] = {}
        self.queue: list[LiveMatch] = []
        self._bus = bus
        self._recorder = recorder
        self._apart: set[str] = set()
        """Live matches that take no slot."""
        self._unseen = 0
        """Slots kept for matches whose end spectators have not seen: that another match begins would tell it."""

    def __iter__(self) -> Iterator[LiveMatch]:
        """Iterate over the matches that are played, then those that wait, next first."""
        return iter((*self.live.values(), *self.queue))

    @property
    def full(self) -> bool:
        """Return whether every slot is taken."""
        return len(self.live) - len(self._apart) + self._unseen >= self.count

    def add(self, match: LiveMatch) -> None:
        """Play `match` as soon as a slot is free."""
        self.queue.append(match)
        self._fill()

    def add_apart(self, match: LiveMatch) -> None:
        """Play `match` at once; it takes no slot."""
        self._apart.add(match.episode_id)
        self._begin(match)

    def remove(self, match: LiveMatch) -> None:
        """Take `match` out of the queue."""
        self.queue.remove(match)

    def move_to_front(self, match: LiveMatch) -> None:
        """Make `match` the next of the queue."""
        self.queue.remove(match)
        self.queue.insert(0, match)

    def clear(self) -> list[asyncio.Task[None]]:
        """Forget every match, and return the tasks that play: they are the caller's to cancel."""
        tasks = [match.task for match in self.live.values() if match.task]
        self.live.clear()
        self._apart.clear()
        self.queue.clear()
        return tasks

    def _fill(self) -> None:
        while self.queue and not self.full:
            self._begin(self.queue.pop(0))

    def _begin(self, match: LiveMatch) -> None:
        self.live[match.episode_id] = match
        match.task = asyncio.create_task(self._play(match), name=f"match {match.episode_id}")

    async def _play(self, match: LiveMatch) -> None:
        try:
            await match.play()
        except Exception as error:
            await self._end_broken(match.episode_id, error)
        if not self.live.pop(match.episode_id, None):
            return
        delay = self._recorder.summary(match.episode_id).delay
        if delay and match.episode_id not in self._apart:
            self._unseen += 1
            asyncio.get_running_loop().call_later(delay, self._see)
        else:
            self._apart.discard(match.episode_id)
            self._fill()

    def _see(self) -> None:
        self._unseen -= 1
        self._fill()

    async def _end_broken(self, episode_id: str, error: Exception) -> None:
        """End the episode as `error`, and say whether it is our own bug or that its events cannot be recorded."""
        log.exception("episode %s broke", episode_id)
        kind = "the record failed" if isinstance(error, RecordError) else "a bug of ours"
        try:
            ended = EpisodeEnded(status="error", message=f"{kind}: {type(error).__name__}: {error}")
            await self._bus.record(episode_id, [Draft.of(ended)])
        except RecordError:
            log.error("episode %s: its end could not be recorded either", episode_id)
