"""`grandstand watch`: a match of a server in the terminal, live or from its start."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import parse_qs, unquote, urlsplit

import typer
from rich.console import Console, RenderableType
from rich.live import Live

from grandstand.models import Event
from grandstand.spectator.follower import Follower, FollowState, WatchRefused
from grandstand.spectator.viewpoint import chain_head
from grandstand.terminal.console import refuse
from grandstand.terminal.match_text import plain_lines, screen

PAINT_EVERY = 0.1
"""The least seconds between two updates of the screen."""
TOKEN = "GRANDSTAND_OPERATOR_TOKEN"
EPISODE = re.compile(r"^(?P<root>.*?)(?:/api/episodes|/episode|/embed)/(?P<episode>[^/]+)/?$")


@dataclass(frozen=True, slots=True)
class Target:
    """The match that an address names."""

    server: str
    episode_id: str
    viewpoint: str


def watch(
    url: Annotated[str, typer.Argument(help="The address of a match, such as http://127.0.0.1:8000/episode/ID.")],
    viewpoint: Annotated[
        str, typer.Option("--as", help="spectator, seat:NAME, analyst or operator; by default that of the address.")
    ] = "",
    token: Annotated[
        str,
        typer.Option(help=f"The token of an operator or a seat. By default {TOKEN}, which --as sends to the server."),
    ] = "",
) -> None:
    """Show a match of a server in this terminal. Without a terminal, print it line by line."""
    try:
        target = read_address(url, viewpoint)
        # Never send this machine's operator token to a server that is only watched.
        secret = token or (os.environ.get(TOKEN, "") if viewpoint not in ("", "spectator") else "")
        follower = Follower(target.server, target.episode_id, target.viewpoint, secret)
        asyncio.run(show(follower, Console()))
    except WatchRefused as error:
        refuse("watch", str(error), 1, error)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def read_address(url: str, viewpoint: str = "") -> Target:
    """Return the match that `url` names. Raise WatchRefused."""
    try:
        parts = urlsplit(url if "//" in url else f"http://{url}")
        port = parts.port
    except ValueError as error:
        raise WatchRefused(f"url: {url!r} is not an address: {error}") from None
    del port
    path = EPISODE.match(parts.path)
    if parts.scheme not in ("http", "https") or not parts.hostname or not path:
        raise WatchRefused(f"url: {url!r} names no match; one looks like http://127.0.0.1:8000/episode/ID")
    own = parse_qs(parts.query).get("as", ["spectator"])[0]
    return Target(f"{parts.scheme}://{parts.netloc}{path['root']}", unquote(path["episode"]), viewpoint or own)


async def show(follower: Follower, console: Console) -> None:
    """Show the events of `follower` until the match is over: as a screen, or as lines without a terminal.

    At the end, print the head of their hash chain, by which `grandstand replay --chain` checks a record.
    """
    states = follower.follow()
    try:
        if console.is_terminal:
            await _show_screen(follower, states, console)
        else:
            await _print_lines(follower, states, console)
    finally:
        if follower.slots:
            print_line(console, f"Chain: {chain_head(follower.slots)}")


async def _print_lines(follower: Follower, states: AsyncIterator[FollowState], console: Console) -> None:
    printed = generation = 0
    async for _ in states:
        if follower.generation != generation:
            generation, printed = follower.generation, 0
            print_line(console, "(the server shows another record of this match, from its start:)")
        events = follower.events
        for line in plain_lines(events, printed):
            print_line(console, line)
        printed = len(events)


async def _show_screen(follower: Follower, states: AsyncIterator[FollowState], console: Console) -> None:
    latest = FollowState("live")
    changed = asyncio.Event()

    async def paint() -> None:
        while True:
            await changed.wait()
            changed.clear()
            if follower.events:
                live.update(painted(follower.events, console, words_for(latest)), refresh=True)
            await asyncio.sleep(PAINT_EVERY)

    with Live(console=console, screen=True, auto_refresh=False) as live:
        painter = asyncio.create_task(paint())
        try:
            async for state in states:
                latest = state
                changed.set()
        finally:
            painter.cancel()
            await asyncio.gather(painter, return_exceptions=True)
    if follower.events:
        console.print(painted(follower.events, console))


def show_record(events: Sequence[Event], console: Console, pace: float) -> None:
    """Show a recorded match turn by turn, with `pace` seconds for each; as lines without a terminal."""
    if not console.is_terminal:
        for line in plain_lines(events, 0):
            print_line(console, line)
        return
    turns = [number for number, event in enumerate(events) if event.type in ("TurnStarted", "EpisodeEnded")]
    with Live(console=console, screen=True, auto_refresh=False) as live:
        for number in turns:
            live.update(painted(events[: number + 1], console), refresh=True)
            time.sleep(pace)
    console.print(painted(events, console))


def painted(events: Sequence[Event], console: Console, connection: str = "") -> RenderableType:
    """Return the screen of the moment after `events`, in the size of the terminal."""
    return screen(events, width=console.width, height=console.height, connection=connection)


def words_for(state: FollowState) -> str:
    """Return a notice if the connection is lost, else ''."""
    return f"connection lost, next attempt in {state.wait:.0f} s" if state.name == "reconnecting" else ""


def print_line(console: Console, line: str) -> None:
    """Print a line as it is, however long."""
    console.print(line, markup=False, highlight=False, soft_wrap=True)
