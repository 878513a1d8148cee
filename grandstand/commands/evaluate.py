"""`grandstand eval`: how good a player is, measured against a reference under the same luck."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grandstand.commands.evaluation_plan import EvalPlan, EvalRequest, Kept, Side, open_records, plan_of
from grandstand.commands.evaluation_report import Ended, grid, notes, report, totals
from grandstand.commands.play import CONCURRENCY, JOBS, MAX_FAULTS, ON_FAULT, exit_status
from grandstand.commands.running import play_all
from grandstand.games.base import OptionError
from grandstand.play.headless import MatchResult, OnFault
from grandstand.players.llm.budget import Budget
from grandstand.players.roster_file import RosterError


def evaluate(
    game: Annotated[str, typer.Argument(help="The game: cricket, diplomacy.")],
    player: Annotated[str, typer.Option(help="Who is evaluated: a built-in player or one of the roster.")],
    against: Annotated[str, typer.Option(help="Who sits in all other seats; the reference by default.")] = "",
    reference: Annotated[
        str, typer.Option(help="Who plays the same matches in the player's place, for comparison.")
    ] = "",
    pack: Annotated[str, typer.Option(help="The situations; `start` is whole matches, every seat in turn.")] = "",
    repeats: Annotated[int, typer.Option(min=1, help="Matches from each situation, each under its own luck.")] = 1,
    limit: Annotated[int, typer.Option(min=0, help="At most so many situations; 0 is all of them.")] = 0,
    seed: Annotated[int, typer.Option(help="What all luck is drawn from.")] = 0,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A match option, name=value; may be repeated.")
    ] = None,
    roster: Annotated[Path | None, typer.Option(help="The roster file; the built-in one by default.")] = None,
    on_fault: Annotated[OnFault, typer.Option(help=ON_FAULT)] = "fallback",
    max_faults: Annotated[float, typer.Option(min=0, max=1, help=MAX_FAULTS)] = 0.5,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="What all matches may spend together; checked before every call.")
    ] = None,
    max_dollars: Annotated[float | None, typer.Option(min=0, help="The same in US dollars.")] = None,
    records: Annotated[Path | None, typer.Option(help="Folder that keeps every match's record.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with what the folder of records holds.")] = False,
    jobs: Annotated[int, typer.Option(min=0, help=JOBS)] = 0,
    concurrency: Annotated[int, typer.Option(min=0, help=CONCURRENCY)] = 0,
    out: Annotated[Path | None, typer.Option(help="File for the whole report, every match in it, as JSON.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Evaluate a player: the same situations and the same luck for it and for a reference, and the difference."""
    request = EvalRequest(
        game=game,
        player=player,
        against=against,
        reference=reference,
        pack=pack,
        repeats=repeats,
        limit=limit,
        seed=seed,
        settings=set_ or [],
        roster=roster,
        on_fault=on_fault,
        records=records,
        resume=resume,
        jobs=jobs,
        concurrency=concurrency,
        max_tokens=max_tokens,
        max_dollars=max_dollars,
    )
    try:
        plan = plan_of(request)
        kept = open_records(plan, resume)
        if out:
            out.parent.mkdir(parents=True, exist_ok=True)
    except (OptionError, RosterError, OSError) as error:
        Console(stderr=True).print(f"[red]grandstand eval:[/red] {escape(str(error))}", highlight=False)
        raise typer.Exit(2) from error
    ended = run(plan, kept, Budget("the evaluation's", max_tokens, max_dollars, patient=True), quiet=as_json)
    whole = report(plan, ended)
    if out:
        out.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    if as_json:
        typer.echo(json.dumps({name: value for name, value in whole.items() if name != "trials"}, indent=1))
    else:
        console = Console()
        console.print(grid(whole))
        for line in notes(whole):
            console.print(f"  [dim]{escape(line)}[/dim]", highlight=False)
    if status := exit_status(ended.stopped, ended.results.values(), totals(plan, ended), max_faults):
        raise typer.Exit(status)


def run(plan: EvalPlan, kept: Kept, budget: Budget, quiet: bool = False) -> Ended:
    """Play what is not kept already, with a progress bar unless `quiet`."""
    began = time.perf_counter()
    results: dict[tuple[Side, int], MatchResult] = dict(kept.results)
    left = [key for key in plan.matches if key not in results]
    spent = kept.spent
    budget.book(spent.tokens_in + spent.tokens_out, spent.dollars or 0.0)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as progress:
        title = escape(f"{plan.player} on {plan.game}/{plan.pack}")
        bar = progress.add_task(title, total=len(plan.matches), completed=len(results))

        def done(number: int, result: MatchResult) -> None:
            results[left[number]] = result
            progress.advance(bar)

        stopped = play_all([plan.matches[key] for key in left], plan.workers, done, budget)
    in_order = {key: results[key] for key in plan.matches if key in results}
    return Ended(in_order, stopped, time.perf_counter() - began, budget)
