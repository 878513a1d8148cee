"""The store of clips, beside the record: audio files by content, and an index of the lines that they speak."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grandstand.atomic import replace_file
from grandstand.events import SpokenWord, VoiceReady
from grandstand.spectator.errors import ClipsError
from grandstand.spectator.voice.speech import Format

log = logging.getLogger(__name__)

NAME = re.compile(r"[0-9a-f]{64}")

SCHEMA = """
CREATE TABLE IF NOT EXISTS clips (
    clip    TEXT PRIMARY KEY,
    form    TEXT NOT NULL,
    seconds REAL NOT NULL,
    words   TEXT NOT NULL,
    bytes   INTEGER NOT NULL,
    used_at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS clips_by_age ON clips (used_at);
CREATE TABLE IF NOT EXISTS lines (
    episode_id TEXT NOT NULL,
    comment    INTEGER NOT NULL,
    clip       TEXT NOT NULL,
    PRIMARY KEY (episode_id, comment)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS lines_by_clip ON lines (clip);
"""


@dataclass(frozen=True, slots=True)
class Clip:
    """The audio of a line."""

    name: str
    form: Format
    seconds: float
    words: Sequence[SpokenWord]

    def ready(self, comment: int) -> VoiceReady:
        """Return the event that announces the clip for the line `comment`."""
        return VoiceReady(comment=comment, clip=self.name, seconds=self.seconds, words=list(self.words))


class Clips:
    """The clips in a folder. Its methods may be called from any thread, one call at a time."""

    def __init__(self, folder: Path, limit: int) -> None:
        """Open or create the store; `limit` is the number of bytes that it keeps. Raises OSError."""
        self._folder = folder
        self._limit = limit
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(folder / "index.db", isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(SCHEMA)
        except sqlite3.Error as error:
            raise ClipsError(f"{folder / 'index.db'}: {error}") from error

    def close(self) -> None:
        with self._lock:
            self._db.close()

    @contextmanager
    def _index(self) -> Iterator[sqlite3.Connection]:
        """Lock the index; its errors are raised as ClipsError."""
        with self._lock:
            try:
                yield self._db
            except sqlite3.Error as error:
                raise ClipsError(f"{self._folder / 'index.db'}: {error}") from error

    def path(self, name: str) -> Path:
        """Return the file of a clip, which may not exist."""
        return self._folder / name[:2] / name

    def get(self, name: str) -> Clip | None:
        """Return the clip of that name, or None if there is none."""
        if not NAME.fullmatch(name):
            return None
        with self._index() as db:
            row = db.execute("SELECT form, seconds, words FROM clips WHERE clip=?", (name,)).fetchone()
        return _clip(name, *row) if row and self.path(name).is_file() else None

    def add(self, clip: Clip, audio: bytes, episode_id: str, comment: int) -> None:
        """Store the clip of a line, and delete the oldest clips beyond the limit. Raises OSError."""
        path = self.path(clip.name)
        path.parent.mkdir(exist_ok=True)
        with replace_file(path) as part:
            part.write_bytes(audio)
        words = json.dumps([word.model_dump() for word in clip.words])
        row = (clip.name, clip.form, clip.seconds, words, len(audio), time.time())
        with self._index() as db:
            db.execute("INSERT OR REPLACE INTO clips VALUES (?,?,?,?,?,?)", row)
            db.execute("INSERT OR REPLACE INTO lines VALUES (?,?,?)", (episode_id, comment, clip.name))
            self._trim(clip.name)

    def speaks(self, episode_id: str, comment: int, name: str) -> None:
        """Note that a clip of the store speaks this line too. Raises OSError."""
        with self._index() as db:
            db.execute("INSERT OR REPLACE INTO lines VALUES (?,?,?)", (episode_id, comment, name))
            db.execute("UPDATE clips SET used_at=? WHERE clip=?", (time.time(), name))

    def lines_of(self, name: str) -> list[tuple[str, int]]:
        """Return the lines that a clip speaks, as (episode, number)."""
        with self._index() as db:
            rows = db.execute("SELECT episode_id, comment FROM lines WHERE clip=?", (name,))
            return [(episode_id, comment) for episode_id, comment in rows.fetchall()]

    def of_episode(self, episode_id: str) -> list[VoiceReady]:
        """Return the clips of an episode's lines, in order."""
        with self._index() as db:
            rows = db.execute(
                "SELECT comment, clip, form, seconds, words FROM lines JOIN clips USING (clip)"
                " WHERE episode_id=? ORDER BY comment",
                (episode_id,),
            ).fetchall()
        return [_clip(name, *rest).ready(comment) for comment, name, *rest in rows]

    def forget(self, episode_ids: Collection[str]) -> None:
        """Delete the lines of these episodes, and the clips that speak no other line."""
        with self._index() as db:
            for episode_id in episode_ids:
                db.execute("DELETE FROM lines WHERE episode_id=?", (episode_id,))
            unused = db.execute("SELECT clip FROM clips WHERE clip NOT IN (SELECT clip FROM lines)").fetchall()
            for (name,) in unused:
                self._delete(name)

    def keep_only(self, episode_ids: Collection[str]) -> None:
        """Delete what belongs to no episode of the record, as after a stop in the middle of a deletion."""
        with self._index() as db:
            stored = [episode_id for (episode_id,) in db.execute("SELECT DISTINCT episode_id FROM lines")]
        self.forget(set(stored) - set(episode_ids))
        with self._index() as db:
            names = {name for (name,) in db.execute("SELECT clip FROM clips")}
        for path in self._folder.glob("??/*"):
            if path.name not in names:
                path.unlink(missing_ok=True)

    @property
    def size(self) -> int:
        """Return the number of bytes of all clips."""
        with self._index():
            return self._size()

    def _size(self) -> int:
        (total,) = self._db.execute("SELECT coalesce(sum(bytes), 0) FROM clips").fetchone()
        return int(total)

    def _trim(self, newest: str) -> None:
        total = self._size()
        while total > self._limit:
            row = self._db.execute(
                "SELECT clip, bytes FROM clips WHERE clip<>? ORDER BY used_at LIMIT 1", (newest,)
            ).fetchone()
            if row is None:
                return
            self._delete(row[0])
            self._db.execute("DELETE FROM lines WHERE clip=?", (row[0],))
            total -= row[1]

    def _delete(self, name: str) -> None:
        self._db.execute("DELETE FROM clips WHERE clip=?", (name,))
        self.path(name).unlink(missing_ok=True)


def _clip(name: str, form: Format, seconds: float, words: str) -> Clip:
    return Clip(name, form, seconds, [SpokenWord.model_validate(word) for word in json.loads(words)])
