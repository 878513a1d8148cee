"""Expected runs still to come, and their spread, by balls and wickets: a dynamic programme over neutral play.

V(b, w) = sum over outcomes of p (r + V(b + 1, w')), wides and no-balls leaving b where it is (Swartz; WASP). Batters
are average ones, moderately set: good enough to weigh a wicket against runs, which is what the heuristic captain needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from statistics import NormalDist
from typing import Final

from grandstand.games.cricket.laws.rules import FormatRules
from grandstand.games.cricket.model import tactics
from grandstand.games.cricket.model.ball_model import BallModel, Weights, ball_model, times
from grandstand.games.cricket.model.context import resembles
from grandstand.games.cricket.model.engine import NOBALL, RUN_OUT, WICKET, WIDE

WORTH: Final = (0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 0.0, 0.5, 1.1, 2.4, 1.35)
"""Mean runs that each class of outcome brings, extras and all."""
_SET: Final = 2
"""Row of the set-ness table for a batter on 3-5 balls: with it, first innings come to what real ones do."""
_NORMAL: Final = NormalDist()


@dataclass(frozen=True)
class Outlook:
    """Tables by (legal balls bowled, wickets down), wickets up to the limit."""

    mean: tuple[tuple[float, ...], ...]
    variance: tuple[tuple[float, ...], ...]

    def chase(self, legal: int, wickets: int, need: float) -> float:
        """Return the chance of making `need` more from here, by a normal approximation."""
        if need <= 0:
            return 1.0
        mean, variance = self.mean[legal][wickets], self.variance[legal][wickets]
        if variance <= 0:
            return 0.0
        return 1 - _NORMAL.cdf((need - 0.5 - mean) / sqrt(variance))


def typical_odds(model: BallModel, rules: FormatRules, legal: int, wickets: int) -> list[float]:
    """Return the odds of the classes for average players in a first innings, pace and spin as real sides use them."""
    over, phase = resembles(rules, legal)
    spin = model.draws["spin_by_over"][over]
    batter = _pair(model, wickets)
    rest = times(batter, model.set_ness[_SET], model.chase[0], model.free_hit[0], tactics.tempo(rules))
    out = [0.0] * len(rest)
    for group, share in ((0, 1 - spin), (1, spin)):
        weights = times(model.context(over, phase, group, wickets), rest)
        total = sum(weights)
        for k, weight in enumerate(weights):
            out[k] += share * weight / total
    return out


def _pair(model: BallModel, wickets: int) -> Weights:
    a, b = (model.position[min(wickets + i, 10)] for i in (0, 1))
    return tuple((x * y) ** 0.5 for x, y in zip(a, b, strict=True))


@lru_cache(maxsize=64)
def outlook(era: str, rules: FormatRules) -> Outlook:
    """Return the tables of an innings under `rules`; built in milliseconds and cached."""
    model, balls, most = ball_model(era), rules.balls, rules.wickets
    mean = [[0.0] * (most + 1) for _ in range(balls + 1)]
    square = [[0.0] * (most + 1) for _ in range(balls + 1)]
    for legal in range(balls - 1, -1, -1):
        for wickets in range(most):
            p = typical_odds(model, rules, legal, wickets)
            first = second = stays = 0.0
            for k, share in enumerate(p):
                runs = WORTH[k]
                if k in (WIDE, NOBALL):
                    stays += share
                    first += share * runs
                    continue
                after = wickets + (k in (WICKET, RUN_OUT))
                m, s = mean[legal + 1][after], square[legal + 1][after]
                first += share * (runs + m)
                second += share * (runs * runs + 2 * runs * m + s)
            mean[legal][wickets] = first / (1 - stays)
            extra = sum(p[k] * (WORTH[k] ** 2 + 2 * WORTH[k] * mean[legal][wickets]) for k in (WIDE, NOBALL))
            square[legal][wickets] = (second + extra) / (1 - stays)
    variance = [[s - m * m for m, s in zip(a, b, strict=True)] for a, b in zip(mean, square, strict=True)]
    return Outlook(tuple(map(tuple, mean)), tuple(map(tuple, variance)))
