"""`grandstand sweep`: an experiment of several arms and seeds, planned, run, resumed and looked up."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from signal import SIGINT
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import TaskID
from rich.table import Table as Grid

from grandstand.atomic import lock_folder
from grandstand.campaigns.campaign import Campaign, Deadline, Stopped
from grandstand.spectator.errors import RecordError
from grandstand.terminal.campaign_progress import CampaignProgress
from grandstand.terminal.console import PUBLISH_TOKEN, MaxHours, harmless, refuse
from grandstand.trainer.extras import YAML, missing_of_train

if TYPE_CHECKING:
    from grandstand.trainer.sweep.analysis import SweepAnalysis
    from grandstand.trainer.sweep.estimate import SweepEstimate
    from grandstand.trainer.sweep.execution import Execution
    from grandstand.trainer.sweep.expansion import Sweep, SweepRun
    from grandstand.trainer.sweep.layout import State


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
    max_hours: MaxHours = None,
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
        refuse("sweep", "choose one of --dry-run, --run and --status")
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
            _execute(planned, jobs or planned.file.runner.jobs, pilot is not False, like, max_hours, as_json)
    except (SweepError, MetricsError, RecordError, OSError) as error:
        refuse("sweep", str(error), 2, error)
    except PilotError as error:
        refuse("sweep", str(error), 1, error)


def _dry_run(sweep: Sweep, estimated: SweepEstimate | None, as_json: bool) -> None:
    """Print the runs that are planned, and how long they take."""
    from grandstand.trainer.sweep.analysis import comparison
    from grandstand.trainer.sweep.estimate import NO_ESTIMATE
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
        typer.echo(json.dumps({**whole, "estimate": None if estimated is None else _document(estimated)}, indent=1))
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
    for line in (NO_ESTIMATE if estimated is None else estimated.words, *unknown_metrics(sweep)):
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


def _document(estimated: SweepEstimate) -> dict[str, object]:
    """Return an estimate for JSON."""
    return {
        "runs": estimated.left,
        "bases": estimated.bases,
        "seconds": estimated.seconds,
        "each": dict(estimated.each),
        "source": estimated.source,
    }


def _execute(sweep: Sweep, jobs: int, pilot: bool, like: Path | None, max_hours: float | None, as_json: bool) -> None:
    """Execute the runs that have no result, and print the verdicts. Raises SweepError."""
    from grandstand.trainer.sweep.analysis import analyse
    from grandstand.trainer.sweep.estimate import NO_ESTIMATE, estimate_of
    from grandstand.trainer.sweep.execution import Execution
    from grandstand.trainer.sweep.folder import open_sweep_folder
    from grandstand.trainer.sweep.layout import progress_of
    from grandstand.trainer.sweep.publisher import address
    from grandstand.trainer.sweep.sweep_file import SweepError
    from grandstand.trainer.sweep.values import unknown_metrics

    token = os.environ.get(PUBLISH_TOKEN, "")
    if address(sweep) and not token:
        raise SweepError(
            f"watch.url: the server's publish token is missing: set the environment variable {PUBLISH_TOKEN}"
        )
    progress = SweepProgress(sweep, quiet=as_json)
    try:
        with lock_folder(sweep.folder):
            open_sweep_folder(sweep)
            estimated = estimate_of(sweep, jobs, pilot, like)
            for line in [*([] if estimated else [NO_ESTIMATE]), *unknown_metrics(sweep)]:
                progress.say(line)
            stopped = _run(sweep, estimated, Execution(sweep, jobs, Deadline.after(max_hours)), progress, token)
    except BlockingIOError as error:
        raise SweepError(f"{sweep.folder}: another process runs this sweep; wait for its end, or stop it") from error
    except KeyboardInterrupt:
        stopped = Stopped.by(SIGINT)
    if stopped is not None:
        again = f"go on with: grandstand sweep {sweep.path} --run --out {sweep.folder}"
        refuse("sweep", f"{stopped.why}; {again}", stopped.exit_status)
    analysis = analyse(sweep)
    if as_json:
        typer.echo(
            json.dumps({"folder": str(sweep.folder), "runs": [progress_of(sweep, run) for run in sweep.runs]}, indent=1)
        )
    else:
        _print_end(sweep, analysis)
    if any(analysis.states[run.id] in ("failed", "blocked") for run in sweep.runs):
        raise typer.Exit(1)


def _run(
    sweep: Sweep, estimated: SweepEstimate | None, executor: Execution, progress: SweepProgress, token: str
) -> Stopped | None:
    """Execute the runs that have no result, and publish the sweep's own episode. Raises SweepError."""
    from grandstand.trainer.sweep.analysis import analyse
    from grandstand.trainer.sweep.plan import SweepPlan
    from grandstand.trainer.sweep.publisher import published

    with published(sweep, token) as (publisher, viewer):
        publisher.begin(estimated)
        with progress:
            stopped = Campaign(SweepPlan(sweep, estimated), executor, (progress, publisher)).run()
        publisher.finish(analyse(sweep))
    if viewer is not None and viewer.trouble:
        progress.say(viewer.trouble)
    return stopped


class SweepProgress(CampaignProgress["SweepRun", "State"]):
    """The progress of a sweep, with a bar for each run in progress."""

    def __init__(self, sweep: Sweep, *, quiet: bool) -> None:
        super().__init__("runs", len(sweep.runs), quiet=quiet)
        self._tasks: dict[str, TaskID] = {}

    def changed(self, unit: SweepRun, stage: str) -> None:
        from grandstand.trainer.metrics import read_lines

        if unit.id not in self._tasks:
            self._tasks[unit.id] = self.bars.add_task(unit.id, total=unit.config.run.steps)
        rows = read_lines(unit.train_folder)
        step = int(rows[-1]["step"]) if rows else 0
        self.bars.update(self._tasks[unit.id], description=f"{unit.id} {stage}", completed=step)

    def ended(self, unit: SweepRun, outcome: State) -> None:
        from grandstand.trainer.sweep.layout import failure_of

        if outcome == "failed" and (failure := failure_of(unit.folder)) is not None:
            self.say(f"{unit.id} failed ({failure.cause}): {failure.message}")
        if unit.id in self._tasks:
            self.bars.remove_task(self._tasks.pop(unit.id))
        super().ended(unit, outcome)


def _print_end(sweep: Sweep, analysis: SweepAnalysis) -> None:
    console = Console()
    for decision in analysis.decisions:
        text = f"{decision.criterion.name}: [bold]{decision.verdict.word}[/bold], {escape(decision.verdict.reason)}"
        console.print(text, highlight=False, soft_wrap=True)
    console.print(f"Report: grandstand report {escape(str(sweep.folder))}", highlight=False, soft_wrap=True)
