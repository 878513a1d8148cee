"""`grandstand sweep`: an experiment of several arms and seeds, planned, run, resumed and looked up."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from grandstand.atomic import lock_folder
from grandstand.commands.console import PUBLISH_TOKEN, harmless, refuse
from grandstand.spectator.errors import RecordError
from grandstand.trainer.extras import YAML, missing_of_train

if TYPE_CHECKING:
    from grandstand.trainer.sweep.analysis import SweepAnalysis
    from grandstand.trainer.sweep.estimate import SweepEstimate
    from grandstand.trainer.sweep.expansion import Sweep, SweepRun
    from grandstand.trainer.sweep.publisher import SweepPublisher


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
    """Run an experiment of several arms and seeds from a file; after a kill, it continues where it was."""
    if dry_run + status + run != 1:
        refuse("sweep", "say what to do: --dry-run, --run or --status")
    if missing := missing_of_train(YAML):
        refuse("sweep", missing)
    from grandstand.trainer.metrics import MetricsError
    from grandstand.trainer.sweep.estimate import PilotError, estimate_of
    from grandstand.trainer.sweep.expansion import load_sweep, watched
    from grandstand.trainer.sweep.sweep_file import SweepError

    try:
        planned = load_sweep(file, out, scale)
        planned = watched(planned, watch) if watch else planned
        if status:
            _status(planned, as_json)
        elif dry_run:
            _dry_run(planned, estimate_of(planned, jobs, bool(pilot), like), as_json)
        else:
            _execute(planned, jobs or planned.file.runner.jobs, pilot is not False, like, as_json)
    except (SweepError, MetricsError, RecordError, OSError) as error:
        refuse("sweep", str(error), 2, error)
    except PilotError as error:
        refuse("sweep", str(error), 1, error)


def _dry_run(sweep: Sweep, estimated: SweepEstimate | None, as_json: bool) -> None:
    """Print the runs that are planned, and how long they take."""
    from grandstand.trainer.sweep.analysis import comparison
    from grandstand.trainer.sweep.estimate import estimate_words
    from grandstand.trainer.sweep.expansion import STORE, changed_settings
    from grandstand.trainer.sweep.layout import state_of
    from grandstand.trainer.sweep.values import unknown_metrics

    changes = changed_settings(sweep)
    if as_json:
        rows = [
            {"id": run.id, "arm": run.arm, "seed": run.seed, "key": run.key, "state": state_of(sweep, run)}
            for run in sweep.runs
        ]
        whole = {"name": sweep.file.metadata.name, "folder": str(sweep.folder), "runs": rows, "changes": changes}
        typer.echo(json.dumps({**whole, "estimate": None if estimated is None else asdict(estimated)}, indent=1))
        return
    console, file = Console(), sweep.file
    console.print(f"[bold]{escape(harmless(sweep.title))}[/bold]", highlight=False)
    console.print(escape(harmless(file.metadata.hypothesis)), highlight=False)
    grid = Grid()
    for column in ("arm", "name", f"changes from {file.first_arm}", "runs", "steps"):
        grid.add_column(column, overflow="fold")
    for arm, definition in file.arms.items():
        runs = sweep.of_arm(arm)
        text = "\n".join(changes[arm]) or ("baseline" if arm == file.first_arm else "")
        ids, steps = ", ".join(run.id for run in runs), str(runs[0].config.run.steps)
        grid.add_row(*(escape(harmless(cell, keep="\n")) for cell in (arm, definition.name, text, ids, steps)))
    console.print(grid)
    for criterion in file.analysis.success_criteria:
        text = (
            f"{criterion.name}: {comparison(criterion)} in {criterion.metric}, {criterion.direction.replace('_', ' ')}"
        )
        console.print(escape(harmless(f"  {text}, least effect {criterion.least_effect:g}")), highlight=False)
    bases = f" from {len(sweep.bases)} base{'s' if len(sweep.bases) > 1 else ''}" if sweep.bases else ""
    where = f"{len(sweep.runs)} runs{bases} in {sweep.folder.parent / STORE}, the sweep in {sweep.folder}"
    console.print(escape(where), highlight=False, soft_wrap=True)
    for line in (estimate_words(estimated), *unknown_metrics(sweep)):
        console.print(escape(line), highlight=False, soft_wrap=True)


def _status(sweep: Sweep, as_json: bool) -> None:
    """Print the state of every run."""
    from grandstand.trainer.sweep.layout import STATES, progress_of

    rows = [progress_of(sweep, run) for run in sweep.runs]
    if as_json:
        typer.echo(json.dumps({"folder": str(sweep.folder), "runs": rows}, indent=1))
        return
    grid = Grid(title=escape(harmless(sweep.title)))
    for column in ("run", "state", "steps", "note"):
        grid.add_column(column, overflow="fold")
    for row in rows:
        cells = (row["id"], row["state"], f"{row['step']}/{row['steps']}", row["note"])
        grid.add_row(*(escape(harmless(cell)) for cell in cells))
    console = Console()
    console.print(grid)
    counts = Counter(row["state"] for row in rows)
    console.print(", ".join(f"{counts[state]} {state}" for state in STATES if counts[state]), highlight=False)


def _execute(sweep: Sweep, jobs: int, pilot: bool, like: Path | None, as_json: bool) -> None:
    """Execute the runs that have no result, and print the verdicts. Raises SweepError."""
    from grandstand.trainer.sweep.estimate import estimate_of, estimate_words
    from grandstand.trainer.sweep.folder import open_sweep_folder
    from grandstand.trainer.sweep.layout import progress_of
    from grandstand.trainer.sweep.publisher import address, published
    from grandstand.trainer.sweep.sweep_file import SweepError
    from grandstand.trainer.sweep.values import unknown_metrics

    console, token = Console(stderr=True), os.environ.get(PUBLISH_TOKEN, "")
    if address(sweep) and not token:
        raise SweepError(
            f"watch.url: the server's publish token is missing: set the environment variable {PUBLISH_TOKEN}"
        )
    try:
        with lock_folder(sweep.folder), _interruptible():
            open_sweep_folder(sweep)
            estimated = estimate_of(sweep, jobs, pilot, like)
            for line in [estimate_words(estimated), *unknown_metrics(sweep)] if not as_json else ():
                console.print(f"[dim]{escape(line)}[/dim]", highlight=False, soft_wrap=True)
            with published(sweep, token) as (publisher, viewer):
                publisher.begin(estimated)
                analysis = _until_decided(sweep, jobs, console, as_json, publisher)
                publisher.finish(analysis)
            if viewer is not None and viewer.trouble:
                console.print(escape(viewer.trouble), highlight=False)
    except BlockingIOError as error:
        raise SweepError(f"{sweep.folder}: another process runs this sweep; wait for its end, or stop it") from error
    except KeyboardInterrupt:
        refuse("sweep", f"interrupted; go on with: grandstand sweep {sweep.path} --run --out {sweep.folder}", 130)
    failed = [run for run in sweep.runs if analysis.states[run.id] in ("failed", "blocked")]
    if as_json:
        typer.echo(
            json.dumps({"folder": str(sweep.folder), "runs": [progress_of(sweep, run) for run in sweep.runs]}, indent=1)
        )
    else:
        _print_end(sweep, analysis)
    if failed:
        raise typer.Exit(1)


def _until_decided(sweep: Sweep, jobs: int, console: Console, quiet: bool, publisher: SweepPublisher) -> SweepAnalysis:
    """Execute the runs up to each look, and end at the first one at which every criterion is decided."""
    from grandstand.trainer.sweep.analysis import analyse
    from grandstand.trainer.sweep.execution import Execution

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    analysis = analyse(sweep)
    for look in sweep.file.all_looks:
        if analysis.decided:
            break
        runs = sweep.until_look(look)
        with Progress(*columns, console=console, disable=quiet) as progress:
            bars = _Bars(sweep, runs, progress)

            def change(run: SweepRun, stage: str, bars: _Bars = bars) -> None:
                bars.change(run, stage)
                publisher.change(run, stage)

            Execution(sweep, jobs, change).execute(runs)
        analysis = analyse(sweep)
    return analysis


class _Bars:
    """Progress bars: one of the sweep, and one of each run in progress."""

    def __init__(self, sweep: Sweep, runs: list[SweepRun], progress: Progress) -> None:
        from grandstand.trainer.sweep.layout import state_of

        self._progress = progress
        self._tasks: dict[str, TaskID] = {}
        done = sum(state_of(sweep, run) == "completed" for run in runs)
        self._whole = progress.add_task("runs", total=len(runs), completed=done)

    def change(self, run: SweepRun, stage: str) -> None:
        from grandstand.trainer.metrics import read_lines
        from grandstand.trainer.sweep.layout import failure_of

        if run.id not in self._tasks:
            self._tasks[run.id] = self._progress.add_task(run.id, total=run.config.run.steps)
        rows = read_lines(run.train_folder)
        step = int(rows[-1]["step"]) if rows else 0
        self._progress.update(self._tasks[run.id], description=f"{run.id} {stage}", completed=step)
        if stage in ("completed", "failed", "interrupted"):
            if stage == "failed" and (failure := failure_of(run.folder)) is not None:
                text = f"{run.id} failed ({failure.cause}): {failure.message}"
                self._progress.console.print(escape(harmless(text)), highlight=False, soft_wrap=True)
            self._progress.remove_task(self._tasks.pop(run.id))
            self._progress.advance(self._whole, stage == "completed")


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let SIGTERM interrupt like Ctrl-C, so that processes end in order."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _print_end(sweep: Sweep, analysis: SweepAnalysis) -> None:
    console = Console()
    for decision in analysis.decisions:
        text = f"{decision.criterion.name}: [bold]{decision.verdict.word}[/bold], {escape(decision.verdict.reason)}"
        console.print(text, highlight=False, soft_wrap=True)
    console.print(f"Report: grandstand report {escape(str(sweep.folder))}", highlight=False, soft_wrap=True)
