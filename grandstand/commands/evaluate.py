"""`grandstand eval`: evaluate a player against a reference in the same matches with the same seeds."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grandstand.commands.console import RosterOption, check_file, game_names, refuse, unusable
from grandstand.commands.evaluation_plan import EvalPlan, EvalRequest, Side, StoredRecords, open_records, plan_of
from grandstand.commands.evaluation_report import Ended, grid, notes, report, totals
from grandstand.commands.play import CONCURRENCY, JOBS, MAX_FAULTS, ON_FAULT, exit_status
from grandstand.commands.running import play_all
from grandstand.games.base import OptionError
from grandstand.play.headless import MatchResult, OnFault
from grandstand.players.llm.budget import Budget
from grandstand.players.roster_file import RosterError


def evaluate(
    game: Annotated[str, typer.Argument(help=f"The game: {game_names()}.")],
    player: Annotated[str, typer.Option(help="The evaluated player: a built-in one or one of the roster.")],
    against: Annotated[str, typer.Option(help="The player in all other seats; by default the reference.")] = "",
    reference: Annotated[
        str, typer.Option(help="The player that plays the same matches in the player's seat, for comparison.")
    ] = "",
    pack: Annotated[str, typer.Option(help="The situations; `start` is whole matches, every seat in turn.")] = "",
    repeats: Annotated[int, typer.Option(min=1, help="Matches from each situation, each with its own seed.")] = 1,
    limit: Annotated[int, typer.Option(min=0, help="Maximum number of situations; 0 for all.")] = 0,
    seed: Annotated[int, typer.Option(help="The seed from which all others are derived.")] = 0,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A match option, name=value or name=@file.json; may be repeated.")
    ] = None,
    roster: RosterOption = None,
    on_fault: Annotated[OnFault, typer.Option(help=ON_FAULT)] = "fallback",
    max_faults: Annotated[float, typer.Option(min=0, max=1, help=MAX_FAULTS)] = 0.5,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="Token limit of all matches together, checked before every call.")
    ] = None,
    max_dollars: Annotated[float | None, typer.Option(min=0, help="The same in US dollars.")] = None,
    records: Annotated[Path | None, typer.Option(help="Folder for the records of all matches.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the evaluation in the folder of records.")] = False,
    jobs: Annotated[int, typer.Option(min=0, help=JOBS)] = 0,
    concurrency: Annotated[int, typer.Option(min=0, help=CONCURRENCY)] = 0,
    out: Annotated[Path | None, typer.Option(help="File for the full report with every match, as JSON.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Evaluate a player and a reference in the same situations with the same seeds, and report the difference."""
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
    with ExitStack() as held:
        try:
            plan = plan_of(request)
            stored = open_records(plan, resume, held)
            if out:
                check_file("out", out)
        except (OptionError, RosterError) as error:
            refuse("eval", str(error), 2, error)
        budget = Budget("the evaluation's", max_tokens, max_dollars, patient=True)
        try:
            ended = run(plan, stored, budget, quiet=as_json)
        except OSError as error:
            refuse("eval", unusable("records", error), 1, error)
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


def run(plan: EvalPlan, stored: StoredRecords, budget: Budget, quiet: bool = False) -> Ended:
    """Play the matches that are not stored already, with a progress bar unless `quiet`."""
    began = time.perf_counter()
    results: dict[tuple[Side, int], MatchResult] = dict(stored.results)
    left = [key for key in plan.matches if key not in results]
    spent = stored.spent
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
