"""What a request asks of the record first, read from PostgreSQL before the request is handled.

The event loop serves every viewer, so it must not wait for PostgreSQL, which may not answer at all.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_rows import ParsedSummaries, Request, T
from grandstand.spectator.store.connection import Db, TimedConnection

KEPT = 1024
"""Number of summaries, of tokens and of keys that are kept."""

SUMMARIES = "SELECT episode_id, summary::text FROM episodes WHERE episode_id = ANY(%s)"

SEAT = (
    "SELECT episode_id, data->>'seat' FROM events WHERE type='SeatOpened' AND data->>'token_sha256'=%s"
    " ORDER BY episode_id, seq LIMIT 1"
)

REQUEST = "SELECT body, episode_id FROM requests WHERE key=%s"


class LastRead(OrderedDict[str, T]):
    """The values that were read last, by key."""

    def keep(self, key: str, value: T) -> None:
        """Keep a value in place of the last one, and drop the value that was read first if there are too many."""
        self[key] = value
        self.move_to_end(key)
        if len(self) > KEPT:
            self.popitem(last=False)

    def keep_unless_newer(self, key: str, value: T, before: T | None) -> None:
        """Keep a value that was asked for while there was `before`, unless another was kept meanwhile."""
        if self.get(key) is before:
            self.keep(key, value)


class Answers(NamedTuple):
    """What was read for one request."""

    summaries: Mapping[str, EpisodeSummary | None]
    seat: tuple[str, str] | None
    request: tuple[str, str] | None


class Prefetched:
    """The summaries, seats of tokens, and requests of keys that were read last; None for those that do not exist.

    One that was never read is read at once.
    """

    def __init__(self, reads: TimedConnection, parsed: ParsedSummaries) -> None:
        self._reads = reads
        self._parsed = parsed
        self._summaries: LastRead[EpisodeSummary | None] = LastRead()
        self._seats: LastRead[tuple[str, str] | None] = LastRead()
        self._requests: LastRead[tuple[str, str] | None] = LastRead()

    async def read(self, episode_id: str, token_sha256: str, key: str) -> None:
        """Read those that are not empty anew. Raises StorageError."""
        names = [episode_id] if episode_id else []
        before = dict(self._summaries)
        seat, request = self._seats.get(token_sha256), self._requests.get(key)
        read = await self._reads.read_meanwhile(lambda db: self._answers(db, names, token_sha256, key))
        for name, summary in read.summaries.items():
            self._summaries.keep_unless_newer(name, summary, before.get(name))
        if token_sha256:
            self._seats.keep_unless_newer(token_sha256, read.seat, seat)
        if key:
            self._requests.keep_unless_newer(key, read.request, request)

    def _answers(self, db: Db, names: list[str], token_sha256: str, key: str) -> Answers:
        seat = db.execute(SEAT, (token_sha256,)).fetchone() if token_sha256 else None
        request = db.execute(REQUEST, (key,)).fetchone() if key else None
        names += [name for name in (seat and seat[0], request and request[1]) if name]
        return Answers(self._summaries_of(db, names), seat and (seat[0], seat[1]), request and (request[0], request[1]))

    def _summaries_of(self, db: Db, names: Sequence[str]) -> dict[str, EpisodeSummary | None]:
        texts: dict[str, str] = dict(db.execute(SUMMARIES, (list(names),)).fetchall()) if names else {}
        return {name: self._parsed.read(name, texts[name]) if name in texts else None for name in names}

    def newest(self, db: Db, episode_id: str) -> EpisodeSummary | None:
        """Read a summary by `db`, whatever was read before."""
        return self._summaries_of(db, [episode_id])[episode_id]

    def summary(self, episode_id: str, *, anew: bool = False) -> EpisodeSummary | None:
        """Return a summary; None if there is no such episode, or its summary cannot be parsed."""
        if anew or episode_id not in self._summaries:
            self._summaries.keep(
                episode_id, self._reads.read(lambda db: self._summaries_of(db, [episode_id]))[episode_id]
            )
        return self._summaries[episode_id]

    def seat(self, token_sha256: str) -> tuple[str, str] | None:
        """Return (episode, seat) of a token."""
        if token_sha256 not in self._seats:
            self._seats.keep(token_sha256, self._reads.read(lambda db: self._answers(db, [], token_sha256, "")).seat)
        return self._seats[token_sha256]

    def request(self, key: str) -> tuple[str, str] | None:
        """Return (digest of the body, episode) of a stored request."""
        if key not in self._requests:
            self._requests.keep(key, self._reads.read(lambda db: self._answers(db, [], "", key)).request)
        return self._requests[key]

    def committed(self, summary: EpisodeSummary) -> None:
        """Keep the summary of an episode to which this server has written."""
        self._summaries.keep(summary.episode_id, summary)

    def requested(self, request: Request, episode_id: str) -> None:
        """Keep a request that this server has stored."""
        self._requests.keep(request.key, (request.body, episode_id))

    def forget(self, episode_id: str) -> None:
        """Forget an episode that was deleted, with its seats and requests."""
        self._summaries.pop(episode_id, None)
        self._seats.clear()
        self._requests.clear()
