"""`grandstand league`: the players of a training league, their results, and the opponents that its runs met last."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grandstand.commands.console import harmless, refuse

if TYPE_CHECKING:
    from rich.table import Table

    from grandstand.trainer.league.report import LastOpponents, LeagueReport, PairResult

WIDEST = 12
"""The most players of a payoff matrix in the terminal."""

NOTES = """comparisons: pairs of seats of two players in a match. rating: in Elo points, with its 95 % interval; bases
have 1500 on average. Nash: share in the equilibrium of greatest entropy, and the expected score against that. alpha:
alpha-rank. Both rest on the payoffs as they are, whatever their uncertainty; pairs that never met score by rating.
"""


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
    yield _players(report)
    if absent := sorted(player.name for player in report.players if not player.games):
        yield f"without results: {harmless(', '.join(absent))}"
    yield NOTES
    yield _payoffs(report)
    yield "score of the row against the column, and comparisons, of which those of a group are not independent.\n"
    for last in report.opponents:
        yield _opponents(last)


def _grid(title: str, columns: Sequence[str]) -> Table:
    """Return an empty table; all columns but the first are numbers."""
    from rich.table import Table

    grid = Table(title=harmless(title), title_justify="left")
    for number, name in enumerate(columns):
        grid.add_column(harmless(name), justify="right" if number else "left", no_wrap=not number, overflow="fold")
    return grid


def _players(report: LeagueReport) -> Table:
    title = f"{report.game} {report.options}: {report.matches} matches"
    columns = ("player", "kind", "role", "from", "comparisons", "rating", "95 %", "Nash", "against it", "alpha")
    grid = _grid(title, columns)
    for player in (player for player in report.players if player.games):
        interval = "" if player.low is None or player.high is None else f"{player.low:.0f} to {player.high:.0f}"
        kind = f"{player.kind}, for ever" if player.landmark else player.kind
        figures = (_number(player.nash, 3), _number(player.against_nash, 3), _number(player.alpha, 3))
        cells = (player.name, kind, player.role.replace("_", " "), player.parent, str(player.games))
        grid.add_row(*map(harmless, cells), _number(player.rating, 0), interval, *figures)
    return grid


def _payoffs(report: LeagueReport) -> Table:
    """Return the payoff matrix; of many players those with the greatest shares in the Nash average, then the best."""
    met = [player for player in report.players if player.games]
    chosen = sorted(met, key=lambda player: -(player.nash or 0.0))[:WIDEST]
    listed = [player for player in met if player in chosen]
    results = {(payoff.player, payoff.opponent): payoff for payoff in report.payoffs}
    numbers = range(1, len(listed) + 1)
    grid = _grid(f"payoffs of {len(listed)} of {len(met)} players", ("player", *map(str, numbers)))
    for number, player in zip(numbers, listed, strict=True):
        cells = (_payoff(results.get((player.name, other.name))) for other in listed)
        grid.add_row(f"{number} {harmless(player.name)}", *cells)
    return grid


def _payoff(payoff: PairResult | None) -> str:
    return f"{payoff.score:.2f}\n({payoff.games})" if payoff else "–"


def _opponents(last: LastOpponents) -> Table:
    grid = _grid(f"opponents of {last.run} at step {last.step}", ("player", "chance", "expected score"))
    for name, chance in sorted(last.chances.items(), key=lambda item: (-item[1], item[0])):
        grid.add_row(harmless(name), f"{chance:.3f}", _number(last.expected.get(name), 3))
    return grid


def _number(value: float | None, digits: int) -> str:
    return "" if value is None else f"{value:.{digits}f}"
