"""`grandstand replay`: read a record, check it against the rules, show it in the terminal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from models import Event, flat
from players.verify import ReplayMismatch, verify
from spectator.errors import RecordError, UnknownEpisode
from spectator.recorder import Recorder
from spectator.replay import Episode, from_lines, read


def replay(
    episode: Annotated[str, typer.Argument(help="An episode's id, or the file of a record (jsonl).")],
    data: Annotated[Path, typer.Option(help="Folder of the record, for an id.")] = Path("data"),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object that says what was found.")] = False,
) -> None:
    """Play a finished record again through the rules: every recorded event must follow from the recorded choices."""
    console = Console()
    try:
        found = _load(episode, data)
        match = verify(found.events)
    except (RecordError, UnknownEpisode, ReplayMismatch, OSError) as error:
        Console(stderr=True).print(f"[red]grandstand replay:[/red] {escape(str(error))}", highlight=False)
        raise typer.Exit(1) from error
    outcome = match.game.outcome
    report = {
        "episode_id": found.episode_id,
        "events": len(found.events),
        "digest": match.game.digest(),
        "outcome": found.events[-1].data,
    }
    if as_json:
        typer.echo(json.dumps(report))
        return
    for event in flat(found.events):
        _show(console, event)
    ending = outcome.text if outcome else f"{found.events[-1].data['status']}"
    console.print(f"[green]✓[/green] {len(found.events)} events follow from the recorded choices. {escape(ending)}")


def _load(episode: str, data: Path) -> Episode:
    file = Path(episode)
    if file.is_file():
        with file.open(encoding="utf-8") as lines:
            return from_lines(lines)
    store = data / "grandstand.db"
    if not store.is_file():
        raise RecordError(f"episode: {episode!r} is no file, and there is no record at {store}; name one with --data")
    recorder = Recorder(store)
    try:
        return read(recorder, episode)
    finally:
        recorder.close()


def _show(console: Console, event: Event) -> None:
    if event.type == "TurnStarted":
        console.rule(escape(str(event.data["turn"])), align="left")
    elif event.audience != "private":
        text = json.dumps(event.data, ensure_ascii=False)
        console.print(f"[dim]{event.seq:>5}[/dim] [bold]{event.type}[/bold] {escape(text)}", soft_wrap=True)
