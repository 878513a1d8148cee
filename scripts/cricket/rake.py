"""Rake the ball model: intercepts by era, phase and class, so that neutral play gives the real shares of outcomes.

    python scripts/cricket/rake.py [--matches 2000] [--rounds 4] [--dismissals | --report]

Rewrites `raked` in games/cricket/data/ball_model.json; with --dismissals only the kinds of dismissal and the umpire,
which no run depends on; with --report only prints the table of statistics against the targets.
"""

from __future__ import annotations

import argparse
import csv
from math import log

from grandstand.games.cricket.bots.neutral import neutral
from grandstand.games.cricket.export.statistics import Statistics
from grandstand.games.cricket.model import ball_model as model
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import statistics_of
from grandstand.games.cricket.vocab import CLASSES
from scripts.cricket.build_model import OUT, SET_CLASSES, dumps

COLUMN = {"classic": "classic_2018_2022", "modern": "modern_2023_2024"}
TARGETS = OUT.with_name("targets.csv")


def simulate(era: str, seeds: range) -> Statistics:
    return statistics_of(CricketOptions(era=era), seeds, neutral)


def rake(era: str, stats: Statistics) -> float:
    """One step in place; returns the largest correction of a class that is at least one ball in a hundred."""
    largest = 0.0
    for phase, cell in enumerate(stats.phases):
        targets = model.DATA["draws"][era]["phase_targets"][phase]
        row = model.DATA["raked"][era]["classes"][phase]
        base = log(targets[0] / (cell.classes["0"] / cell.deliveries))
        for k, name in enumerate(CLASSES):
            share = max(cell.classes[name], 1) / cell.deliveries
            step = log(max(targets[k], 1e-4) / share) - base
            row[k] = round(row[k] + step, 4)
            if targets[k] > 0.01:
                largest = max(largest, abs(step))
    return largest


def rake_set(era: str, stats: Statistics) -> None:
    """Match what batters do by how well set they are, relative to all of them: the phases have the level."""
    rows, targets = model.DATA["raked"][era]["set"], model.DATA["draws"][era]["set_targets"]
    balls = [observed.total() for observed in stats.set_rows]
    for name in SET_CLASSES:
        steps = [
            log(target[name] / target["0"]) - log(max(observed[name], 1) / max(observed["0"], 1))
            for target, observed in zip(targets, stats.set_rows, strict=True)
        ]
        level = sum(step * n for step, n in zip(steps, balls, strict=True)) / sum(balls)
        for row, step in zip(rows, steps, strict=True):
            row[CLASSES.index(name)] = round(row[CLASSES.index(name)] + step - level, 4)


def rake_tail(era: str, stats: Statistics) -> None:
    """Match the rate of wickets with eight or nine down, which decides how often sides are all out."""
    raked = model.DATA["raked"][era]
    legal, wickets = stats.tail
    raked["tail"] = round(raked["tail"] + log(model.DATA["draws"][era]["tail_wickets"] / (wickets / legal)), 4)


def rake_kinds(era: str, stats: Statistics) -> None:
    """Scale the kinds of dismissal so that their shares of all wickets match the era's."""
    target = {
        row["stat"]: float(row[COLUMN[era]]) for row in csv.DictReader(TARGETS.read_text(encoding="utf-8").splitlines())
    }
    wickets = sum(stats.dismissals.values())
    kinds = model.DATA["raked"][era]["kinds"]
    for kind in kinds:
        if (goal := target.get(f"dismissal_share_{kind}")) is not None:
            kinds[kind] = round(kinds[kind] * goal / (stats.dismissals[kind] / wickets), 4)


def tune_umpire(era: str, stats: Statistics) -> None:
    """Scale the umpire's rates so that reviews taken and won per innings match the era's."""
    draws = model.DATA["draws"][era]
    innings = len(stats.innings)
    for side, observed, wrong, right in (
        ("batting", stats.batting_reviews, "wrong", "hope"),
        ("fielding", stats.fielding_reviews, "missed", "turned_down"),
    ):
        taken, share = draws["reviews"][side]
        won, lost = (share * taken / draws["review_innings"], (1 - share) * taken / draws["review_innings"])
        rates = model.DATA["raked"][era]["umpire"]
        rates[wrong] = round(rates[wrong] * won / (observed[True] / innings), 5)
        rates[right] = round(min(0.7, rates[right] * lost / (observed[False] / innings)), 5)


def report(era: str, stats: Statistics) -> None:
    result = stats.headline()
    print(f"{era}: {stats.matches} matches")
    for row in csv.DictReader(TARGETS.read_text(encoding="utf-8").splitlines()):
        target, se = float(row[COLUMN[era]]), float(row["se_modern"])
        z = (result[row["stat"]] - target) / se
        flag = "" if abs(z) <= 2.5 else "  <-- outside"
        print(f"  {row['stat']:36} {result[row['stat']]:9.4f} target {target:9.4f}  z {z:+.2f}{flag}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--dismissals", action="store_true")
    parser.add_argument("--report", action="store_true")
    args = parser.parse_args()
    for era in ("modern", "classic"):
        for turn in range(0 if args.report else args.rounds):
            model.ball_model.cache_clear()
            stats = simulate(era, range(turn * args.matches, (turn + 1) * args.matches))
            largest = 0.0 if args.dismissals else rake(era, stats)
            rake_kinds(era, stats)
            if not args.dismissals:
                rake_set(era, stats)
                rake_tail(era, stats)
            tune_umpire(era, stats)
            mean = stats.headline()["first_mean"]
            print(f"{era} round {turn + 1}: largest correction {largest:.4f}, first innings {mean:.1f}", flush=True)
            OUT.write_text(dumps(model.DATA) + "\n")
        model.ball_model.cache_clear()
        report(era, simulate(era, range(10**6, 10**6 + args.matches)))


if __name__ == "__main__":
    main()
