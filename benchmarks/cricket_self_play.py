"""Statistics of a captain's matches with itself, to compare with real ones: a table of docs/cricket-tactics.md.

    python -m benchmarks.cricket_self_play --player heuristic --matches 100

First innings and wickets must equal those of the neutral calibration; slower balls are called or from the bowler's own
mix. Field announcements are counted for an innings, Super Overs included.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from statistics import fmean
from typing import Annotated

import typer

from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.events import BallBowled, FieldSet
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.model.context import resembles
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match, spinners
from grandstand.games.cricket.vocab import PHASES


def counts_of(player: str, seed: int, decisions: str) -> tuple[Counter[str], list[int], bool]:
    """Return the counts of a match, and the runs and whether all were out of its first innings."""
    count = Counter[str]()

    def asked(game: CricketGame, seat: SeatId, rng: Random) -> Action:
        count["asked"] += 1
        return BOTS[player](game, seat, rng)

    game, events = play_match(CricketOptions(win_probability=False, decisions=decisions), seed, asked, asked)
    spin = spinners(game)
    for event in events:
        if not isinstance(event, BallBowled):
            continue
        phase = PHASES[resembles(game.state.innings[0].rules, 6 * int(event.ball.split(".")[0]))[1]]
        count.update([f"balls, {phase}"])
        count[f"runs, {phase}"] += event.total
        count[f"wickets, {phase}"] += event.wicket is not None
        count[f"strokes called, {phase}"] += (event.intent, event.shot) != ("normal", "natural")
        count[f"scoops, {phase}"] += event.shot == "scoop"
        if event.bowler not in spin:
            count["pace"] += 1
            count["slower balls"] += event.variation == "slower_ball"
    told = [event for event in events if isinstance(event, FieldSet | BallBowled)]
    count["fields"] += sum(isinstance(event, FieldSet) for event in told)
    count["twice"] += sum(isinstance(a, FieldSet) and isinstance(b, FieldSet) for a, b in pairwise(told))
    count["innings"] += len(game.state.innings)
    first = game.state.innings[0]
    return count, [first.runs, first.wickets], first.wickets == first.rules.wickets


def main(
    player: Annotated[str, typer.Option()] = "heuristic",
    matches: Annotated[int, typer.Option(min=2)] = 100,
    decisions: Annotated[str, typer.Option(help="What the captains decide: ball or over.")] = "ball",
    first: Annotated[int, typer.Option(min=0, help="The first match seed.")] = 9400,
    out: Out = None,
) -> None:
    """Print a row for each statistic."""
    played = [counts_of(player, seed, decisions) for seed in range(first, first + matches)]
    count = sum((each for each, _, _ in played), Counter[str]())
    runs = [float(totals[0]) for _, totals, _ in played]
    print(f"| statistic | {player} |\n|---|---|")
    print(f"| first innings | {fmean(runs):.1f} ± {mean_interval(runs).margin or 0:.1f} |")
    wickets, all_out = fmean(totals[1] for _, totals, _ in played), fmean(out for *_, out in played)
    print(f"| wickets; all out | {wickets:.2f}; {all_out:.3f} |")
    for name, key in (("runs a ball", "runs"), ("wickets a ball", "wickets"), ("strokes called", "strokes called")):
        shares = (count[f"{key}, {phase}"] / count[f"balls, {phase}"] for phase in PHASES)
        print(f"| {name}: {', '.join(PHASES)} | {', '.join(f'{share:.3f}' for share in shares)} |")
    print(f"| scoops, of powerplay balls | {count['scoops, powerplay'] / count['balls, powerplay']:.3f} |")
    print(f"| slower balls, of pace | {count['slower balls'] / count['pace']:.3f} |")
    print(f"| field announcements, an innings | {count['fields'] / count['innings']:.1f} |")
    print(f"| decisions, a side and match | {count['asked'] / 2 / matches:.1f} |")
    print(f"| announcements without a ball between | {count['twice']} |")


if __name__ == "__main__":
    typer.run(main)
