"""Compare how overs are shared among bowlers, and the last man's innings, with real matches.

    python scripts/cricket/spells.py [--matches 400] [--balls balls_train_2018_2024.csv.gz]

Plays neutral 20-over matches without events, and counts the same in real balls (Cricsheet, ODC-By 1.0; a row for each
delivery of IPL 2018-24) where their file is given.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.model.ball_model import ERAS
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_out

QUOTA = 24
SEASONS = {"modern": range(2023, 2025), "classic": range(2018, 2023)}


class InningsBowled(NamedTuple):
    """One innings: (balls, runs, wickets) of each bowler, who bowled over 20, and the last man's (balls, runs)."""

    bowlers: list[tuple[int, int, int]]
    last_over: str | None
    last_man: tuple[int, int] | None


def summary(innings: Iterable[InningsBowled]) -> dict[str, float]:
    """Return the statistics by name."""
    rows = list(innings)
    full = [bowler for row in rows for bowler in row.bowlers if bowler[0] >= QUOTA]
    last_overs = [row.last_over for row in rows if row.last_over is not None]
    last_men = [row.last_man for row in rows if row.last_man is not None]
    return {
        "bowlers": fmean(len(row.bowlers) for row in rows),
        "bowlers who bowl four": len(full) / len(rows),
        "wickets": fmean(bowler[2] for bowler in full),
        "wicketless": fmean(bowler[2] == 0 for bowler in full),
        "runs": fmean(bowler[1] for bowler in full),
        "spin in over 20": fmean(group == "spin" for group in last_overs),
        "balls of the last man": fmean(balls for balls, _ in last_men),
        "runs of the last man": fmean(runs for _, runs in last_men),
    }


def spells(era: str, seeds: range) -> dict[str, float]:
    """Return the statistics of neutral matches, one per seed."""
    return summary(innings for seed in seeds for innings in bowled_in(_played(era, seed)))


def _played(era: str, seed: int) -> CricketGame:
    game = CricketGame(CricketOptions(era=era), seed)
    game.contest.start_innings(seed % 2)
    play_out(game)
    return game


def bowled_in(game: CricketGame) -> Iterable[InningsBowled]:
    """Yield the first two innings of a finished match."""
    for innings in game.state.innings[:2]:
        players = game.state.teams[innings.bowling_side].players
        last = players[innings.overs[19][0]].group if len(innings.overs) == 20 else None
        man = innings.batters[innings.order[10]] if len(innings.order) == 11 else None
        yield InningsBowled(
            [(card.balls, card.runs, card.wickets) for card in innings.bowlers.values()],
            last,
            (man.balls, man.runs) if man else None,
        )


def real(balls: Path, era: str) -> dict[str, float]:
    """Return the statistics of the real balls in a file."""
    innings: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    with gzip.open(balls, "rt", encoding="utf-8") as file:
        for ball in csv.DictReader(file):
            if int(ball["season"]) in SEASONS[era]:
                innings[ball["match"], ball["innings"]].append(ball)
    return summary(map(_recorded, innings.values()))


def _recorded(balls: list[dict[str, str]]) -> InningsBowled:
    bowlers: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    man: list[int] = []
    for ball in balls:
        card, extra = bowlers[ball["bowler_id"]], ball["y"] in ("wide", "noball")
        card[0] += not extra
        card[1] += int(ball["runs_bat"]) + (int(ball["runs_ext"]) if extra else 0)
        card[2] += ball["y"] == "W" and bool(ball["wkt_kind"])
        if ball["bat_pos"] == "11" and ball["y"] != "wide":
            man.append(int(ball["runs_bat"]))
    last = next((ball["bgroup"] for ball in balls if ball["over"] == "19"), None)
    return InningsBowled(
        [(card[0], card[1], card[2]) for card in bowlers.values()], last, (len(man), sum(man)) if man else None
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--balls", type=Path)
    args = parser.parse_args()
    for era in ERAS:
        ours = spells(era, range(args.matches))
        theirs = real(args.balls, era) if args.balls else {}
        print(f"{era}: {args.matches} matches")
        for name, value in ours.items():
            print(f"  {name:24} {value:7.3f}" + (f"   real {theirs[name]:7.3f}" if theirs else ""))


if __name__ == "__main__":
    main()
