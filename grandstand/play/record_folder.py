"""The records in a folder of matches: of an evaluation, a tournament, or of single matches."""

from __future__ import annotations

from pathlib import Path

from grandstand.spectator.errors import RecordError

UNFINISHED = ".part"
"""Suffix of the file name of a record that is still being written."""
ABANDONED = "abandoned.jsonl"
"""The file of the spending on matches that were abandoned."""
RECORD = "tournament.jsonl"
"""The record of a tournament's own episode."""
EVALUATION_RECORD = "evaluation.jsonl"
"""The record of an evaluation's own episode."""
SERIES_RECORD = "series/series.jsonl"
"""The record of a series' own episode, in a subfolder, because records in the folder itself are matches."""


def record_files(folder: Path, unfinished: bool = False) -> list[Path]:
    """Return the records in a folder, and then the unfinished ones if they are wanted. Raises RecordError if none."""
    files = sorted(path for path in folder.glob("*.jsonl") if path.name not in (ABANDONED, EVALUATION_RECORD))
    files += sorted(folder.glob(f"*.jsonl{UNFINISHED}")) if unfinished else []
    if not files:
        raise RecordError(f"{folder}: contains no records; name a folder of records or a data folder")
    return files


def part_of(file: Path) -> Path:
    """Return the path under which the record `file` is written until it is complete."""
    return file.with_name(file.name + UNFINISHED)
