"""Balls per second of the cricket engine on one core, and of SimCricketX beside it where its source is at hand.

    python -m benchmarks.cricket_engine [--matches 60] [--simcricketx FOLDER [--python PYTHON]] [--profile]

CPU seconds of this process, 20-over matches. *rollout*: neutral captains, no events (as in the tables of win
probabilities are). *match*: neutral captains through the tools, every event built. *heuristic*: the same with captains
that search. SimCricketX (github.com/Manishrdy/SimCricketX, MIT) plays T20 matches in its `auto` mode, in a process of
its own, with PYTHON, an interpreter that has its requirements; its prints are silenced.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import pstats
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.report import Cell, add_out, publish, table
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match, play_out

THEIRS = """
import random, sys, time
sys.path.insert(0, ".")
sys.path.insert(0, "scripts")
import engine.match as match_module
match_module.print = lambda *a, **k: None
from bench_dew import _build_players
balls = 0
began = time.process_time()
for seed in range(int(sys.argv[1])):
    random.seed(seed)
    match = match_module.Match({
        "match_id": f"bench_{seed}", "created_by": "bench", "team_home": "HOM_b", "team_away": "AWY_b",
        "stadium": "Bench", "pitch": "Hard", "toss": "Heads", "toss_winner": "HOM", "toss_decision": "Bat",
        "simulation_mode": "auto", "match_format": "T20", "is_day_night": False,
        "playing_xi": {"home": _build_players("H"), "away": _build_players("A")},
        "substitutes": {"home": [], "away": []},
    })
    for _ in range(2000):
        answer = match.next_ball()
        balls += 1
        if answer.get("match_over"):
            break
print(balls / (time.process_time() - began))
"""


def rollout(seed: int) -> int:
    game = CricketGame(CricketOptions(), seed)
    game.contest.start_innings(0)
    play_out(game)
    return _balls(game)


def match_of(captain: str) -> Callable[[int], int]:
    def play(seed: int) -> int:
        game, _ = play_match(CricketOptions(win_probability=False), seed, BOTS[captain], BOTS[captain])
        return _balls(game)

    return play


def _balls(game: CricketGame) -> int:
    return sum(card.balls + card.wides + card.noballs for i in game.state.innings for card in i.bowlers.values())


def rate(play: Callable[[int], int], matches: int) -> float:
    """Return the best of three, in balls per CPU second."""
    for seed in range(3):
        play(seed)
    best = 0.0
    for part in range(3):
        gc.collect()
        began = time.process_time()
        balls = sum(play(seed) for seed in range(part * matches, (part + 1) * matches))
        best = max(best, balls / (time.process_time() - began))
    return best


def draw_share(matches: int) -> float:
    """Return the share of a rollout's profiled time that drawing deliveries takes."""
    profiler = cProfile.Profile(time.process_time)
    profiler.runcall(lambda: [rollout(seed) for seed in range(matches)])
    rows = pstats.Stats(profiler).get_stats_profile().func_profiles
    return rows["delivery"].cumtime / rows["play_out"].cumtime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--simcricketx", type=Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--profile", action="store_true", help="only the share of the draw in a rollout")
    add_out(parser)
    args = parser.parse_args()
    if args.profile:
        section = table("Profile", ["part of a rollout", ("share", "share")], [["draw", draw_share(args.matches)]])
        publish("The cricket engine", f"{args.matches} matches", [section], args.out)
        return
    rows: list[list[Cell]] = [
        ["rollout", rate(rollout, args.matches)],
        ["match", rate(match_of("neutral"), args.matches)],
        ["heuristic", rate(match_of("heuristic"), max(1, args.matches // 6))],
    ]
    if args.simcricketx:
        command = [args.python, "-c", THEIRS, str(args.matches)]
        run = subprocess.run(command, cwd=args.simcricketx, capture_output=True, text=True, check=True)
        rows.append(["SimCricketX", float(run.stdout.split()[-1])])
    section = table("Speed", ["what", ("balls per CPU second", "count")], rows)
    publish("The cricket engine", f"{args.matches} matches, the best of three", [section], args.out)


if __name__ == "__main__":
    main()
