"""Which captain wins: every pair of built-in captains over the same seeds, both ways round.

    python scripts/cricket_captains.py [--matches 200] [--overs 20] [--only heuristic,neutral]

Each seed is played twice with the captains changing seats, so sides, toss, pitch and luck are shared and cancel. The
interval is 95 per cent, from the spread over seeds. Prints a Markdown table of the row captain's share of wins and of
the mean margin in runs per innings pair.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from math import sqrt

from games.cricket.bots import BOTS
from games.cricket.game import CricketGame
from games.cricket.options import CricketOptions
from games.cricket.simulate import play_match


def duel(options: CricketOptions, seeds: range, first: str, second: str) -> tuple[list[float], list[float]]:
    """Per seed: the first captain's mean share of the two matches, and its mean lead in runs."""
    shares, leads = [], []
    for seed in seeds:
        one, _ = play_match(options, seed, BOTS[first], BOTS[second])
        two, _ = play_match(options, seed, BOTS[second], BOTS[first])
        assert one.result is not None
        assert two.result is not None
        shares.append((one.result.scores["home"] + two.result.scores["away"]) / 2)
        leads.append((_runs(one, 0) - _runs(one, 1) + _runs(two, 1) - _runs(two, 0)) / 2)
    return shares, leads


def _runs(game: CricketGame, side: int) -> int:
    return next(innings.runs for innings in game.innings if innings.batting_side == side)


def interval(values: list[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    sd = sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))
    return mean, 1.96 * sd / sqrt(len(values))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200, help="matches per pair")
    parser.add_argument("--overs", type=int, default=20)
    parser.add_argument("--only", default=",".join(BOTS))
    args = parser.parse_args()
    print("| captain | against | wins | lead in runs |\n|---|---|---|---|")
    for first, second in combinations(args.only.split(","), 2):
        shares, leads = duel(CricketOptions(overs=args.overs), range(args.matches // 2), first, second)
        (share, spread), (lead, lead_spread) = interval(shares), interval(leads)
        row = f"| {first} | {second} | {share:.3f} ± {spread:.3f} | {lead:+.1f} ± {lead_spread:.1f} |"
        print(row, flush=True)


if __name__ == "__main__":
    main()
