"""Records a file as an episode, unless the record has it already.

A server does this in a process with limits, because even a small file may take any amount of time and memory.
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
    """False if the record had it already."""
    differences: Sequence[str]


def record_import(store: Path | str, name: str, content: bytes, title: str = "", source: str = "") -> RecordedImport:
    """Record the episode of a file in the record `store`, a file or a URL of PostgreSQL.

    Raises ImportFault or StorageError.
    """
    imported = read_import(name, content, title, source)
    if isinstance(store, str):
        from grandstand.spectator.store import whole

        new = whole.record_whole(store, imported.events)
    else:
        new = record_whole(store, imported.events)
    return RecordedImport(
        imported.episode_id, imported.created.title, len(imported.events), new, list(imported.differences)
    )
