"""Reader of record files: JSON lines as `replay.to_lines` writes them, gzipped or not."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from grandstand.models import Event
from grandstand.spectator.errors import RecordError
from grandstand.spectator.replay import Episode, complete, events_from_lines

FOREIGN = {
    "phases": "a saved game of Diplomacy",
    "innings": "a Cricsheet document",
}
"""Descriptions of other JSON documents, by one of their keys."""
READS = (
    "Records are JSON lines as `grandstand play --out` and `grandstand export` write them, or as an operator downloads"
    " them, gzipped or not"
)


def read_events(path: Path) -> list[Event]:
    """Return the events of a record, which may be unfinished. Raises RecordError naming file, line and problem."""
    try:
        with opened(path) as lines:
            return events_from_lines(lines)
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: not UTF-8 at byte {error.start + 1}. {READS}.") from error
    except RecursionError as error:
        raise RecordError(f"{path}: nested too deeply to be a record. {READS}.") from error
    except (EOFError, gzip.BadGzipFile) as error:
        raise RecordError(f"{path}: the gzip file is damaged: {error}") from error
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from error
    except RecordError as error:
        raise RecordError(f"{path}: {_foreign(path) or error}") from error


def _foreign(path: Path) -> str:
    """Return an explanation if the file is a document of another known format, else an empty string."""
    try:
        with opened(path) as file:
            document = json.load(file)
    except (ValueError, RecursionError, OSError, EOFError):
        return ""
    kind = next((kind for key, kind in FOREIGN.items() if isinstance(document, dict) and key in document), "")
    return kind and f"this is {kind}, which contains neither the seed nor the choices to play again. {READS}."


def read_episode(path: Path) -> Episode:
    """Return the finished record of a match. Raises RecordError naming file, line and problem."""
    events = read_events(path)
    try:
        return complete(events)
    except RecordError as error:
        raise RecordError(f"{path}: {error}") from error


def intact_events(path: Path) -> list[Event]:
    """Return the events of a record whose writer was interrupted, up to the first line that is not complete."""
    events = []
    for line in path.read_text("utf-8", "replace").split("\n")[1:]:
        try:
            events.append(Event.model_validate_json(line))
        except ValueError:
            break
    return events


@contextmanager
def opened(path: Path) -> Iterator[IO[str]]:
    """Open a text file for reading, gzipped or not."""
    with path.open("rb") as file:
        zipped = file.read(2) == b"\x1f\x8b"
    with gzip.open(path, "rt", encoding="utf-8") if zipped else path.open(encoding="utf-8") as lines:
        yield lines
