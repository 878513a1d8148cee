"""`grandstand play`: headless matches as fast as they go, one file each."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table as Grid

from games.base import GameSpec, OptionError
from games.match import Match, game_options
from games.registry import game_spec
from models import EpisodeSummary, Event
from players.roster import roster_of
from players.roster_file import RosterError
from players.seated import SeatedPlayer
from players.table import Table
from spectator.bus import Bus
from spectator.replay import to_lines
from spectator.summary import fold
from spectator.viewpoint import OPERATOR


@dataclass(frozen=True)
class Job:
    """One match to play and where its record goes."""

    game: str
    players: tuple[str, ...]
    options: dict[str, Any]
    seed: int
    out: Path | None
    format: str
    roster: Path | None


@dataclass(frozen=True)
class Played:
    """How one match went."""

    seed: int
    file: str | None
    status: str
    reason: str
    winners: list[str]
    scores: dict[str, float]
    events: int


def play(
    game: Annotated[str, typer.Argument(help="The game: diplomacy, cricket.")],
    players: Annotated[
        str, typer.Option(help="One player for every seat, or one for each seat, comma-separated.")
    ] = "",
    matches: Annotated[int, typer.Option(min=1, help="How many matches.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the first match; the next ones follow it.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Folder for the records; none are written without it.")] = None,
    format: Annotated[
        str, typer.Option(help="jsonl (our record), or a format of the game: saved-game, cricsheet.")
    ] = "jsonl",
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A match option, name=value; may be repeated.")
    ] = None,
    roster: Annotated[Path | None, typer.Option(help="The roster file; the built-in one by default.")] = None,
    jobs: Annotated[int, typer.Option(min=0, help="Processes; 0 is one per core.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Play matches between built-in players without a server and sum up how they went."""
    try:
        work = _jobs(game, players, matches, seed, out, format, set_ or [], roster)
        if out:
            out.mkdir(parents=True, exist_ok=True)
    except (OptionError, RosterError, OSError) as error:
        Console(stderr=True).print(f"[red]grandstand play:[/red] {error}", highlight=False)
        raise typer.Exit(2) from error
    began = time.perf_counter()
    results = []
    with Progress(console=Console(stderr=True), transient=True, disable=as_json) as progress:
        for result in progress.track(_play_all(work, jobs or os.cpu_count() or 1), total=matches, description=game):
            results.append(result)
    summary = _summary(work[0], results, time.perf_counter() - began)
    if as_json:
        typer.echo(json.dumps(summary, indent=2))
    else:
        Console().print(_grid(summary))


def _jobs(
    game: str,
    players: str,
    matches: int,
    seed: int,
    out: Path | None,
    format: str,
    settings: Sequence[str],
    roster: Path | None,
) -> list[Job]:
    spec = game_spec(game)
    options = dict(map(setting, settings))
    game_options(spec, options)
    if format != "jsonl" and format not in spec.exports:
        raise OptionError(f"format: {game} has no {format!r}; there are jsonl, {', '.join(spec.exports)}")
    names = tuple(_names(spec, players))
    seating = roster_of(roster).episode(spec)
    for seat, name in zip(spec.seats, names, strict=True):
        if isinstance(seating.player(name, seat), SeatedPlayer):
            raise OptionError(f"players.{seat}: {name} is played from outside, and nobody can answer without a server")
    return [Job(game, names, options, seed + number, out, format, roster) for number in range(matches)]


def _names(spec: GameSpec, players: str) -> list[str]:
    names = [name.strip() for name in players.split(",") if name.strip()] or [next(iter(spec.bots))]
    if len(names) == 1:
        names *= len(spec.seats)
    if len(names) != len(spec.seats):
        raise OptionError(
            f"players: {len(names)} named for {len(spec.seats)} seats ({', '.join(spec.seats)}); name one, or one each"
        )
    return names


