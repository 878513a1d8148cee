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
from grandstand.trainer.rollouts import Fork, OnProgress, Rollouts

ForkScore = Callable[[Fork, SeatId], float]
"""Return a seat's score of a played match."""


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
    mean_ci95: float | None = None
    """Half of the 95 % interval of the version's mean score."""

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
    rollouts: Rollouts,
    config: TrainConfig,
    spec: GameSpec,
    version: int,
    *,
    label: str,
    opponents: Mapping[str, float],
    games: int,
    score: ForkScore | None = None,
    progress: OnProgress | None = None,
) -> PairedResult:
    """Play `games` situations twice, with `version` and with the base in the trained seats, against `opponents`.

    Situations are like those in training, and the same for the same `label`. `score` returns a seat's score of a match,
    by default the game's own.
    """
    score = score or _match_score
    plans = plan_evaluation(config, spec, label, games, opponents)
    pairs: list[tuple[GroupPlan, Fork, Fork]] = []
    for plan in plans:
        name = f"{config.run.name}-{plan.id}-v{version:06d}"
        (own,) = rollouts.forks(plan, version, [f"{name}-own"], record=False)
        (base,) = rollouts.forks(plan, 0, [f"{name}-base"], record=False)
        pairs.append((plan, own, base))
    rollouts.play([fork for _, *forks in pairs for fork in forks], progress)
    ours = [fmean(score(own, seat) for seat in plan.trained_seats) for plan, own, _ in pairs]
    bases = [fmean(score(base, seat) for seat in plan.trained_seats) for plan, _, base in pairs]
    differences = [a - b for a, b in zip(ours, bases, strict=True)]
    error = stdev(differences) / sqrt(games) if games > 1 else inf
    gain = mean_interval(differences)
    elo = elo_interval([(_above(own, plan), _above(base, plan)) for plan, own, base in pairs])
    return PairedResult(
        games, fmean(ours), fmean(bases), error, gain.half, elo.mean, elo.half, mean_interval(ours).half
    )


def _scores(fork: Fork) -> Mapping[SeatId, float]:
    """Return the scores at the end of play."""
    game = fork.runner.match.game
    return game.scores() if game.outcome is None else game.outcome.scores


def _match_score(fork: Fork, seat: SeatId) -> float:
    return _scores(fork)[seat]


def _above(fork: Fork, plan: GroupPlan) -> float:
    """Return the share of the other seats that the trained seats outscore; an equal score counts half."""
    scores = _scores(fork)
    others = [score for seat, score in scores.items() if seat not in plan.trained_seats]
    return fmean(
        (scores[seat] > other) + (scores[seat] == other) / 2 for seat in plan.trained_seats for other in others
    )
