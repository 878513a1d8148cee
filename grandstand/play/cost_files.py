"""Charges of matches, from records, folders of records and data folders."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from grandstand.models import Event
from grandstand.play.costs import CHARGED, Charge, charges
from grandstand.play.record_folder import UNFINISHED, record_files
from grandstand.spectator.data_folder import STORE
from grandstand.spectator.errors import RecordError
from grandstand.spectator.record_file import intact_events, read_events
from grandstand.spectator.recorder import Recorder


def charges_in(files: Iterable[Path]) -> Iterator[Charge]:
    """Yield the charges in records and data folders. Raises RecordError."""
    for file in files:
        if (file / STORE).is_file():
            yield from charges(_stored(file / STORE))
        elif file.is_dir():
            yield from charges(_in_folder(file))
        else:
            yield from charges(read_events(file))


def _in_folder(folder: Path) -> Iterator[Event]:
    """Yield the events of the records in a folder, and of unfinished records the complete lines."""
    for file in record_files(folder, unfinished=True):
        yield from intact_events(file) if file.name.endswith(UNFINISHED) else read_events(file)


def _stored(store: Path) -> Iterator[Event]:
    """Yield the charged events of every match of a data folder that was played there."""
    recorder = Recorder.reading(store)
    try:
        summaries, count = recorder.summaries(limit=1)
        if count > len(summaries):
            summaries = recorder.summaries(limit=count)[0]
        for summary in sorted(summaries, key=lambda summary: summary.created_at):
            if summary.origin != "imported":  # an imported file can repeat a match of this record
                yield from (event for event in recorder.events(summary.episode_id) if event.type in CHARGED)
    except (sqlite3.Error, ValueError) as error:
        raise RecordError(f"{store}: cannot be read: {error}") from error
    finally:
        recorder.close()
