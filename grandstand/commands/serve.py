"""`grandstand serve`: run the server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grandstand.terminal.console import game_names, refuse


def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on. [default: 127.0.0.1]")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 takes a free one. [default: 8000]")] = None,
    data: Annotated[Path | None, typer.Option(help="Folder of the record. [default: data, where it runs]")] = None,
    store: Annotated[str | None, typer.Option(help="URL of PostgreSQL, for a record of several servers.")] = None,
    bus: Annotated[str | None, typer.Option(help="URL of Redis, between the servers of one record.")] = None,
    role: Annotated[str | None, typer.Option(help="Of several servers: all, drive or watch. [default: all]")] = None,
    slots: Annotated[int | None, typer.Option(help="Matches played at the same time. [default: 4]")] = None,
    queue: Annotated[int | None, typer.Option(help="Matches that may wait for a slot. [default: 16]")] = None,
    pace: Annotated[float | None, typer.Option(help="Seconds between turns; 0 is full speed. [default: 2.5]")] = None,
    showcase: Annotated[str | None, typer.Option(help=f"Games of the showcase: {game_names()}; or `none`.")] = None,
    roster: Annotated[Path | None, typer.Option(help="The roster file. [default: the built-in one]")] = None,
    root_path: Annotated[str | None, typer.Option(help="Path prefix below which a proxy serves this.")] = None,
    log_level: Annotated[str | None, typer.Option(help="debug, info, warning or error. [default: info]")] = None,
) -> None:
    """Serve matches and the page to watch them. Every flag can also be set by GRANDSTAND_<FLAG> in the environment."""
    from grandstand.players.roster_file import RosterError
    from grandstand.server.log import configure
    from grandstand.server.main import run
    from grandstand.server.settings import Settings, SettingsError
    from grandstand.spectator.errors import RecordError

    try:
        flags = {"host": host, "port": port, "data": data, "slots": slots, "queue": queue, "pace": pace}
        more = {"showcase": showcase, "roster": roster, "root_path": root_path, "log_level": log_level}
        settings = Settings.load(flags | more | {"store": store, "bus": bus, "role": role})
        configure(settings.log_level)
        run(settings)
    except (SettingsError, RosterError, RecordError, OSError) as error:
        refuse("serve", str(error), 2, error)
