"""The report on a training league, in the terminal or as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from grandstand.terminal.console import refuse
from grandstand.terminal.report_text import print_report

if TYPE_CHECKING:
    from grandstand.trainer.league.report import LeagueReport


def print_league(folder: Path, game: str | None, as_json: bool) -> None:
    """Print the reports on the league in `folder`, of one game or of all; as JSON with every pair of players."""
    from grandstand.trainer.config.files import ConfigError
    from grandstand.trainer.league.report import reports
    from grandstand.trainer.league.report_sections import league_report
    from grandstand.trainer.league.rows import LeagueError

    try:
        made = reports(folder, game)
    except (LeagueError, ConfigError) as error:
        refuse("report", str(error), 2, error)
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
