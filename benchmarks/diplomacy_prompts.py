"""Measure the length of Diplomacy prompts: with and without the surroundings of units and the centres of earlier years,
and for settings of a prompt variant.

python -m benchmarks.diplomacy_prompts [--matches 4] [--last-year 1912]
"""

from __future__ import annotations

import argparse
import json
from random import Random
from statistics import fmean

from grandstand.games.diplomacy import GAME
from grandstand.games.diplomacy.agent.surroundings import surroundings, years_text
from grandstand.games.diplomacy.agent.text import LONGEST_HISTORY, YEARS_SHOWN
from grandstand.games.diplomacy.bots import BOTS, showcase
from grandstand.games.diplomacy.record.report import position
from grandstand.games.match import Match
from grandstand.games.prompts import PromptSettings, joined

VARIANTS = {
    "legal hidden": PromptSettings(legal=False),
    **{f"history {turns}": PromptSettings(history=turns) for turns in (0, 1, 3, LONGEST_HISTORY)},
}


def main() -> None:
    """Play matches of the showcase players and print the lengths of their movement prompts, in characters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=4)
    parser.add_argument("--last-year", type=int, default=1912)
    arguments = parser.parse_args()
    lengths: list[int] = []
    added: list[int] = []
    variants: dict[str, list[int]] = {name: [] for name in VARIANTS}
    for seed in range(arguments.matches):
        match = Match(GAME, {"last_year": arguments.last_year, "stalemate_years": 0}, seed)
        names = dict(zip(GAME.seats, showcase(Random(seed)), strict=True))
        while not match.over:
            for seat in match.waiting if match.game.turn.endswith("M") else ():
                parts = (
                    surroundings(seat, position(match.game.state)),
                    years_text(match.game.observation(seat)["years"], YEARS_SHOWN),
                )
                lengths.append(len(match.game.text(seat)))
                added.append(sum(len(part) + 2 for part in parts if part))
                for name, settings in VARIANTS.items():
                    variants[name].append(len(joined(match.game.parts(seat, settings))))
            for seat in match.waiting:
                match.apply(seat, BOTS[names[seat]](match.game, seat, match.rng(seat)))
    before = [length - more for length, more in zip(lengths, added, strict=True)]
    rows = (("prompt", lengths), ("without both parts", before), ("both parts", added), *variants.items())
    for name, values in rows:
        print(json.dumps({"what": name, "n": len(values), "mean": round(fmean(values)), "most": max(values)}))


if __name__ == "__main__":
    main()
