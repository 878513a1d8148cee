"""Compare a version with the base policy in the same situations, with the same match seeds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean, stdev

from grandstand.games.base import SeatId
from grandstand.games.spec import GameSpec
from grandstand.play.statistics import elo_interval, mean_interval
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import GroupPlan, plan_evaluation
from grandstand.trainer.rollouts import Group, GroupPlayer, OnProgress, ignore_progress

MatchScore = Callable[[str, SeatId], float]
"""Return a seat's score of a played match, by its episode."""


@dataclass(frozen=True)
class PairedResult:
    """Paired scores of a version and the base, in the same seats of the same situations."""

    games: int
    mean: float
    """Mean score of the version."""
    base: float
    """Mean score of the base."""
    error: float
    """Standard error of the mean difference."""
    ci95: float | None
    """Half of the gain's 95 % interval; None if there are too few situations, or all differences are equal."""
    elo: float | None
    """Elo difference to the base, by the share of opponents outscored; None if it has no interval."""
    elo_ci95: float | None
    """Half of the Elo difference's 95 % interval."""

    @property
    def gain(self) -> float:
        return self.mean - self.base

    @property
    def sigmas(self) -> float:
        """Return the gain in standard errors."""
        return self.gain / self.error if self.error else inf if self.gain > 0 else -inf if self.gain < 0 else 0.0

    def metrics(self, label: str) -> dict[str, float]:
        """Return the metrics by name, without those that are None."""
        numbers = {
            f"eval/{label}/mean": self.mean,
            f"eval/{label}/base": self.base,
            f"eval/{label}/gain": self.gain,
            f"eval/{label}/ci95": self.ci95,
            f"eval/{label}/elo": self.elo,
            f"eval/{label}/elo_ci95": self.elo_ci95,
            f"eval/{label}/games": float(self.games),
        }
        return {name: number for name, number in numbers.items() if number is not None}


def evaluate_pair(
    player: GroupPlayer,
    config: TrainConfig,
    spec: GameSpec,
    version: int,
    *,
    label: str,
    opponents: Mapping[str, float],
    games: int,
    score: MatchScore | None = None,
    progress: OnProgress = ignore_progress,
) -> PairedResult:
    """Play `games` situations twice, with `version` and with the base in the trained seats, against `opponents`.

    Situations are like those in training, and the same for the same `label`. `score` returns a seat's score of a match,
    by default the game's own.
    """
    plans = plan_evaluation(config, spec, label, games, opponents)
    pairs: list[tuple[GroupPlan, str, str]] = []
    for plan in plans:
        name = f"{config.run.name}-{plan.id}-v{version:06d}"
        pairs.append((plan, f"{name}-own", f"{name}-base"))
    groups = [
        Group(plan, number, [episode_id], record=False)
        for plan, *ids in pairs
        for number, episode_id in zip((version, 0), ids, strict=True)
    ]
    scores = player.play_groups(groups, progress)
    score = score or (lambda episode_id, seat: scores[episode_id][seat])
    ours = [fmean(score(own, seat) for seat in plan.trained_seats) for plan, own, _ in pairs]
    bases = [fmean(score(base, seat) for seat in plan.trained_seats) for plan, _, base in pairs]
    differences = [a - b for a, b in zip(ours, bases, strict=True)]
    error = stdev(differences) / sqrt(games) if games > 1 else inf
    gain = mean_interval(differences)
    elo = elo_interval([(_above(scores[own], plan), _above(scores[base], plan)) for plan, own, base in pairs])
    return PairedResult(games, fmean(ours), fmean(bases), error, gain.half, elo.mean, elo.half)


def _above(scores: Mapping[SeatId, float], plan: GroupPlan) -> float:
    """Return the share of the other seats that the trained seats outscore; an equal score counts half."""
    others = [score for seat, score in scores.items() if seat not in plan.trained_seats]
    return fmean(
        (scores[seat] > other) + (scores[seat] == other) / 2 for seat in plan.trained_seats for other in others
    )
