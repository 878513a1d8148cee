"""The ball model: the probability of each class of outcome, as a product of odds factors.

A multinomial logit in the form weight_k = exp(eta_k): every influence is an 11-vector of factors on the classes of
`vocab.CLASSES`, and the distribution is the normalised product. All numbers come from `data/ball_model.json`
(sources in that folder's README); what is an assumption of ours lives in `tactics.py`.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from functools import cached_property, lru_cache
from itertools import accumulate
from math import exp, prod
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from grandstand.games.cricket.model import keeper
from grandstand.games.cricket.vocab import (
    BOUNCER,
    CLASSES,
    GROUPS,
    LENGTHS,
    LINES,
    OUTSIDE_LEG,
    PHASES,
    WIDE_OUTSIDE_OFF,
)

Array = NDArray[np.float64]
Weights = tuple[float, ...]
"""One positive factor per class of `vocab.CLASSES`; a dot ball's is 1 except in intercepts and raking."""

ERAS: Final = ("modern", "classic")
ONES: Final[Weights] = (1.0,) * len(CLASSES)
_SET_EDGES: Final = (0, 2, 5, 9, 14, 20, 30, 45)
_CHASE_EDGES: Final = (4.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 14.0, 18.0)
SET_ROWS: Final = len(_SET_EDGES) + 1
SET_BIN: Final = tuple(sum(balls > edge for edge in _SET_EDGES) for balls in range(400))
"""Balls faced -> row of the set-ness table."""
DATA: Final[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "data" / "ball_model.json").read_text())
PHASE_SD: Final = 0.06
"""The standard deviation of a bowler's ability between the phases, in log-odds."""


def factors(log_odds: list[float] | tuple[float, ...]) -> Weights:
    return tuple(exp(x) for x in log_odds)


def times(*rows: Weights) -> Weights:
    return tuple(map(prod, zip(*rows, strict=True)))


def along(direction: dict[str, float], amount: float) -> Weights:
    """Return odds factors of `amount` along a direction {class: log-odds per unit}."""
    return scaled(vector(direction), amount)


def vector(direction: dict[str, float]) -> Weights:
    """Return a direction {class: number} as one number per class; threes go with twos."""
    return tuple(direction.get(k, direction.get("2", 0.0) if k == "3" else 0.0) for k in CLASSES)


def scaled(direction: Weights, amount: float) -> Weights:
    return tuple([exp(amount * d) if d else 1.0 for d in direction])


def cumulative(weights: Weights | list[float]) -> list[float]:
    """Return running sums scaled to end at 1, for `pick`."""
    sums = list(accumulate(weights))
    return [s / sums[-1] for s in sums]


def pick(running: list[float], uniform: float) -> int:
    """Return the index that `uniform` in (0, 1) draws from running sums that end at 1."""
    return min(bisect_right(running, uniform), len(running) - 1)


def chase_bin(required_rate: float | None) -> int:
    """Return the row of the chase table: 0 in a first innings, else by runs needed per over."""
    return 0 if required_rate is None else 1 + bisect_left(_CHASE_EDGES, required_rate)


