"""The strength of `search` per iteration of regret matching, and what an iteration costs: a table and a picture.

    python -m benchmarks.diplomacy_search --iterations 0,4,16,64 --games 28 --seed 1 --out search.jsonl --svg curve.svg

One `search` against six of another bot, DumbBot or that of `--six`; seats rotate; a game ends with a solo or after the
fall of 1920, and its score is sum-of-squares. Every game is written to the file as it ends, and those that the file has
are not played again.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Annotated, Any

import typer
from rich.console import Console

from grandstand.games.diplomacy.bots import PLANNERS, POLICIES
from grandstand.games.diplomacy.bots.search.forecast import forecast
from grandstand.games.diplomacy.bots.search.planner import searched
from grandstand.games.diplomacy.bots.stance import Plan, public_stance
from grandstand.games.diplomacy.press.relations import Relations
from grandstand.games.diplomacy.rules.map import POWERS
from grandstand.games.diplomacy.rules.scoring import score
from grandstand.games.diplomacy.rules.state import State
from grandstand.play.ratings.statistics import bounded_interval

LAST_YEAR = 1920
DIPNET = 0.748
"""The share of games against six DumbBots that DipNet won (Paquette and others, 2019, table 4)."""
WIDTH, HEIGHT, MARGIN = 640, 320, 56


def play(iterations: int, six: str, game: int, seed: int) -> dict[str, Any]:
    """Return the result of a game; the one sits in seat `game` modulo 7."""
    seat, seconds, slowest, decisions = game % len(POWERS), 0.0, 0.0, 0
    state, relations = State.start(), Relations()
    while state.year <= LAST_YEAR and state.solo() is None:
        orders: Plan = {}
        for power in state.to_act():
            rng = Random(f"{seed}/{six}/{game}/{state.name}/{power}")
            stance = public_stance(state, power, relations)
            began = time.process_time()
            if power == seat:
                orders.update(searched(state, power, rng, stance, iterations))
                took = time.process_time() - began
                seconds, slowest, decisions = seconds + took, max(slowest, took), decisions + 1
            elif six in PLANNERS:
                orders.update(PLANNERS[six](state, power, rng, stance))
            else:
                orders.update(POLICIES[six](state, power, rng))
        resolution = state.resolve(orders)
        relations, state = relations.after(resolution), resolution.after
    forecast.cache_clear()
    centers = state.center_counts()
    return {
        "iterations": iterations,
        "six": six,
        "seed": seed,
        "game": game,
        "score": score("sum-of-squares", centers, {})[seat],
        "solo": state.solo() == seat,
        "centers": centers[seat],
        "year": state.year,
        "seconds": seconds,
        "slowest": slowest,
        "decisions": decisions,
    }


def read(file: Path) -> list[dict[str, Any]]:
    """Return the results in a file; none if there is no such file."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def row(iterations: int, results: list[dict[str, Any]]) -> str:
    """Return a row of the table."""
    interval = bounded_interval([result["score"] for result in results])
    ends = "–" if interval.ci95 is None else f"{interval.ci95[0]:.3f} – {interval.ci95[1]:.3f}"
    cost = cost_of(results)
    slowest = max(result["slowest"] for result in results)
    solos = fmean(result["solo"] for result in results)
    cells = [
        str(iterations),
        str(len(results)),
        f"{interval.mean:.3f}",
        ends,
        f"{solos:.0%}",
        f"{fmean(result['centers'] for result in results):.1f}",
        f"{cost * 1000:.0f}",
        f"{slowest * 1000:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


def cost_of(results: list[dict[str, Any]]) -> float:
    """Return the CPU seconds per decision."""
    return float(sum(result["seconds"] for result in results) / sum(result["decisions"] for result in results))


def picture(groups: dict[int, list[dict[str, Any]]]) -> str:
    """Return the curve of score over CPU time per decision, as SVG."""
    points = []
    for iterations, results in sorted(groups.items()):
        interval = bounded_interval([result["score"] for result in results])
        points.append((iterations, cost_of(results) * 1000, interval.mean or 0.0, interval.ci95 or (0.0, 1.0)))
    widest = max(cost for _, cost, _, _ in points) * 1.1

    def x(cost: float) -> float:
        return MARGIN + cost / widest * (WIDTH - 2 * MARGIN)

    def y(value: float) -> float:
        return HEIGHT - MARGIN - value * (HEIGHT - 2 * MARGIN)

    text = 'font-family="sans-serif" font-size="12" fill="#666"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        f'<text x="{MARGIN}" y="20" {text}>Score of one search against six DumbBots, by CPU time per decision</text>',
    ]
    for value in (0.0, 0.25, 0.5, 0.75, 1.0):
        parts.append(f'<line x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{y(value)}" y2="{y(value)}" stroke="#ccc"/>')
        parts.append(f'<text x="{MARGIN - 8}" y="{y(value) + 4}" text-anchor="end" {text}>{value}</text>')
    line = " ".join(f"{x(cost):.1f},{y(mean):.1f}" for _, cost, mean, _ in points)
    parts.append(f'<polyline points="{line}" fill="none" stroke="#2a6fb0" stroke-width="2"/>')
    for iterations, cost, mean, (low, high) in points:
        at = f"{x(cost):.1f}"
        parts.append(f'<line x1="{at}" x2="{at}" y1="{y(low):.1f}" y2="{y(high):.1f}" stroke="#2a6fb0"/>')
        parts.append(f'<circle cx="{at}" cy="{y(mean):.1f}" r="4" fill="#2a6fb0"/>')
        parts.append(f'<text x="{x(cost) + 7:.1f}" y="{y(mean) - 8:.1f}" {text}>{iterations} iterations</text>')
        parts.append(f'<text x="{at}" y="{HEIGHT - MARGIN + 18}" text-anchor="middle" {text}>{cost:.0f} ms</text>')
    return "\n".join([*parts, "</svg>", ""])


def main(
    iterations: Annotated[str, typer.Option(help="numbers of iterations, separated by commas")] = "0,4,16,64",
    games: Annotated[int, typer.Option(help="games for each")] = 28,
    seed: Annotated[int, typer.Option(help="seed of all games")] = 1,
    six: Annotated[str, typer.Option(help="the bot in the other seats")] = "dumbbot",
    out: Annotated[Path, typer.Option(help="file of results, which grows")] = Path("search.jsonl"),
    svg: Annotated[Path | None, typer.Option(help="file of the picture")] = None,
) -> None:
    """Play what the file lacks, and print the table of all that it has."""
    done = {(result["iterations"], result["six"], result["seed"], result["game"]) for result in read(out)}
    for game in range(games):
        for number in map(int, iterations.split(",")):
            if (number, six, seed, game) in done:
                continue
            with out.open("a") as file:
                file.write(json.dumps(play(number, six, game, seed)) + "\n")
            Console(stderr=True).print(f"{number} iterations: game {game + 1} of {games}")
    groups: dict[int, list[dict[str, Any]]] = {}
    for result in read(out):
        if result["six"] == six:
            groups.setdefault(result["iterations"], []).append(result)
    print("| iterations | games | score | 95 % | won alone | centres | CPU ms per decision | slowest |")
    print("|---" * 8 + "|")
    for number, results in sorted(groups.items()):
        print(row(number, results))
    if svg is not None:
        svg.write_text(picture(groups), "utf-8")


if __name__ == "__main__":
    typer.run(main)
