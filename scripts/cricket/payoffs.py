"""Best replies of the captains to each other's calls in turn, and the payoffs of those that come round.

    python scripts/cricket/payoffs.py [--overs 20]

For typical states of each phase and kind of bowling: from natural calls on, the bowling side takes the ball and preset
field that are best against the batters' last call, then the batters the intent and shot that are best against those,
until a pair of calls comes back. The table gives the runs of a ball, a wicket at its price there, against natural calls
of both; no ball is read. It is exact for average players.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from grandstand.games.cricket.bots import ball_game
from grandstand.games.cricket.bots.ball_game import BALLS, STROKES
from grandstand.games.cricket.laws.field import PRESETS, field_of
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model.context import resembles, standard_field, standard_field_name
from grandstand.games.cricket.model.priors import Array
from grandstand.games.cricket.model.reading import NATURAL_AIM, Aim
from grandstand.games.cricket.vocab import GROUPS, LENGTHS, LINES, PHASES

LEGAL = (28, 66, 105)
PRICE = (7, 5, 3)
"""By phase: legal balls bowled, and the class of what a wicket costs (`ball_game.PRICES`)."""
NATURAL_STROKE = STROKES.index(("normal", None))


class Bowling(NamedTuple):
    field: str
    ball: Aim


def payoffs(overs: int, phase: int, group: int) -> tuple[dict[str, Array], str]:
    """Return by legal field [ball, stroke], in runs against natural calls in the standard field, and that field."""
    rules = format_rules(overs)
    legal = next(legal for legal in range(rules.balls) if resembles(rules, legal)[1] == phase)
    legal = LEGAL[phase] if overs == 20 else legal
    standard = standard_field(rules, legal, group)
    out = {}
    for name, places in PRESETS.items():
        field = field_of(places)
        if field.breach(rules.max_outside(legal)) is None:
            out[name] = ball_game.plan("modern", rules, phase, group, PRICE[phase], False, field, standard, True).worths
    usual = standard_field_name(rules, legal, group)
    base = out[usual][BALLS[group].index(NATURAL_AIM), NATURAL_STROKE]
    return {name: worths - base for name, worths in out.items()}, usual


def replies(worths: dict[str, Array], usual: str, group: int) -> Iterator[tuple[Bowling, int]]:
    """Yield the pairs of calls of the cycle that best replies in turn end in: each stroke answers its bowling."""
    observed: list[tuple[Bowling, int]] = []
    stroke = NATURAL_STROKE
    while True:
        field = min(worths, key=lambda name: float(worths[name][:, stroke].min()))
        ball = int(worths[field][:, stroke].argmin())
        stroke = int(worths[field][ball].argmax())
        pair = Bowling(field, BALLS[group][ball]), stroke
        if pair in observed:
            yield from observed[observed.index(pair) :]
            return
        observed.append(pair)


def say_ball(ball: Aim) -> str:
    length, line, variation = ball
    words = [LENGTHS[length] if length >= 0 else "", LINES[line] if line >= 0 else "",
             "" if variation == "natural" else variation]  # fmt: skip
    return " ".join(word for word in words if word) or "natural"


def say_stroke(stroke: int) -> str:
    intent, family = STROKES[stroke]
    return intent if family is None else f"{intent}, {family}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--overs", type=int, default=20)
    args = parser.parse_args()
    for phase, phase_name in enumerate(PHASES):
        for group, kind in enumerate(GROUPS):
            worths, usual = payoffs(args.overs, phase, group)
            cycle = list(replies(worths, usual, group))
            natural = Bowling(usual, NATURAL_AIM), NATURAL_STROKE
            strokes = [natural[1], *dict.fromkeys(stroke for _, stroke in cycle)]
            rows = [natural[0], *dict.fromkeys(bowling for bowling, _ in cycle)]
            print(f"\n{phase_name}, {kind}: a cycle of {len(cycle)}\n")
            print("| bowling | " + " | ".join(map(say_stroke, strokes)) + " |")
            print("|---" * (len(strokes) + 1) + "|")
            for bowling in rows:
                row = worths[bowling.field][BALLS[group].index(bowling.ball), strokes]
                best = int(np.argmax(row))
                cells = (f"**{value:+.2f}**" if i == best else f"{value:+.2f}" for i, value in enumerate(row))
                print(f"| {say_ball(bowling.ball)}; {bowling.field} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
