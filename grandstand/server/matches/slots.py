"""The matches that are played now, each one task, and the queue of those that wait for a slot."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from statistics import median
from typing import Generic, Protocol, TypeVar

from grandstand.events import EpisodeEnded
from grandstand.models import Draft
from grandstand.server.matches.queue_order import Claim, forecast, may_begin, next_to_begin
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import Fenced, RecordError
from grandstand.spectator.store.interface import EpisodeStore

log = logging.getLogger(__name__)

VISITOR_SECONDS = 3600.0
"""The most seconds for which a visitor's match has a slot. With a person's clock it could otherwise go on for days."""

USUAL = 600.0
"""Seconds for which a match has a slot, as an estimate before any of its kind has ended here."""

RECENT = 20
"""Number of ended matches of each kind from which their usual length is estimated."""


class Playable(Protocol):
    """A match that a slot is for."""

    episode_id: str
    task: asyncio.Task[None] | None

    async def play(self) -> None:
        """Play to the end, or until stopped."""

    def expire(self, reason: str) -> None:
        """End the match for `reason`."""


M = TypeVar("M", bound=Playable)


class MatchSlots(Generic[M]):
    """A number of slots, in which matches are played side by side."""

    def __init__(self, bus: Bus, recorder: EpisodeStore, count: int) -> None:
        self.count = count
        self.live: dict[str, M] = {}
        self.queue: list[M] = []
        """The matches that wait, in the order of their arrival."""
        self._bus = bus
        self._recorder = recorder
        self._claims: dict[str, Claim] = {}
        """The claims of the matches that wait or have a slot."""
        self._held: dict[Claim, float] = {}
        """Time at which each match got its slot. A delayed match keeps its slot until spectators have seen the end:
        the start of another match would reveal it."""
        self._lengths: dict[tuple[str, bool], deque[float]] = defaultdict(lambda: deque(maxlen=RECENT))
        """(game, whether a person plays) -> seconds for which the last matches had their slots."""

    def __iter__(self) -> Iterator[M]:
        """Iterate over the matches that are played, then those that wait."""
        return iter((*self.live.values(), *self.queue))

    def admits(self, claim: Claim) -> bool:
        """Return whether a match with `claim` would begin at once."""
        return may_begin(claim, self._held, self.count)

    def waits(self) -> Mapping[str, float | None]:
        """Return the seconds until each waiting match begins, next first; None where no estimate is made."""
        if not self.queue:
            return {}
        now = asyncio.get_running_loop().time()
        waiting = [self._claims[match.episode_id] for match in self.queue]
        return forecast(waiting, self._held, self.count, self._lasts, now)

    def add(self, match: M, claim: Claim) -> None:
        """Play `match` as soon as it may have a slot."""
        self._claims[match.episode_id] = claim
        self.queue.append(match)
        self._fill()

    def add_apart(self, match: M) -> None:
        """Play `match` at once; it takes no slot."""
        self._begin(match)

    def remove(self, match: M) -> None:
        """Take `match` out of the queue."""
        self.queue.remove(match)
        del self._claims[match.episode_id]

    def move_to_front(self, match: M) -> None:
        """Make `match` the next of the queue, whoever started it."""
        self._claims[match.episode_id].front = 1 + max(claim.front for claim in self._claims.values())
        self._fill()

    def drop(self, episode_id: str) -> None:
        """Stop playing a match at once, if it is played or waits here, and give its slot to the next one."""
        for match in tuple(self):
            if match.episode_id == episode_id:
                if match.task is not None:
                    match.task.cancel()
                if match in self.queue:
                    self.queue.remove(match)
                self.live.pop(episode_id, None)
        claim = self._claims.pop(episode_id, None)
        if claim is not None and self._held.pop(claim, None) is not None:
            self._fill()

    def clear(self) -> list[asyncio.Task[None]]:
        """Forget every match, and return their tasks, which the caller cancels."""
        tasks = [match.task for match in self.live.values() if match.task]
        self.live.clear()
        self.queue.clear()
        self._claims.clear()
        self._held.clear()
        return tasks

    def _fill(self) -> None:
        while self.queue:
            waiting = [self._claims[match.episode_id] for match in self.queue]
            claim = next_to_begin(waiting, self._held, self.count)
            if claim is None:
                return
            match = self.queue.pop(waiting.index(claim))
            loop = asyncio.get_running_loop()
            self._held[claim] = loop.time()
            self._begin(match)
            if claim.visitor:
                loop.call_later(VISITOR_SECONDS, match.expire, _time_over(VISITOR_SECONDS))

    def _begin(self, match: M) -> None:
        self.live[match.episode_id] = match
        match.task = asyncio.create_task(self._play(match), name=f"match {match.episode_id}")

    async def _play(self, match: M) -> None:
        try:
            await match.play()
        except Fenced as error:
            log.warning("episode %s is no longer played here: %s", match.episode_id, error)
        except Exception as error:
            await self._end_broken(match.episode_id, error)
        claim = self._claims.pop(match.episode_id, None)
        if self.live.pop(match.episode_id, None) and claim is not None:
            if claim.delay:
                asyncio.get_running_loop().call_later(claim.delay, self._release, claim)
            else:
                self._release(claim)

    def _release(self, claim: Claim) -> None:
        """Give the slot of a match to the next one."""
        if (since := self._held.pop(claim, None)) is not None:
            seconds = asyncio.get_running_loop().time() - since - claim.delay
            self._lengths[claim.game, claim.person].append(seconds)
            self._fill()

    def _lasts(self, claim: Claim) -> float:
        """Return the seconds for which a match is likely to have its slot."""
        lengths = self._lengths.get((claim.game, claim.person))
        return (median(lengths) if lengths else USUAL) + claim.delay

    async def _end_broken(self, episode_id: str, error: Exception) -> None:
        """End the episode because of `error`; the message says whether it is a bug or a failure of the record."""
        log.exception("episode %s broke", episode_id)
        kind = "the record failed" if isinstance(error, RecordError) else "a bug of ours"
        try:
            ended = EpisodeEnded(status="error", message=f"{kind}: {type(error).__name__}: {error}")
            await self._bus.record(episode_id, [Draft.of(ended)])
        except RecordError:
            log.error("episode %s: its end could not be recorded either", episode_id)


def _time_over(seconds: float) -> str:
    return f"after {seconds / 60:.0f} minutes, the longest that a match started by a visitor may take"
