"""`grandstand eval`: how good a player is, measured against a reference under the same luck."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from games.base import GameSpec, OptionError
from games.registry import game_spec
from grandstand.play import setting
from players.evaluation import (
    Interval,
    Showing,
    Trial,
    check_players,
    compared,
    play_trial,
    trials_of,
)
from players.roster_file import RosterError

START = "start"
"""The pack that is none: whole matches, every seat in turn."""


@dataclass(frozen=True)
class Plan:
    """What is to be played, and what to say of it."""

    game: str
    player: str
    against: str
    reference: str
    pack: str
    options: dict[str, Any]
    seed: int
    repeats: int
    trials: list[Trial]


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
    jobs: Annotated[int, typer.Option(min=0, help="Matches at a time; 0 is one per core.")] = 0,
    out: Annotated[Path | None, typer.Option(help="File for the whole report, every match in it, as JSON.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Evaluate a player: the same situations and the same luck for it and for a reference, and the difference."""
    try:
        plan = _plan(game, player, against, reference, pack, repeats, limit, seed, set_ or [], roster)
        if out:
            out.parent.mkdir(parents=True, exist_ok=True)
    except (OptionError, RosterError, OSError) as error:
        Console(stderr=True).print(f"[red]grandstand eval:[/red] {error}", highlight=False)
        raise typer.Exit(2) from error
    report = run(plan, jobs or os.cpu_count() or 1, quiet=as_json)
    if out:
        out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if as_json:
        typer.echo(json.dumps({name: value for name, value in report.items() if name != "trials"}, indent=1))
    else:
        console = Console()
        console.print(grid(report))
        for line in notes(report):
            console.print(f"  [dim]{escape(line)}[/dim]", highlight=False)


def _plan(
    game: str,
    player: str,
    against: str,
    reference: str,
    pack: str,
    repeats: int,
    limit: int,
    seed: int,
    settings: Sequence[str],
    roster: Path | None,
) -> Plan:
    spec = game_spec(game)
    options = dict(map(setting, settings))
    comparison = spec.comparison
    reference = reference or (comparison.reference if comparison else next(iter(spec.bots)))
    against = against or reference
    pack = pack or next(iter(spec.tasks), START)
    check_players(spec, (player, against, reference), roster)
    trials = trials_of(
        spec,
        "" if pack == START else pack,
        options,
        (player, against),
        repeats=repeats,
        limit=limit,
        seed=seed,
        roster=roster,
    )
    return Plan(game, player, against, reference, pack, options, seed, repeats, trials)


def run(plan: Plan, jobs: int, quiet: bool = False) -> dict[str, Any]:
    """Play it all, with a progress bar unless `quiet`, and report: a JSON document."""
    began = time.perf_counter()
    same = plan.player == plan.reference
    work = plan.trials if same else plan.trials + [replace(trial, player=plan.reference) for trial in plan.trials]
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    showings = []
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as progress:
        bar = progress.add_task(f"{plan.player} on {plan.game}/{plan.pack}", total=len(work))
        for showing in _play_all(work, jobs):
            showings.append(showing)
            progress.advance(bar)
    player, reference = showings[: len(plan.trials)], showings[-len(plan.trials) :]
    return _report(plan, player, reference, time.perf_counter() - began)


def _play_all(work: Sequence[Trial], jobs: int) -> Iterator[Showing]:
    if jobs == 1 or len(work) == 1:
        yield from map(play_trial, work)
        return
    with ProcessPoolExecutor(min(jobs, len(work))) as pool:
        yield from pool.map(play_trial, work)


def _report(plan: Plan, player: Sequence[Showing], reference: Sequence[Showing], seconds: float) -> dict[str, Any]:
    spec = game_spec(plan.game)
    measures = compared(plan.trials, player, reference)
    return {
        "game": plan.game,
        "player": plan.player,
        "against": plan.against,
        "reference": plan.reference,
        "pack": {"name": plan.pack, **_quoted(spec, plan.pack)},
        "options": plan.options,
        "seed": plan.seed,
        "repeats": plan.repeats,
        "units": len({trial.unit for trial in plan.trials}),
        "matches": len(plan.trials),
        "seconds": round(seconds, 2),
        "choices": _counted(player, reference, "choices"),
        "faults": _counted(player, reference, "faults"),
        "measures": {
            name: {who: _rounded(interval) for who, interval in row.items()} for name, row in measures.items()
        },
        "trials": [
            {"task": t.task.id, "seat": t.task.seat, "seed": t.seed, "player": asdict(a), "reference": asdict(b)}
            for t, a, b in zip(plan.trials, player, reference, strict=True)
        ],
    }


def _quoted(spec: GameSpec, pack: str) -> dict[str, Any]:
    return spec.comparison.quoted(pack) if spec.comparison and pack != START else {}


def _counted(player: Sequence[Showing], reference: Sequence[Showing], name: str) -> dict[str, int]:
    sides = {"player": player, "reference": reference}
    return {who: sum(getattr(showing, name) for showing in showings) for who, showings in sides.items()}


def _rounded(interval: Interval) -> dict[str, float | None]:
    return {"mean": round(interval.mean, 5), "ci95": None if interval.half is None else round(interval.half, 5)}


def grid(report: dict[str, Any]) -> Grid:
    """The report as a table; differences beyond their interval stand out."""
    pack = report["pack"]
    version = f" v{pack['version']} {pack['digest']}" if "digest" in pack else ""
    grid = Grid(title=f"{report['player']} on {report['game']}/{pack['name']}{version}: {report['matches']} matches")
    for column in ("", report["player"], f"{report['reference']}, same luck", "difference"):
        grid.add_column(column, justify="left" if not column else "right")
    for name, row in report["measures"].items():
        cells = [_cell(row[who]) for who in ("player", "reference", "difference")]
        sure = row["difference"]["ci95"] is not None and abs(row["difference"]["mean"]) > row["difference"]["ci95"]
        grid.add_row(name.replace("_", " "), *cells[:2], f"[bold]{cells[2]}[/bold]" if sure else cells[2])
    return grid


def _cell(interval: dict[str, float | None]) -> str:
    mean, half = interval["mean"], interval["ci95"]
    assert mean is not None
    digits = 1 if max(abs(mean), half or 0.0) > 2 else 4
    return f"{mean:+.{digits}f}" + ("" if half is None else f" ± {half:.{digits}f}")


def notes(report: dict[str, Any]) -> list[str]:
    """How to read the table, a line each."""
    spec, faults = game_spec(report["game"]), report["faults"]
    units = "matches" if report["pack"]["name"] == START else "situations"
    out = [f"{report['against']} in the other seats; ± is the 95 % interval over {report['units']} {units}"]
    if any(faults.values()):
        out.append(f"faults, played by the fallback: player {faults['player']}, reference {faults['reference']}")
    if spec.comparison is not None:
        meanings = spec.comparison.meanings.items()
        out += [f"{name.replace('_', ' ')}: {text}" for name, text in meanings if name in report["measures"]]
    return out
