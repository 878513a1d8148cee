"""Is the impact player worth what the estimate says (match/captaincy.py)?

    python -m scripts.cricket.impact_players [--matches 1500]

Neutral captains play each match twice on the same draws: with and without the impact player whom the estimate likes
best, before an innings. Prints the mean estimate, and how much the side's result gained, with 95 % intervals.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from statistics import fmean, stdev
from typing import NamedTuple

from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.match.captaincy import ImpactWorth
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_out
from grandstand.games.cricket.vocab import SEATS


class Trial(NamedTuple):
    """A side before an innings: the estimate for its best impact player, and the gain of its result."""

    when: str
    estimate: float
    gained: float


def trials(seed: int) -> Iterator[Trial]:
    game = CricketGame(CricketOptions(conditions="ipl-2023", win_probability=False), seed)
    game.contest.start_innings(game.state.toss_winner)
    yield from _both(game, "first innings")
    first = game.state.now
    while game.state.now is first and game.state.result is None:
        _ball(game)
    if game.state.result is None:
        yield from _both(game, "second innings")


def _ball(game: CricketGame) -> None:
    """Play the next ball naturally; no decision is reviewed."""
    contest, state = game.contest, game.state
    state.headless = True
    while state.now.striker is None or state.now.non_striker is None:
        contest.send_in()
    if state.now.bowler is None:
        contest.give_ball(state.next_bowler())
    state.choices = [{}, {}]
    contest.deliver()
    if state.stage == "review":
        contest.complete(state.delivery(), reviewed=False)


def _both(game: CricketGame, name: str) -> Iterator[Trial]:
    """Yield the trials of both sides before an innings."""
    without = _result(game.clone())
    for side, seat in enumerate(SEATS):
        state = game.state
        worth = ImpactWorth(state, side).best(state.substitutes(side), state.replaceable(side))
        twin = game.clone()
        twin.state.replace(side, *worth[1:])
        does = "bats" if side == state.now.batting_side else "bowls"
        yield Trial(f"{name}, the side that {does}", worth[0], _result(twin)[seat] - without[seat])


def _result(game: CricketGame) -> dict[str, float]:
    play_out(game)
    assert game.outcome is not None
    return game.outcome.scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1500)
    found: dict[str, list[Trial]] = defaultdict(list)
    for seed in range(parser.parse_args().matches):
        for trial in trials(seed):
            found[trial.when].append(trial)
    print("| before | estimate | gained |\n|---|---|---|")
    for when, some in found.items():
        gained = [trial.gained for trial in some]
        interval = 1.96 * stdev(gained) / len(gained) ** 0.5
        estimate = fmean(trial.estimate for trial in some)
        print(f"| {when} | {estimate:.3f} | {fmean(gained):.3f} ± {interval:.3f} |")


if __name__ == "__main__":
    main()
