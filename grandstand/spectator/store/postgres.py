"""The record in PostgreSQL, which several servers share: the events of every episode, committed before delivery.

One autocommitted statement commits a batch. It has an effect only if the batch is the next of its episode and no
other server owns the episode in a later epoch, so that a server that was paused, or cut off, writes nothing.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from importlib.resources import files

from grandstand.models import Event, SeatDraft
from grandstand.spectator.errors import Fenced, RecordError, UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_rows import FinishedEpisode, OpenedSeat, ParsedSummaries, Request, T, TrainingSteps
from grandstand.spectator.store.commit import commit
from grandstand.spectator.store.connection import SECONDS, Db, TimedConnection
from grandstand.spectator.store.interface import OwningServer
from grandstand.spectator.store.leases import any_player, owner_of
from grandstand.spectator.store.prefetch import Prefetched
from grandstand.spectator.store.rows import condition, read_each_episode, read_events, read_finished
from grandstand.spectator.summary import fold

SCHEMA_VERSION = 1

LONG = 30.0
"""Seconds for which a call that reads a whole episode waits for the server's answer."""

ELSEWHERE = frozenset({"publisher", "imported"})
"""Origins of episodes that no server plays, so that none owns them."""


class PostgresStore:
    """A store of the record at a URL of PostgreSQL, for one server or for a reader. It documents as `Recorder` does."""

    def __init__(self, url: str, server: OwningServer | None = None, seconds: float = SECONDS) -> None:
        """Open the store, and create its tables. `server` owns the matches that begin here.

        Raises RecordError if it cannot be used.
        """
        self.url = url
        self.server = server
        self.held: dict[str, int] = {}
        """The episodes that this server owns, and the epoch in which it does."""
        self._summaries: dict[str, EpisodeSummary] = {}
        """The last summaries of the episodes that this server owns."""
        self._parsed = ParsedSummaries()
        self._saving: dict[tuple[str, str], Future[object]] = {}
        """The drafts that are being stored, by episode and seat."""
        self._commits = TimedConnection(url, seconds)
        self._reads = TimedConnection(url, seconds)
        self._long_reads = TimedConnection(url, LONG)
        self._prefetched = Prefetched(self._reads, self._parsed)
        try:
            self._reads.read(_prepare)
        except RecordError as error:
            self.close()
            raise RecordError(f"store: cannot use it: {error}. Name another with --store.") from error

    def on_events(self, events: Sequence[Event]) -> None:
        """Commit one batch of one episode.

        Raises StorageError if it was not committed for now, UnknownOutcome if that is not known, Fenced if another
        server owns the episode, RecordError if the batch is not the next.
        """
        summary, owner = self._folded(events)
        try:
            self._commits.write(lambda db: commit(db, events, summary, None, owner))
        except Fenced:
            self.release(summary.episode_id)
            raise
        self._committed(summary, owner)

    async def commit(self, events: Sequence[Event], request: Request | None = None) -> None:
        """Commit a batch as `on_events` does, with the request that it answers, while the loop goes on."""
        summary, owner = self._folded(events)
        before = self._summaries.get(summary.episode_id)
        try:
            await self._commits.write_meanwhile(lambda db: commit(db, events, summary, request, owner))
        except Fenced:
            self.release(summary.episode_id)
            raise
        if self._summaries.get(summary.episode_id) is before:
            # Otherwise the episode was released meanwhile.
            self._committed(summary, owner)
        if request is not None:
            self._prefetched.requested(request, summary.episode_id)

    def _folded(self, events: Sequence[Event]) -> tuple[EpisodeSummary, OwningServer | None]:
        """Return the summary of the episode after `events`, and its owner."""
        episode_id = events[0].episode_id
        summary = self._summaries.get(episode_id)
        if summary is None and events[0].seq:
            summary = self.summary(episode_id)
            if summary.last_seq + 1 < events[0].seq:
                summary = self._summary(episode_id, self._prefetched.summary(episode_id, anew=True))
        if summary is not None and events[-1].seq <= summary.last_seq:
            summary = None if not events[0].seq else self._before(episode_id, events[0].seq)
        for event in events:
            summary = fold(summary, event)
        assert summary is not None
        return summary, self._owner(summary)

    def _before(self, episode_id: str, seq: int) -> EpisodeSummary:
        """Return the summary before event `seq`, which was recorded by an attempt of unknown outcome."""
        summary: EpisodeSummary | None = None
        for event in self.events(episode_id, 0, seq):
            summary = fold(summary, event)
        assert summary is not None
        return summary

    def _owner(self, summary: EpisodeSummary) -> OwningServer | None:
        return None if summary.origin in ELSEWHERE else self.server

    def _committed(self, summary: EpisodeSummary, owner: OwningServer | None) -> None:
        self._summaries[summary.episode_id] = summary
        if owner is None or summary.ended_at is not None:
            self.release(summary.episode_id)
        else:
            self.held.setdefault(summary.episode_id, summary.epoch)

    def release(self, episode_id: str) -> None:
        """Forget that this server owns an episode: it has ended, or another server owns it."""
        self.held.pop(episode_id, None)
        self._saving = {key: saving for key, saving in self._saving.items() if key[0] != episode_id}
        if (last := self._summaries.pop(episode_id, None)) is not None:
            self._prefetched.committed(last)

    async def prefetch(self, episode_id: str = "", token_sha256: str = "", key: str = "") -> None:
        """Read an episode's summary, the seat of a token and the request of a key, without blocking the loop.

        What this server has committed itself is known. Raises StorageError.
        """
        if episode_id in self._summaries:
            episode_id = ""
        if episode_id or token_sha256 or key:
            await self._prefetched.read(episode_id, token_sha256, key)

    async def apart(self, read: Callable[[], T]) -> T:
        """Return `read()`, which calls methods of this store that read, in the thread of their connection.

        Raises StorageError.
        """
        return await self._reads.read_meanwhile(lambda _: read())

    async def remember(self, request: Request, episode_id: str) -> None:
        """Store a request of an episode that has recorded nothing. Raises StorageError."""
        values = (*request, episode_id, time.time())
        insert = "INSERT INTO requests VALUES (%s,%s,%s,%s)"
        await self._commits.write_meanwhile(lambda db: db.execute(insert, values))
        self._prefetched.requested(request, episode_id)

    def answered(self, key: str) -> tuple[str, str] | None:
        """Return (digest of the body, episode) of the stored request with this key, or None."""
        return self._prefetched.request(key)

    def summary(self, episode_id: str) -> EpisodeSummary:
        """Return the summary of one episode: of a match of another server, as it was read last.

        Raises UnknownEpisode, or RecordError if the record is damaged.
        """
        return self._summaries.get(episode_id) or self._summary(episode_id, self._prefetched.summary(episode_id))

    async def claimed(self, episode_id: str) -> EpisodeSummary:
        """Return the summary of an episode that this server has just claimed, as its last owner has left it.

        What was known of it here may be older. Raises as `summary` does, and StorageError.
        """
        read = await self._reads.read_meanwhile(lambda db: self._prefetched.newest(db, episode_id))
        self._summaries.pop(episode_id, None)
        summary = self._summary(episode_id, read)
        self._prefetched.committed(summary)
        return summary

    def _summary(self, episode_id: str, read: EpisodeSummary | None) -> EpisodeSummary:
        if read is not None:
            return read
        if episode_id in self._parsed.unreadable:
            raise RecordError(f"episode {episode_id}: {self._parsed.unreadable[episode_id]}")
        raise UnknownEpisode(episode_id)

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
        """Return a page of episodes and the total number, as `Recorder.summaries` does."""
        known = behind or {}
        clause, values = condition(game, player, status, known, without, training)

        def page(db: Db) -> tuple[list[tuple[str, str]], int]:
            skipped = list(self._parsed.unreadable)
            where = f"WHERE episode_id <> ALL(%s) AND {clause}"
            (total,) = db.execute(f"SELECT count(*) FROM episodes {where}", [skipped, *values]).fetchone() or (0,)
            rows = db.execute(
                f"SELECT episode_id, summary::text FROM episodes {where}"
                " ORDER BY created_at DESC, episode_id DESC LIMIT %s OFFSET %s",
                [skipped, *values, limit, offset],
            ).fetchall()
            return [(row[0], row[1]) for row in rows], total

        while True:
            unreadable = len(self._parsed.unreadable)
            rows, total = self._reads.read(page)
            read = [known.get(episode_id) or self._parsed.read(episode_id, text) for episode_id, text in rows]
            if len(self._parsed.unreadable) == unreadable:
                return [summary for summary in read if summary is not None], total

    def held_back(self, now: float) -> list[str]:
        """Return the delayed episodes whose last events may not be released at `now`: unfinished or just ended."""
        sql = (
            "SELECT episode_id FROM episodes WHERE (summary->>'delay')::float8 > 0"
            " AND coalesce((summary->>'ended_at')::float8 + (summary->>'delay')::float8 > %s, true)"
        )
        return self._ids(sql, (now,))

    def seat_opened(self, token_sha256: str) -> OpenedSeat | None:
        """Return the seat whose token has this hash, if any."""
        row = self._prefetched.seat(token_sha256)
        return None if row is None else OpenedSeat(*row, self.summary(row[0]).ended_at is not None)

    def save_draft(self, episode_id: str, seat: str, draft: SeatDraft | None) -> None:
        """Store the draft of a seat in place of its last one, while the loop goes on; None deletes it.

        `drafts_saved` says whether it is stored. Raises StorageError.
        """
        sql, row = "DELETE FROM drafts WHERE episode_id=%s AND seat=%s", tuple[object, ...]((episode_id, seat))
        if draft is not None:
            sql = (
                "INSERT INTO drafts VALUES (%s,%s,%s,%s,%s) ON CONFLICT (episode_id, seat)"
                " DO UPDATE SET turn=excluded.turn, action=excluded.action, ready=excluded.ready"
            )
            row = (episode_id, seat, draft.index, json.dumps(draft.action, allow_nan=False), draft.ready)
        self._saving[episode_id, seat] = self._commits.begin(lambda db: db.execute(sql, row))

    async def drafts_saved(self, episode_id: str, seat: str) -> None:
        """Wait until the last draft of a seat is stored. Raises StorageError."""
        if (saving := self._saving.pop((episode_id, seat), None)) is not None:
            await self._commits.answer(saving)

    def drafts(self, episode_id: str) -> dict[str, SeatDraft]:
        """Return the drafts of an episode by seat. The draft of an earlier turn may still be there."""
        sql = "SELECT seat, turn, action, ready FROM drafts WHERE episode_id=%s"
        rows = self._reads.read(lambda db: db.execute(sql, (episode_id,)).fetchall())
        return {seat: SeatDraft(turn, json.loads(action), ready) for seat, turn, action, ready in rows}

    def episode_ids(self) -> list[str]:
        """Return the ids of all episodes."""
        return self._ids("SELECT episode_id FROM episodes", ())

    def _ids(self, sql: str, values: Sequence[object]) -> list[str]:
        return [row[0] for row in self._reads.read(lambda db: db.execute(sql, values).fetchall())]

    def events(self, episode_id: str, first: int = 0, stop: int | None = None) -> Iterator[Event]:
        """Yield events with `first <= seq < stop` in order. Raises RecordError naming an event that cannot be read."""
        yield from self._reads.read(lambda db: read_events(db, episode_id, first, stop))

    def size(self, episode_id: str) -> int:
        """Return the number of characters of the data of the episode's events."""
        sql = "SELECT coalesce(sum(length(data::text)), 0) FROM events WHERE episode_id=%s"
        row = self._reads.read(lambda db: db.execute(sql, (episode_id,)).fetchone())
        return int(row[0]) if row else 0

    def of_type(self, episode_id: str, kind: str) -> list[Event]:
        """Return the events of one type, in order. Raises RecordError naming an event that cannot be read."""
        return self._reads.read(lambda db: read_events(db, episode_id, types=(kind,)))

    async def load(self, episode_id: str, types: Sequence[str] = ()) -> list[Event]:
        """Return all events, or those of some types, read in another thread so that the loop is not blocked."""
        return await self._long_reads.read_meanwhile(lambda db: read_events(db, episode_id, types=types))

    async def since(self, at: float, types: Sequence[str], before: float) -> AsyncIterator[list[Event]]:
        """Yield the events of some types with `at` <= time < `before`, by episode, each read in another thread."""
        sql = "SELECT DISTINCT episode_id FROM events WHERE type = ANY(%s) AND at >= %s AND at < %s"
        for episode_id in await self.apart(lambda: self._ids(sql, (list(types), at, before))):
            events = await self.load(episode_id, types)
            await self.prefetch(episode_id)
            yield [event for event in events if at <= event.at < before]

    async def finished(self, limit: int) -> list[FinishedEpisode]:
        """Return the newest finished episodes, listed in another thread."""
        return await self._long_reads.read_meanwhile(lambda db: read_finished(db, limit))

    async def read_each(
        self, episode_ids: Sequence[str], types: Sequence[str], read: Callable[[EpisodeSummary, list[Event]], T]
    ) -> dict[str, T]:
        """Return `read(summary, events of some types)` of each episode, called in another thread."""
        results: dict[str, T] = {}
        for episode_id in episode_ids:  # one at a time, so that episodes are loaded in between
            one = partial(read_each_episode, episode_ids=(episode_id,), types=types, read=read)
            results |= await self._long_reads.read_meanwhile(one)
        return results

    def prune(self, origin: str, keep: int) -> list[str]:
        """Delete the ended episodes of `origin` except the newest `keep`, and return the deleted ids."""
        sql = (
            "SELECT episode_id FROM episodes WHERE summary->>'origin'=%s AND status NOT IN ('live', 'queued')"
            " ORDER BY created_at DESC OFFSET %s"
        )
        pruned = self._ids(sql, (origin, keep))
        self.delete(pruned)
        return pruned

    def delete(self, episode_ids: Sequence[str]) -> None:
        """Delete these episodes, all or none of them. Raises StorageError."""
        some = {"ids": list(episode_ids)}
        sql = (
            "WITH a AS (DELETE FROM events WHERE episode_id = ANY(%(ids)s)), b AS (DELETE FROM requests WHERE"
            " episode_id = ANY(%(ids)s)), c AS (DELETE FROM drafts WHERE episode_id = ANY(%(ids)s))"
            " DELETE FROM episodes WHERE episode_id = ANY(%(ids)s)"
        )
        self._commits.write(lambda db: db.execute(sql, some))
        for episode_id in episode_ids:
            self.release(episode_id)
            self._parsed.forget(episode_id)
            self._prefetched.forget(episode_id)

    def owner_url(self, episode_id: str) -> str | None:
        """Return the address of the server that owns an episode; None while none does."""
        return self._reads.read(lambda db: owner_of(db, episode_id))

    def player_url(self) -> str | None:
        """Return the address of a server that plays matches; None if there is none."""
        return self._reads.read(any_player)

    def close(self) -> None:
        self._commits.close()
        self._reads.close()
        self._long_reads.close()


def _prepare(db: Db) -> None:
    """Create the tables unless they exist. Servers that start at the same time do so one after another."""
    schema = files(__package__).joinpath("schema.sql").read_text("utf-8")
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(hashtext('grandstand'))")
        db.execute(schema)
        row = db.execute("SELECT version FROM schema_version").fetchone()
    if row is None or row[0] != SCHEMA_VERSION:
        raise RecordError(f"it has format {row and row[0]}, this Grandstand reads {SCHEMA_VERSION}")
