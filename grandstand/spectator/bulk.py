"""Records an imported episode in many short commits, between which a server on the same file
commits its own.

The row in `episodes`, by which an episode is known, is the last commit. If the process is killed before it, there are
events without an episode, which the next import removes.
"""

from __future__ import annotations

import fcntl
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from grandstand.models import Event
from grandstand.spectator.errors import StorageError
from grandstand.spectator.record_rows import episode_row, event_row, transaction
from grandstand.spectator.recorder import LOCK_WAIT
from grandstand.spectator.summary import summary_of

PATIENCE = 20.0
"""Seconds for which an import waits for other processes that write to the file."""

RETRY = 0.05
"""Seconds between two attempts."""

PART_EVENTS, PART_BYTES = 200, 64 * 1024
"""Events of one commit, and about the bytes of their data: few enough that a server's own commit need not wait."""

REST = 0.005
"""Seconds between two commits, in which a server commits its own."""

LEFTOVERS = """
WITH RECURSIVE ids(id) AS (
    SELECT min(episode_id) FROM events
    UNION ALL
    SELECT (SELECT min(episode_id) FROM events WHERE episode_id > id) FROM ids WHERE id IS NOT NULL
)
SELECT id FROM ids WHERE id IS NOT NULL AND id NOT IN (SELECT episode_id FROM episodes)
"""
"""The ids of episodes with events but no row in `episodes`, found by one look-up for each id."""

Row = tuple[object, ...]


def record_whole(store: Path, events: Sequence[Event], patience: float = PATIENCE) -> bool:
    """Record a whole episode in the file of a Recorder; return False if it is there already. Raises StorageError.

    It waits up to `patience` seconds for another process that records an episode, or locks the file.
    """
    until = time.monotonic() + patience
    episode_id = events[0].episode_id
    with _alone(store, until), closing(sqlite3.connect(store, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute(f"PRAGMA busy_timeout={round(LOCK_WAIT * 1000)}")
        if db.execute("SELECT 1 FROM episodes WHERE episode_id=?", (episode_id,)).fetchone():
            return False
        for (unknown,) in db.execute(LEFTOVERS).fetchall():
            _remove(db, unknown, until)
        try:
            for part in _parts(events):
                _write(db, "INSERT INTO events VALUES (?,?,?,?,?,?,?)", part, until)
            _write(db, "INSERT INTO episodes VALUES (?,?,?,?,?)", [episode_row(summary_of(events))], until)
        except StorageError:
            with suppress(StorageError):
                _remove(db, episode_id, until)
            raise
    return True


@contextmanager
def _alone(store: Path, until: float) -> Iterator[None]:
    """Lock the file against other imports during the block, which would remove these events as leftovers."""
    try:
        file = store.with_name("import.lock").open("w")
    except OSError as error:
        raise StorageError(f"{error.filename}: {error.strerror}") from error
    with file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError as error:
                if time.monotonic() > until:
                    raise StorageError("another import into this folder is not done yet; try again later") from error
                time.sleep(RETRY)
        yield


def _parts(events: Sequence[Event]) -> Iterator[list[Row]]:
    part: list[Row] = []
    size = 0
    for event in events:
        row = event_row(event)
        part.append(row)
        size += len(str(row[-1]))
        if len(part) == PART_EVENTS or size > PART_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


def _write(db: sqlite3.Connection, statement: str, rows: Sequence[Row], until: float) -> int:
    """Commit `statement` for each row and return the number of rows that changed. Raises StorageError."""
    while True:
        try:
            with transaction(db):
                changed = db.executemany(statement, rows).rowcount
        except StorageError:
            if time.monotonic() > until:
                raise
            time.sleep(RETRY)
        else:
            time.sleep(REST)
            return changed


def _remove(db: sqlite3.Connection, episode_id: str, until: float) -> None:
    some = "SELECT seq FROM events WHERE episode_id=? LIMIT ?"
    statement = f"DELETE FROM events WHERE episode_id=? AND seq IN ({some})"
    while _write(db, statement, [(episode_id, episode_id, PART_EVENTS)], until):
        pass
