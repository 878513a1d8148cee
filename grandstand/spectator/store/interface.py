"""What the server needs of the store of its record. SQLite's is `Recorder`, PostgreSQL's is `PostgresStore`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from grandstand.models import Event, SeatDraft
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_rows import FinishedEpisode, OpenedSeat, Request, T, TrainingSteps

LEASE = 6.0
"""Seconds for which a server owns an episode after each renewal."""


class OwningServer(NamedTuple):
    """A server that owns matches: its name among the others, and its address for them."""

    id: str
    url: str
    role: str = "all"


class EventStore(Protocol):
    """A store to which events are committed before any observer is notified."""

    def on_events(self, events: Sequence[Event]) -> None:
        """Commit a batch of one episode atomically."""


@runtime_checkable
class RequestStore(EventStore, Protocol):
    """A store that keeps requests as well, and may be in another process, which may take long to answer."""

    async def commit(self, events: Sequence[Event], request: Request | None = None) -> None:
        """Commit a batch as `on_events` does, with the request that it answers, while the loop goes on."""


async def commit(store: EventStore, events: Sequence[Event], request: Request | None = None) -> None:
    """Commit a batch, at once unless the store is in another process."""
    if isinstance(store, RequestStore):
        await store.commit(events, request)
    else:
        store.on_events(events)


class EpisodeStore(Protocol):
    """The events and summaries of all episodes. `Recorder` documents each method."""

    def on_events(self, events: Sequence[Event]) -> None:
        """Commit a batch of one episode atomically."""

    async def commit(self, events: Sequence[Event], request: Request | None = None) -> None:
        """Commit a batch, and the request that it answers, without blocking the loop."""

    async def remember(self, request: Request, episode_id: str) -> None:
        """Store a request of an episode that has recorded nothing, without blocking the loop."""

    async def prefetch(self, episode_id: str = "", token_sha256: str = "", key: str = "") -> None:
        """Read an episode's summary, the seat of a token and the request of a key, without blocking the loop.

        `summary`, `seat_opened` and `answered` then return what was read. Raises StorageError.
        """

    async def apart(self, read: Callable[[], T]) -> T:
        """Return `read()`, which calls methods of this store that read, without blocking the loop."""

    def answered(self, key: str) -> tuple[str, str] | None:
        """Return (digest of the body, episode) of the stored request with this key, or None."""

    def summary(self, episode_id: str) -> EpisodeSummary:
        """Return the summary of one episode. Raises UnknownEpisode, RecordError."""

    def summaries(
        self,
        *,
        game: str | None = None,
        player: str | None = None,
        status: Sequence[str] = (),
        limit: int = 50,
        offset: int = 0,
        behind: Mapping[str, EpisodeSummary] | None = None,
        without: Sequence[str] = (),
        training: TrainingSteps | None = None,
    ) -> tuple[list[EpisodeSummary], int]:
        """Return a page of episodes, newest first, and the total number."""

    def held_back(self, now: float) -> list[str]:
        """Return the delayed episodes whose last events may not be released at `now`."""

    def seat_opened(self, token_sha256: str) -> OpenedSeat | None:
        """Return the seat whose token has this hash, if any."""

    def save_draft(self, episode_id: str, seat: str, draft: SeatDraft | None) -> None:
        """Store the draft of a seat in place of its last one; None deletes it."""

    async def drafts_saved(self, episode_id: str, seat: str) -> None:
        """Wait until the last draft of a seat is stored."""

    def drafts(self, episode_id: str) -> dict[str, SeatDraft]:
        """Return the drafts of an episode by seat."""

    def episode_ids(self) -> list[str]:
        """Return the ids of all episodes."""

    def events(self, episode_id: str, first: int = 0, stop: int | None = None) -> Iterator[Event]:
        """Yield events with `first <= seq < stop` in order."""

    def size(self, episode_id: str) -> int:
        """Return the number of characters of the data of the episode's events."""

    def of_type(self, episode_id: str, kind: str) -> list[Event]:
        """Return the events of one type, in order."""

    async def load(self, episode_id: str, types: Sequence[str] = ()) -> list[Event]:
        """Return all events, or those of some types, without blocking the loop."""

    def since(self, at: float, types: Sequence[str], before: float) -> AsyncIterator[list[Event]]:
        """Yield the events of some types with `at` <= time < `before`, by episode."""

    async def finished(self, limit: int) -> list[FinishedEpisode]:
        """Return the newest finished episodes."""

    async def read_each(
        self, episode_ids: Sequence[str], types: Sequence[str], read: Callable[[EpisodeSummary, list[Event]], T]
    ) -> dict[str, T]:
        """Return `read(summary, events of some types)` of each episode, called in another thread."""

    def prune(self, origin: str, keep: int) -> list[str]:
        """Delete the ended episodes of `origin` except the newest `keep`, and return the deleted ids."""

    def delete(self, episode_ids: Sequence[str]) -> None:
        """Delete these episodes, all or none of them."""

    def close(self) -> None:
        """Close the store."""
