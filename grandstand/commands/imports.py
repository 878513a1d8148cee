"""`grandstand import`: files of games that were played elsewhere, as episodes of the data folder."""

from __future__ import annotations

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from grandstand.play.exchange.importing import MAX_BYTES, ImportFault
from grandstand.play.exchange.recording import RecordedImport, record_import
from grandstand.spectator.data_folder import STORE
from grandstand.spectator.errors import RecordError
from grandstand.spectator.recorder import Recorder
from grandstand.terminal.console import complain, harmless, refuse


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
        Recorder(data / STORE).close()
    except RecordError as error:
        refuse("import", str(error), 2, error)
    faults = 0
    for file in files:
        began = time.perf_counter()
        try:
            imported = _import_file(data / STORE, file, title, source)
        except (ImportFault, RecordError) as error:
            complain("import", str(error))
            faults += 1
        else:
            _show(file, imported, round(time.perf_counter() - began, 2), as_json)
    if faults:
        raise typer.Exit(1)


def _import_file(store: Path, file: Path, title: str, source: str) -> RecordedImport:
    try:
        if file.stat().st_size > MAX_BYTES:
            raise ImportFault(f"{file}: more than {MAX_BYTES // 1024**2} MiB; import a game at a time")
        content = file.read_bytes()
    except OSError as error:
        raise ImportFault(f"{file}: cannot be read: {error.strerror}") from error
    try:
        return record_import(store, file.name, content, title, source)
    except ImportFault as error:
        raise ImportFault(f"{file.parent / str(error)}" if file.parent != Path() else str(error)) from error


def _show(file: Path, imported: RecordedImport, seconds: float, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({"file": str(file), **asdict(imported), "seconds": seconds}, ensure_ascii=False))
        return
    state = f"{imported.events} events, {seconds} s" if imported.new else "is there already"
    typer.echo(f"{imported.episode_id}: {harmless(imported.title)}, {state}")
    for difference in imported.differences:
        typer.echo(f"  {harmless(difference)}")
