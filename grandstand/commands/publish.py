"""`python -m grandstand.commands.publish`: plays a match here and shows it live on a Grandstand server elsewhere.

A program, not a part of the stream: it is the one file of this folder that knows games and players.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from grandstand.games.base import OptionError
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.play.runner import MatchRunner
from grandstand.players.roster import Roster
from grandstand.spectator.publisher import Publisher, PublishRefused


def drive(
    game: Annotated[str, typer.Argument(help="The game: diplomacy, cricket.")] = "diplomacy",
    url: Annotated[str, typer.Option(help="The server that shows the match.")] = "http://127.0.0.1:8000",
    players: Annotated[str, typer.Option(help="One player for every seat, or one for each, comma-separated.")] = "",
    seed: Annotated[int | None, typer.Option(help="The seed; a random one by default.")] = None,
    pace: Annotated[float, typer.Option(min=0, help="Seconds between turns.")] = 1.0,
    buffer: Annotated[Path, typer.Option(help="The file that keeps what is not sent yet.")] = Path("data/publish.db"),
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A match option, name=value; may be repeated.")
    ] = None,
) -> None:
    """Play one match and publish it. The publish token is read from GRANDSTAND_PUBLISH_TOKEN."""
    token = os.environ.get("GRANDSTAND_PUBLISH_TOKEN", "")
    try:
        if not token:
            raise OptionError("token: set GRANDSTAND_PUBLISH_TOKEN to the server's publish token")
        options = {name: _value(value) for name, _, value in (text.partition("=") for text in set_ or [])}
        runner = _table(game, players, options, secrets.randbits(48) if seed is None else seed)
        address = asyncio.run(_play(runner, options, url, token, pace, buffer))
    except (OptionError, PublishRefused) as error:
        Console(stderr=True).print(f"[red]grandstand.commands.publish:[/red] {error}", highlight=False)
        raise typer.Exit(2) from error
    typer.echo(address)


def _table(game: str, players: str, options: dict[str, Any], seed: int) -> MatchRunner:
    spec = game_spec(game)
    names = [name.strip() for name in players.split(",") if name.strip()] or [next(iter(spec.bots))]
    names = names * len(spec.seats) if len(names) == 1 else names
    if len(names) != len(spec.seats):
        raise OptionError(f"players: {len(names)} named for {len(spec.seats)} seats; name one, or one each")
    seating = Roster.load().episode(spec)
    seated = {seat: seating.player(name, seat) for seat, name in zip(spec.seats, names, strict=True)}
    return MatchRunner(Match(spec, options, seed), seated)


async def _play(runner: MatchRunner, options: dict[str, Any], url: str, token: str, pace: float, buffer: Path) -> str:
    async with Publisher(url, token, buffer) as publisher:
        episode_id = publisher.open(runner.match.spec.name)
        runner.publish = partial(publisher.publish, episode_id)
        created = runner.created(options, title=runner.match.spec.title, origin="publisher")
        publisher.publish(episode_id, [*created, *runner.started()])
        while not runner.match.over:
            await asyncio.sleep(pace)
            async for drafts in runner.play_round():
                publisher.publish(episode_id, drafts)
    return f"{url}/episode/{episode_id}"


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


if __name__ == "__main__":
    typer.run(drive)
