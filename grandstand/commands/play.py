"""`grandstand play`: play headless matches at full speed, one record file each."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from grandstand.campaign_events import SERIES
from grandstand.campaigns.campaign import Deadline
from grandstand.campaigns.match_commands import executor_of, read_match, runner_of
from grandstand.campaigns.match_executor import Workers
from grandstand.campaigns.match_folder import abandoned, hold_folder, settle_parts
from grandstand.campaigns.seating import check_limits, check_seats
from grandstand.campaigns.series.document import EndedSeries, document
from grandstand.campaigns.series.report import report
from grandstand.campaigns.series.run import SeriesRun
from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.games.spec import game_options
from grandstand.play.headless import MatchPlan
from grandstand.play.ratings.seat_records import Spent
from grandstand.play.writable import check_folder
from grandstand.players.errors import OnFault
from grandstand.players.llm.budget import Budget
from grandstand.players.roster import roster_of
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
    player_names,
)
from grandstand.terminal.report_text import in_terminal, print_report
from grandstand.terminal.viewer import WatchOption, viewer


@dataclass(frozen=True)
class PlayRequest:
    """The options of the command line."""

    game: str
    players: str
    matches: int
    seed: int
    out: Path | None
    format: str
    settings: Sequence[str]
    roster: Path | None
    rotate: bool
    on_fault: OnFault
    jobs: int
    concurrency: int
    max_tokens: int | None
    max_dollars: float | None
    max_hours: float | None
    sure: bool
    command: str
    ray: str
    resume: bool
    watch: str


def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME|MATCH.json", help=f"The game: {game_names()}. A file describes a single match to a command."
        ),
    ],
    players: Annotated[
        str, typer.Option(help="One player for every seat, or one for each seat, comma-separated.")
    ] = "",
    matches: Annotated[int, typer.Option(min=1, help="The number of matches.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the first match; each further match has the next number.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Folder for the records; by default none are written.")] = None,
    format: Annotated[
        str,
        typer.Option(help="jsonl (the whole record), or a format of the game, as `grandstand list games` lists them."),
    ] = "jsonl",
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A match option, name=value or name=@file.json; may be repeated.")
    ] = None,
    roster: RosterOption = None,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Move every player on by a seat from match to match.")
    ] = False,
    on_fault: Annotated[OnFault, typer.Option(help=ON_FAULT)] = "fallback",
    max_faults: Annotated[float, typer.Option(min=0, max=1, help=MAX_FAULTS)] = 0.5,
    max_tokens: MaxTokens = None,
    max_dollars: MaxDollars = None,
    max_hours: MaxHours = None,
    yes: Sure = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Play only the matches whose records are not in the folder yet.")
    ] = False,
    jobs: Jobs = 0,
    concurrency: Concurrency = 0,
    command: Command = "",
    ray: Ray = "",
    watch: WatchOption = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Play matches without a server, between built-in players and those of the roster, and summarize the results.

    A `person` plays at this terminal: the choices are asked for one by one.
    """
    request = PlayRequest(
        game,
        players,
        matches,
        seed,
        out,
        format,
        set_ or [],
        roster,
        rotate,
        on_fault,
        jobs,
        concurrency,
        max_tokens,
        max_dollars,
        max_hours,
        yes,
        command,
        ray,
        resume,
        watch,
    )
    with refusals("play", "out"):
        ended = run(request, quiet=as_json)
    whole = document(ended)
    if as_json:
        typer.echo(json.dumps(whole, indent=2))
    else:
        print_report(Console(), in_terminal(report(whole)))
    if status := exit_status(ended.stopped, ended.results, ended.totals, max_faults):
        raise typer.Exit(status)


