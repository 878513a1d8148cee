"""The console command `grandstand`: one module per verb, imported only when the verb is run."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

VERBS = {
    "serve": ("grandstand.commands.serve:serve", "Serve matches and the page to watch them."),
    "play": ("grandstand.commands.play:play", "Play matches without a server and summarize the results."),
    "publish": ("grandstand.commands.publish:publish", "Play a match here and show it live on another server."),
    "watch": ("grandstand.commands.watch:watch", "Show a match of a server in the terminal."),
    "bot": ("grandstand.commands.bot.app:app", "Check a program that plays a seat over the API."),
    "replay": ("grandstand.commands.replay:replay", "Play a finished record again through the rules and check it."),
    "export": ("grandstand.commands.export:export", "Write an episode of the data folder to a file."),
    "import": ("grandstand.commands.imports:import_", "Record games that were played elsewhere as episodes."),
    "eval": ("grandstand.commands.evaluate:evaluate", "Evaluate a player against a reference under the same seeds."),
    "tournament": ("grandstand.commands.tournament:tournament", "Play a tournament between several players."),
    "rate": ("grandstand.commands.rate:rate_files", "Rate the players of recorded matches, with intervals."),
    "train": ("grandstand.commands.train.app:app", "Train a policy on recorded episodes."),
    "sweep": ("grandstand.commands.sweep:sweep", "Run an experiment of several arms and seeds from a file."),
    "report": (
        "grandstand.commands.report:report",
        "Report a campaign or a league, or track several sweeps.",
    ),
    "new-game": ("grandstand.commands.new_game:new_game", "Write a small complete game to begin with."),
    "list": ("grandstand.commands.list:lists", "List the games, players, evaluation packs, or the costs of matches."),
}
"""Verb -> (import path of its function, its help text in `grandstand --help`)."""


class Verb(TyperCommand):
    """A placeholder in the list of verbs that loads the verb when it is run, completed or asked for help.

    Typer does not export the types of its contexts and commands, so they are not named here.
    """

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parse the verb's own arguments. This is the first call that needs its module."""
        return load(str(self.name)).make_context(*args, **kwargs)


def load(name: str) -> Any:
    """Import the module of the verb `name` and return its command."""
    module, _, attribute = VERBS[name][0].partition(":")
    verb = getattr(import_module(module), attribute)
    if not isinstance(verb, typer.Typer):
        function, verb = verb, typer.Typer(add_completion=False)
        verb.command(name)(function)
    return typer.main.get_command(verb)


app = typer.Typer(
    name="grandstand",
    help="Run matches between agents, watch them live, and keep the record.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version as installed_version

        typer.echo(f"grandstand {installed_version('grandstand')}")
        raise typer.Exit


@app.callback()
def grandstand(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Run matches between agents, watch them live, and keep the record."""


def _placeholder() -> None:
    """Do nothing; `Verb` loads the function of the verb instead."""


for _name, (_, _about) in VERBS.items():
    app.command(_name, cls=Verb, help=_about)(_placeholder)
