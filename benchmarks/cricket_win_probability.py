"""Measure the accuracy and the cost of win probabilities: `python -m benchmarks.cricket_win_probability [--matches N]`.

1. seconds to build the tables of a format; 2. chases played by the engine against what the table says; 3. whole
matches between neutral captains: calibration over by over; 4. the cost per ball; 5. how much less
noisy decisions and the score less luck are than the score.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Iterator
from math import sqrt
from statistics import fmean, stdev

import numpy as np

from grandstand.games.cricket.agent.measures import measures
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.events import BallBowled, ChanceChanged
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model.table_cache import TABLES
from grandstand.games.cricket.model.win_probability import WinProbability, win_probability
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match, play_out
from grandstand.games.match import event_data

CHASES = {5: (45, 58, 70), 20: (150, 170, 190, 210)}


def build() -> Iterator[str]:
    yield "| overs | chase and first innings, CPU s | MiB |"
    yield "|---|---|---|"
    for overs in (5, 20, 50):
        TABLES.clear()
        began = time.process_time()
        WinProbability("modern", format_rules(overs)).first().over(0)
        yield f"| {overs} | {time.process_time() - began:.2f} | {TABLES.nbytes / 2**20:.0f} |"


def chases(matches: int) -> Iterator[str]:
    yield "| overs | target | engine ± 95 % | table |"
    yield "|---|---|---|---|"
    for overs, targets in CHASES.items():
        tables = win_probability("modern", format_rules(overs))
        for target in targets:
            won = [chase(overs, target, seed, tables) for seed in range(matches)]
            half = 1.96 * stdev(won) / sqrt(matches)
            yield f"| {overs} | {target} | {fmean(won):.3f} ± {half:.3f} | {tables.chase.at(0, 0, target):.3f} |"


def chase(overs: int, target: int, seed: int, tables: WinProbability) -> float:
    game = CricketGame(CricketOptions(overs=overs, win_probability=False), seed)
    game.contest.start_innings(0)
    game.state.now.runs, game.state.now.closed = target - 1, "overs completed"
    game.contest.start_innings(1, target)
    play_out(game)
    innings = game.state.innings[1]
    return tables.level if innings.need == 1 else float((innings.need or 0) <= 0)


def calibration(matches: int) -> Iterator[str]:
    """The side batting first, by what was told after each ball."""
    rows = []
    for seed in range(matches):
        game, report = play_match(CricketOptions(), seed, BOTS["neutral"], BOTS["neutral"])
        first = game.state.innings[0].batting_side
        assert game.state.result is not None
        won = game.state.result.scores[("home", "away")[first]]
        for change in report:
            if isinstance(change, ChanceChanged) and change.innings in (1, 2) and change.ball:
                chance = change.home if first == 0 else 1 - change.home
                rows.append((change.innings, int(change.ball.split(".")[0]), chance, won))
    result = np.array(rows)
    yield "| innings | overs | Brier | ECE, ten bins | mean told | mean won |"
    yield "|---|---|---|---|---|---|"
    for innings in (1, 2):
        for low, high in ((0, 6), (6, 15), (15, 20)):
            part = result[(result[:, 0] == innings) & (result[:, 1] >= low) & (result[:, 1] < high)]
            told_, won_ = part[:, 2], part[:, 3]
            bins = np.digitize(told_, np.arange(0.1, 1, 0.1))
            ece = sum(abs(told_[bins == b].mean() - won_[bins == b].mean()) * np.mean(bins == b) for b in set(bins))
            yield (
                f"| {innings} | {low + 1}–{high} | {np.mean((told_ - won_) ** 2):.3f} | {ece:.3f} | "
                f"{told_.mean():.3f} | {won_.mean():.3f} |"
            )


def cost(matches: int) -> Iterator[str]:
    yield "| captains | balls/s, chances off | on | added µs a ball |"
    yield "|---|---|---|---|"
    for captain in ("neutral", "heuristic"):
        seconds = {on: per_ball(captain, on, matches) for on in (True, False, True, False)}
        added = 1e6 * (seconds[True] - seconds[False])
        yield f"| {captain} | {1 / seconds[False]:,.0f} | {1 / seconds[True]:,.0f} | {added:.0f} |"


def per_ball(captain: str, on: bool, matches: int) -> float:
    """CPU seconds a ball."""
    options, balls, began = CricketOptions(win_probability=on), 0, time.process_time()
    for seed in range(matches):
        _, report = play_match(options, seed, BOTS[captain], BOTS[captain])
        balls += sum(isinstance(event, BallBowled) for event in report)
    return (time.process_time() - began) / balls


def noise(matches: int) -> Iterator[str]:
    """The heuristic captain against the neutral one, whole matches, both ways round."""
    rows = []
    for seed in range(matches):
        sides = ("heuristic", "neutral") if seed % 2 else ("neutral", "heuristic")
        game, report = play_match(CricketOptions(), seed, BOTS[sides[0]], BOTS[sides[1]])
        seat = ("home", "away")[sides.index("heuristic")]
        assert game.state.result is not None
        result = measures([(type(event).__name__, event_data(event)) for event in report], seat)
        rows.append((game.state.result.scores[seat], result["score_less_luck"], 0.5 + result["decisions"]))
    yield "| estimate of the heuristic captain's score | mean | sd of one match | matches for ± .02 |"
    yield "|---|---|---|---|"
    for name, values in zip(("score", "score less luck", "0.5 + decisions"), zip(*rows, strict=True), strict=True):
        spread = stdev(values)
        yield f"| {name} | {fmean(values):.3f} | {spread:.3f} | {round((1.96 * spread / 0.02) ** 2):,} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=2000, help="matches of the longest parts")
    matches = parser.parse_args().matches
    print(f"Python {platform.python_version()}, numpy {np.__version__}, {matches} matches\n")
    for part in (
        build(),
        chases(matches),
        calibration(matches // 2),
        cost(max(10, matches // 60)),
        noise(matches // 4),
    ):
        print("\n".join(part), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