class BallModel:
    """The fixed effects of one era ("modern": IPL 2023-24, "classic": 2018-22)."""

    def __init__(self, era: str) -> None:
        context = DATA["context"]
        self.era = era
        self.draws: dict[str, Any] = DATA["draws"][era]
        self.umpire: dict[str, float] = DATA["raked"][era]["umpire"]
        self.set_ness = [
            factors([a + b for a, b in zip(context["bfc"][min(row, len(context["bfc"]) - 1)], raked, strict=True)])
            for row, raked in enumerate(DATA["raked"][era]["set"])
        ]
        self.chase = [factors(row) for row in context["rrc"]]
        self.position = [factors(row) for row in context["posc"]]
        self.free_hit = [factors(row) for row in context["fh"]]
        tail = DATA["raked"][era]["tail"]
        self._tail = [tail if name in ("W", "RO") else 0.0 for name in CLASSES]
        """The additional log-odds of a wicket for the last two pairs, which the factors of the fit lack."""
        self._context: dict[tuple[int, int, int, int], Weights] = {}

    def context(self, over: int, phase: int, group: int, wickets: int) -> Weights:
        """Return the odds factors of an over of 20 (0-19), phase and bowler group by index, and wickets down."""
        key = (over, phase, group, wickets)
        cached = self._context.get(key)
        if cached is None:
            table = DATA["context"]
            rows = (
                table["intercept"],
                DATA["era"][self.era],
                DATA["raked"][self.era]["classes"][phase],
                table["ovc"][over],
                table["wkc"][min(wickets, 8)],
                table["phase_group"][phase][group],
                table["phase_wickets"][phase][sum(wickets > edge for edge in (1, 3, 5))],
                self._tail if wickets >= 8 else [0.0] * len(CLASSES),
            )
            cached = self._context[key] = factors([sum(column) for column in zip(*rows, strict=True)])
        return cached

    @lru_cache(maxsize=64)  # noqa: B019 - two models live as long as the process
    def situation(self, over: int, phase: int, group: int, wickets: int, chase: int, free_hit: bool) -> Weights:
        """Return `context` with the required rate (a row of the chase table) and the free hit."""
        return times(self.context(over, phase, group, wickets), self.chase[chase], self.free_hit[free_hit])

    @cached_property
    def landed(self) -> list[list[list[list[Weights]]]]:
        """The odds factors by [phase][group][length][line] of the landed ball, with mean 1 under the natural mix."""
        return [[_landed_table(phase, group) for group in range(len(GROUPS))] for phase in range(len(PHASES))]

    @cached_property
    def mixes(self) -> list[list[tuple[list[float], list[float]]]]:
        """[phase][group]: running sums of the natural lengths and lines."""
        return [
            [
                (cumulative(DATA["delivery"][g]["length_mix"][p]), cumulative(DATA["delivery"][g]["line_mix"][p]))
                for g in GROUPS
            ]
            for p in range(len(PHASES))
        ]

    @lru_cache(maxsize=512)  # noqa: B019 - two models live as long as the process
    def kinds(
        self, phase: int, group: int, length: int, line: int, left: bool = False, keeper_up: bool = False
    ) -> tuple[list[str], list[float]]:
        """Return the dismissal kinds of a bowler's wicket and their running sums, by where the ball landed.

        A ball that pitched outside leg stump is never lbw (Law 36.1.2); one that was `left` alone is never caught.
        Nobody is bowled or lbw by a bouncer, or lbw to a ball that passes wide of off stump: a rule excludes the few
        that the measured tilts leave.
        """
        base, tilt = self._kinds(phase, group), _kinds_by_landing(group, length, line)
        if keeper_up and group == 0:
            base = keeper.kinds(base, self._kinds(phase, 1))
            tilt["stumped"] = _kinds_by_landing(1, length, line)["stumped"]
        if line >= OUTSIDE_LEG or line == WIDE_OUTSIDE_OFF or length == BOUNCER:
            tilt["lbw"] = 0.0
        if length == BOUNCER:
            tilt["bowled"] = 0.0
        if left:
            tilt |= {"caught": 0.0, "caught and bowled": 0.0, "hit wicket": 0.0}
        odds = {kind: weight * tilt.get(kind, 1.0) for kind, weight in base.items()}
        possible = {kind: weight for kind, weight in odds.items() if weight}
        return list(possible), cumulative(list(possible.values()))

    def _kinds(self, phase: int, group: int) -> dict[str, float]:
        """Return the weights of the kinds of dismissal in a phase, wherever the ball lands."""
        base: dict[str, float] = self.draws["kinds"][phase][group]
        rake: dict[str, float] = DATA["raked"][self.era]["kinds"]
        return {kind: share * rake[kind] for kind, share in base.items()}

    def keeper_up(self, phase: int) -> Weights:
        """Return the odds factors of a keeper who stands up to the stumps for pace."""
        changed = keeper.odds(self._kinds(phase, 0), self._kinds(phase, 1), self.draws["bye_share"][phase])
        return tuple(changed.get(name, 1.0) for name in CLASSES)


def _kinds_by_landing(group: int, length: int, line: int) -> dict[str, float]:
    """Return the factors of the kinds of dismissal by where the ball landed."""
    where = DATA["delivery"][GROUPS[group]]
    tilts = zip(where["length_kind"][length], where["line_kind"][line], strict=True)
    return dict(zip(("bowled", "caught", "lbw", "stumped"), (a * b for a, b in tilts), strict=True))


def _landed_table(phase: int, group: int) -> list[list[Weights]]:
    where = DATA["delivery"][GROUPS[group]]
    lengths, lines = where["length_mix"][phase], where["line_mix"][phase]
    mean_wide = sum(share * rate for share, rate in zip(lines, where["wide"], strict=True))
    wide = CLASSES.index("wide")
    table = []
    for length in range(len(LENGTHS)):
        row = []
        for line in range(len(LINES)):
            odds = [exp(a + b) for a, b in zip(where["length"][length], where["line"][line], strict=True)]
            odds[wide] = where["wide"][line] / mean_wide
            row.append(odds)
        table.append(row)
    cells = [(i, j, lengths[i] * lines[j]) for i in range(len(LENGTHS)) for j in range(len(LINES))]
    mean = [sum(share * table[i][j][k] for i, j, share in cells) for k in range(len(CLASSES))]
    return [[tuple(x / m for x, m in zip(odds, mean, strict=True)) for odds in row] for row in table]


@lru_cache
def ball_model(era: str) -> BallModel:
    """Return the model of an era, built once. Raise KeyError for an unknown era."""
    return BallModel(era)
