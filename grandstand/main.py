"""The console command `grandstand`: one file per verb, each imported only when it is run."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

VERBS = {
    "serve": ("grandstand.commands.serve:serve", "Serve matches and the page to watch them."),
    "play": ("grandstand.commands.play:play", "Play matches without a server and sum up how they went."),
    "replay": ("grandstand.commands.replay:replay", "Play a finished record again through the rules and check it."),
    "export": ("grandstand.commands.export:export", "Write an episode of the data folder to a file."),
    "eval": ("grandstand.commands.evaluate:evaluate", "Evaluate a player against a reference under the same luck."),
    "adjudicate": ("grandstand.commands.adjudicate:adjudicate", "Judge Diplomacy positions, JSON lines in and out."),
    "train": ("grandstand.commands.train:app", "Train a policy on recorded episodes."),
    "games": ("grandstand.commands.catalogue:games", "List the games with their seats, options and formats."),
    "players": ("grandstand.commands.catalogue:players", "List who can be seated in a game."),
    "packs": ("grandstand.commands.catalogue:packs", "List the sets of situations that players are evaluated on."),
    "roster": ("grandstand.commands.catalogue:roster", "Check a roster file."),
}
"""Verb -> (where it is, what `grandstand --help` says of it). A new verb is one line here."""


class Verb(TyperCommand):
    """Stand for a verb in the list of verbs, and become the verb itself when it is run, completed or asked for help.

    Typer does not export the types of its contexts and commands, so they have no name here.
    """

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parse the verb's own arguments: this is the first call that needs its module."""
        return load(str(self.name)).make_context(*args, **kwargs)


def load(name: str) -> Any:
    """Return the command of the verb called `name`, its module imported."""
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
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version, and stop.")
    ] = False,
) -> None:
    """Run matches between agents, watch them live, and keep the record."""


def _loaded_instead() -> None:
    """Stand for a verb's function, which its module has."""


for _name, (_, _about) in VERBS.items():
    app.command(_name, cls=Verb, help=_about)(_loaded_instead)
