"""How much better a version plays than the policy it began as: the same fresh situations and luck for both."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean, stdev

from games.base import GameSpec
from games.match import Match
from trainer.config import TrainConfig
from trainer.plans import GroupPlan, plan_evaluation
from trainer.rollouts import Fork, Rollouts, Told


@dataclass(frozen=True)
class Duel:
    """Scores of a version and of the base in the same seats of the same situations, paired."""

    games: int
    mean: float
    """Of the version's score."""
    base: float
    """Of the base's."""
    error: float
    """Standard error of the mean difference."""

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
    told: Told | None = None,
) -> Duel:
    """Play `games` situations twice, with `version` and with the base in the heroes' seats, against `opponents`.

    Situations are fresh ones of the kind that is trained on; the same for the same `label`.
    """
    plans = plan_evaluation(config, spec, label, games, opponents, ())
    pairs: list[tuple[GroupPlan, Fork, Fork]] = []
    for plan in plans:
        name = f"{config.run.name}-{plan.id}-v{version:06d}"
        (own,) = rollouts.forks(plan, version, [f"{name}-own"], record=False)
        (base,) = rollouts.forks(plan, 0, [f"{name}-base"], record=False)
        pairs.append((plan, own, base))
    rollouts.play([fork for _, *forks in pairs for fork in forks], told)
    ours = [_score(fork.table.match, plan) for plan, fork, _ in pairs]
    bases = [_score(fork.table.match, plan) for plan, _, fork in pairs]
    differences = [a - b for a, b in zip(ours, bases, strict=True)]
    error = stdev(differences) / sqrt(games) if games > 1 else inf
    return Duel(games, fmean(ours), fmean(bases), error)


def _score(match: Match, plan: GroupPlan) -> float:
    """The heroes' mean score where play stopped."""
    outcome = match.game.outcome
    scores = match.game.scores() if outcome is None else outcome.scores
    return fmean(scores[seat] for seat in plan.heroes)
