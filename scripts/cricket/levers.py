"""Measure the value of each tactical choice: made on every ball of a first innings, against neutral play, same seeds.

    python scripts/cricket/levers.py [--matches 250] [--overs 20]

Prints a Markdown table of runs and wickets gained over neutral by the batting side.
"""

from __future__ import annotations

import argparse
from random import Random
from typing import Any

from grandstand.games.base import Action
from grandstand.games.cricket.agent import menu
from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.game import CricketGame
from grandstand.games.cricket.model.context import MIDDLE
from grandstand.games.cricket.options import CricketOptions
from grandstand.games.cricket.simulate import Captain
from grandstand.games.cricket.vocab import INTENTS, LENGTHS, LINES, SHOT_FAMILIES

NEUTRAL = BOTS["neutral"]


def first_innings(options: CricketOptions, seed: int, batting: Captain, bowling: Captain) -> tuple[int, int]:
    game = CricketGame(options, seed)
    game.contest.start_innings(0)
    streams = {"home": Random(f"{seed}/home"), "away": Random(f"{seed}/away")}
    while len(game.state.innings) == 1:
        seat = game.to_act()[0]
        captain = NEUTRAL if game.state.stage == "review" else batting if seat == "home" else bowling
        game.apply(seat, captain(game, seat, streams[seat]))
    return game.state.innings[0].runs, game.state.innings[0].wickets


def always(tool: str, **arguments: Any) -> Captain:
    return lambda game, seat, rng: {"tool": tool, "arguments": arguments}


def by_group(pace: dict[str, Any], spin: dict[str, Any]) -> Captain:
    """Bowls one way with pace, another with spin."""

    def captain(game: CricketGame, seat: str, rng: Random) -> Action:
        innings = game.state.now
        if innings.bowler is None:
            name = game.state.teams[innings.bowling_side].players[game.state.next_bowler()].name
            return {"tool": "choose_bowler", "arguments": {"bowler": name}}
        return {"tool": "bowl_delivery", "arguments": spin if game.state.attack else pace}

    return captain


def field_in_the_middle(preset: str) -> Captain:
    """The preset whenever the middle overs are on, else the standard field."""

    def captain(game: CricketGame, seat: str, rng: Random) -> Action:
        state, innings = game.state, game.state.now
        wanted = preset if innings.bowler is not None and state.moment().phase == MIDDLE else "standard"
        free = innings.bowler is not None and not state.field_locked
        if free and state.field_choice != wanted and menu.free_calls_left(state, innings.bowling_side) > 0:
            return {"tool": "set_field", "arguments": {"preset": wanted}}
        return NEUTRAL(game, seat, rng)

    return captain


def levers() -> list[tuple[str, Captain, Captain]]:
    """(name, batting captain, bowling captain)."""
    out: list[tuple[str, Captain, Captain]] = []
    for intent in INTENTS:
        if intent != "normal":
            out.append((f"intent {intent}", always("play_delivery", intent=intent), NEUTRAL))
    for family, shots in SHOT_FAMILIES.items():
        out.append((f"shot {shots[0]} ({family})", always("play_delivery", shot=shots[0]), NEUTRAL))
    for length in LENGTHS[:-1]:
        out.append((f"length {length}", NEUTRAL, always("bowl_delivery", length=length)))
    for line in LINES[:-1]:
        out.append((f"line {line}", NEUTRAL, always("bowl_delivery", line=line)))
    for pace, spin in (("slower_ball", "wrong_un"), ("cutter", "arm_ball"), ("quick", "quicker"), ("swing", "stock")):
        captain = by_group({"variation": pace}, {"variation": spin})
        out.append((f"variation {pace}, spin {spin}", NEUTRAL, captain))
    for preset in ("pp_attack", "pp_defend", "middle_pace", "death_wide_yorker"):
        out.append((f"field {preset} in the middle overs", NEUTRAL, field_in_the_middle(preset)))
    out.append(("heuristic captain batting", BOTS["heuristic"], NEUTRAL))
    out.append(("heuristic captain bowling", NEUTRAL, BOTS["heuristic"]))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=250)
    parser.add_argument("--overs", type=int, default=20)
    args = parser.parse_args()
    options, seeds = CricketOptions(overs=args.overs), range(5000, 5000 + args.matches)

    def mean(batting: Captain, bowling: Captain) -> tuple[float, float]:
        totals = [first_innings(options, seed, batting, bowling) for seed in seeds]
        return sum(r for r, _ in totals) / len(totals), sum(w for _, w in totals) / len(totals)

    base_runs, base_wickets = mean(NEUTRAL, NEUTRAL)
    print(f"neutral: {base_runs:.1f} for {base_wickets:.2f}\n\n| lever | runs | wickets |\n|---|---|---|")

    for name, batting, bowling in levers():
        runs, wickets = mean(batting, bowling)
        print(f"| {name} | {runs - base_runs:+.1f} | {wickets - base_wickets:+.2f} |", flush=True)


if __name__ == "__main__":
    main()
