"""Level the shots: over natural balls and the standard field every one is worth a little less than a natural stroke.

    python scripts/cricket/level_shots.py

Rewrites `shot_levels` in games/cricket/data/ball_model.json. The states are typical ones of each phase and kind of
bowling; a wicket costs there what the chances of winning of a 20-over match say (runs at 4.4, 11.0 and 17.3 overs).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from grandstand.games.cricket.laws.rules import format_rules
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.average import called, worth
from grandstand.games.cricket.model.ball_model import DATA, SET_BIN, ball_model, times
from grandstand.games.cricket.model.context import resembles, standard_field
from grandstand.games.cricket.model.engine import (
    RUN_OUT,
    WICKET,
    BallChoice,
    BallMoment,
    call_odds,
    call_table,
    state_odds,
)
from grandstand.games.cricket.vocab import GROUPS, PHASES, SHOT_FAMILIES
from scripts.cricket.build_model import OUT, dumps

COST = (0.08, 0.08, 0.16)
"""Runs a ball that a shot loses over natural balls, by phase: at the death, natural strokes are hits already."""
SHOWS = {"loft": 0.02, "ramp": 0.08}
"""The same, in addition, of shots that show before the ball is bowled: the feet go down the pitch, or across."""
STATES = (((6, 1, 4), (28, 1, 15)), ((66, 3, 12),), ((105, 4, 10),))
"""By phase: legal balls, wickets down, balls faced."""
PRICES = (12.0, 7.5, 3.5)
"""Runs that a wicket costs, by phase."""
MOST = 0.9
"""No shot is moved further along its direction."""
LEVELLED = tuple(family for family in SHOT_FAMILIES if family not in ("leave", "defend"))


@cache
def natural(phase: int, group: int) -> float:
    return _worth("natural", phase, group)


def _worth(shot: str, phase: int, group: int) -> float:
    """Return the mean runs of a ball, wickets priced, over the states of a phase."""
    model, rules = ball_model("modern"), format_rules(20)
    worths = worth(model, phase).copy()
    worths[[WICKET, RUN_OUT]] -= PRICES[phase]
    values = []
    for legal, wickets, faced in STATES[phase]:
        over, _ = resembles(rules, legal)
        moment = BallMoment(over, phase, group, wickets, faced, 0, False)
        pair = times(model.position[wickets + 1], tactics.tempo(rules))
        field = standard_field(rules, legal, group)
        factors, shares = called("modern", phase, group, BallChoice(shot=shot), (field, field))
        odds = np.array(state_odds(model, moment, model.set_ness[SET_BIN[faced]], pair)) * factors
        values.append(shares @ (odds @ worths / odds.sum(axis=1)))
    return float(np.mean(values))


def level(family: str, phase: int, group: int) -> float:
    """Return how far the shot has to be moved, by bisection."""
    low, high = -MOST, MOST
    for _ in range(14):
        middle = (low + high) / 2
        tactics.LEVELS[family][phase][group] = middle
        for cached in (tactics.shot_table, call_table, call_odds, called):
            cached.cache_clear()
        if _worth(SHOT_FAMILIES[family][0], phase, group) < natural(phase, group) - COST[phase] - SHOWS.get(
            family, 0.0
        ):
            low = middle
        else:
            high = middle
    return round((low + high) / 2, 3)


def main() -> None:
    for family in LEVELLED:
        rows = [[level(family, phase, group) for group in range(len(GROUPS))] for phase in range(len(PHASES))]
        DATA["shot_levels"][family] = rows
        print(family, rows)
    OUT.write_text(dumps(DATA) + "\n")


if __name__ == "__main__":
    main()
