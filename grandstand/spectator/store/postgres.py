"""The record in PostgreSQL, which several servers share: the events of every episode, committed before delivery.

One autocommitted statement commits a batch. It has an effect only if the batch is the next of its episode and no
other server owns the episode in a later epoch, so that a server that was paused, or cut off, writes nothing.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib.resources import files

import psycopg

from grandstand.models import Event, SeatDraft
from grandstand.spectator.errors import Fenced, RecordError, StorageError, UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_rows import FinishedEpisode, OpenedSeat, ParsedSummaries, Request, T, TrainingSteps
from grandstand.spectator.store.commit import commit
from grandstand.spectator.store.connection import SECONDS, Db, TimedConnection, connected, known_error
from grandstand.spectator.store.interface import OwningServer
from grandstand.spectator.store.leases import any_player, owner_of
from grandstand.spectator.store.rows import condition, load_events, read_each_episode, read_events, read_finished
from grandstand.spectator.summary import fold

SCHEMA_VERSION = 1

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
        self._request: Request | None = None
        self._commits = TimedConnection(url, seconds)
        self._reads = TimedConnection(url, seconds)
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
        episode_id = events[0].episode_id
        summary = self._summaries.get(episode_id)
        if summary is None and events[0].seq:
            summary = self.summary(episode_id)
        if summary is not None and events[-1].seq <= summary.last_seq:
            summary = None if not events[0].seq else self._before(episode_id, events[0].seq)
        for event in events:
            summary = fold(summary, event)
        assert summary is not None
        request, owner, folded = self._request, self._owner(summary), summary
        try:
            self._commits.write(lambda db: commit(db, events, folded, request, owner))
        except Fenced:
            self.release(episode_id)
            raise
        self._request = None
        self._committed(summary, owner)

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
        if owner is None or summary.ended_at is not None:
            self.release(summary.episode_id)
        else:
            self._summaries[summary.episode_id] = summary
            self.held.setdefault(summary.episode_id, summary.epoch)

    def release(self, episode_id: str) -> None:
        """Forget that this server owns an episode: it has ended, or another server owns it."""
        self.held.pop(episode_id, None)
        self._summaries.pop(episode_id, None)

    @contextmanager
    def answering(self, request: Request | None, episode_id: str | None = None) -> Iterator[None]:
        """Store `request` in the same commit as the first batch of the block, as `Recorder.answering` does."""
        self._request = request
        try:
            yield
            if self._request is not None and episode_id is not None:
                values = (*self._request, episode_id, time.time())
                self._commits.write(lambda db: db.execute("INSERT INTO requests VALUES (%s,%s,%s,%s)", values))
        finally:
            self._request = None

    def answered(self, key: str) -> tuple[str, str] | None:
        """Return (digest of the body, episode) of the stored request with this key, or None."""
        sql = "SELECT body, episode_id FROM requests WHERE key=%s"
        row = self._reads.read(lambda db: db.execute(sql, (key,)).fetchone())
        return None if row is None else (row[0], row[1])

    def summary(self, episode_id: str) -> EpisodeSummary:
        """Return the summary of one episode. Raises UnknownEpisode, or RecordError if the record is damaged."""
        if episode_id in self._summaries:
            return self._summaries[episode_id]
        sql = "SELECT summary::text FROM episodes WHERE episode_id=%s"
        row = self._reads.read(lambda db: db.execute(sql, (episode_id,)).fetchone())
        if row is None:
            raise UnknownEpisode(episode_id)
        summary = self._parsed.read(episode_id, row[0])
        if summary is None:
            raise RecordError(f"episode {episode_id}: {self._parsed.unreadable[episode_id]}")
        return summary

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
        sql = (
            "SELECT episode_id, data->>'seat' FROM events WHERE type='SeatOpened' AND data->>'token_sha256'=%s"
            " ORDER BY episode_id, seq LIMIT 1"
        )
        row = self._reads.read(lambda db: db.execute(sql, (token_sha256,)).fetchone())
        return None if row is None else OpenedSeat(row[0], row[1], self.summary(row[0]).ended_at is not None)

    def save_draft(self, episode_id: str, seat: str, draft: SeatDraft | None) -> None:
        """Store the draft of a seat in place of its last one; None deletes it. Raises StorageError."""
        if draft is None:
            sql, values = "DELETE FROM drafts WHERE episode_id=%s AND seat=%s", (episode_id, seat)
            self._commits.write(lambda db: db.execute(sql, values))
            return
        row = (episode_id, seat, draft.index, json.dumps(draft.action, allow_nan=False), draft.ready)
        insert = (
            "INSERT INTO drafts VALUES (%s,%s,%s,%s,%s) ON CONFLICT (episode_id, seat)"
            " DO UPDATE SET turn=excluded.turn, action=excluded.action, ready=excluded.ready"
        )
        self._commits.write(lambda db: db.execute(insert, row))

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
        return await _elsewhere(lambda: load_events(self.url, episode_id, types))

    async def since(self, at: float, types: Sequence[str], before: float) -> AsyncIterator[list[Event]]:
        """Yield the events of some types with `at` <= time < `before`, by episode, each read in another thread."""
        sql = "SELECT DISTINCT episode_id FROM events WHERE type = ANY(%s) AND at >= %s AND at < %s"
        for episode_id in self._ids(sql, (list(types), at, before)):
            events = await self.load(episode_id, types)
            yield [event for event in events if at <= event.at < before]

    async def finished(self, limit: int) -> list[FinishedEpisode]:
        """Return the newest finished episodes, listed in another thread."""
        return await self._apart(lambda db: read_finished(db, limit))

    async def read_each(
        self, episode_ids: Sequence[str], types: Sequence[str], read: Callable[[EpisodeSummary, list[Event]], T]
    ) -> dict[str, T]:
        """Return `read(summary, events of some types)` of each episode, called in another thread."""
        return await self._apart(lambda db: read_each_episode(db, episode_ids, types, read))

    async def _apart(self, work: Callable[[Db], T]) -> T:
        """Return `work(connection)`, done in another thread by a connection of its own."""

        def done() -> T:
            with closing(connected(self.url)) as db:
                return work(db)

        return await _elsewhere(done)

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

    def owner_url(self, episode_id: str) -> str | None:
        """Return the address of the server that owns an episode; None while none does."""
        return self._reads.read(lambda db: owner_of(db, episode_id))

    def player_url(self) -> str | None:
        """Return the address of a server that plays matches; None if there is none."""
        return self._reads.read(any_player)

    def close(self) -> None:
        self._commits.close()
        self._reads.close()


async def _elsewhere(work: Callable[[], T]) -> T:
    """Return `work()`, done in another thread. Raises StorageError."""
    try:
        return await asyncio.to_thread(work)
    except psycopg.OperationalError as error:
        raise StorageError(f"PostgreSQL cannot be read: {str(error).strip()}") from error
    except psycopg.Error as error:
        raise known_error(error) from error


def _prepare(db: Db) -> None:
    """Create the tables unless they exist. Servers that start at the same time do so one after another."""
    schema = files(__package__).joinpath("schema.sql").read_text("utf-8")
    with db.transaction():
        db.execute("SELECT pg_advisory_xact_lock(hashtext('grandstand'))")
        db.execute(schema)
        row = db.execute("SELECT version FROM schema_version").fetchone()
    if row is None or row[0] != SCHEMA_VERSION:
        raise RecordError(f"it has format {row and row[0]}, this Grandstand reads {SCHEMA_VERSION}")
