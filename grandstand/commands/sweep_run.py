"""The actions of `grandstand sweep`: what it prints of a planned sweep and of its runs, and their execution."""

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
from typing import Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table as Grid

from grandstand.atomic import lock_folder
from grandstand.commands.console import PUBLISH_TOKEN, harmless, refuse
from grandstand.spectator.errors import RecordError
from grandstand.trainer.metrics import MetricsError, read_lines
from grandstand.trainer.sweep.analysis import SweepAnalysis, analyse, comparison
from grandstand.trainer.sweep.estimate import PilotError, SweepEstimate, estimate, known_timing, run_pilot
from grandstand.trainer.sweep.execution import Execution
from grandstand.trainer.sweep.expansion import STORE, Sweep, SweepRun, differences, load_sweep
from grandstand.trainer.sweep.folder import open_sweep_folder
from grandstand.trainer.sweep.layout import STATES, failure_of, state_of, trained_steps
from grandstand.trainer.sweep.publisher import SweepPublisher, address, published, watched
from grandstand.trainer.sweep.sweep_file import SweepError
from grandstand.trainer.sweep.values import unknown_metrics


def perform(
    action: str,
    file: Path,
    scale: str,
    out: Path | None,
    jobs: int,
    pilot: bool | None,
    like: Path | None,
    as_json: bool,
    watch: str = "",
) -> None:
    """Perform one of `dry_run`, `status` and `run` on the sweep of a file. Exit with 2 if it is invalid."""
    try:
        planned = load_sweep(file, out, scale)
        planned = watched(planned, watch) if watch else planned
        if action == "status":
            _status(planned, as_json)
        elif action == "dry_run":
            _dry_run(planned, _estimated(planned, jobs, bool(pilot), like), as_json)
        else:
            _execute(planned, jobs or planned.file.runner.jobs, pilot is not False, like, as_json)
    except (SweepError, MetricsError, RecordError, OSError) as error:
        refuse("sweep", str(error), 2, error)
    except PilotError as error:
        refuse("sweep", str(error), 1, error)


# --- dry run ----------------------------------------------------------------------------------------------------------


def _estimated(sweep: Sweep, jobs: int, pilot: bool, like: Path | None) -> SweepEstimate | None:
    timing = known_timing(sweep, like)
    if like is not None and timing is None:
        raise SweepError(f"--like: {like} is no training run with a step in it")
    if timing is None and pilot:
        timing = run_pilot(watched(sweep, ""))
    return None if timing is None else estimate(sweep, timing, jobs or sweep.file.runner.jobs)


def _dry_run(sweep: Sweep, estimated: SweepEstimate | None, as_json: bool) -> None:
    changes = _changes(sweep)
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


def _changes(sweep: Sweep) -> dict[str, list[str]]:
    """Return the settings of each arm that differ from those of the baseline, as lines."""
    base = sweep.of_arm(sweep.file.first_arm)[0].config
    return {
        arm: [
            f"{key}: {json.dumps(was)} → {json.dumps(now)}"
            for key, (was, now) in differences(base, sweep.of_arm(arm)[0].config).items()
        ]
        for arm in sweep.file.arms
    }


def estimate_words(estimated: SweepEstimate | None) -> str:
    """Return the estimate as a sentence."""
    if estimated is None:
        return (
            "no estimate: nothing is measured yet; --pilot trains one step, --like RUN takes an earlier run's metrics"
        )
    bases = f" and {estimated.bases} base{'s' if estimated.bases > 1 else ''} to clone" if estimated.bases else ""
    return f"{estimated.runs} runs{bases} take about {duration(estimated.seconds)}, estimated from {estimated.source}"


def duration(seconds: float) -> str:
    """Return a time in words: 40 s, 12 min, 3.4 h."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


# --- status -----------------------------------------------------------------------------------------------------------


def _status(sweep: Sweep, as_json: bool) -> None:
    rows = [_row(sweep, run) for run in sweep.runs]
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


def _row(sweep: Sweep, run: SweepRun) -> dict[str, Any]:
    state, failure = state_of(sweep, run), failure_of(run.folder)
    rows = read_lines(run.train_folder)
    return {
        "id": run.id,
        "state": state,
        "step": int(rows[-1]["step"]) if rows else trained_steps(run),
        "steps": run.config.run.steps,
        "note": f"{failure.cause}: {failure.message}" if failure and state == "failed" else "",
        "folder": str(run.folder),
    }


# --- run --------------------------------------------------------------------------------------------------------------


def _execute(sweep: Sweep, jobs: int, pilot: bool, like: Path | None, as_json: bool) -> None:
    console, token = Console(stderr=True), os.environ.get(PUBLISH_TOKEN, "")
    if address(sweep) and not token:
        raise SweepError(
            f"watch.url: the server's publish token is missing: set the environment variable {PUBLISH_TOKEN}"
        )
    try:
        with lock_folder(sweep.folder), _interruptible():
            open_sweep_folder(sweep)
            estimated = _estimated(sweep, jobs, pilot, like)
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
            json.dumps({"folder": str(sweep.folder), "runs": [_row(sweep, run) for run in sweep.runs]}, indent=1)
        )
    else:
        _print_end(sweep, analysis)
    if failed:
        raise typer.Exit(1)


def _until_decided(sweep: Sweep, jobs: int, console: Console, quiet: bool, publisher: SweepPublisher) -> SweepAnalysis:
    """Execute the runs up to each look, and end at the first one at which every criterion is decided."""
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
    """Progress bars: one of the whole, and one of each run that is at work."""

    def __init__(self, sweep: Sweep, runs: list[SweepRun], progress: Progress) -> None:
        self._progress = progress
        self._tasks: dict[str, TaskID] = {}
        done = sum(state_of(sweep, run) == "completed" for run in runs)
        self._whole = progress.add_task("runs", total=len(runs), completed=done)

    def change(self, run: SweepRun, stage: str) -> None:
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
