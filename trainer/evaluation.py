"""How much better a version plays than the policy it began as: the same fresh situations and luck for both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf, sqrt
from statistics import fmean, stdev

from grandstand.games.base import SeatId
from grandstand.games.spec import GameSpec
from grandstand.play.statistics import elo_interval, mean_interval
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.matchmaking import GroupPlan, plan_evaluation
from grandstand.trainer.rollouts import Fork, Rollouts, Told

Score = Callable[[Fork, SeatId], float]
"""What a match that was played is worth to a seat."""


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
    ci95: float | None
    """Half of the gain's 95 % interval; None where so few situations, or equal ones, give none."""
    elo: float | None
    """How many Elo points the version is above the base, by the share of opponents that each scores more than; None
    where no interval can be given."""
    elo_ci95: float | None
    """Half of its 95 % interval."""

    @property
    def gain(self) -> float:
        return self.mean - self.base

    @property
    def sigmas(self) -> float:
        """The gain in standard errors."""
        return self.gain / self.error if self.error else inf if self.gain > 0 else -inf if self.gain < 0 else 0.0

    def metrics(self, label: str) -> dict[str, float]:
        """The numbers by name; an interval that cannot be given is left out, and so are Elo points without one."""
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
    gain = mean_interval(differences)
    elo = elo_interval([(_above(own, plan), _above(base, plan)) for plan, own, base in pairs])
    return Duel(games, fmean(ours), fmean(bases), error, gain.half, elo.mean, elo.half)


def _scores(fork: Fork) -> Mapping[SeatId, float]:
    """Where play stopped."""
    game = fork.runner.match.game
    return game.scores() if game.outcome is None else game.outcome.scores


def _match_score(fork: Fork, seat: SeatId) -> float:
    return _scores(fork)[seat]


def _above(fork: Fork, plan: GroupPlan) -> float:
    """Share of the other seats that the heroes score more than; the same score is half."""
    scores = _scores(fork)
    others = [score for seat, score in scores.items() if seat not in plan.heroes]
    return fmean((scores[seat] > other) + (scores[seat] == other) / 2 for seat in plan.heroes for other in others)
