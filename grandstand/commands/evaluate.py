"""`grandstand eval`: evaluate a player against a reference in the same matches with the same seeds."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from grandstand.campaign_events import EVALUATION
from grandstand.campaigns.campaign import Deadline
from grandstand.campaigns.evaluation.document import document, totals
from grandstand.campaigns.evaluation.plan import (
    EvalRequest,
    open_records,
    plan_of,
)
from grandstand.campaigns.evaluation.report import report
from grandstand.campaigns.evaluation.run import EvaluationRun
from grandstand.campaigns.match_commands import executor_of, runner_of
from grandstand.play.writable import check_file
from grandstand.players.errors import OnFault
from grandstand.players.llm.budget import Budget
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
    match_options,
)
from grandstand.terminal.report_text import in_terminal, print_report
from grandstand.terminal.viewer import WatchOption, viewer


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
    max_tokens: MaxTokens = None,
    max_dollars: MaxDollars = None,
    max_hours: MaxHours = None,
    yes: Sure = False,
    records: Annotated[Path | None, typer.Option(help="Folder for the records of all matches.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the evaluation in the folder of records.")] = False,
    jobs: Jobs = 0,
    concurrency: Concurrency = 0,
    command: Command = "",
    ray: Ray = "",
    watch: WatchOption = "",
    out: Annotated[Path | None, typer.Option(help="File for the full report with every match, as JSON.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Evaluate a player and a reference in the same situations with the same seeds, and report the difference."""
    with refusals("eval", "records"), ExitStack() as held:
        request = EvalRequest(
            game=game,
            player=player,
            against=against,
            reference=reference,
            pack=pack,
            repeats=repeats,
            limit=limit,
            seed=seed,
            options=match_options(set_ or []),
            roster=roster,
            on_fault=on_fault,
            records=records,
            resume=resume,
            jobs=jobs,
            concurrency=concurrency,
            max_tokens=max_tokens,
            max_dollars=max_dollars,
            runner=runner_of(command, ray, records, max_tokens, max_dollars),
        )
        plan = plan_of(request)
        if out:
            check_file("out", out)
        budget = Budget("the evaluation's", max_tokens, max_dollars, patient=True)
        run = EvaluationRun(plan, budget, open_records(plan, resume, held))
        executor = executor_of(plan.workers, budget, Deadline.after(max_hours))
        progress = MatchProgress(f"{player} on {game}", len(plan.matches), quiet=as_json, budget=budget, sure=yes)
        with viewer(watch, records, seed, EVALUATION) as shown_there, progress:
            ended = run.play(executor, (progress,), shown_there)
    whole = document(plan, ended)
    if out:
        out.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    if as_json:
        typer.echo(json.dumps({name: value for name, value in whole.items() if name != "trials"}, indent=1))
    else:
        print_report(Console(), in_terminal(report(whole)))
    if status := exit_status(ended.stopped, ended.results.values(), totals(plan, ended), max_faults):
        raise typer.Exit(status)
