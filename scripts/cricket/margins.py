"""Margins of the heuristic captain's mixes: what any call gains or loses against them, ball by ball.

    python -m scripts.cricket.margins [--matches 8] [--overs 20] [--every 3]

In matches of `heuristic` against itself, at every third ball: what the best stroke gains against its mix of balls, the
best ball against its mix of strokes, and what single calls of the batters are worth against its usual mix, and against
the ball that answers them best. Worked out, not played: the odds are exact for average players, the price of being read
in them. Sums over the balls of one innings, in shares of a match; intervals are 95 per cent over matches.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random
from typing import Final

from grandstand.games.cricket.bots import ball_game
from grandstand.games.cricket.bots.ball_game import BALLS, STROKES
from grandstand.games.cricket.bots.heuristic import ball_shares, heuristic, plan_of, stroke_shares
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.match.state import ContestState
from grandstand.games.cricket.match.win_probability_added import class_worths
from grandstand.games.cricket.model.reading import NATURAL_AIM
from grandstand.games.cricket.options import CricketOptions
from scripts.cricket.exploits import mean

SINGLE: Final = ("block", "build", "rotate", "normal", "attack", "slog")
Row = dict[str, float]


def states(overs: int, seed: int) -> Iterator[ContestState]:
    """Yield the state of each ball of a match of two heuristic captains, before it is bowled."""
    game = CricketGame(CricketOptions(overs=overs, win_probability=False), seed)
    streams = {seat: Random(f"{seed}/{seat}") for seat in ("home", "away")}
    game.opening()
    while game.outcome is None:
        seat = game.to_act()[0]
        action = heuristic(game, seat, streams[seat])
        if action["tool"] == "bowl_delivery" and game.state.now.bowler is not None:
            yield game.state
        game.apply(seat, action)


def margins(state: ContestState) -> Row:
    """Return the gains of a ball by name, in chances of winning."""
    plan = plan_of(state)
    run = ball_game.worth_of_a_run(class_worths(state))
    balls, strokes, worths = ball_shares(state), stroke_shares(state), plan.worths
    value = balls @ worths @ strokes
    out = {
        "best stroke against its balls": (balls @ worths).max() - value,
        "best ball against its strokes": value - (worths @ strokes).min(),
        "natural balls against its strokes": value - worths[BALLS[state.attack].index(NATURAL_AIM)] @ strokes,
    }
    for intent in SINGLE:
        column = worths[:, STROKES.index((intent, None))]
        out[f"{intent} against its balls"] = balls @ column - value
        out[f"{intent} against the ball that answers it"] = column.min() - value
    return {name: float(gain) * run for name, gain in out.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=8)
    parser.add_argument("--overs", type=int, default=20)
    parser.add_argument("--every", type=int, default=3)
    parser.add_argument("--first", type=int, default=300)
    args = parser.parse_args()
    sums: dict[str, list[float]] = {}
    for seed in range(args.first, args.first + args.matches):
        total: Row = {}
        for number, state in enumerate(states(args.overs, seed)):
            if number % args.every == 0:
                for name, gain in margins(state).items():
                    total[name] = total.get(name, 0.0) + gain * args.every / 2
        for name, gain in total.items():
            sums.setdefault(name, []).append(gain)
    print("| call | share of a match |\n|---|---|")
    for name, gains in sums.items():
        print("| {} | {:+.4f} ± {:.4f} |".format(name, *mean(gains)))


if __name__ == "__main__":
    main()
