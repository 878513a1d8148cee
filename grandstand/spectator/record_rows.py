"""The tables of the record, and the reading and writing of their rows."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import ValidationError
from pydantic_core import from_json

from grandstand.models import MAX_NUMBER, Event
from grandstand.spectator.errors import RecordError, StorageError
from grandstand.spectator.frames import EpisodeSummary

log = logging.getLogger(__name__)

T = TypeVar("T")

READ_KEPT = 2000
"""Number of parsed summaries in the cache."""

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
CREATE INDEX IF NOT EXISTS seats_by_token ON events (json_extract(data, '$.token_sha256')) WHERE type = 'SeatOpened';
CREATE TABLE IF NOT EXISTS requests (
    key        TEXT PRIMARY KEY,
    body       TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    at         REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS requests_by_age ON requests (at);
CREATE TABLE IF NOT EXISTS drafts (
    episode_id TEXT NOT NULL,
    seat       TEXT NOT NULL,
    turn       INTEGER NOT NULL,
    action     TEXT NOT NULL,
    ready      INTEGER NOT NULL,
    PRIMARY KEY (episode_id, seat)
) WITHOUT ROWID;
"""


REQUESTS_KEPT = 24 * 3600.0
"""Seconds for which the key of a request is stored."""


class Request(NamedTuple):
    """A request that takes effect once, even if it is sent again: its key, and a digest of its body."""

    key: str
    body: str


class OpenedSeat(NamedTuple):
    """A seat for which a token was issued."""

    episode_id: str
    seat: str
    over: bool
    """True if the episode has ended."""


class FinishedEpisode(NamedTuple):
    """A finished episode; the time of its creation distinguishes it from a later one of the same id."""

    episode_id: str
    created_at: float


class TrainingSteps(NamedTuple):
    """The matches of some steps of a training run, which is named by its episode."""

    run: str
    first: int = 0
    last: int = MAX_NUMBER


class ParsedSummaries:
    """The last summaries that were parsed, with their texts, and the episodes whose summaries cannot be read."""

    def __init__(self) -> None:
        self.unreadable: dict[str, str] = {}
        """Episodes that are omitted from every list, and the reason."""
        self._read: dict[str, tuple[str, EpisodeSummary]] = {}

    def read(self, episode_id: str, text: str) -> EpisodeSummary | None:
        """Return the summary in `text`; None if it cannot be read, which is logged once for each episode."""
        if episode_id in self._read and self._read[episode_id][0] == text:
            return self._read[episode_id][1]
        if episode_id not in self.unreadable:
            try:
                summary = EpisodeSummary.model_validate_json(text)
                self._read[episode_id] = (text, summary)
                while len(self._read) > READ_KEPT:
                    del self._read[next(iter(self._read))]
                return summary
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(map(str, first["loc"])) or "it"
                self.unreadable[episode_id] = f"its summary in the record cannot be read: {where}: {first['msg']}"
                log.error("episode %s is left out: %s", episode_id, self.unreadable[episode_id])
        return None

    def forget(self, episode_id: str) -> None:
        """Forget a deleted episode."""
        self._read.pop(episode_id, None)
        self.unreadable.pop(episode_id, None)


def read_events(
    db: sqlite3.Connection, episode_id: str, first: int, stop: int | None, types: Sequence[str] = ()
) -> Iterator[Event]:
    some = f" AND type IN ({','.join('?' * len(types))})" if types else ""
    rows = db.execute(
        "SELECT seq, epoch, at, type, audience, data FROM events"
        f" WHERE episode_id=? AND seq>=? AND seq<?{some} ORDER BY seq",
        (episode_id, first, stop if stop is not None else 1 << 62, *types),
    )
    seq = first - 1
    try:
        for row in rows:
            seq = row[0]
            yield event_of(episode_id, *row)
    except sqlite3.DatabaseError as error:
        raise RecordError(f"episode {episode_id}: what follows event {seq} cannot be read: {error}") from error


def event_of(episode_id: str, seq: int, epoch: int, at: float, kind: str, audience: str, data: str) -> Event:
    try:
        return Event(
            episode_id=episode_id,
            epoch=epoch,
            seq=seq,
            at=at,
            type=kind,
            audience=_parsed(audience),
            data=_parsed(data),
        )
    except ValueError as error:  # pydantic's and json's are both
        raise RecordError(f"episode {episode_id}: event {seq} cannot be read: {error}") from error


def _parsed(text: str) -> Any:
    """Return JSON as data. Strings that recur in many events are kept once."""
    try:
        return from_json(text, cache_strings="all")
    except ValueError:  # half a surrogate pair, which older records may have
        return json.loads(text)


def read_finished(db: sqlite3.Connection, limit: int) -> list[FinishedEpisode]:
    rows = db.execute(
        "SELECT episode_id, created_at FROM episodes WHERE status='finished'"
        " ORDER BY created_at DESC, episode_id DESC LIMIT ?",
        (limit,),
    )
    return [FinishedEpisode(*row) for row in rows.fetchall()]


def read_each_episode(
    db: sqlite3.Connection,
    episode_ids: Sequence[str],
    types: Sequence[str],
    read: Callable[[EpisodeSummary, list[Event]], T],
) -> dict[str, T]:
    def summary_text(episode_id: str) -> str | None:
        row = db.execute("SELECT summary FROM episodes WHERE episode_id=?", (episode_id,)).fetchone()
        return None if row is None else str(row[0])

    return each_episode(episode_ids, summary_text, lambda name: list(read_events(db, name, 0, None, types)), read)


def each_episode(
    episode_ids: Sequence[str],
    summary_text: Callable[[str], str | None],
    events: Callable[[str], list[Event]],
    read: Callable[[EpisodeSummary, list[Event]], T],
) -> dict[str, T]:
    """Return `read(summary, events)` of each episode that is in the record and can be read."""
    results = {}
    for episode_id in episode_ids:
        try:
            if (text := summary_text(episode_id)) is not None:
                results[episode_id] = read(EpisodeSummary.model_validate_json(text), events(episode_id))
        except Exception as error:  # a published episode may hold anything
            log.warning("episode %s is left out of the statistics: %s", episode_id, error)
    return results


def marks(values: Sequence[object]) -> str:
    return ",".join("?" * len(values))


def load_events(path: Path | str, episode_id: str, types: Sequence[str]) -> list[Event]:
    with closing(sqlite3.connect(path)) as db:
        return list(read_events(db, episode_id, 0, None, types))


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Commit all writes of the block, or none of them. Raises StorageError if the file cannot be written."""
    try:
        db.execute("BEGIN IMMEDIATE")
        try:
            yield
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:  # SQLite may have rolled back already, as it does on a full disk
                db.execute("ROLLBACK")
            raise
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError:
            raise StorageError(str(error)) from error
        raise


def episode_row(summary: EpisodeSummary) -> tuple[object, ...]:
    """Return the row of an episode, which makes it known."""
    return summary.episode_id, summary.game, summary.status, summary.created_at, summary.model_dump_json()


def event_row(event: Event) -> tuple[object, ...]:
    """Return the row of an event."""
    return (
        event.episode_id,
        event.seq,
        event.epoch,
        event.at,
        event.type,
        json.dumps(event.audience),
        json.dumps(event.data, separators=(",", ":"), ensure_ascii=False, allow_nan=False),
    )
