"""One bot against six of another, for every pair: the tables of `docs/bots.md`, as Markdown on stdout.

    python -m benchmarks.diplomacy_bots --games 140 --seed 1

Seats rotate. A game ends with a solo or after the fall of 1920; its score is sum-of-squares, 1 for a solo. The same
seed gives the same tables, timings apart, whatever the number of workers and whatever other pairs are played. For the
slow bots there is `benchmarks.diplomacy_search`.
"""

from __future__ import annotations

import math
import os
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from random import Random
from statistics import fmean, stdev
from typing import Annotated, NamedTuple

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from grandstand.games.diplomacy.bots import PLANNERS, POLICIES, SLOW
from grandstand.games.diplomacy.bots.stance import public_stance
from grandstand.games.diplomacy.press.relations import Relations
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.orders import Order
from grandstand.games.diplomacy.rules.scoring import score
from grandstand.games.diplomacy.rules.state import State

LAST_YEAR = 1920
QUICK = ",".join(name for name in POLICIES if name not in SLOW)
SEATS = len(POWERS)


class Result(NamedTuple):
    """One game, as the one bot saw it."""

    score: float
    solo: bool
    centers: int
    survived: bool
    seconds: float
    """CPU time of its decisions."""
    decisions: int


Cells = dict[tuple[str, str], list[Result]]
"""(bot, field) -> their games."""


def play(bot: str, field: str, game: int, seed: int) -> Result:
    """Game number `game` of the pair: `bot` sits in seat `game` modulo 7."""
    seat = game % SEATS
    state, relations, seconds, decisions = State.start(), Relations(), 0.0, 0
    while state.year <= LAST_YEAR and state.solo() is None:
        orders = {}
        for power in state.to_act():
            rng = Random(f"{seed}/{bot}/{field}/{game}/{state.name}/{power}")
            began = time.process_time()
            orders.update(_orders(bot if power == seat else field, state, power, rng, relations))
            if power == seat:
                seconds += time.process_time() - began
                decisions += 1
        resolution = state.resolve(orders)
        relations, state = relations.after(resolution), resolution.after
    centers = state.center_counts()
    scores = score("sum-of-squares", centers, {})
    return Result(scores[seat], state.solo() == seat, centers[seat], centers[seat] > 0, seconds, decisions)


def _orders(name: str, state: State, power: int, rng: Random, relations: Relations) -> dict[int, Order]:
    if name in PLANNERS:
        return PLANNERS[name](state, power, rng, public_stance(state, power, relations))
    return POLICIES[name](state, power, rng)


def play_seats(bot: str, field: str, first: int, seed: int) -> list[Result]:
    """Seven games, one per seat."""
    return [play(bot, field, game, seed) for game in range(first, first + SEATS)]


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Mean and half of its 95 % confidence interval (normal approximation)."""
    return fmean(values), 1.96 * stdev(values) / math.sqrt(len(values))


def strength_table(cells: Cells, ones: Sequence[str], sixes: Sequence[str]) -> str:
    """Rows: the one; columns: the six; cells: mean score and its interval."""

    def cell(bot: str, field: str) -> str:
        mean, half = interval([result.score for result in cells[bot, field]])
        return f"{mean:.3f} ± {half:.3f}"

    return _table("one \\ six", ones, sixes, cell)


def detail_table(cells: Cells, ones: Sequence[str], sixes: Sequence[str]) -> str:
    """The same cells: games won alone, mean centres at the end, games survived."""

    def cell(bot: str, field: str) -> str:
        results = cells[bot, field]
        solos = fmean(result.solo for result in results)
        survived = fmean(result.survived for result in results)
        return f"{solos:.0%} / {fmean(result.centers for result in results):.1f} / {survived:.0%}"

    return _table("one \\ six", ones, sixes, cell)


def cost_table(cells: Cells, ones: Sequence[str], sixes: Sequence[str]) -> str:
    """CPU time per decision of the one, among six DumbBots if they were played."""
    lines = ["| bot | ms per decision |", "|---|---|"]
    for name in ones:
        results = cells[name, "dumbbot" if "dumbbot" in sixes else sixes[0]]
        cost = sum(result.seconds for result in results) / sum(result.decisions for result in results)
        lines.append(f"| {name} | {cost * 1000:.2g} |")
    return "\n".join(lines)


def _table(corner: str, ones: Sequence[str], sixes: Sequence[str], cell: Callable[[str, str], str]) -> str:
    lines = [f"| {corner} | {' | '.join(sixes)} |", "|---" * (len(sixes) + 1) + "|"]
    lines += [f"| **{item}** | {' | '.join(cell(item, field) for field in sixes)} |" for item in ones]
    return "\n".join(lines)


def main(
    games: Annotated[int, typer.Option(help="games per pair, a multiple of 7")] = 140,
    seed: Annotated[int, typer.Option(help="seed of all games")] = 1,
    workers: Annotated[int, typer.Option(help="processes")] = os.cpu_count() or 1,
    ones: Annotated[str, typer.Option(help="bots that play alone, separated by commas")] = QUICK,
    sixes: Annotated[str, typer.Option(help="bots that play in the other six seats")] = QUICK,
) -> None:
    """Play every pair of bots, one against six, and print the tables."""
    if games < SEATS or games % SEATS:
        raise typer.BadParameter(f"--games must be a multiple of {SEATS}, not {games}")
    rows, columns = ones.split(","), sixes.split(",")
    for name in (*rows, *columns):
        if name not in POLICIES:
            raise typer.BadParameter(f"there is no bot {name!r}; there are {', '.join(POLICIES)}")
    cells: dict[tuple[str, str], dict[int, list[Result]]] = defaultdict(dict)
    bars = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with (
        ProcessPoolExecutor(workers, initializer=os.nice, initargs=(10,)) as pool,
        Progress(TextColumn("{task.description}"), *bars, console=Console(stderr=True)) as progress,
    ):
        tasks = {
            pool.submit(play_seats, row, field, first, seed): (row, field, first)
            for field in columns
            for row in rows
            for first in range(0, games, SEATS)
        }
        bar = progress.add_task("games by sevens", total=len(tasks))
        for future in as_completed(tasks):
            row, field, first = tasks[future]
            cells[row, field][first] = future.result()
            progress.update(bar, advance=1, description=f"{row} against six {field}")
    played = {pair: [result for _, batch in sorted(runs.items()) for result in batch] for pair, runs in cells.items()}
    for table in (strength_table, detail_table, cost_table):
        print(table(played, rows, columns), end="\n\n")


if __name__ == "__main__":
    typer.run(main)
