"""`grandstand sweep`: an experiment of several arms and seeds, planned, run, resumed and looked up."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grandstand.commands.console import PUBLISH_TOKEN, refuse
from grandstand.trainer.extras import YAML, missing_of_train


def sweep(
    file: Annotated[Path, typer.Argument(metavar="FILE.yaml", help="The file of the sweep.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the runs and how long they take.")] = False,
    status: Annotated[bool, typer.Option("--status", help="Print the state of every run.")] = False,
    run: Annotated[
        bool, typer.Option("--run", help="Execute the runs that have no result; resume the others.")
    ] = False,
    scale: Annotated[str, typer.Option("--scale", help="The scale to run at; the first of the file by default.")] = "",
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder of the results; sweeps/NAME of the file by default.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=0, help="Runs at a time; runner.jobs by default.")] = 0,
    pilot: Annotated[
        bool | None,
        typer.Option("--pilot/--no-pilot", help="Train one step for the estimate, if no run of the sweep has one yet."),
    ] = None,
    like: Annotated[
        Path | None, typer.Option("--like", metavar="RUN", help="Estimate by the metrics of this training run.")
    ] = None,
    watch: Annotated[
        str,
        typer.Option(
            "--watch",
            metavar="URL",
            help=f"A server that shows the sweep live; its token is in {PUBLISH_TOKEN}.",
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Run an experiment of several arms and seeds from a file; it goes on after a kill where it was."""
    if dry_run + status + run != 1:
        refuse("sweep", "say what to do: --dry-run, --run or --status")
    if missing := missing_of_train(YAML):
        refuse("sweep", missing)
    from grandstand.commands.sweep_run import perform

    action = "dry_run" if dry_run else "status" if status else "run"
    perform(action, file, scale, out, jobs, pilot, like, as_json, watch)
