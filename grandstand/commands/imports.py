"""`grandstand import`: files of games that were played elsewhere, as episodes of the data folder."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from grandstand.commands.console import complain, harmless, refuse
from grandstand.commands.records import STORE
from grandstand.play.exchange.importing import MAX_BYTES, ImportedEpisode, ImportFault, read_import
from grandstand.spectator.bus import Bus
from grandstand.spectator.errors import RecordError, StorageError, UnknownEpisode
from grandstand.spectator.recorder import Recorder

PATIENCE = 20.0
"""Seconds for which a file waits until a server that uses the same folder lets it be recorded."""

PAUSE = 0.05
"""Seconds between two attempts."""


@dataclass(frozen=True, slots=True)
class FileResult:
    """The result of one file."""

    file: str
    episode_id: str
    title: str
    events: int
    new: bool
    seconds: float
    differences: list[str]


def import_(
    files: Annotated[list[Path], typer.Argument(help="Saved games, Cricsheet matches or records, gzipped or not.")],
    data: Annotated[Path, typer.Option(help="Folder of the record; a server may be running on it.")] = Path("data"),
    title: Annotated[str, typer.Option(help="The title of the episode; by default one made from the file.")] = "",
    source: Annotated[str, typer.Option(help="The place that the file comes from, as viewers will read it.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each file.")] = False,
) -> None:
    """Record games that were played elsewhere as episodes, with chances and commentary, to be watched on the page.

    A file that cannot be read changes nothing, and the others are imported. The same file is imported once.
    """
    if title and len(files) > 1:
        refuse("import", "--title: give one file with a title", 2)
    try:
        recorder = Recorder(data / STORE)
    except RecordError as error:
        refuse("import", str(error), 2, error)
    faults = 0
    try:
        for file in files:
            try:
                result = _import_file(recorder, file, title, source)
            except (ImportFault, RecordError) as error:
                complain("import", str(error))
                faults += 1
            else:
                _show(result, as_json)
    finally:
        recorder.close()
    if faults:
        raise typer.Exit(1)


def _import_file(recorder: Recorder, file: Path, title: str, source: str) -> FileResult:
    began = time.perf_counter()
    try:
        if file.stat().st_size > MAX_BYTES:
            raise ImportFault(f"{file}: more than {MAX_BYTES // 1024**2} MiB; import a game at a time")
        content = file.read_bytes()
    except OSError as error:
        raise ImportFault(f"{file}: cannot be read: {error.strerror}") from error
    try:
        imported = read_import(file.name, content, title, source)
    except ImportFault as error:
        raise ImportFault(f"{file.parent / str(error)}" if file.parent != Path() else str(error)) from error
    new = record(recorder, imported)
    seconds = round(time.perf_counter() - began, 2)
    created = imported.created
    return FileResult(
        str(file), imported.episode_id, created.title, len(imported.events), new, seconds, list(imported.differences)
    )


def record(recorder: Recorder, imported: ImportedEpisode, patience: float = PATIENCE) -> bool:
    """Record an episode in one commit; return False if it is there already. Raises RecordError."""
    bus = Bus(recorder)
    until = time.monotonic() + patience
    while True:
        try:
            recorder.summary(imported.episode_id)
            return False
        except UnknownEpisode:
            pass
        try:
            bus.relay(imported.events)
            return True
        except StorageError:
            if time.monotonic() > until:
                raise
            time.sleep(PAUSE)


def _show(result: FileResult, as_json: bool) -> None:
    if as_json:
        names = ("file", "episode_id", "title", "events", "new", "seconds", "differences")
        typer.echo(json.dumps({name: getattr(result, name) for name in names}, ensure_ascii=False))
        return
    state = f"{result.events} events, {result.seconds} s" if result.new else "is there already"
    typer.echo(f"{result.episode_id}: {harmless(result.title)}, {state}")
    for difference in result.differences:
        typer.echo(f"  {harmless(difference)}")
