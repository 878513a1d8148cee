"""`grandstand tournament`: play a tournament between several players, with a budget, records and a live view."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from grandstand.campaign_events import TOURNAMENT
from grandstand.campaigns.evaluation.report import spent_words, variant
from grandstand.campaigns.tournament.document import document
from grandstand.campaigns.tournament.plan import Format, Goal
from grandstand.campaigns.tournament.run import TournamentEnd, TournamentEstimate, TournamentRefused, TournamentRun
from grandstand.campaigns.tournament.setup import TournamentRequest, TournamentSetup, prepare
from grandstand.commands.console import (
    CONCURRENCY,
    JOBS,
    MAX_FAULTS,
    ON_FAULT,
    PUBLISH_TOKEN,
    RosterOption,
    exit_status,
    game_names,
    harmless,
    match_options,
    refuse,
    rounded,
)
from grandstand.games.base import OptionError
from grandstand.play.ratings.statistics import player_totals
from grandstand.play.writable import check_file, unusable
from grandstand.players.base import OnFault
from grandstand.players.roster_file import RosterError
from grandstand.spectator.bus import Observer
from grandstand.spectator.errors import RecordError

WIDEST = 12
"""The most players of a cross table."""


def tournament(
    source: Annotated[str, typer.Argument(metavar="FILE.toml|GAME", help=f"A plan, or a game: {game_names()}.")],
    players: Annotated[str, typer.Option(help="The players, comma-separated.")] = "",
    format: Annotated[Format | None, typer.Option(help="How players are paired; round-robin by default.")] = None,
    title: Annotated[str | None, typer.Option(help="The title of the tournament.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A match option, name=value or name=@file.json; may be repeated.")
    ] = None,
    pack: Annotated[str | None, typer.Option(help="The situations from which matches begin.")] = None,
    seed: Annotated[int | None, typer.Option(help="The seed from which all others are derived; 0 by default.")] = None,
    matches: Annotated[int | None, typer.Option(min=1, help="Matches, rounded up to whole openings.")] = None,
    until: Annotated[
        float | None, typer.Option(help="End when intervals have this half-width, instead of --matches.")
    ] = None,
    goal: Annotated[Goal | None, typer.Option(help="Whose intervals: of all scores, or of the leader's lead.")] = None,
    max_matches: Annotated[int | None, typer.Option(min=1, help="With --until: the most matches.")] = None,
    on_fault: Annotated[OnFault | None, typer.Option(help=ON_FAULT)] = None,
    max_faults: Annotated[float, typer.Option(min=0, max=1, help=MAX_FAULTS)] = 0.5,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="Token limit of all matches together, checked before every call.")
    ] = None,
    max_dollars: Annotated[float | None, typer.Option(min=0, help="The same in US dollars.")] = None,
    anchors: Annotated[str, typer.Option(help="With --format ladder: players whom a new player meets first.")] = "",
    pilot: Annotated[
        int | None, typer.Option(min=0, help="Matches played before the others' cost is estimated; 4 by default.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Play on if the estimate exceeds the budget.")] = False,
    roster: RosterOption = None,
    records: Annotated[Path | None, typer.Option(help="Folder for the records of all matches.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the tournament in the folder of records.")] = False,
    jobs: Annotated[int, typer.Option(min=0, help=JOBS)] = 0,
    concurrency: Annotated[int, typer.Option(min=0, help=CONCURRENCY)] = 0,
    watch: Annotated[
        str,
        typer.Option(metavar="URL", help=f"A server that shows the tournament live; its token is in {PUBLISH_TOKEN}."),
    ] = "",
    out: Annotated[Path | None, typer.Option(help="File for the full report with every match, as JSON.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report without single matches, as JSON.")] = False,
) -> None:
    """Play a tournament: every player in every seat with the same luck, a table with intervals, and every cost."""
    fields: dict[str, object] = {
        "players": [name.strip() for name in players.split(",") if name.strip()] or None,
        "format": format,
        "title": title,
        "options": match_options(set_) if set_ else None,
        "pack": pack,
        "seed": seed,
        "matches": matches,
        "until": until,
        "goal": goal,
        "max_matches": max_matches,
        "on_fault": on_fault,
        "max_tokens": max_tokens,
        "max_dollars": max_dollars,
        "anchors": [name.strip() for name in anchors.split(",") if name.strip()] or None,
        "pilot": pilot,
    }
    fields = {name: value for name, value in fields.items() if value is not None}
    request = TournamentRequest(source, fields, roster, records, resume, jobs, concurrency)
    try:
        setup = prepare(request)
        if out:
            check_file("out", out)
        with ExitStack() as held:
            ended = _played(setup, resume, watch, held, quiet=as_json, sure=yes)
    except (OptionError, RosterError, RecordError) as error:
        refuse("tournament", str(error), 2, error)
    except OSError as error:
        refuse("tournament", unusable("records", error), 1, error)
    except TournamentRefused as error:
        refuse("tournament", str(error), 1, error)
    whole = document(setup, ended)
    if out:
        out.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    _show(whole, as_json)
    totals = player_totals(result.seats for result in ended.results.values())
    if status := exit_status(ended.stopped, ended.results.values(), totals, max_faults):
        raise typer.Exit(status)


def _played(
    setup: TournamentSetup, resume: bool, watch: str, held: ExitStack, *, quiet: bool, sure: bool
) -> TournamentEnd:
    """Play the tournament with a progress bar unless `quiet`."""
    plan = setup.plan
    budget = plan.budget()
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    run = TournamentRun(setup, budget, resume, held)
    progress = Progress(*columns, console=console, transient=True, disable=quiet)
    bar = progress.add_task(escape(plan.title or plan.game), total=None if plan.endless else run.tournament.planned)
    run.advanced = lambda: progress.update(bar, completed=len(run.results), description=_progress(run))

    def confirm(estimate: TournamentEstimate) -> None:
        progress.stop()
        if not quiet:
            console.print(f"[dim]{escape(_sentence(estimate))}[/dim]", highlight=False)
        if (excess := estimate.excess(budget)) and not sure:
            _ask(excess, quiet)
        progress.start()

    with _viewer(watch, setup) as viewer, progress:
        return run.play(confirm, viewer)


def _ask(excess: str, quiet: bool) -> None:
    """Ask whether to play until the budget is spent. Raises TournamentRefused."""
    if not quiet and sys.stdin.isatty() and typer.confirm(f"{excess}. Play until the budget is spent?", err=True):
        return
    raise TournamentRefused(
        f"the estimate exceeds the budget: {excess}. Plan fewer matches, raise the limit, or continue the same records"
        " with --resume --yes, which stops when the budget is spent"
    )


def _progress(run: TournamentRun) -> str:
    """Return the description of the progress bar: the leader and the spending so far."""
    parts = []
    if run.leader is not None and run.leader.score.mean is not None:
        parts.append(f"{harmless(run.leader.player)} {run.leader.score.mean:.3f}")
    if run.budget.tokens_spent:
        parts.append(f"{run.budget.tokens_spent:,} tokens, ${run.budget.dollars_spent:.4f}")
    return escape("; ".join(parts) or run.setup.plan.game)


def _sentence(estimate: TournamentEstimate) -> str:
    minutes = estimate.seconds / 60
    time = f"{estimate.seconds:.0f} s" if minutes < 2 else f"{minutes:.0f} min"
    cost = f", {estimate.tokens:,} tokens" if estimate.tokens else ""
    cost += f", ${estimate.dollars:.4f}" if estimate.dollars is not None else ""
    return f"estimated from {estimate.played} matches: {estimate.matches} more take about {time}{cost}"


@contextmanager
def _viewer(url: str, setup: TournamentSetup) -> Iterator[Observer | None]:
    """Yield the observer that shows the tournament on a server; None without a server. Raises OptionError."""
    if not url:
        yield None
        return
    from grandstand.trainer.run_publisher import Watch

    token = os.environ.get(PUBLISH_TOKEN, "")
    if not token:
        raise OptionError(f"watch: set {PUBLISH_TOKEN} to the server's publish token")
    folder: Any = nullcontext(setup.records) if setup.records is not None else TemporaryDirectory()
    with folder as place:
        Path(place).mkdir(parents=True, exist_ok=True)
        buffer = Path(place) / "watch.db"
        with Watch(url, token, 0.0, 1.0, 0.0, buffer, setup.plan.seed, run=TOURNAMENT) as shown_there:
            yield shown_there
        if shown_there.trouble:
            Console(stderr=True).print(escape(shown_there.trouble), highlight=False)


def _show(whole: dict[str, Any], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({name: value for name, value in whole.items() if name != "results"}, indent=1))
        return
    console = Console()
    for grid in tables(whole):
        console.print(grid)
    for line in notes(whole):
        console.print(f"  [dim]{escape(line)}[/dim]", highlight=False)


def tables(report: dict[str, Any]) -> list[Grid]:
    """Return the report as tables: the players, who beat whom, and the seats."""
    grids = [_players(report)]
    if len(report["players"]) <= WIDEST:
        grids.append(_cross(report))
    grids.append(_seats(report))
    return grids


def _players(report: dict[str, Any]) -> Grid:
    title = report["title"] or f"{report['game']}: {report['format']}"
    title = f"{title}, {report['played']} matches"
    if not report["complete"] and (report["format"] != "ladder" or report["matches"]):
        title += f" – INCOMPLETE, {report['planned']} planned"
    grid = Grid(title=escape(harmless(title)))
    rows = report["table"]
    paid = any(row["tokens"] for row in rows)
    grid.add_column("player")
    columns = ("counted", "score, 95 %", "rating, 95 %", "wins", "fallback", "faults", "forfeits")
    for column in (*columns, *(("tokens/match", "$/match", "score/$", "s each") if paid else ())):
        grid.add_column(column, justify="right")
    for row in rows:
        cells = [f"{row['counted']}/{row['matches']}", _cell(row["score"], 3), _cell(row["rating"], 0)]
        cells += [str(row["wins"]), f"{row['fallbacks']}/{row['decisions']}"]
        cells += [str(row["faults"]), str(row["forfeits"])]
        if paid:
            cells += [f"{row['tokens_per_match']:,.0f}", rounded(row["dollars_per_match"], 4)]
            cells += [rounded(row["score_per_dollar"], 2), rounded(row["seconds_per_answer"], 2)]
        grid.add_row(escape(harmless(row["player"])), *cells)
    return grid


def _cross(report: dict[str, Any]) -> Grid:
    """Return the shares of comparisons that the player of the row won against that of the column."""
    names = [row["player"] for row in report["table"]]
    pairs = {(pair["a"], pair["b"]): pair for pair in report["cross"]}
    grid = Grid(title="share won against")
    grid.add_column("")
    for name in names:
        grid.add_column(escape(harmless(name)), justify="right")
    for name in names:
        cells = []
        for other in names:
            pair = pairs.get((name, other)) or pairs.get((other, name))
            mean = None if pair is None else pair["share"]["mean"]
            share = mean if pair is None or mean is None or pair["a"] == name else 1 - mean
            cells.append(f"[bold]{share:.3f}[/bold]" if pair and pair["differ"] and share else rounded(share, 3))
        grid.add_row(escape(harmless(name)), *cells)
    return grid


def _seats(report: dict[str, Any]) -> Grid:
    grid = Grid(title="score by seat")
    grid.add_column("")
    seats = list(dict.fromkeys(cell["seat"] for cell in report["seats"]))
    for seat in seats:
        grid.add_column(seat, justify="right")
    cells = {(cell["player"], cell["seat"]): cell["score"]["mean"] for cell in report["seats"]}
    for row in report["table"]:
        name = row["player"]
        grid.add_row(escape(harmless(name)), *(rounded(cells[name, seat], 3) for seat in seats))
    effects = report["seat_effects"]
    if effects:
        grid.add_section()
        grid.add_row("seat, Elo", *(_cell(effects[seat], 0) if seat in effects else "–" for seat in seats))
    return grid


def _cell(interval: dict[str, Any], digits: int) -> str:
    ends = interval["ci95"]
    below = "" if ends is None else f"\n{ends[0]:.{digits}f} to {ends[1]:.{digits}f}"
    return rounded(interval["mean"], digits) + below


def notes(report: dict[str, Any]) -> list[str]:
    """Return notes that explain the tables, one per line."""
    out = [
        report["outcome"],
        "counted: matches in which the player made every decision itself; only they are part of score and rating",
        "below each mean: its 95 % interval over openings, whose matches share their luck"
        + (", true at every look at the results" if report["until"] else ""),
        "bold: the two differ, at 5 % for all pairs together",
        *(f"{name}: {variant(of)}" for name, of in report["models"].items()),
    ]
    if report["stopped"]:
        out.append(f"stopped: {report['stopped']}; what is here is what was played until then")
    if report["spent"]["tokens"]:
        out.append(spent_words(report["spent"]))
    failed = [match for match in report["results"] if match["status"] != "finished"]
    out += [f"match {match['number']} {match['status']}: {harmless(match['message'])}" for match in failed[:5]]
    if len(failed) > 5:
        out.append(f"and {len(failed) - 5} more matches were not played to their end")
    return out
