"""The record: every event of every episode in one SQLite file, committed before it is delivered.

WAL mode with `synchronous=NORMAL`: commits survive a killed process; a power failure may lose the last commits but
never corrupts the file (sqlite.org/wal.html). One batch of the bus is one transaction.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from grandstand.models import Event, SeatDraft
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_rows import (
    REQUESTS_KEPT,
    SCHEMA,
    SCHEMA_VERSION,
    FinishedEpisode,
    OpenedSeat,
    ParsedSummaries,
    Request,
    T,
    TrainingSteps,
    episode_row,
    event_row,
    load_events,
    marks,
    read_each_episode,
    read_events,
    read_finished,
    transaction,
)
from grandstand.spectator.summary import fold

LOCK_WAIT = 0.02
"""Seconds that a commit of a server waits for a lock. It blocks the loop, so it is short; publishers retry."""


class Recorder:
    """The store of events. The bus calls it first, and only its failure ends an episode."""

    def __init__(self, path: Path | str, lock_wait: float = LOCK_WAIT) -> None:
        """Open or create the store at `path` (`:memory:` for none). Raises RecordError if it cannot be used.

        A commit waits `lock_wait` seconds for other connections to the same store.
        """
        self._path = path
        self._summaries: dict[str, EpisodeSummary] = {}
        self._parsed = ParsedSummaries()
        try:
            if str(path) != ":memory:":
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(SCHEMA)
            self._check_version()
            self._db.execute(f"PRAGMA busy_timeout={round(lock_wait * 1000)}")
        except (OSError, sqlite3.Error) as error:
            raise RecordError(
                f"data: cannot use {path}: {error}. {_remedy(error, 'Name a writable folder')}"
            ) from error

    @classmethod
    def reading(cls, path: Path) -> Recorder:
        """Open the store at `path` read-only; a server may be writing to it. Raises RecordError."""
        self = object.__new__(cls)
        self._path, self._summaries, self._parsed = path, {}, ParsedSummaries()
        try:
            self._db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
            self._known_version()
        except sqlite3.Error as error:
            raise RecordError(f"data: cannot read {path}: {error}. {_remedy(error, 'Name another folder')}") from error
        return self

    def _check_version(self) -> None:
        if self._known_version() != SCHEMA_VERSION:
            self._db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    def _known_version(self) -> int:
        version: int
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version not in (0, SCHEMA_VERSION):
            raise RecordError(
                f"data: the store has format {version}, this Grandstand reads {SCHEMA_VERSION}."
                " Name another folder with --data."
            )
        return version

    def on_events(self, events: Sequence[Event], request: Request | None = None) -> None:
        """Commit one batch of one episode, and the request that it answers. A number that already exists is refused.

        Raises StorageError if the file cannot be written for now; nothing of the batch is stored then.
        """
        episode_id = events[0].episode_id
        summary = self._summaries.get(episode_id)
        if summary is None and events[0].seq:
            summary = self.summary(episode_id)
        for event in events:
            summary = fold(summary, event)
        assert summary is not None
        with transaction(self._db):
            self._db.executemany("INSERT INTO events VALUES (?,?,?,?,?,?,?)", map(event_row, events))
            self._db.execute("INSERT OR REPLACE INTO episodes VALUES (?,?,?,?,?)", episode_row(summary))
            if summary.ended_at is not None:
                self._db.execute("DELETE FROM drafts WHERE episode_id=?", (episode_id,))
            if request is not None:
                self._insert_request(request, episode_id)
        if summary.ended_at is None:
            self._summaries[episode_id] = summary
        else:
            self._summaries.pop(episode_id, None)

    async def prefetch(self, episode_id: str = "", token_sha256: str = "", key: str = "") -> None:
        """Return at once: each of them is one look-up in a file of this machine."""

    async def apart(self, read: Callable[[], T]) -> T:
        """Return `read()`, called at once: the connection belongs to this thread, and the file to this machine."""
        return read()

    async def commit(self, events: Sequence[Event], request: Request | None = None) -> None:
        """Commit a batch as `on_events` does, at once: the connection belongs to this thread."""
        self.on_events(events, request)

    async def remember(self, request: Request, episode_id: str) -> None:
        """Store a request of an episode that has recorded nothing."""
        with transaction(self._db):
            self._insert_request(request, episode_id)

    def _insert_request(self, request: Request, episode_id: str) -> None:
        self._db.execute("DELETE FROM requests WHERE at<?", (time.time() - REQUESTS_KEPT,))
        self._db.execute("INSERT INTO requests VALUES (?,?,?,?)", (*request, episode_id, time.time()))

    def answered(self, key: str) -> tuple[str, str] | None:
        """Return (digest of the body, episode) of the stored request with this key, or None."""
        row: tuple[str, str] | None = self._db.execute(
            "SELECT body, episode_id FROM requests WHERE key=?", (key,)
        ).fetchone()
        return row

    def summary(self, episode_id: str) -> EpisodeSummary:
        """Return the summary of one episode. Raises UnknownEpisode, or RecordError if the record is damaged."""
        if episode_id in self._summaries:
            return self._summaries[episode_id]
        row = self._db.execute("SELECT summary FROM episodes WHERE episode_id=?", (episode_id,)).fetchone()
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
        """Return a page of the episodes of `game` in which `player` has a seat, newest first, and the total number.

        Episodes of the origins in `without` are left out. With `training`, only matches of those steps are listed.
        Unreadable episodes are omitted. The summaries in `behind`, the public state of delayed episodes, replace those
        of the store.
        """
        while True:
            unreadable = len(self._parsed.unreadable)
            page = self._page(game, player, status, limit, offset, behind or {}, without, training)
            if len(self._parsed.unreadable) == unreadable:
                return page

    def _page(
        self,
        game: str | None,
        player: str | None,
        status: Sequence[str],
        limit: int,
        offset: int,
        behind: Mapping[str, EpisodeSummary],
        without: Sequence[str],
        training: TrainingSteps | None,
    ) -> tuple[list[EpisodeSummary], int]:
        where = [f"episode_id NOT IN ({marks(tuple(self._parsed.unreadable))})"]
        values: list[object] = [*self._parsed.unreadable]
        if game:
            where.append("game=?")
            values.append(game)
        if player:
            where.append(
                "CASE WHEN json_valid(summary) THEN EXISTS (SELECT 1 FROM json_each(summary, '$.seats')"
                " WHERE json_extract(value, '$.player')=?) END"
            )
            values.append(player)
        if training:
            where.append(
                "CASE WHEN json_valid(summary) THEN json_extract(summary, '$.training.run')=?"
                " AND json_extract(summary, '$.training.step') BETWEEN ? AND ? END"
            )
            values += training
        if without:
            where.append(
                "CASE WHEN json_valid(summary) THEN"
                f" coalesce(json_extract(summary, '$.origin'), '') NOT IN ({marks(without)}) END"
            )
            values += without
        if status:
            matches = {episode_id: int(summary.status in status) for episode_id, summary in behind.items()}
            where.append(
                f"coalesce((SELECT value FROM json_each(?) WHERE key=episode_id), status IN ({marks(status)}))"
            )
            values += [json.dumps(matches), *status]
        clause = " AND ".join(where)
        (total,) = self._db.execute(f"SELECT count(*) FROM episodes WHERE {clause}", values).fetchone()
        rows = self._db.execute(
            f"SELECT episode_id, summary FROM episodes WHERE {clause}"
            " ORDER BY created_at DESC, episode_id DESC LIMIT ? OFFSET ?",
            (*values, limit, offset),
        ).fetchall()
        read = [behind.get(episode_id) or self._parsed.read(episode_id, text) for episode_id, text in rows]
        return [summary for summary in read if summary is not None], total

    def held_back(self, now: float) -> list[str]:
        """Return the delayed episodes whose last events may not be released at `now`: unfinished or just ended."""
        rows = self._db.execute(
            "SELECT episode_id FROM episodes WHERE json_valid(summary) AND json_extract(summary, '$.delay') > 0"
            " AND coalesce(json_extract(summary, '$.ended_at') + json_extract(summary, '$.delay') > ?, 1)",
            (now,),
        )
        return [episode_id for (episode_id,) in rows.fetchall()]

    def seat_opened(self, token_sha256: str) -> OpenedSeat | None:
        """Return the seat whose token has this hash, if any."""
        row = self._db.execute(
            "SELECT episode_id, json_extract(data, '$.seat') FROM events"
            " WHERE type='SeatOpened' AND json_extract(data, '$.token_sha256')=? ORDER BY episode_id, seq LIMIT 1",
            (token_sha256,),
        ).fetchone()
        if row is None:
            return None
        episode_id, seat = row
        return OpenedSeat(episode_id, seat, self.summary(episode_id).ended_at is not None)

    def save_draft(self, episode_id: str, seat: str, draft: SeatDraft | None) -> None:
        """Store the draft of a seat in place of its last one; None deletes it. Raises StorageError."""
        with transaction(self._db):
            if draft is None:
                self._db.execute("DELETE FROM drafts WHERE episode_id=? AND seat=?", (episode_id, seat))
            else:
                row = (episode_id, seat, draft.index, json.dumps(draft.action, allow_nan=False), draft.ready)
                self._db.execute("INSERT OR REPLACE INTO drafts VALUES (?,?,?,?,?)", row)

    async def drafts_saved(self, episode_id: str, seat: str) -> None:
        """Return at once: `save_draft` has stored it."""

    def drafts(self, episode_id: str) -> dict[str, SeatDraft]:
        """Return the drafts of an episode by seat. The draft of an earlier turn may still be there."""
        rows = self._db.execute("SELECT seat, turn, action, ready FROM drafts WHERE episode_id=?", (episode_id,))
        return {seat: SeatDraft(turn, json.loads(action), bool(ready)) for seat, turn, action, ready in rows}

    def episode_ids(self) -> list[str]:
        """Return the ids of all episodes."""
        return [episode_id for (episode_id,) in self._db.execute("SELECT episode_id FROM episodes")]

    def events(self, episode_id: str, first: int = 0, stop: int | None = None) -> Iterator[Event]:
        """Yield events with `first <= seq < stop` in order. Raises RecordError naming an event that cannot be read."""
        return read_events(self._db, episode_id, first, stop)

    def size(self, episode_id: str) -> int:
        """Return the number of characters of the data of the episode's events."""
        (size,) = self._db.execute(
            "SELECT coalesce(sum(length(data)), 0) FROM events WHERE episode_id=?", (episode_id,)
        ).fetchone()
        return int(size)

    def of_type(self, episode_id: str, kind: str) -> list[Event]:
        """Return the events of one type, in order. Raises RecordError naming an event that cannot be read."""
        return list(read_events(self._db, episode_id, 0, None, (kind,)))

    async def load(self, episode_id: str, types: Sequence[str] = ()) -> list[Event]:
        """Return all events, or those of some types, read in another thread so that the loop is not blocked."""
        if str(self._path) == ":memory:":
            return list(read_events(self._db, episode_id, 0, None, types))
        return await asyncio.to_thread(load_events, self._path, episode_id, types)

    async def since(self, at: float, types: Sequence[str], before: float) -> AsyncIterator[list[Event]]:
        """Yield the events of some types with `at` <= time < `before`, by episode, each read in another thread.

        Only episodes that were unfinished at some time since `at` are read. Raises RecordError.
        """
        rows = self._db.execute(
            "SELECT episode_id FROM episodes WHERE json_valid(summary)"
            " AND coalesce(json_extract(summary, '$.ended_at') >= ?, 1) AND created_at < ?",
            (at, before),
        )
        for (episode_id,) in rows.fetchall():
            events = await self.load(episode_id, types)
            yield [event for event in events if at <= event.at < before]

    async def finished(self, limit: int) -> list[FinishedEpisode]:
        """Return the newest finished episodes, listed in another thread."""
        return await self._elsewhere(lambda db: read_finished(db, limit))

    async def read_each(
        self, episode_ids: Sequence[str], types: Sequence[str], read: Callable[[EpisodeSummary, list[Event]], T]
    ) -> dict[str, T]:
        """Return `read(summary, events of some types)` of each episode, called in another thread.

        An episode that is deleted meanwhile, or cannot be read, is left out; the latter is logged.
        """
        return await self._elsewhere(lambda db: read_each_episode(db, episode_ids, types, read))

    async def _elsewhere(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return `work(connection)`, done in another thread unless the store is in memory."""
        if str(self._path) == ":memory:":
            return work(self._db)

        def connected() -> T:
            with closing(sqlite3.connect(self._path)) as db:
                return work(db)

        return await asyncio.to_thread(connected)

    def prune(self, origin: str, keep: int) -> list[str]:
        """Delete the ended episodes of `origin` except the newest `keep`, and return the deleted ids."""
        rows = self._db.execute(
            "SELECT episode_id FROM episodes WHERE json_valid(summary) AND json_extract(summary, '$.origin')=?"
            " AND status NOT IN ('live', 'queued') ORDER BY created_at DESC LIMIT -1 OFFSET ?",
            (origin, keep),
        ).fetchall()
        pruned = [episode_id for (episode_id,) in rows]
        self.delete(pruned)
        return pruned

    def delete(self, episode_ids: Sequence[str]) -> None:
        """Delete these episodes, all or none of them. Raises StorageError."""
        with transaction(self._db):
            for episode_id in episode_ids:
                self._db.execute("DELETE FROM events WHERE episode_id=?", (episode_id,))
                self._db.execute("DELETE FROM episodes WHERE episode_id=?", (episode_id,))
                self._db.execute("DELETE FROM requests WHERE episode_id=?", (episode_id,))
                self._db.execute("DELETE FROM drafts WHERE episode_id=?", (episode_id,))
        for episode_id in episode_ids:
            self._summaries.pop(episode_id, None)
            self._parsed.forget(episode_id)

    def close(self) -> None:
        self._db.close()


def _remedy(error: Exception, usual: str) -> str:
    """Return the remedy for a file that cannot be opened: `usual`, unless the file is damaged."""
    damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
    return "The file is damaged: restore a backup." if damaged else f"{usual} with --data."
