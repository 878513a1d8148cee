"""`grandstand replay`: read a record, check it against the rules, show it in the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from grandstand.events import EpisodeEnded
from grandstand.models import Event, flat
from grandstand.play.exchange.importing import is_imported_document, verify_import
from grandstand.play.verification import ReplayMismatch, verify
from grandstand.spectator.data_folder import from_store
from grandstand.spectator.errors import RecordError
from grandstand.spectator.record_file import read_events
from grandstand.spectator.replay import Episode, complete
from grandstand.terminal.console import harmless, refuse


def replay(
    episode: Annotated[
        str, typer.Argument(help="An episode's id, or the file of a record: JSON lines, gzipped or not.")
    ],
    data: Annotated[Path, typer.Option(help="Folder of the record or of a training run, for an id.")] = Path("data"),
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary of the record as one JSON object.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show the match turn by turn, as `grandstand watch` does.")
    ] = False,
    pace: Annotated[float, typer.Option(min=0, max=60, help="Seconds for each turn, with --watch.")] = 1.0,
) -> None:
    """Play a finished record again through the rules and check it: its events must follow from its recorded choices.

    An imported game has no choices: its events must follow from the document that it came from.
    """
    console = Console()
    try:
        record = _load(episode, data)
    except (RecordError, OSError) as error:
        refuse("replay", str(error), 1, error)
    imported = is_imported_document(record.events)
    digest = None
    try:
        if imported:
            verify_import(record.events)
        else:
            digest = verify(record.events).game.digest()
    except ReplayMismatch as error:
        refuse("replay", f"{episode}: {error}", 1, error)
    ended = EpisodeEnded.model_validate(record.events[-1].data)
    report = {
        "episode_id": record.episode_id,
        "events": len(record.events),
        "digest": digest,
        "outcome": record.events[-1].data,
    }
    if as_json:
        typer.echo(json.dumps(report))
        return
    if watch:
        from grandstand.commands.watch import show_record

        show_record([event for event in record.events if event.audience != "private"], console, pace)
    for event in () if watch else flat(record.events):
        _show(console, event)
    ending = ended.outcome.text if ended.outcome else ended.status
    ground = "the imported document" if imported else "the recorded choices"
    verdict = f"{len(record.events)} events follow from {ground}. {harmless(ending)}"
    console.print(f"[green]✓[/green] {escape(verdict)}", highlight=False)


def _load(episode: str, data: Path) -> Episode:
    file = Path(episode)
    if not file.is_file():
        return complete(from_store(data, episode)[1])
    try:
        return complete(read_events(file))
    except RecordError as error:
        text = str(error)
        raise RecordError(text if text.startswith(f"{file}: ") else f"{file}: {text}") from error


def _show(console: Console, event: Event) -> None:
    if event.type == "TurnStarted":
        console.rule(escape(harmless(str(event.data["turn"]))), align="left")
    elif event.audience != "private":
        text = harmless(json.dumps(event.data, ensure_ascii=False))
        kind = escape(harmless(event.type))
        console.print(f"[dim]{event.seq:>5}[/dim] [bold]{kind}[/bold] {escape(text)}", soft_wrap=True)
