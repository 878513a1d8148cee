"""`grandstand list`: the games, the players of a game with those of a roster file, the evaluation packs, the costs."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from grandstand.commands.costs import costs_of_files
from grandstand.games.base import OptionError
from grandstand.games.catalog import GAMES
from grandstand.games.registry import game_spec
from grandstand.games.spec import GameSpec
from grandstand.models import PlayerInfo
from grandstand.players.prices import today
from grandstand.players.roster import Roster
from grandstand.players.roster_file import DEFAULT, RosterError, read_file
from grandstand.terminal.console import RosterOption, game_names, harmless, refuse

GameArgument = Annotated[str, typer.Argument(help=f"The game: {game_names()}. All of them where none is named.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]

lists = typer.Typer(help="List the games, players, packs or costs.", add_completion=False, no_args_is_help=True)
lists.command("costs")(costs_of_files)


@lists.command()
def games(as_json: AsJson = False) -> None:
    """List the games: their seats, match options, export formats and packs."""
    rows = [_game(spec) for spec in _specs("list games", "")]
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
        return
    console = Console()
    for row in rows:
        grid = _grid(f"{row['name']}: {row['title']}", "option", "default", "what")
        for option in row["options"]:
            grid.add_row(escape(option["name"]), escape(json.dumps(option["default"])), escape(option["help"]))
        console.print(grid)
        console.print(f"  seats: {', '.join(row['seats'])}", highlight=False)
        console.print(f"  formats: {', '.join(row['formats'])}", highlight=False)
        console.print(f"  packs: {', '.join(row['packs']) or 'none'}\n", highlight=False)


@lists.command()
def players(game: GameArgument = "", roster: RosterOption = None, as_json: AsJson = False) -> None:
    """List the players of a game: the built-in ones, the strongest first, and those of the roster file.

    The first error of the file is reported (status 2); a player that cannot be seated is listed with the reason.
    """
    specs = _specs("list players", game)
    listing = _roster("list players", roster)
    infos = [info for spec in specs for info in listing.players(spec)]
    if not game:
        infos += _without_game(roster or DEFAULT)
    rows = [{**info.model_dump(mode="json"), "price": _price(listing, info.name)} for info in infos]
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
        return
    for name in dict.fromkeys(row["game"] for row in rows):
        grid = _grid(name, "player", "kind", "available", "$ a million tokens", "what")
        for row in (row for row in rows if row["game"] == name):
            available = "yes" if row["available"] else f"no: {row['reason']}"
            cells = (row["name"], row["kind"], available, _price_words(row), row["description"])
            grid.add_row(*(escape(harmless(text)) for text in cells))
        Console().print(grid)


@lists.command()
def packs(game: GameArgument = "", as_json: AsJson = False) -> None:
    """List the packs: named sets of situations for `grandstand eval --pack`."""
    rows = [_pack(spec, name) for spec in _specs("list packs", game) for name in spec.learning.tasks]
    if as_json:
        typer.echo(json.dumps(rows, indent=1))
        return
    grid = _grid("packs", "game", "pack", "tasks", "version", "digest")
    for row in rows:
        grid.add_row(row["game"], row["name"], str(row["tasks"]), str(row.get("version", "")), row.get("digest", ""))
    Console().print(grid)


def _price(listing: Roster, name: str) -> dict[str, Any] | None:
    """Return today's price of a player's model, with its source; None if there is no model or no known price."""
    price = listing.price(name)
    if price is None:
        return None
    listed = price.listed
    about = {"input": price.input, "output": price.output, "source": "roster", "from": None, "retrieved": None}
    if listed is not None:
        days = {"from": listed.since.isoformat(), "retrieved": listed.retrieved.isoformat()}
        about |= {"source": listed.source, **days}
    return {**about, "dated": listed is not None and listed.dated(today())}


def _price_words(row: Mapping[str, Any]) -> str:
    """Return `0.25 in, 2 out; dated, read on 2026-09-07`; `unknown` for a model without a known price."""
    price = row["price"]
    if price is None:
        return "unknown" if row["kind"] == "llm" else ""
    words = f"{price['input']:g} in, {price['output']:g} out"
    if price["retrieved"] is None:
        return words
    return f"{words}; {'dated, ' if price['dated'] else ''}read on {price['retrieved']}"


def _specs(verb: str, game: str) -> list[GameSpec]:
    try:
        return [game_spec(name) for name in ([game] if game else sorted(GAMES))]
    except OptionError as error:
        refuse(verb, str(error), 2, error)


def _roster(verb: str, file: Path | None) -> Roster:
    try:
        return Roster.load(file)
    except RosterError as error:
        refuse(verb, str(error), 2, error)


def _without_game(file: Path) -> list[PlayerInfo]:
    """Return the file's players of games that do not exist."""
    return [
        PlayerInfo(
            name=entry.name,
            kind=entry.kind,
            game=game,
            description=entry.description,
            available=False,
            reason=f"unknown game {game!r}; there are {game_names()}",
        )
        for entry in read_file(file).player
        for game in entry.games or ()
        if game not in GAMES
    ]


def _game(spec: GameSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "title": spec.rules.title,
        "seats": list(spec.seats()),
        "options": [_option(field) for field in dataclasses.fields(spec.rules.options)],
        "formats": ["jsonl", *spec.exchange.exports],
        "packs": list(spec.learning.tasks),
    }


def _option(field: dataclasses.Field[Any]) -> dict[str, Any]:
    about: Mapping[str, Any] = field.metadata
    choices: Sequence[str] = about.get("choices") or ()
    return {"name": field.name, "default": field.default, "help": about.get("help", ""), "choices": list(choices)}


def _pack(spec: GameSpec, name: str) -> dict[str, Any]:
    quoted = spec.learning.comparison.quoted(name) if spec.learning.comparison else {}
    return {"game": spec.name, "name": name, "tasks": len(spec.learning.tasks[name]()), **quoted}


def _grid(title: str, *columns: str) -> Grid:
    grid = Grid(title=escape(harmless(title)), title_justify="left")
    for column in columns:
        grid.add_column(column, overflow="fold")
    return grid
