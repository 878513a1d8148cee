"""Search all legal fields for those that leave the batters least, by phase and kind of bowling.

    python scripts/cricket/fields.py [--natural]

From the standard field on, one fielder after the other is put wherever it helps most, until none helps any more. What
counts is the batters' best answer to natural balls in the field; with --natural, natural batting, and then the best
answer is what it costs to be found out. Runs a ball against natural calls in the standard field, wickets priced.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import NamedTuple

from grandstand.games.cricket.bots import ball_game
from grandstand.games.cricket.bots.ball_game import STROKES
from grandstand.games.cricket.laws.field import PLACES, Field, field_of
from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model.context import resembles, standard_field
from grandstand.games.cricket.model.priors import Array
from grandstand.games.cricket.model.tactics import NATURAL
from grandstand.games.cricket.vocab import GROUPS, PHASES

NORMAL = STROKES.index(("normal", None))
Places = tuple[str, ...]


class State(NamedTuple):
    """A typical state: legal balls bowled, kind of bowling, class of what a wicket costs."""

    legal: int
    group: int
    price: int

    def worths(self, places: Places) -> Array:
        """Return [stroke]: what each call of the batters makes of natural balls in the field, in runs."""
        rules = format_rules(20)
        phase = resembles(rules, self.legal)[1]
        base, worths = ball_game.typical("modern", rules, phase, self.group, self.price, False)
        standard = standard_field(rules, self.legal, self.group)
        tables = ball_game.stroke_tables("modern", phase, self.group, _field(places, standard), standard)
        natural = ball_game.landing(phase, self.group, NATURAL, NATURAL)
        value: Array = ball_game.worth_of_strokes(tables, base, worths) @ natural
        return value


STATES = (State(6, 0, 8), State(28, 0, 7), State(28, 1, 7), State(66, 0, 5), State(66, 1, 5), State(105, 0, 3),
          State(105, 1, 3))  # fmt: skip


def _field(places: Places, standard: Field) -> Field:
    return standard if places == standard.places else field_of(places)


def searched(start: Places, most: int, cost: Callable[[Places], float]) -> Places:
    """Return the field that no move of one fielder makes cheaper."""
    best, least = start, cost(start)
    improved = True
    while improved:
        improved = False
        for i in range(len(best)):
            for place in PLACES:
                places = (*best[:i], place, *best[i + 1 :])
                if place in best or field_of(places).breach(most) is not None:
                    continue
                value = cost(places)
                if value < least - 1e-4:
                    best, least, improved = places, value, True
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--natural", action="store_true")
    natural_only = parser.parse_args().natural
    rules = format_rules(20)
    print("| state | natural batting | best answer | it is | close catchers | field |\n|---|---|---|---|---|---|")
    for state in STATES:
        standard = standard_field(rules, state.legal, state.group).places
        base = state.worths(standard)[NORMAL]

        def cost(places: Places, state: State = state) -> float:
            worths = state.worths(places)
            return float(worths[NORMAL] if natural_only else worths.max())

        best = searched(standard, rules.max_outside(state.legal), cost)
        worths = state.worths(best) - base
        intent, family = STROKES[int(worths.argmax())]
        where = f"over {state.legal // 6 + 1}, {PHASES[resembles(rules, state.legal)[1]]}, {GROUPS[state.group]}"
        print(
            f"| {where} | {worths[NORMAL]:+.3f} | {worths.max():+.3f} | {intent}{f', {family}' if family else ''} "
            f"| {field_of(best).close} | {', '.join(best)} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
