"""`grandstand publish`: play a match in this process and show it live on a Grandstand server elsewhere."""

from __future__ import annotations

import asyncio
import os
import secrets
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from grandstand.commands.console import PUBLISH_TOKEN, game_names, match_options, player_names, refuse
from grandstand.games.base import OptionError
from grandstand.games.match import Match
from grandstand.games.registry import game_spec
from grandstand.play.runner import MatchRunner
from grandstand.players.roster import Roster
from grandstand.spectator.publisher import Publisher, PublishRefused


def publish(
    game: Annotated[str, typer.Argument(help=f"The game: {game_names()}.")] = "diplomacy",
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
) -> None:
    """Play one match and publish it. The publish token is read from GRANDSTAND_PUBLISH_TOKEN."""
    token = os.environ.get(PUBLISH_TOKEN, "")
    try:
        if not token:
            raise OptionError(f"token: set {PUBLISH_TOKEN} to the server's publish token")
        options = match_options(set_ or [])
        runner = _new_runner(game, players, options, secrets.randbits(48) if seed is None else seed)
        address = asyncio.run(_play(runner, options, url, token, pace, buffer))
    except (OptionError, PublishRefused) as error:
        refuse("publish", str(error), 2, error)
    typer.echo(address)


def _new_runner(game: str, players: str, options: dict[str, Any], seed: int) -> MatchRunner:
    spec = game_spec(game)
    names = dict(zip(spec.seats, player_names(spec, players), strict=True))
    return MatchRunner(Match(spec, options, seed), Roster.load().seated(spec, names))


async def _play(runner: MatchRunner, options: dict[str, Any], url: str, token: str, pace: float, buffer: Path) -> str:
    """Play the match, publish its events and return its address."""
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