def setting(text: str) -> tuple[str, Any]:
    """A match option from `name=value`, the value JSON or a word. Raises OptionError."""
    name, separator, value = text.partition("=")
    if not separator:
        raise OptionError(f"set: {text!r} is not name=value")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def _play_all(work: Sequence[Job], jobs: int) -> Iterator[Played]:
    if jobs == 1 or len(work) == 1:
        yield from map(play_one, work)
        return
    with ProcessPoolExecutor(min(jobs, len(work))) as pool:
        yield from pool.map(play_one, work, chunksize=max(1, min(32, len(work) // (jobs * 4))))


class Log:
    """Keeps the events of one match in memory: the recorder of a match that has no store."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def on_events(self, events: Sequence[Event]) -> None:
        self.events += events


def play_one(job: Job) -> Played:
    """Play one match to its end and write its record."""
    spec = game_spec(job.game)
    seating = roster_of(job.roster).episode(spec)
    players = {seat: seating.player(name, seat) for seat, name in zip(spec.seats, job.players, strict=True)}
    table = Table(Match(spec, job.options, job.seed), players)
    log = Log()
    bus = Bus(log)
    episode_id = f"{job.game}-{job.seed}"
    bus.open(episode_id, 0)
    asyncio.run(_play(table, bus, episode_id, job))
    summary = _fold(log.events)
    file = _write(job, spec, log.events, summary) if job.out else None
    outcome = summary.outcome
    return Played(
        seed=job.seed,
        file=str(file) if file else None,
        status=summary.status,
        reason=outcome.reason if outcome else "",
        winners=outcome.winners if outcome else [],
        scores=summary.scores,
        events=len(log.events),
    )


async def _play(table: Table, bus: Bus, episode_id: str, job: Job) -> None:
    created = table.created(job.options, title=f"{job.game} {job.seed}", origin="cli")
    bus.publish(episode_id, [*created, *table.started()])
    while not table.match.over:
        async for drafts in table.play_round():
            bus.publish(episode_id, drafts)


def _fold(events: Sequence[Event]) -> EpisodeSummary:
    summary = fold(None, events[0])
    for event in events[1:]:
        summary = fold(summary, event)
    return summary


def _write(job: Job, spec: GameSpec, events: Sequence[Event], summary: EpisodeSummary) -> Path:
    assert job.out is not None
    if job.format == "jsonl":
        file = job.out / f"{summary.episode_id}.jsonl"
        file.write_text("".join(to_lines(events, OPERATOR)), encoding="utf-8")
        return file
    public = [(event.type, event.data) for event in events if event.audience == "public"]
    file = job.out / f"{summary.episode_id}.json"
    document = spec.exports[job.format](public, summary.model_dump(mode="json"))
    file.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return file


def _summary(job: Job, results: Sequence[Played], seconds: float) -> dict[str, Any]:
    """Per player: seats played, mean score with the half-width of its 95 % interval, and matches won."""
    seats = game_spec(job.game).seats
    scores: dict[str, list[float]] = defaultdict(list)
    wins: dict[str, int] = defaultdict(int)
    for result in results:
        for seat, name in zip(seats, job.players, strict=True):
            scores[name].append(result.scores.get(seat, 0.0))
            wins[name] += seat in result.winners
    return {
        "game": job.game,
        "options": job.options,
        "matches": len(results),
        "first_seed": job.seed,
        "seconds": round(seconds, 3),
        "matches_per_second": round(len(results) / seconds, 2),
        "players": {
            name: {
                "seats": len(values),
                "mean_score": round(fmean(values), 4),
                "ci95": round(1.96 * stdev(values) / len(values) ** 0.5, 4) if len(values) > 1 else None,
                "wins": wins[name],
            }
            for name, values in scores.items()
        },
        "results": [vars(result) for result in results],
    }


def _grid(summary: dict[str, Any]) -> Grid:
    grid = Grid(title=f"{summary['matches']} × {summary['game']}, {summary['matches_per_second']} matches/s")
    for column in ("player", "seats", "mean score", "± 95 %", "wins"):
        grid.add_column(column, justify="left" if column == "player" else "right")
    for name, row in sorted(summary["players"].items(), key=lambda item: -item[1]["mean_score"]):
        interval = "–" if row["ci95"] is None else f"{row['ci95']:.4f}"
        grid.add_row(name, str(row["seats"]), f"{row['mean_score']:.4f}", interval, str(row["wins"]))
    return grid
