"""The record: every event of every episode in one SQLite file, committed before anybody sees it.

WAL mode with `synchronous=NORMAL`: what is committed survives a killed process; a power cut may lose the last
commits but never corrupts (sqlite.org/wal.html). One batch of the bus is one transaction.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from models import EpisodeSummary, Event
from spectator.errors import RecordError, UnknownEpisode
from spectator.summary import fold

SCHEMA_VERSION = 1

SCHEMA = """
CREATE TABLE IF NOT EXISTS episodes (
    episode_id TEXT PRIMARY KEY,
    game       TEXT NOT NULL,
    status     TEXT NOT NULL,
    created_at REAL NOT NULL,
    summary    TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS episodes_by_age ON episodes (created_at DESC);
CREATE TABLE IF NOT EXISTS events (
    episode_id TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    epoch      INTEGER NOT NULL,
    at         REAL NOT NULL,
    type       TEXT NOT NULL,
    audience   TEXT NOT NULL,
    data       TEXT NOT NULL,
    PRIMARY KEY (episode_id, seq)
) WITHOUT ROWID;
"""


class Recorder:
    """Writes events and reads them back. First of the bus, and the only one whose failure ends an episode."""

    def __init__(self, path: Path | str) -> None:
        """Open or make the store at `path` (`:memory:` for none). Raises RecordError where it cannot be used."""
        self._path = path
        self._summaries: dict[str, EpisodeSummary] = {}
        try:
            if str(path) != ":memory:":
                Path(path).parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(SCHEMA)
            self._check_version()
        except (OSError, sqlite3.Error) as error:
            raise RecordError(f"data: cannot use {path}: {error}. Name a writable folder with --data.") from error

    def _check_version(self) -> None:
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version not in (0, SCHEMA_VERSION):
            raise RecordError(
                f"data: the store has format {version}, this Grandstand reads {SCHEMA_VERSION}."
                " Name another folder with --data."
            )
        self._db.execute(f"PRAGMA user_version={SCHEMA_VERSION}")

    def on_events(self, events: Sequence[Event]) -> None:
        """Commit one batch of one episode. A number that is already taken is refused, and the batch with it."""
        episode_id = events[0].episode_id
        summary = self._summaries.get(episode_id)
        if summary is None and events[0].seq:
            summary = self.summary(episode_id)
        for event in events:
            summary = fold(summary, event)
        assert summary is not None
        self._db.execute("BEGIN IMMEDIATE")
        try:
            self._db.executemany("INSERT INTO events VALUES (?,?,?,?,?,?,?)", map(_row, events))
            self._db.execute(
                "INSERT OR REPLACE INTO episodes VALUES (?,?,?,?,?)",
                (episode_id, summary.game, summary.status, summary.created_at, summary.model_dump_json()),
            )
            self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        if summary.ended_at is None:
            self._summaries[episode_id] = summary
        else:
            self._summaries.pop(episode_id, None)

    def summary(self, episode_id: str) -> EpisodeSummary:
        """The lobby's view of one episode. Raises UnknownEpisode."""
        if episode_id in self._summaries:
            return self._summaries[episode_id]
        row = self._db.execute("SELECT summary FROM episodes WHERE episode_id=?", (episode_id,)).fetchone()
        if row is None:
            raise UnknownEpisode(episode_id)
        return EpisodeSummary.model_validate_json(row[0])

    def summaries(
        self, *, game: str | None = None, status: Sequence[str] = (), limit: int = 50, offset: int = 0
    ) -> tuple[list[EpisodeSummary], int]:
        """A page of episodes, newest first, and how many there are in all."""
        where, values = ["1"], list[object]()
        if game:
            where.append("game=?")
            values.append(game)
        if status:
            where.append(f"status IN ({','.join('?' * len(status))})")
            values.extend(status)
        clause = " AND ".join(where)
        (total,) = self._db.execute(f"SELECT count(*) FROM episodes WHERE {clause}", values).fetchone()
        rows = self._db.execute(
            f"SELECT summary FROM episodes WHERE {clause} ORDER BY created_at DESC, episode_id DESC LIMIT ? OFFSET ?",
            (*values, limit, offset),
        )
        return [EpisodeSummary.model_validate_json(row[0]) for row in rows], total

    def episode_ids(self) -> list[str]:
        """Every episode of the record."""
        return [episode_id for (episode_id,) in self._db.execute("SELECT episode_id FROM episodes")]

    def events(self, episode_id: str, first: int = 0, stop: int | None = None) -> Iterator[Event]:
        """Events with `first <= seq < stop`, in order."""
        return _events(self._db, episode_id, first, stop)

    async def load(self, episode_id: str, types: Sequence[str] = ()) -> list[Event]:
        """All events, or those of some types, read by another thread: a long record takes a while, and matches are
        being played."""
        if str(self._path) == ":memory:":
            return list(_events(self._db, episode_id, 0, None, types))
        return await asyncio.to_thread(_load, self._path, episode_id, types)

    def prune(self, origin: str, keep: int) -> list[str]:
        """Delete the ended episodes of `origin` but for the newest `keep`; answers the ids deleted."""
        rows = self._db.execute(
            "SELECT episode_id FROM episodes WHERE json_extract(summary, '$.origin')=?"
            " AND status NOT IN ('live', 'queued') ORDER BY created_at DESC LIMIT -1 OFFSET ?",
            (origin, keep),
        ).fetchall()
        pruned = [episode_id for (episode_id,) in rows]
        self.delete(pruned)
        return pruned

    def delete(self, episode_ids: Sequence[str]) -> None:
        """Forget these episodes, all or none of them."""
        self._db.execute("BEGIN IMMEDIATE")
        for episode_id in episode_ids:
            self._db.execute("DELETE FROM events WHERE episode_id=?", (episode_id,))
            self._db.execute("DELETE FROM episodes WHERE episode_id=?", (episode_id,))
            self._summaries.pop(episode_id, None)
        self._db.execute("COMMIT")

    def close(self) -> None:
        self._db.close()


def _events(
    db: sqlite3.Connection, episode_id: str, first: int, stop: int | None, types: Sequence[str] = ()
) -> Iterator[Event]:
    some = f" AND type IN ({','.join('?' * len(types))})" if types else ""
    rows = db.execute(
        "SELECT seq, epoch, at, type, audience, data FROM events"
        f" WHERE episode_id=? AND seq>=? AND seq<?{some} ORDER BY seq",
        (episode_id, first, stop if stop is not None else 1 << 62, *types),
    )
    for seq, epoch, at, kind, audience, data in rows:
        yield Event(
            episode_id=episode_id,
            epoch=epoch,
            seq=seq,
            at=at,
            type=kind,
            audience=json.loads(audience),
            data=json.loads(data),
        )


def _load(path: Path | str, episode_id: str, types: Sequence[str]) -> list[Event]:
    with closing(sqlite3.connect(path)) as db:
        return list(_events(db, episode_id, 0, None, types))


def _row(event: Event) -> tuple[object, ...]:
    return (
        event.episode_id,
        event.seq,
        event.epoch,
        event.at,
        event.type,
        json.dumps(event.audience),
        json.dumps(event.data, separators=(",", ":"), ensure_ascii=False, allow_nan=False),
    )
