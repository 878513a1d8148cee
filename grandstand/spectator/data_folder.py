"""Reader of the episodes in a data folder that a server or a training run may be using."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from grandstand.models import Event
from grandstand.spectator.errors import RecordError, UnknownEpisode
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.recorder import Recorder

STORE, RUN_STORE = "grandstand.db", "record.db"
"""The store in the data folder of a server, and in the folder of a training run."""


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