def run(request: PlayRequest, *, quiet: bool) -> EndedSeries:
    """Play the matches, and show the progress unless `quiet`. Raises OptionError, RosterError or CampaignRefused."""
    with ExitStack() as held:
        plans, workers, people = prepare(request)
        budget = Budget("the matches'", request.max_tokens, request.max_dollars, patient=True)
        series = SeriesRun(plans, workers, budget, open_folder(request, plans, held))
        executor = executor_of(workers, budget, Deadline.after(request.max_hours))
        progress = MatchProgress(plans[0].game, len(plans), quiet=quiet or people, budget=budget, sure=request.sure)
        with viewer(request.watch, request.out, request.seed, SERIES) as shown_there, progress:
            return series.play(executor, (progress,), shown_there)


def prepare(request: PlayRequest) -> tuple[list[MatchPlan], Workers, bool]:
    """Return the matches to play, the workers, and whether people play here. Raises OptionError or RosterError."""
    if Path(request.game).suffix == ".json":
        return [_described(request)], Workers(1, 1), False
    spec = game_spec(request.game)
    options = match_options(request.settings)
    game_options(spec, options)
    seats = spec.seats(options)
    if request.format != "jsonl" and request.format not in spec.exchange.exports:
        formats = ", ".join(("jsonl", *spec.exchange.exports))
        raise OptionError(f"format: {request.game} has no {request.format!r}; there are {formats}")
    names = tuple(player_names(spec, request.players, seats))
    seated = check_seats(roster_of(request.roster), spec, list(zip(seats, names, strict=True)), people=True)
    calls = {player.name for player in seated if player.calls_provider}
    check_limits(roster_of(request.roster), calls, request.max_tokens, request.max_dollars)
    first = MatchPlan(
        episode_id="",
        game=spec.name,
        players=names,
        options=options,
        seed=request.seed,
        roster=request.roster,
        folder=request.out,
        format=request.format,
        on_fault=request.on_fault,
    )
    plans = []
    for number in range(request.matches):
        shift = number % len(names) if request.rotate else 0
        seed = request.seed + number
        players = (*names[len(names) - shift :], *names[: len(names) - shift])
        plans.append(replace(first, episode_id=f"{spec.name}-{seed}", seed=seed, players=players))
    if any(player.kind == "human" for player in seated):
        if max(request.jobs, request.concurrency) > 1:
            raise OptionError("jobs: a person here plays one match after the other; leave it out, and concurrency")
        if request.command or request.ray:
            name = "command" if request.command else "ray"
            raise OptionError(f"{name}: a person plays at this terminal; leave it out")
        return plans, Workers(1, 1), True
    runner = runner_of(request.command, request.ray, request.out, request.max_tokens, request.max_dollars)
    return plans, Workers.of(bool(calls), request.jobs, request.concurrency, runner), False


def _described(request: PlayRequest) -> MatchPlan:
    """Return the match that a file describes. Raises OptionError, also for an option that the file decides."""
    file = Path(request.game)
    given = {
        "players": request.players,
        "matches": request.matches != 1,
        "seed": request.seed,
        "out": request.out,
        "format": request.format != "jsonl",
        "set": request.settings,
        "rotate": request.rotate,
        "command": request.command,
        "ray": request.ray,
        "watch": request.watch,
    }
    if names := [name for name, value in given.items() if value]:
        raise OptionError(f"{names[0]}: {file} describes the whole match; leave it out")
    return read_match(file)


def open_folder(request: PlayRequest, matches: Sequence[MatchPlan], held: ExitStack) -> Spent:
    """Create or open the folder of the records, and return what was spent on matches that were abandoned.

    No other process uses it until `held` is closed. Raises OptionError if a record would replace an earlier one.
    """
    folder = request.out
    if folder is None:
        if request.resume:
            raise OptionError("resume: set --out to the folder of the matches to resume")
        return Spent()
    if request.resume and request.format != "jsonl":
        raise OptionError("resume: results can be read from records of the format 'jsonl' alone; leave --format out")
    check_folder("out", folder)
    hold_folder(folder, "matches", held)
    settle_parts(folder)
    for match in matches:
        if not request.resume and match.file and match.file.exists():
            raise OptionError(
                f"out: {match.file} exists already; go on with --resume, or name another folder, or other seeds with"
                " --seed"
            )
    return abandoned(folder, matches)
