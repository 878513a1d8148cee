"""Statistics of a captain's matches with itself, to compare with real ones: a table of docs/cricket-tactics.md.

    python -m benchmarks.cricket_self_play --player heuristic --matches 100
    [--decisions over] [--conditions ipl-2023] [--first 9400]

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

from benchmarks.report import Cell, Out, mean, publish, table
from grandstand.games.base import Action, SeatId
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.events import BallBowled, ChanceChanged, FieldSet, PlayerReplaced, ReviewTaken
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model.context import resembles
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import play_match, spinners
from grandstand.games.cricket.vocab import PHASES, REVIEWED_EXTRAS, SEATS


def counts_of(player: str, seed: int, decisions: str, conditions: str) -> tuple[Counter[str], list[int], bool, float]:
    """Return the counts of a match, the runs of its first innings and whether all were out, and the sum of the worths
    of its impact players."""
    count = Counter[str]()

    def asked(game: CricketGame, seat: SeatId, rng: Random) -> Action:
        count["asked"] += 1
        return BOTS[player](game, seat, rng)

    valued = format_rules(20, conditions).impact_player
    options = CricketOptions(win_probability=valued, decisions=decisions, conditions=conditions)
    game, events = play_match(options, seed, asked, asked)
    spin = spinners(game)
    worth = 0.0
    for event in events:
        if isinstance(event, ChanceChanged):
            worth += sum(decision["delta"] for decision in event.decisions if "impact" in decision["choice"])
        if isinstance(event, PlayerReplaced):
            bats = SEATS[game.state.innings[event.innings - 1].batting_side] == event.seat
            when = ("first innings", "second innings", *["Super Over"] * 20)[event.innings - 1]
            count[f"impact player, {when}, {'batting' if bats else 'bowling'} side"] += 1
        if isinstance(event, ReviewTaken):
            kind = "extras" if event.kind in REVIEWED_EXTRAS else "dismissals"
            count.update([f"reviews of {kind}", *([f"{kind}, upheld"] if event.upheld else [])])
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
    return count, [first.runs, first.wickets], first.wickets == first.rules.wickets, worth


def main(
    player: Annotated[str, typer.Option()] = "heuristic",
    matches: Annotated[int, typer.Option(min=2)] = 100,
    decisions: Annotated[str, typer.Option(help="What the captains decide: ball or over.")] = "ball",
    conditions: Annotated[str, typer.Option(help="The playing conditions.")] = "icc",
    first: Annotated[int, typer.Option(min=0, help="The first match seed.")] = 9400,
    out: Out = None,
) -> None:
    """Report a row for each statistic."""
    played = [counts_of(player, seed, decisions, conditions) for seed in range(first, first + matches)]
    count = sum((each for each, *_ in played), Counter[str]())
    runs = [float(totals[0]) for _, totals, *_ in played]
    names = {"runs a ball": "runs", "wickets a ball": "wickets", "strokes called": "strokes called"}
    by_phase: list[list[Cell]] = [
        [f"{name}, {phase}", count[f"{key}, {phase}"] / count[f"balls, {phase}"]]
        for name, key in names.items()
        for phase in PHASES
    ]
    reviews: list[list[Cell]] = []
    for kind in ("dismissals", "extras"):
        if taken := count[f"reviews of {kind}"]:
            reviews.append([f"reviews of {kind}, an innings", taken / count["innings"]])
            reviews.append([f"upheld, of reviews of {kind}", count[f"{kind}, upheld"] / taken])
    impact: list[list[Cell]] = [
        [f"{name}, a side and match", used / 2 / matches]
        for name, used in sorted(count.items())
        if name.startswith("impact player")
    ]
    if impact:
        impact.append(["worth of the impact player, a side and match", mean([worth / 2 for *_, worth in played])])
    rows: list[list[Cell]] = [
        ["first innings", mean(runs)],
        ["wickets", fmean(totals[1] for _, totals, *_ in played)],
        ["all out", fmean(all_out for _, _, all_out, _ in played)],
        *by_phase,
        *reviews,
        *impact,
        ["scoops, of powerplay balls", count["scoops, powerplay"] / count["balls, powerplay"]],
        ["slower balls, of pace", count["slower balls"] / count["pace"]],
        ["field announcements, an innings", count["fields"] / count["innings"]],
        ["decisions, a side and match", count["asked"] / 2 / matches],
        ["announcements without a ball between", count["twice"]],
    ]
    section = table("Statistics", ["statistic", player], rows)
    publish("Matches of a captain with itself", f"{matches} matches from seed {first}", [section], out)


if __name__ == "__main__":
    typer.run(main)
