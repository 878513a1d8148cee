"""`grandstand serve`: the server."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import typer

from grandstand.console import game_names, refuse


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on. [default: 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 takes a free one. [default: 8000]")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of the record. [default: data]")] = None,
    slots: Annotated[int | None, typer.Option(help="Matches played at the same time. [default: 4]")] = None,
    queue: Annotated[int | None, typer.Option(help="Matches that may wait for a slot. [default: 16]")] = None,
    pace: Annotated[float | None, typer.Option(help="Seconds between turns; 0 is full speed. [default: 2.5]")] = None,
    showcase: Annotated[
        str | None,
        typer.Option(help=f"Games of the showcase matches, of {game_names()}, comma-separated; '' for none."),
    ] = None,
    roster: Annotated[Path | None, typer.Option(help="The roster file. [default: the built-in one]")] = None,
    log_level: Annotated[str, typer.Option(help="debug, info, warning or error.")] = "info",
) -> None:
    """Serve matches and the page to watch them. Every flag can also be set by GRANDSTAND_<FLAG> in the environment."""
    from players.roster_file import RosterError
    from server.run import run
    from server.settings import Settings, SettingsError
    from spectator.errors import RecordError

    logging.basicConfig(level=log_level.upper(), format="%(asctime)s %(levelname)-7s %(name)s  %(message)s")
    try:
        flags = {"host": host, "port": port, "data": data, "slots": slots, "queue": queue, "pace": pace}
        run(Settings.load(flags | {"showcase": showcase, "roster": roster}))
    except (SettingsError, RosterError, RecordError, OSError) as error:
        refuse("serve", str(error), 2, error)
