"""`grandstand tournament`: play a tournament between several players, with a budget, records and a live view."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape

from grandstand.campaign_events import TOURNAMENT
from grandstand.campaigns.campaign import Deadline
from grandstand.campaigns.evaluation.report import spent_words, variant
from grandstand.campaigns.match_commands import executor_of
from grandstand.campaigns.tournament.document import document
from grandstand.campaigns.tournament.episode import TournamentState, report
from grandstand.campaigns.tournament.plan import Format, Goal
from grandstand.campaigns.tournament.run import TournamentEnd, TournamentRun
from grandstand.campaigns.tournament.setup import TournamentRequest, prepare
from grandstand.play.ratings.seat_records import player_totals
from grandstand.play.writable import check_file
from grandstand.players.errors import OnFault
from grandstand.terminal.campaign_progress import MatchProgress, refusals
from grandstand.terminal.console import (
    MAX_FAULTS,
    ON_FAULT,
    Command,
    Concurrency,
    Jobs,
    MaxDollars,
    MaxHours,
    MaxTokens,
    Ray,
    RosterOption,
    Sure,
    exit_status,
    game_names,
    harmless,
    match_options,
)
from grandstand.terminal.report_text import in_terminal, print_report
from grandstand.terminal.viewer import WatchOption, viewer


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
    max_tokens: MaxTokens = None,
    max_dollars: MaxDollars = None,
    max_hours: MaxHours = None,
    anchors: Annotated[str, typer.Option(help="With --format ladder: players whom a new player meets first.")] = "",
    pilot: Annotated[
        int | None, typer.Option(min=0, help="Matches played before the others' cost is estimated; 4 by default.")
    ] = None,
    yes: Sure = False,
    roster: RosterOption = None,
    records: Annotated[Path | None, typer.Option(help="Folder for the records of all matches.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the tournament in the folder of records.")] = False,
    jobs: Jobs = 0,
    concurrency: Concurrency = 0,
    command: Command = "",
    ray: Ray = "",
    watch: WatchOption = "",
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
    request = TournamentRequest(source, fields, roster, records, resume, jobs, concurrency, command, ray)
    with refusals("tournament", "records"), ExitStack() as held:
        setup = prepare(request)
        if out:
            check_file("out", out)
        run = TournamentRun(setup, setup.plan.budget(), resume, held)
        ended = _played(run, watch, Deadline.after(max_hours), quiet=as_json, sure=yes)
    whole = document(setup, ended)
    if out:
        out.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    _show(ended, whole, as_json)
    totals = player_totals(result.seats for result in ended.results.values())
    if status := exit_status(ended.stopped, ended.results.values(), totals, max_faults):
        raise typer.Exit(status)


def _played(run: TournamentRun, watch: str, deadline: Deadline, *, quiet: bool, sure: bool) -> TournamentEnd:
    """Play the tournament, and show its progress unless `quiet`."""
    plan = run.setup.plan
    total = None if plan.endless else run.tournament.planned
    progress = MatchProgress(
        plan.title or plan.game, total, quiet=quiet, now=lambda: _figures(run), budget=run.budget, sure=sure
    )
    executor = executor_of(run.setup.workers, run.budget, deadline)
    with viewer(watch, run.setup.records, plan.seed, TOURNAMENT) as shown_there, progress:
        return run.play(executor, (progress,), shown_there)


def _figures(run: TournamentRun) -> str:
    """Return the leader and the spending so far."""
    parts = []
    if run.leader is not None and run.leader.score.mean is not None:
        parts.append(f"{run.leader.player} {run.leader.score.mean:.3f}")
    if run.budget.tokens_spent:
        parts.append(f"{run.budget.tokens_spent:,} tokens, ${run.budget.dollars_spent:.4f}")
    return "; ".join(parts)


def _show(ended: TournamentEnd, whole: dict[str, Any], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({name: value for name, value in whole.items() if name != "results"}, indent=1))
        return
    console = Console()
    title = whole["title"] or f"{whole['game']}: {whole['format']}"
    console.print(f"[bold]{escape(harmless(title))}[/bold]", highlight=False)
    end = "" if ended.stopped is None else ended.stopped.why
    print_report(console, in_terminal(report(ended.tournament, TournamentState({}, end, ended.seconds))))
    for line in notes(whole):
        console.print(f"[dim]{escape(line)}[/dim]", highlight=False)


def notes(whole: dict[str, Any]) -> list[str]:
    """Return notes beyond the report: the settings of models, and the budget's spending."""
    out = [f"{name}: {variant(of)}" for name, of in whole["models"].items()]
    if whole["spent"]["tokens"]:
        out.append(spent_words(whole["spent"]))
    return out
