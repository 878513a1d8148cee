"""The console command `grandstand`: one file per verb, each imported only when it is run."""

from __future__ import annotations

import typer

from grandstand import adjudicate, evaluate, play, replay, serve, train

app = typer.Typer(
    name="grandstand",
    help="Run matches between agents, watch them live, and keep the record.",
    no_args_is_help=True,
    pretty_exceptions_show_locals=False,
)
app.command()(serve.serve)
app.command()(play.play)
app.command()(replay.replay)
app.command("eval")(evaluate.evaluate)
app.command()(adjudicate.adjudicate)
app.add_typer(train.app, name="train")
