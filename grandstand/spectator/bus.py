"""The bus: numbers the events of every episode, commits them to the record, then notifies the observers."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from grandstand.models import Draft, Event
from grandstand.spectator.errors import Fenced, RecordError, StorageError, UnknownOutcome
from grandstand.spectator.record_rows import Request
from grandstand.spectator.store.batches import Unrecorded, gone, in_turn, parts, told
from grandstand.spectator.store.interface import EventStore, commit

log = logging.getLogger(__name__)


FIRST_RETRY, LONGEST_RETRY = 0.25, 5.0
"""Seconds between attempts to record while the record cannot be written; the wait doubles each time."""

SLACK = 0.002
"""Seconds added to a delay; more than the millisecond to which times are rounded."""


def new_epoch() -> int:
    """Return a new epoch of an episode's numbering: Unix time in milliseconds.

    A power failure can undo the last commits; the epoch then distinguishes reused numbers from the first ones.
    """
    return time.time_ns() // 1_000_000


class Observer(Protocol):
    """A listener that is called after each commit. It must not block, and is removed if it raises."""

    def on_events(self, events: Sequence[Event]) -> None:
        """Handle a committed batch of one episode, for viewers without delay."""

    def on_released(self, episode_id: str) -> None:
        """Handle the end of the episode's delay for an earlier batch, for delayed viewers."""


class Narrator(Protocol):
    """A source of further events of an episode, derived from those about to be published."""

    def after(self, events: Sequence[Event]) -> Sequence[Draft]:
        """Return the drafts that follow `events`, the next ones of the episode.

        An EpisodeEnded stays the last event: here it has the number of the event before it.
        """


