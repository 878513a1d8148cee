"""Compare the built-in captains: every pair of built-in captains over the same seeds, both ways round.

    python scripts/cricket/captains.py [--matches 200] [--overs 20] [--only heuristic,neutral]

Each seed is played twice with the captains changing seats, so sides, toss, pitch and luck are shared and cancel. The
interval is 95 per cent, from the spread over seeds. Prints a Markdown table; a tie or no result is half a win.
"""

from __future__ import annotations

import argparse
from itertools import combinations
from math import sqrt

from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match


def duel(options: CricketOptions, seeds: range, first: str, second: str) -> list[float]:
    """Per seed: the first captain's mean share of the two matches."""
    shares = []
    for seed in seeds:
        game, _ = play_match(options, seed, BOTS[first], BOTS[second])
        swapped, _ = play_match(options, seed, BOTS[second], BOTS[first])
        assert game.state.result is not None
        assert swapped.state.result is not None
        shares.append((game.state.result.scores["home"] + swapped.state.result.scores["away"]) / 2)
    return shares


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
    print("| captain | against | share of wins |\n|---|---|---|")
    for first, second in combinations(args.only.split(","), 2):
        share, spread = interval(duel(CricketOptions(overs=args.overs), range(args.matches // 2), first, second))
        print(f"| {first} | {second} | {share:.3f} ± {spread:.3f} |", flush=True)


if __name__ == "__main__":
    main()
