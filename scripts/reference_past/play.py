"""Plays the reference matches, each in a process, and keeps their records in a folder."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel
from rich.progress import Progress

from grandstand.events import EpisodeCreated, OutlookUpdated
from grandstand.games.registry import game_spec
from grandstand.games.spec import match_title
from grandstand.models import Event
from grandstand.play.headless import MatchPlan, play_match
from grandstand.server.reference.results import RESULT
from grandstand.server.results.match_results import finished_match
from grandstand.spectator.frames import EpisodeSummary
from grandstand.spectator.record_file import read_episode
from grandstand.spectator.replay import to_lines
from grandstand.spectator.summary import summary_of
from grandstand.spectator.viewpoint import OPERATOR

RECORDS = "records"
"""The folder of the records, below that of the command."""


@dataclass(frozen=True, slots=True)
class Series:
    """Matches of one kind. A match has as many of `cast` as it has seats for, and else players of the showcase."""

    name: str
    game: str
    cast: Sequence[str] = ()
    options: Mapping[str, Any] | None = None

    def all_options(self) -> dict[str, Any]:
        """Return the options of its matches: those of the showcase, and its own."""
        return {**game_spec(self.game).bots.showcase_options, **(self.options or {})}

    def plan(self, number: int, folder: Path) -> MatchPlan:
        """Return the match of this number, whose seed is the number."""
        spec, options = game_spec(self.game), self.all_options()
        rng = Random(f"{self.name}/{number}")
        seats = len(spec.seats(options))
        own = rng.sample(self.cast, min(seats, len(self.cast)))
        players = [*own, *spec.bots.showcase(rng)[: seats - len(own)]]
        rng.shuffle(players)
        return MatchPlan(
            f"reference-{self.name}-{number:04}", self.game, tuple(players), options, number, folder=folder
        )


SERIES: Mapping[str, Series] = {
    series.name: series
    for series in (
        Series("diplomacy", "diplomacy"),
        Series(
            "gunboat",
            "diplomacy",
            ("coordinated", "dumbbot", "defensive", "territorial", "chaos", "random"),
            {"press": "none"},
        ),
        Series("cricket", "cricket", ("heuristic", "neutral", "cricsheet", "fixed-plan", "random")),
        Series("werewolf", "werewolf"),
    )
}
"""The series by name. Diplomacy with letters takes half a minute of a processor a match, so it has two."""


class Kept(BaseModel):
    """What is known of a match beside its record."""

    episode_id: str
    summary: EpisodeSummary | None
    """None where the record is not kept: of a result that came with the package."""
    surprise: float
    result: dict[str, Any] | None
    """None for a match that does not count: one that was imported."""


def kept_record(folder: Path, episode_id: str) -> Path:
    """Return the file of a record."""
    return folder / RECORDS / f"{episode_id}.jsonl.gz"


def kept_match(folder: Path, episode_id: str) -> Path:
    """Return the file of what is known of a match; the match is kept if it is there."""
    return folder / RECORDS / f"{episode_id}.json"


def play_all(folder: Path, counts: Mapping[str, int], jobs: int) -> None:
    """Play the matches of each series that are not kept in `folder`, the first `counts` of it."""
    (folder / RECORDS).mkdir(parents=True, exist_ok=True)
    plans = [plan for plan in _plans(folder, counts) if not kept_match(folder, plan.episode_id).is_file()]
    with Progress() as progress, ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        bar = progress.add_task("matches", total=len(plans))
        futures: list[Future[None]] = [pool.submit(play_one, folder, plan) for plan in plans]
        for future in as_completed(futures):
            future.result()
            progress.advance(bar)


def _plans(folder: Path, counts: Mapping[str, int]) -> Iterator[MatchPlan]:
    for name, count in counts.items():
        for number in range(count):
            yield SERIES[name].plan(number, folder / RECORDS)


def play_one(folder: Path, plan: MatchPlan) -> None:
    """Play a match, and keep its record, compressed, and what is chosen by."""
    asyncio.run(play_match(plan))
    assert plan.file is not None
    events = renamed(read_episode(plan.file).events, f"{title_of(plan)}, match {plan.seed + 1}")
    keep(folder, events)
    plan.file.unlink()


def title_of(plan: MatchPlan) -> str:
    """Return the title of a match by its game and options."""
    return match_title(game_spec(plan.game), plan.options)


def renamed(events: Sequence[Event], title: str) -> list[Event]:
    """Return the events of a match under a title, with everything for analysts to see, as in the showcase."""
    created = EpisodeCreated.model_validate(events[0].data).model_copy(update={"title": title, "reveal": "live"})
    return [events[0].model_copy(update={"data": created.model_dump(mode="json")}), *events[1:]]


def keep(folder: Path, events: Sequence[Event]) -> None:
    """Write the record of an episode, then its summary, result and surprise."""
    episode_id = events[0].episode_id
    summary = summary_of(events).model_copy(update={"reference": True})
    result = finished_match(summary, list(events))
    known = None if result is None else RESULT.dump_python(result, mode="json")
    _write(kept_record(folder, episode_id), packed("".join(to_lines(events, OPERATOR))))
    keep_match(folder, Kept(episode_id=episode_id, summary=summary, surprise=surprise(events), result=known))


def keep_match(folder: Path, match: Kept) -> None:
    """Write what is known of a match, whose record is written before."""
    _write(kept_match(folder, match.episode_id), match.model_dump_json().encode())


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.write_bytes(data)
    part.replace(file)


def packed(text: str) -> bytes:
    """Return a text, compressed; the same text gives the same bytes."""
    return gzip.compress(text.encode(), compresslevel=9, mtime=0)


def surprise(events: Sequence[Event]) -> float:
    """Return how far the chances of winning moved in all, from outlook to outlook: 1 is from one seat to another."""
    chances = [event.data["chances"] for event in events if event.type == OutlookUpdated.__name__]
    moves = (
        sum(abs(after.get(seat, 0.0) - before.get(seat, 0.0)) for seat in {*before, *after}) / 2
        for before, after in pairwise(chances)
    )
    return float(sum(moves))