class Bus:
    """The events of every episode, numbered and delivered in order: first to the store, then to the observers."""

    def __init__(self, recorder: EventStore, clock: Callable[[], float] = time.time) -> None:
        self._recorder = recorder
        self._clock = clock
        self._observers: list[Observer] = []
        self._followers: list[Observer] = []
        """The observers that are also told of what other servers have committed."""
        self._position: dict[str, tuple[int, int]] = {}
        self._delay: dict[str, float] = {}
        self._narrators: dict[str, Narrator] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        """Held for each episode by who records to it; all others wait, in their order."""
        self._soon: set[asyncio.Task[None]] = set()
        self._unrecorded: dict[str, Unrecorded] = {}
        """Drafts that could not be recorded: a narrator is asked only once."""
        self._unsettled: set[str] = set()
        """Episodes whose unrecorded events may be in the record all the same."""
        self.waiting: dict[str, str] = {}
        """Episodes that wait until the record can be written, and the reason why it cannot be."""

    def add(self, observer: Observer, *, follows: bool = False) -> None:
        """Add an observer. Observers are called in the order in which they were added.

        One that `follows` is also told of the episodes that other servers play.
        """
        self._observers.append(observer)
        if follows:
            self._followers.append(observer)

    def open(
        self,
        episode_id: str,
        epoch: int,
        next_seq: int = 0,
        delay: float = 0.0,
        narrator: Narrator | None = None,
    ) -> None:
        """Start to number an episode: a new one, or one that continues from the record at `next_seq`.

        `delay` is the number of seconds between the commit of an event and its release to spectators. What `narrator`
        derives from the events of a turn is recorded with them.
        """
        self._position[episode_id] = (epoch, next_seq)
        self._turns[episode_id] = asyncio.Lock()
        if narrator is not None:
            self._narrators[episode_id] = narrator
        if delay:
            self._delay[episode_id] = delay

    async def begin(
        self,
        episode_id: str,
        drafts: Sequence[Draft],
        request: Request | None,
        delay: float = 0.0,
        narrator: Narrator | None = None,
    ) -> Sequence[Event]:
        """Start to number a new episode, and publish its first events with the request that they answer.

        Raises RecordError, and then the episode is not numbered here.
        """
        self.open(episode_id, new_epoch(), delay=delay, narrator=narrator)
        try:
            return await self._publish_meanwhile(episode_id, drafts, request)
        except RecordError:
            self.forget(episode_id)
            raise

    def numbers(self, episode_id: str) -> bool:
        """Return whether the episode is numbered here, so that events can be published to it."""
        return episode_id in self._position

    def recover(self, episode_id: str, delay: float, releases: Iterable[float]) -> None:
        """Restore the delay of an episode after a restart; `releases` are the seconds until each pending release."""
        if delay:
            self._delay[episode_id] = delay
        for seconds in releases:
            asyncio.get_running_loop().call_later(seconds + SLACK, self._release, episode_id)

    def publish(self, episode_id: str, drafts: Iterable[Draft]) -> Sequence[Event]:
        """Stamp, commit and deliver `drafts` as one batch, while nothing else happens: use `record` in an event loop.

        Raises RecordError, and then nothing was delivered. After a StorageError the same drafts can be published later;
        Fenced is raised for an episode that is not, or no longer, numbered here.
        Raises StorageError while earlier drafts wait to be recorded.
        """
        self._check_waits(episode_id)
        events: Sequence[Event] = []
        for events in self._batches(episode_id, list(drafts), None):
            with self._committing(episode_id, events):
                self._recorder.on_events(events)
            self._recorded(events)
        return events

    async def _publish_meanwhile(
        self, episode_id: str, drafts: Sequence[Draft], request: Request | None
    ) -> Sequence[Event]:
        """Publish `drafts` while the loop goes on."""
        events: Sequence[Event] = []
        for events in self._batches(episode_id, drafts, request):
            with self._committing(episode_id, events):
                await commit(self._recorder, events, self._unrecorded[episode_id].request)
            if self._pending(episode_id) is events:  # otherwise the episode was forgotten
                self._recorded(events)
        return events

    def _batches(self, episode_id: str, drafts: Sequence[Draft], request: Request | None) -> Iterator[Sequence[Event]]:
        """Yield the batches to commit one after another, the last of which is made of `drafts`.

        Events that may be in the record come first: they keep their numbers whether they are or not.
        """
        if episode_id in self._unsettled and not self._unrecorded_as(episode_id, drafts):
            yield self._unrecorded[episode_id].events
        if events := self._events(episode_id, drafts):
            self._unrecorded[episode_id] = Unrecorded(drafts, events, request)
            yield events

    @contextmanager
    def _committing(self, episode_id: str, events: Sequence[Event]) -> Iterator[None]:
        """Note what becomes known of the commit of `events`; until then they may be in the record."""
        unsettled = episode_id in self._unsettled
        self._unsettled.add(episode_id)
        try:
            with told(events):
                yield
        except Fenced:
            self.forget(episode_id)
            raise
        except UnknownOutcome:
            raise
        except RecordError:
            if not unsettled and self._pending(episode_id) is events:
                self._unsettled.discard(episode_id)
            raise

    def _pending(self, episode_id: str) -> Sequence[Event]:
        """Return the last events of an episode that are not known to be in the record."""
        return self._unrecorded.get(episode_id, Unrecorded()).events

    def _recorded(self, events: Sequence[Event]) -> None:
        """Deliver the next events of an episode that is numbered here, which are in the record."""
        last = events[-1]
        self._unsettled.discard(last.episode_id)
        del self._unrecorded[last.episode_id]
        self._position[last.episode_id] = (last.epoch, last.seq + 1)
        self._deliver(events)
        if last.type == "EpisodeEnded":
            self.forget(last.episode_id)

    def _unrecorded_as(self, episode_id: str, drafts: Sequence[Draft]) -> Sequence[Event]:
        """Return the events that these drafts became when they could not be recorded; none if they were others."""
        last = self._unrecorded.get(episode_id, Unrecorded())
        same = len(last.drafts) == len(drafts) and all(a is b for a, b in zip(last.drafts, drafts, strict=True))
        return last.events if same else ()

    def _events(self, episode_id: str, drafts: Sequence[Draft]) -> Sequence[Event]:
        """Return `drafts`, and what the episode's narrator adds after each turn, as its next events.

        Drafts that could not be recorded before become the same events as then, with the present time unless they may
        be in the record.
        """
        if episode_id not in self._position:
            raise gone(episode_id)
        epoch, seq = self._position[episode_id]
        at = round(self._clock(), 3)
        if unrecorded := self._unrecorded_as(episode_id, drafts):
            known = episode_id not in self._unsettled
            return [event.model_copy(update={"at": at}) for event in unrecorded] if known else unrecorded
        events: list[Event] = []

        def stamped(items: Sequence[Draft], following: int) -> list[Event]:
            return [
                Event(episode_id=episode_id, epoch=epoch, seq=number, at=at, type=kind, audience=audience, data=data)
                for number, (kind, data, audience) in enumerate(items, following)
            ]

        narrator = self._narrators.get(episode_id)
        for turn in parts(drafts):
            ending = [draft for draft in turn if draft.type == "EpisodeEnded"]
            happened = stamped([draft for draft in turn if draft.type != "EpisodeEnded"], seq + len(events))
            events += happened
            if narrator is not None:
                added = narrator.after([*happened, *stamped(ending, seq + len(events) - 1)])
                events += stamped(added, seq + len(events))
            events += stamped(ending, seq + len(events))
        return events

    async def record(self, episode_id: str, drafts: Sequence[Draft]) -> Sequence[Event]:
        """Publish `drafts` while the loop goes on; wait and retry while the record cannot be written.

        Raises RecordError if it never can be.
        """
        async with self._turn(episode_id):
            return await self._record(episode_id, drafts, None, patient=True)

    async def record_now(
        self, episode_id: str, drafts: Sequence[Draft] | Callable[[], Sequence[Draft]], request: Request | None = None
    ) -> Sequence[Event]:
        """Publish `drafts` with the request that they answer. A function is called once all before are recorded.

        Raises StorageError if they are not recorded for now, and never will be; RecordError as `publish` does. While it
        is not known whether they are recorded, it waits.
        """
        self._check_waits(episode_id)
        async with in_turn(self._turn(episode_id)):
            due = drafts() if callable(drafts) else drafts
            return await self._record(episode_id, due, request, patient=False)

    def publish_soon(self, episode_id: str, drafts: Sequence[Draft]) -> None:
        """Publish what nobody waits for, such as PlayerThinking; drop it while the record cannot be written."""
        task = asyncio.get_running_loop().create_task(self._publish_passing(episode_id, drafts))
        self._soon.add(task)
        task.add_done_callback(self._soon.discard)

    async def _publish_passing(self, episode_id: str, drafts: Sequence[Draft]) -> None:
        try:
            await self.record_now(episode_id, drafts)
        except (StorageError, Fenced) as error:
            log.debug("episode %s: %s is dropped: %s", episode_id, drafts[0].type, error)
        except RecordError:
            log.exception("episode %s: %s could not be recorded; the match goes on", episode_id, drafts[0].type)

    def _check_waits(self, episode_id: str) -> None:
        if fault := self.waiting.get(episode_id):
            raise StorageError(f"episode {episode_id}: earlier events are not recorded: {fault}")

    def _turn(self, episode_id: str) -> asyncio.Lock:
        if episode_id not in self._turns:
            raise gone(episode_id)
        return self._turns[episode_id]

    async def _record(
        self, episode_id: str, drafts: Sequence[Draft], request: Request | None, *, patient: bool
    ) -> Sequence[Event]:
        """Publish `drafts` in their turn; retry if they may be in the record, or in any case if `patient`."""
        wait = FIRST_RETRY
        try:
            while True:
                try:
                    events = await self._publish_meanwhile(episode_id, drafts, request)
                except StorageError as error:
                    sent = episode_id in self._unsettled and self._unrecorded_as(episode_id, drafts)
                    if not sent and not patient:
                        raise
                    if episode_id not in self.waiting:
                        log.error("episode %s waits until the record can be written: %s", episode_id, error)
                    self.waiting[episode_id] = str(error.__cause__)
                    await asyncio.sleep(wait)
                    wait = min(LONGEST_RETRY, 2 * wait)
                else:
                    if episode_id in self.waiting:
                        log.warning("episode %s goes on: the record can be written again", episode_id)
                    return events
        finally:
            self.waiting.pop(episode_id, None)

    def forget(self, episode_id: str) -> None:
        """Drop an episode that has ended, or of which nothing was recorded."""
        self._position.pop(episode_id, None)
        self._turns.pop(episode_id, None)
        self._delay.pop(episode_id, None)
        self._narrators.pop(episode_id, None)
        self._unrecorded.pop(episode_id, None)
        self._unsettled.discard(episode_id)

    def relay(self, events: Sequence[Event]) -> None:
        """Commit and deliver a batch that another bus has stamped; the caller has checked that it is the next one.

        Raises RecordError, and then nothing was delivered.
        """
        with self._relaying(events):
            self._recorder.on_events(events)

    async def relay_meanwhile(self, events: Sequence[Event]) -> None:
        """Relay a batch while the loop goes on; the caller relays one after another."""
        with self._relaying(events):
            await commit(self._recorder, events)

    @contextmanager
    def _relaying(self, events: Sequence[Event]) -> Iterator[None]:
        """Deliver `events` after the block, which commits them."""
        first, last = events[0], events[-1]
        if not first.seq and first.data.get("delay"):
            self._delay[first.episode_id] = float(first.data["delay"])
        with told(events):
            yield
        self._deliver(events)
        if last.type == "EpisodeEnded":
            self._delay.pop(last.episode_id, None)

    def follow(self, events: Sequence[Event]) -> None:
        """Deliver the next events of an episode, which another server has committed."""
        episode_id = events[0].episode_id
        self._notify(lambda observer: observer.on_events(events), self._followers)
        self._release_later(episode_id)
        if events[-1].type == "EpisodeEnded":
            self._delay.pop(episode_id, None)

    def _deliver(self, events: Sequence[Event]) -> None:
        self._notify(lambda observer: observer.on_events(events), self._observers)
        self._release_later(events[0].episode_id)

    def _release_later(self, episode_id: str) -> None:
        delay = self._delay.get(episode_id, 0.0)
        if delay:
            asyncio.get_running_loop().call_later(delay + SLACK, self._release, episode_id)

    def _release(self, episode_id: str) -> None:
        self._notify(lambda observer: observer.on_released(episode_id), self._observers)

    def _notify(self, call: Callable[[Observer], None], observers: Sequence[Observer]) -> None:
        for observer in tuple(observers):
            try:
                call(observer)
            except Exception:
                log.exception("observer %s failed and is removed; the match goes on", type(observer).__name__)
                for known in (self._observers, self._followers):
                    if observer in known:
                        known.remove(observer)
