"""`grandstand export`: write an episode of the data folder to a file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from grandstand.commands.console import refuse
from grandstand.commands.records import from_store
from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.models import EpisodeSummary, Event
from grandstand.spectator.errors import RecordError
from grandstand.spectator.replay import to_lines
from grandstand.spectator.viewpoint import OPERATOR

RECORD = "jsonl"
STDOUT = Path("-")


def export(
    episode: Annotated[str, typer.Argument(help="The episode's id.")],
    format: Annotated[
        str, typer.Option(help="jsonl (the whole record), or a format of the game, as `grandstand games` lists them.")
    ] = RECORD,
    data: Annotated[Path, typer.Option(help="Folder of the record; a server may be running on it.")] = Path("data"),
    out: Annotated[Path | None, typer.Option(help="The file; - is standard output. [default: named after it]")] = None,
) -> None:
    """Write an episode of the data folder to a file.

    The format jsonl is the whole record, including secrets and training data: it can be replayed, trained on, and
    played by a recorded player. The formats of a game contain only what is public.
    """
    try:
        summary, events = from_store(data, episode)
        document = _document(summary, events, format)
    except (RecordError, OptionError) as error:
        refuse("export", str(error), 2, error)
    if out == STDOUT:
        typer.echo(document, nl=False)
        return
    file = out or Path(f"{summary.episode_id}.{RECORD if format == RECORD else 'json'}")
    try:
        _write(file, document)
    except OSError as error:
        refuse("export", f"--out: {file}: {error.strerror}", 2, error)
    typer.echo(f"{file}: {len(events)} events, {summary.status}", err=True)


def _document(summary: EpisodeSummary, events: list[Event], format: str) -> str:
    if format == RECORD:
        return "".join(to_lines(events, OPERATOR))
    exports = game_spec(summary.game).exports
    if format not in exports:
        raise OptionError(f"--format: {summary.game} has no {format!r}; there are {', '.join((RECORD, *exports))}")
    public = [(event.type, event.data) for event in events if event.audience == "public"]
    try:
        document = exports[format](public, summary.model_dump(mode="json"))
    except (StopIteration, LookupError) as error:
        raise OptionError(f"{summary.episode_id}: too little was played to be written as {format}") from error
    return json.dumps(document, ensure_ascii=False) + "\n"


def _write(file: Path, document: str) -> None:
    """Write the file atomically."""
    part = file.with_name(f"{file.name}.part")
    part.write_text(document, encoding="utf-8")
    os.replace(part, file)
