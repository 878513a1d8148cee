"""Measure what is usual for a captain: the overs with a slip, the balls on which attack or care is asked for.

    python -m scripts.cricket.habits [--matches 24]

Plays matches between the built-in captains that think or vary as real sides do (heuristic, cricsheet, neutral), each
pair by balls and by plans for overs, and writes games/cricket/data/habits.json, from which the story and the page tell
a captain's habits. A slip is counted at the first ball of an over; free hits and Super Overs are left out.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from itertools import pairwise

from grandstand.games.cricket.bots import BOTS
from grandstand.games.cricket.events import BallBowled, FieldSet, InningsStarted, PlayInterrupted
from grandstand.games.cricket.options import DECISIONS, CricketOptions
from grandstand.games.cricket.simulate import play_match
from grandstand.games.cricket.story.habits import ATTACKS, CARES, FILE, has_slip, phase_of

CAPTAINS = ("heuristic", "cricsheet", "neutral", "heuristic")


def count(seed: int, decisions: str, home: str, away: str) -> Counter[tuple[str, str, bool]]:
    """Return how often each habit came up in a match, by (habit, phase, whether)."""
    options, counts = CricketOptions(decisions=decisions), Counter[tuple[str, str, bool]]()
    _, events = play_match(options, seed, BOTS[home], BOTS[away])
    slip, over, legal, overs, powerplay = False, "", 0, 0, 0
    for event in events:
        if isinstance(event, InningsStarted | PlayInterrupted):
            if isinstance(event, InningsStarted) and event.innings > len(("first", "second")):
                break
            legal = 0 if isinstance(event, InningsStarted) else legal
            overs, powerplay = event.overs, event.powerplay or 0
        elif isinstance(event, FieldSet):
            slip = has_slip(event.places)
        elif isinstance(event, BallBowled):
            phase = phase_of(legal, overs, powerplay)
            this = f"{event.innings} {event.ball.partition('.')[0]}"
            counts["slip", phase, slip] += this != over
            if not event.free_hit:
                counts["attack", phase, event.intent in ATTACKS] += 1
                counts["care", phase, event.intent in CARES] += 1
            over, legal = this, event.score[2]
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=24, help="of each pair, half by balls and half by overs")
    args = parser.parse_args()
    total = Counter[tuple[str, str, bool]]()
    for seed in range(args.matches):
        for home, away in pairwise(CAPTAINS):
            total += count(seed, DECISIONS[seed % len(DECISIONS)], home, away)
    usual: dict[str, dict[str, float]] = {"slip": {}, "attack": {}, "care": {}}
    for habit, shares in usual.items():
        for phase in ("powerplay", "middle", "late"):
            yes, no = total[habit, phase, True], total[habit, phase, False]
            shares[phase] = round(yes / (yes + no), 3)
            print(f"{habit}, {phase}: {yes} of {yes + no}, {shares[phase]}")
    data = json.loads(FILE.read_text(encoding="utf-8"))
    FILE.write_text(json.dumps(data | {"usual": usual}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
