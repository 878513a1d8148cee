"""Reader of record files: JSON lines as `replay.to_lines` writes them, gzipped or not."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from grandstand.models import Event
from grandstand.spectator.errors import RecordError
from grandstand.spectator.replay import Episode, complete, events_from_lines

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
        raise RecordError(f"{path}: {error}") from error


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
