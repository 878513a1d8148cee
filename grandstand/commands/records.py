"""Records on this disk, read and never written: files, and the data folder of a server that may be running."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from grandstand.models import EpisodeSummary, Event
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.recorder import Recorder
from grandstand.spectator.replay import events_from_lines

STORE = "grandstand.db"
FOREIGN = {
    "phases": "a saved game of Diplomacy",
    "innings": "a Cricsheet document",
}
"""What other JSON documents are, by a key of theirs."""
READS = (
    "It reads records: JSON lines as `grandstand play --out` and `grandstand export` write them, or as an operator"
    " downloads them, gzipped or not"
)


def from_file(path: Path) -> list[Event]:
    """Return the events of a record. Raises RecordError naming the file, the line and what is wrong."""
    try:
        with _opened(path) as lines:
            return events_from_lines(lines)
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: not UTF-8 at byte {error.start + 1}. {READS}.") from error
    except RecursionError as error:
        raise RecordError(f"{path}: nested too deeply to be a record. {READS}.") from error
    except (EOFError, gzip.BadGzipFile) as error:
        raise RecordError(f"{path}: the gzip file is torn: {error}") from error
    except RecordError as error:
        raise RecordError(f"{path}: {_foreign(path) or error}") from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    with path.open("rb") as file:
        zipped = file.read(2) == b"\x1f\x8b"
    with gzip.open(path, "rt", encoding="utf-8") if zipped else path.open(encoding="utf-8") as lines:
        yield lines


def _foreign(path: Path) -> str:
    """Return what the file is if it is a document of a known other format, and what is read instead."""
    try:
        with _opened(path) as file:
            document = json.load(file)
    except (ValueError, RecursionError):
        return ""
    kind = next((kind for key, kind in FOREIGN.items() if isinstance(document, dict) and key in document), "")
    return kind and f"this is {kind}, which holds neither seed nor choices to play again. {READS}."


def from_store(data: Path, episode_id: str) -> tuple[EpisodeSummary, list[Event]]:
    """Return an episode of a data folder. A server may be writing to it; nothing is changed. Raises RecordError."""
    store = data / STORE
    if not store.is_file():
        raise RecordError(f"{episode_id!r} is no file, and there is no record at {store}; name its folder with --data")
    recorder = Recorder.reading(store)
    try:
        return recorder.summary(episode_id), list(recorder.events(episode_id))
    except UnknownEpisode as error:
        newest, count = recorder.summaries(limit=3)
        known = ", ".join(summary.episode_id for summary in newest) or "none"
        raise RecordError(f"{store}: {error}; the newest of its {count} episodes: {known}") from error
    except (sqlite3.Error, ValueError) as error:
        raise RecordError(f"{store}: cannot be read: {error}") from error
    finally:
        recorder.close()
