"""`grandstand publish`: play a match in this process and show it live on a Grandstand server elsewhere."""

from __future__ import annotations

import asyncio
import os
import secrets
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from grandstand.campaigns.seating import check_seats
from grandstand.games.base import OptionError
from grandstand.games.catalog import FIRST
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.play.commentator import narrate
from grandstand.play.runner import MatchRunner
from grandstand.players.roster import Roster
from grandstand.players.roster_file import RosterError
from grandstand.spectator.errors import RecordError
from grandstand.spectator.publisher import Publisher, PublishRefused
from grandstand.terminal.console import PUBLISH_TOKEN, RosterOption, game_names, match_options, player_names, refuse


def publish(
    game: Annotated[str, typer.Argument(help=f"The game: {game_names()}.")] = FIRST,
    url: Annotated[str, typer.Option(help="The server that shows the match.")] = "http://127.0.0.1:8000",
    players: Annotated[
        str, typer.Option(help="One player for every seat, or one for each seat, comma-separated.")
    ] = "",
    seed: Annotated[int | None, typer.Option(help="The seed; a random one by default.")] = None,
    pace: Annotated[float, typer.Option(min=0, help="Seconds between turns.")] = 1.0,
    buffer: Annotated[Path, typer.Option(help="File of the events that are not sent yet.")] = Path("data/publish.db"),
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A match option, name=value or name=@file.json; may be repeated.")
    ] = None,
    roster: RosterOption = None,
) -> None:
    """Play one match and publish it. The publish token is read from GRANDSTAND_PUBLISH_TOKEN."""
    token = os.environ.get(PUBLISH_TOKEN, "")
    try:
        if not token:
            raise OptionError(f"token: set {PUBLISH_TOKEN} to the server's publish token")
        _check_address(url)
        options = match_options(set_ or [])
        seed = secrets.randbits(48) if seed is None else seed
        runner = _new_runner(game, players, options, seed, Roster.load(roster))
        asyncio.run(_play(runner, options, url.rstrip("/"), token, pace, buffer))
    except (OptionError, RosterError, PublishRefused) as error:
        refuse("publish", str(error), 2, error)
    except RecordError as error:
        refuse("publish", f"buffer: cannot use {buffer}: {error.__cause__ or error}; name another file", 2, error)


def _check_address(url: str) -> None:
    """Raise OptionError if `url` is not the address of a server: no answer would ever come."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise OptionError(f"url: {url!r} is not the address of a server; one looks like http://127.0.0.1:8000")


def _new_runner(game: str, players: str, options: dict[str, Any], seed: int, roster: Roster) -> MatchRunner:
    spec = game_spec(game)
    match = Match(spec, options, seed)
    names = dict(zip(match.seats, player_names(spec, players, match.seats), strict=True))
    check_seats(roster, spec, list(names.items()))
    return MatchRunner(match, roster.seated(spec, names, options))


async def _play(runner: MatchRunner, options: dict[str, Any], url: str, token: str, pace: float, buffer: Path) -> None:
    """Print the address of the match, play it and publish its events."""
    async with Publisher(url, token, buffer, narrate=narrate) as publisher:
        episode_id = publisher.open(runner.match.spec.name)
        typer.echo(f"{url}/episode/{episode_id}")
        runner.publish = partial(publisher.publish, episode_id)
        created = runner.created(options, title=runner.match.spec.rules.title, origin="publisher")
        publisher.publish(episode_id, [*created, *runner.started()])
        while not runner.match.over:
            await asyncio.sleep(pace)
            async for drafts in runner.play_round():
                publisher.publish(episode_id, drafts)
