"""A file as an episode of a record: read, and recorded where it is not there yet.

A server has this done in a process with limits, since a small file can be made to take any time and memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grandstand.play.exchange.importing import read_import
from grandstand.spectator.bulk import record_whole


@dataclass(frozen=True, slots=True)
class RecordedImport:
    """The episode of a file."""

    episode_id: str
    title: str
    events: int
    new: bool
    """False if it was there already."""
    differences: Sequence[str]


def record_import(store: Path, name: str, content: bytes, title: str = "", source: str = "") -> RecordedImport:
    """Record the episode of a file in the record `store`. Raises ImportFault or StorageError."""
    imported = read_import(name, content, title, source)
    new = record_whole(store, imported.events)
    return RecordedImport(
        imported.episode_id, imported.created.title, len(imported.events), new, list(imported.differences)
    )
