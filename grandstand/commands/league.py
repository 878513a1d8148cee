"""`grandstand league`: the players of a training league, their results, and the opponents that its runs met last."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from grandstand.terminal.console import refuse
from grandstand.terminal.report_text import print_report

if TYPE_CHECKING:
    from grandstand.trainer.league.report import LeagueReport


def league(
    folder: Annotated[Path, typer.Argument(help="The folder of a run, or of a league that runs share.")],
    game: Annotated[str | None, typer.Option(help="Report only on this game.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with every pair of players.")] = False,
) -> None:
    """Report on a training league: players with ratings, payoffs, Nash average and alpha-rank, and the opponents."""
    from grandstand.trainer.config.files import ConfigError
    from grandstand.trainer.league.report import reports
    from grandstand.trainer.league.report_sections import league_report
    from grandstand.trainer.league.store import LeagueError

    try:
        made = reports(folder, game)
    except (LeagueError, ConfigError) as error:
        refuse("league", str(error), 2, error)
    if as_json:
        typer.echo(json.dumps([document(report) for report in made], ensure_ascii=False))
        return
    console = Console()
    for report in made:
        print_report(console, league_report(report))


def document(report: LeagueReport) -> dict[str, Any]:
    """Return the report for JSON."""
    payoffs = [{**asdict(payoff), "score": payoff.score} for payoff in report.payoffs]
    return {**asdict(report), "options": json.loads(report.options), "payoffs": payoffs}
