"""`grandstand report`: the results of a campaign as Markdown with plots, a league, and a tracker of several sweeps."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape

from grandstand.campaign_events import TRAINING
from grandstand.terminal.console import refuse
from grandstand.terminal.league_text import print_league
from grandstand.trainer.extras import YAML, missing_of_train

if TYPE_CHECKING:
    from grandstand.report import Report
    from grandstand.trainer.sweep.expansion import Sweep

SHARED = "common.yaml"
"""The file of a folder of experiments that the others extend; it is no experiment itself."""


def report(
    targets: Annotated[
        list[Path],
        typer.Argument(
            metavar="FOLDER...",
            help="The folder of a sweep, a training run, or the records of a tournament, an evaluation or a series; "
            "with --tracker or --claims sweeps and files of them.",
        ),
    ],
    track: Annotated[bool, typer.Option("--tracker", help="Write a tracker of all of them instead.")] = False,
    claims: Annotated[
        bool,
        typer.Option(
            "--claims", help="Write a table of all claims instead: whether they hold, and what would decide it."
        ),
    ] = False,
    scale: Annotated[
        str, typer.Option("--scale", help="With --tracker or --claims: the scale of files; the first by default.")
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Folder for the report (report/ in the campaign's), or file for the tracker or the claims."
        ),
    ] = None,
    league: Annotated[
        bool,
        typer.Option(
            "--league",
            help="Print the league of a training run, or one that runs share: ratings, payoffs, Nash and alpha-rank.",
        ),
    ] = False,
    game: Annotated[str | None, typer.Option(help="With --league: only this game.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON instead.")] = False,
) -> None:
    """Report a campaign or a league, or track several sweeps: figures with intervals, never a single step's value."""
    if league:
        if track or claims or len(targets) > 1:
            refuse("report", "--league: name one folder, without --tracker and --claims")
        print_league(targets[0], game, as_json)
        return
    if game is not None:
        refuse("report", "--game: it goes with --league")
    if not (track or claims) and len(targets) == 1 and (own := _published(targets[0])) is not None:
        try:
            _write_report(*own, out or targets[0] / "report", as_json)
        except OSError as error:
            refuse("report", str(error), 2, error)
        return
    if missing := missing_of_train(YAML):
        refuse("report", missing)
    from grandstand.spectator.errors import RecordError
    from grandstand.trainer.metrics import MetricsError
    from grandstand.trainer.sweep.folder import read_plan
    from grandstand.trainer.sweep.sweep_file import SweepError

    try:
        if track and claims:
            refuse("report", "take --tracker or --claims")
        elif track or claims:
            _write_page([item for target in targets for item in _sweeps(target, scale)], claims, out)
        elif len(targets) > 1:
            refuse("report", "name one sweep's folder, or take --tracker or --claims for several")
        else:
            _report(read_plan(targets[0]), out or targets[0] / "report", as_json)
    except (SweepError, MetricsError, RecordError, OSError) as error:
        refuse("report", str(error), 2, error)


def _published(folder: Path) -> tuple[Report, str] | None:
    """Return the last report of the own episode of a campaign in a folder, and its title; None if there is none."""
    from grandstand.campaigns.exporting import last_report, report_in
    from grandstand.spectator.errors import RecordError
    from grandstand.spectator.recorder import Recorder
    from grandstand.trainer.config.files import RECORD

    try:
        if (own := report_in(folder)) is not None:
            return own
        if not (folder / RECORD).is_file():
            return None
        with closing(Recorder.reading(folder / RECORD)) as recorder:
            runs, _ = recorder.summaries(game=TRAINING, limit=1)
            report = last_report(recorder.events(runs[0].episode_id)) if runs else None
        return None if report is None else (report, runs[0].title)
    except RecordError as error:
        refuse("report", str(error), 2, error)


def _write_report(report: Report, title: str, folder: Path, as_json: bool) -> None:
    from grandstand.campaigns.markdown import markdown

    if as_json:
        typer.echo(report.model_dump_json(indent=1, exclude_none=True))
        return
    text = markdown(report, folder, title)
    path = folder / "report.md"
    path.write_text(text, "utf-8")
    Console().print(escape(f"{report.headline}\n{path}"), highlight=False, soft_wrap=True)


def _report(sweep: Sweep, folder: Path, as_json: bool) -> None:
    from grandstand.trainer.sweep.analysis import analyse
    from grandstand.trainer.sweep.report import report_json, write_report

    analysis = analyse(sweep)
    if as_json:
        typer.echo(json.dumps(report_json(sweep, analysis), indent=1))
        return
    path = write_report(sweep, analysis, folder)
    for decision in analysis.decisions:
        words = f"{decision.criterion.name}: {decision.verdict.word}, {decision.verdict.reason}"
        Console().print(escape(words), highlight=False, soft_wrap=True)
    Console().print(escape(str(path)), highlight=False, soft_wrap=True)


def _sweeps(target: Path, scale: str) -> Iterator[Sweep]:
    """Yield the sweep whose results are in a folder, or the sweeps of a file or of a folder of files."""
    from grandstand.trainer.sweep.expansion import default_folder, expand
    from grandstand.trainer.sweep.folder import PLAN, read_plan
    from grandstand.trainer.sweep.sweep_file import SweepError, read_sweep
    from grandstand.trainer.sweep.tracker import sweep_files

    if (target / PLAN).is_file():
        yield read_plan(target)
        return
    files = [file for file in sweep_files(target) if file.name != SHARED]
    if not files:
        raise SweepError(f"{target}: there is no sweep in it, and no file of one")
    for file in files:
        folder = default_folder(file, scale)
        yield read_plan(folder) if (folder / PLAN).is_file() else expand(read_sweep(file, scale), file, folder)


def _write_page(sweeps: list[Sweep], claims: bool, out: Path | None) -> None:
    from grandstand.trainer.sweep.claims import claims_page
    from grandstand.trainer.sweep.tracker import tracker

    path = out or Path("claims.md" if claims else "experiments.md")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(claims_page(sweeps) if claims else tracker(sweeps), "utf-8")
    Console().print(f"{len(sweeps)} experiments in {escape(str(path))}", highlight=False, soft_wrap=True)
