"""`grandstand league`: the players of a training league, their results, and the opponents that its runs met last."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grandstand.terminal.console import harmless, refuse

if TYPE_CHECKING:
    from rich.table import Table

    from grandstand.trainer.league.report import LastOpponents, LeagueReport, PairResult, ReportedPlayer

WIDEST = 10
"""The most players of a payoff matrix in the terminal."""

NOTES = (
    "pairs: of seats of two players in a match. rating: in Elo points with its 95 % interval; bases have 1500 on "
    "average. Nash: share in the equilibrium of greatest entropy; against it: the expected score. alpha: alpha-rank. "
    "These three rest on the payoffs as they are, whatever their uncertainty; pairs that never met score by rating.\n"
)


def league(
    folder: Annotated[Path, typer.Argument(help="The folder of a run, or of a league that runs share.")],
    game: Annotated[str | None, typer.Option(help="Report only on this game.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with every pair of players.")] = False,
) -> None:
    """Report on a training league: players with ratings, payoffs, Nash average and alpha-rank, and the opponents."""
    from grandstand.trainer.config.files import ConfigError
    from grandstand.trainer.league.report import reports
    from grandstand.trainer.league.store import LeagueError

    try:
        made = reports(folder, game)
    except (LeagueError, ConfigError) as error:
        refuse("league", str(error), 2, error)
    if as_json:
        typer.echo(json.dumps([document(report) for report in made], ensure_ascii=False))
        return
    from rich.console import Console

    console = Console()
    for report in made:
        for part in _parts(report):
            console.print(part, markup=False, highlight=False)


def document(report: LeagueReport) -> dict[str, Any]:
    """Return the report for JSON."""
    payoffs = [{**asdict(payoff), "score": payoff.score} for payoff in report.payoffs]
    return {**asdict(report), "options": json.loads(report.options), "payoffs": payoffs}


def _parts(report: LeagueReport) -> Iterator[Table | str]:
    """Yield what the terminal shows: tables, and the notes on them."""
    labels = _labels(report)
    yield _players(report, labels)
    if absent := sorted(labels[player.name] for player in report.players if not player.games):
        yield f"without results: {harmless(', '.join(absent))}"
    yield NOTES
    yield _payoffs(report, labels)
    yield "per cent won by the row against the column; below it the pairs, of which those of a group are dependent.\n"
    for last in report.opponents:
        yield _opponents(last, labels)


def _labels(report: LeagueReport) -> dict[str, str]:
    """Return a short name of each player: `v12` for a version, after the name of its run if there are several."""
    runs = {player.run for player in report.players if player.run}
    return {
        player.name: player.name
        if player.version is None
        else f"v{player.version}"
        if len(runs) == 1
        else f"{player.run} v{player.version}"
        for player in report.players
    }


def _grid(title: str, columns: Sequence[str]) -> Table:
    """Return an empty table; all columns but the first are numbers."""
    from rich import box
    from rich.table import Table

    grid = Table(title=harmless(title), title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for number, name in enumerate(columns):
        grid.add_column(harmless(name), justify="right" if number else "left", no_wrap=bool(number), overflow="fold")
    return grid


def _players(report: LeagueReport, labels: Mapping[str, str]) -> Table:
    title = f"{report.game} {report.options}: {report.matches} matches"
    grid = _grid(title, ("player", "pairs", "rating", "Nash", "against it", "alpha", ""))
    grid.columns[-1].justify, grid.columns[-1].no_wrap = "left", False
    roles = {player.role for player in report.players if player.role}
    for player in (player for player in report.players if player.games):
        words = [
            player.role.replace("_", " ") if len(roles) > 1 else "",
            "landmark" if player.landmark else player.kind,
            f"from {labels.get(player.parent, player.parent)}" if player.parent else "",
        ]
        figures = (_number(player.nash, 3), _number(player.against_nash, 3), _number(player.alpha, 3))
        kind = harmless(", ".join(filter(None, words)))
        grid.add_row(harmless(labels[player.name]), str(player.games), _rating(player), *figures, kind)
    return grid


def _rating(player: ReportedPlayer) -> str:
    """Return `1432 (1108–1757)`."""
    interval = "" if player.low is None or player.high is None else f" ({player.low:.0f}–{player.high:.0f})"
    return _number(player.rating, 0) + interval


def _payoffs(report: LeagueReport, labels: Mapping[str, str]) -> Table:
    """Return the payoff matrix. Of many players, it has those with the greatest shares in the Nash average, then the
    best."""
    met = [player for player in report.players if player.games]
    chosen = sorted(met, key=lambda player: -(player.nash or 0.0))[:WIDEST]
    listed = [player for player in met if player in chosen]
    results = {(payoff.player, payoff.opponent): payoff for payoff in report.payoffs}
    numbers = range(1, len(listed) + 1)
    grid = _grid(f"payoffs of {len(listed)} of {len(met)} players", ("player", *map(str, numbers)))
    for number, player in zip(numbers, listed, strict=True):
        cells = (_payoff(results.get((player.name, other.name))) for other in listed)
        grid.add_row(f"{number} {harmless(labels[player.name])}", *cells)
    return grid


def _payoff(payoff: PairResult | None) -> str:
    return f"{100 * payoff.score:.0f}\n{payoff.games}" if payoff else "–"


def _opponents(last: LastOpponents, labels: Mapping[str, str]) -> Table:
    grid = _grid(f"opponents of {last.run} at step {last.step}", ("player", "chance", "expected score"))
    for name, chance in sorted(last.chances.items(), key=lambda item: (-item[1], item[0])):
        grid.add_row(harmless(labels.get(name, name)), f"{chance:.3f}", _number(last.expected.get(name), 3))
    return grid


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"
