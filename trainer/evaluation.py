"""How much better a version plays than the policy it began as: the same fresh situations and luck for both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, log10, sqrt
from random import Random
from statistics import fmean, stdev

from games.base import GameSpec, SeatId
from trainer.config import TrainConfig
from trainer.plans import GroupPlan, keyed, plan_evaluation
from trainer.rollouts import Fork, Rollouts, Told

Score = Callable[[Fork, SeatId], float]
"""What a match that was played is worth to a seat."""
RESAMPLED = 400
"""Times that situations are resampled for an interval."""


@dataclass(frozen=True)
class Duel:
    """What a version and the base score in the same seats of the same situations, paired."""

    games: int
    mean: float
    """Of the version's score."""
    base: float
    """Of the base's."""
    error: float
    """Standard error of the mean difference."""
    elo: float
    """How many Elo points the version is above the base, by the share of opponents that each scores more than."""
    elo_ci95: float
    """Half the width of its 95 % interval, from resampling the situations."""

    @property
    def gain(self) -> float:
        return self.mean - self.base

    @property
    def sigmas(self) -> float:
        """The gain in standard errors."""
        return self.gain / self.error if self.error else inf if self.gain > 0 else -inf if self.gain < 0 else 0.0

    def metrics(self, label: str) -> dict[str, float]:
        return {
            f"eval/{label}/mean": self.mean,
            f"eval/{label}/base": self.base,
            f"eval/{label}/gain": self.gain,
            f"eval/{label}/ci95": 1.96 * self.error,
            f"eval/{label}/elo": self.elo,
            f"eval/{label}/elo_ci95": self.elo_ci95,
            f"eval/{label}/games": float(self.games),
        }


def duel(
    rollouts: Rollouts,
    config: TrainConfig,
    spec: GameSpec,
    version: int,
    *,
    label: str,
    opponents: Mapping[str, float],
    games: int,
    score: Score | None = None,
    told: Told | None = None,
) -> Duel:
    """Play `games` situations twice, with `version` and with the base in the heroes' seats, against `opponents`.

    Situations are fresh ones of the kind that is trained on; the same for the same `label`. `score` judges a match for
    a seat, by default as the match itself does.
    """
    score = score or _match_score
    plans = plan_evaluation(config, spec, label, games, opponents, ())
    pairs: list[tuple[GroupPlan, Fork, Fork]] = []
    for plan in plans:
        name = f"{config.run.name}-{plan.id}-v{version:06d}"
        (own,) = rollouts.forks(plan, version, [f"{name}-own"], record=False)
        (base,) = rollouts.forks(plan, 0, [f"{name}-base"], record=False)
        pairs.append((plan, own, base))
    rollouts.play([fork for _, *forks in pairs for fork in forks], told)
    ours = [fmean(score(own, seat) for seat in plan.heroes) for plan, own, _ in pairs]
    bases = [fmean(score(base, seat) for seat in plan.heroes) for plan, _, base in pairs]
    differences = [a - b for a, b in zip(ours, bases, strict=True)]
    error = stdev(differences) / sqrt(games) if games > 1 else inf
    wins = [tuple(_above(fork, plan) for fork in forks) for plan, *forks in pairs]
    rng = Random(keyed(config.run.seed, "bootstrap", label))
    again = [_elo(rng.choices(wins, k=games)) for _ in range(RESAMPLED)]
    return Duel(games, fmean(ours), fmean(bases), error, _elo(wins), 1.96 * stdev(again))


def _scores(fork: Fork) -> Mapping[SeatId, float]:
    """Where play stopped."""
    game = fork.table.match.game
    return game.scores() if game.outcome is None else game.outcome.scores


def _match_score(fork: Fork, seat: SeatId) -> float:
    return _scores(fork)[seat]


def _above(fork: Fork, plan: GroupPlan) -> float:
    """Share of the other seats that the heroes score more than; the same score is half."""
    scores = _scores(fork)
    others = [score for seat, score in scores.items() if seat not in plan.heroes]
    return fmean((scores[seat] > other) + (scores[seat] == other) / 2 for seat in plan.heroes for other in others)


def _elo(wins: Sequence[tuple[float, ...]]) -> float:
    """400 log10 of the odds of scoring more than an opponent, the version's less the base's.

    Half an opponent is added on either side, so that who always scores more is not infinitely better.
    """
    points = []
    for shares in zip(*wins, strict=True):
        above = sum(shares)
        points.append(400 * log10((above + 0.5) / (len(wins) - above + 0.5)))
    return points[0] - points[1]
