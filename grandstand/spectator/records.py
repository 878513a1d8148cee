"""Reader of records: files, and the data folder of a server that may be running."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

from grandstand.models import EpisodeSummary, Event
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.record_file import READS, opened, read_events
from grandstand.spectator.recorder import Recorder

STORE, RUN_STORE = "grandstand.db", "record.db"
"""The store in the data folder of a server, and in the folder of a training run."""
FOREIGN = {
    "phases": "a saved game of Diplomacy",
    "innings": "a Cricsheet document",
}
"""Descriptions of other JSON documents, by one of their keys."""


def from_file(path: Path) -> list[Event]:
    """Return the events of a record. Raises RecordError naming the file, the line and the problem."""
    try:
        return read_events(path)
    except RecordError as error:
        if reason := _foreign(path):
            raise RecordError(f"{path}: {reason}") from error
        raise


def _foreign(path: Path) -> str:
    """Return an explanation if the file is a document of another known format, else an empty string."""
    try:
        with opened(path) as file:
            document = json.load(file)
    except (ValueError, RecursionError, OSError, EOFError):
        return ""
    kind = next((kind for key, kind in FOREIGN.items() if isinstance(document, dict) and key in document), "")
    return kind and f"this is {kind}, which contains neither the seed nor the choices to play again. {READS}."


def from_store(data: Path, episode_id: str) -> tuple[EpisodeSummary, list[Event]]:
    """Return an episode of a data folder or a training run, read-only; it may be written to. Raises RecordError."""
    store = data / (STORE if (data / STORE).is_file() or not (data / RUN_STORE).is_file() else RUN_STORE)
    if not store.is_file():
        raise RecordError(f"{episode_id!r} is not a file, and {store} does not exist; name its folder with --data")
    recorder = Recorder.reading(store)
    try:
        return recorder.summary(episode_id), list(recorder.events(episode_id))
    except UnknownEpisode as error:
        newest, count = recorder.summaries(limit=3)
        ids = ", ".join(summary.episode_id for summary in newest) or "none"
        raise RecordError(f"{store}: {error}; the newest of its {count} episodes: {ids}") from error
    except (sqlite3.Error, ValueError) as error:
        raise RecordError(f"{store}: cannot be read: {error}") from error
    finally:
        recorder.close()
