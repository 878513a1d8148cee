"""`grandstand bot`: check a program before it plays for a rating."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from grandstand.commands.bot.exam import ConductCheck, Exam
from grandstand.commands.bot.proxy import proxy
from grandstand.commands.bot.server import CheckedMatch, CheckRefused
from grandstand.games.base import OptionError
from grandstand.games.catalog import FIRST
from grandstand.games.registry import game_spec
from grandstand.terminal.console import game_names, harmless, match_options, refuse

app = typer.Typer(help="Check a program that plays a seat over the API.", no_args_is_help=True, add_completion=False)

TOKEN: Final = "GRANDSTAND_OPERATOR_TOKEN"
QUIET: Final = 3.0
"""Seconds for which a program that was told of the end is watched, where its exit cannot be seen."""
PACE: Final = 0.3
"""Seconds between turns: time to see how the program waits."""


@app.callback()
def bot() -> None:
    """Check a program that plays a seat over the API."""


@app.command()
def check(
    url: Annotated[str, typer.Argument(help="The server, on which you are an operator.")] = "http://127.0.0.1:8000",
    command: Annotated[
        list[str] | None,
        typer.Argument(help="The program with its arguments, after `--`; URL EPISODE SEAT TOKEN are added to them."),
    ] = None,
    game: Annotated[str, typer.Option(help=f"The game: {game_names()}.")] = FIRST,
    seat: Annotated[str, typer.Option(help="The program's seat. [default: the first]")] = "",
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A match option, name=value; may be repeated.")
    ] = None,
    host: Annotated[str, typer.Option(help="The address at which the program finds the check.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port there; 0 takes a free one.")] = 0,
    patience: Annotated[float, typer.Option(min=1, help="Seconds without a request before the check gives up.")] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False,
) -> None:
    """Play a match with the program through a connection that fails, and say what it stands.

    Without a command, the words to start the program with are printed. The match is stopped at the end, and not rated.
    """
    try:
        options = match_options(set_ or [])
        seats = game_spec(game).seats(options)
        if seat and seat not in seats:
            raise OptionError(f"seat: {game} has no seat {seat!r}; there are {', '.join(seats)}")
        with closing(CheckedMatch(url, os.environ.get(TOKEN, ""))) as match:
            request = {"game": game, "options": options, "title": "Check of a program", "pace": PACE}
            exam = Exam(match)
            try:
                match.start(request, seat or seats[0])
                with proxy(exam, host, port) as server:
                    _examine(exam, [server.url, match.episode_id, match.seat, match.token], command or [], patience)
            finally:
                match.end()
    except (OptionError, CheckRefused) as error:
        refuse("bot check", str(error), 2, error)
    except OSError as error:
        refuse("bot check", f"{error.filename or f'{host}:{port}'}: {error.strerror}", 2, error)
    passed = all(item.passed for item in exam.checks.values())
    if as_json:
        typer.echo(
            json.dumps({"passed": passed, "reason": exam.reason, "checks": list(map(_fields, exam.checks.values()))})
        )
    else:
        _print(exam.checks.values(), exam.reason)
    raise typer.Exit(0 if passed else 1)


def _examine(exam: Exam, words: Sequence[str], command: Sequence[str], patience: float) -> None:
    """Start the program, or say how to, and wait until the check is done."""
    if not command:
        print(f"Start the program with: {' '.join(words)}", file=sys.stderr, flush=True)  # noqa: T201
    # What the program prints is not the result, which another program may read.
    process = subprocess.Popen([*command, *words], stdout=sys.stderr) if command else None
    try:
        while not exam.done.wait(0.1):
            if process and process.poll() is not None:
                exam.finish(f"the program ended with status {process.returncode}")
            elif exam.idle > patience:
                exam.finish(f"no request for {patience:g} s")
        exam.conclude(_end(process, patience if exam.ended else 0))
    finally:
        if process and process.poll() is None:
            process.kill()
            process.wait()


def _end(process: subprocess.Popen[bytes] | None, patience: float) -> int | None:
    """Return the exit status of the program, -9 if it does not end; None if it is no child."""
    if process is None:
        time.sleep(min(QUIET, patience))
        return None
    try:
        return process.wait(timeout=patience)
    except subprocess.TimeoutExpired:
        return -9


def _fields(item: ConductCheck) -> dict[str, str | bool | None]:
    return {"name": item.name, "passed": item.passed, "note": item.note, "remedy": item.remedy}


def _print(checks: Iterable[ConductCheck], reason: str) -> None:
    """Print a line for each check, with the remedy of those that did not pass."""
    words = {True: "[green]passed[/green]", False: "[red]failed[/red]", None: "[yellow]not reached[/yellow]"}
    grid = Table(box=None, padding=(0, 2, 0, 0))
    for heading in ("check", "result", "what to do"):
        grid.add_column(heading, header_style="bold")
    for item in checks:
        remark = item.note if item.passed else "; ".join(filter(None, (item.note, item.remedy)))
        grid.add_row(escape(item.name), words[item.passed], escape(harmless(remark)))
    console = Console(highlight=False)
    console.print(grid)
    if reason:
        console.print(escape(harmless(f"The check ended early: {reason}.")))
