"""Compare a version with the base policy in the same situations, with the same match seeds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from statistics import fmean, stdev
from typing import Self

from grandstand.games.base import SeatId
from grandstand.games.spec import GameSpec
from grandstand.play.ratings.intervals import Interval, elo_interval, mean_interval
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import GroupPlan, plan_evaluation
from grandstand.trainer.rollout.rollouts import Group, GroupPlayer, OnProgress, ignore_progress

MatchScore = Callable[[str, SeatId], float]
"""Return a seat's score of a played match, by its episode."""
MatchResults = Callable[[str, SeatId], Mapping[str, float]]
"""Return the game's numbers about a seat of a played match, by its episode."""


@dataclass(frozen=True)
class PairedMeasure:
    """Means of one of the game's numbers, over the situations in which both have it."""

    mean: float
    base: float
    difference: float
    ci95: float | None
    """The difference plus or minus it includes the 95 % interval; None if there are too few situations, or all
    differences are equal."""

    @classmethod
    def of(cls, pairs: Sequence[tuple[float, float]]) -> Self:
        """Return the measure from (version's, base's) numbers of independent situations."""
        gain = mean_interval([own - base for own, base in pairs])
        mean, reference = (fmean(column) for column in zip(*pairs, strict=True))
        return cls(mean, reference, mean - reference, gain.margin)

    def __str__(self) -> str:
        interval = "" if self.ci95 is None else f" ± {self.ci95:.4f}"
        return f"{self.mean:.4f}, base {self.base:.4f}, difference {self.difference:+.4f}{interval}"


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
    """The gain plus or minus it includes the 95 % interval; None if there are too few situations."""
    elo: float | None
    """Elo difference to the base, by the share of opponents outscored; None if it has no interval."""
    elo_ci95: float | None
    """Half of the Elo difference's 95 % interval."""
    mean_ci95: float | None = None
    """The mean score plus or minus it includes the 95 % interval."""
    pairs: tuple[tuple[float, float], ...] = ()
    """The scores of the version and of the base in each situation."""
    results: Mapping[str, PairedMeasure] = field(default_factory=dict)
    """The game's own numbers, by name."""

    @classmethod
    def of(
        cls,
        pairs: Sequence[tuple[float, float]],
        elo: Interval | None = None,
        results: Mapping[str, PairedMeasure] | None = None,
    ) -> Self:
        """Return the result of the version's and the base's scores in independent situations."""
        differences = [own - base for own, base in pairs]
        ours, bases = ([pair[side] for pair in pairs] for side in (0, 1))
        error = stdev(differences) / sqrt(len(pairs)) if len(pairs) > 1 else inf
        gain = mean_interval(differences, bounds=(-1.0, 1.0))
        mean, half = (None, None) if elo is None else (elo.mean, elo.half)
        return cls(
            len(pairs),
            fmean(ours),
            fmean(bases),
            error,
            gain.margin,
            mean,
            half,
            mean_interval(ours).margin,
            tuple(pairs),
            results or {},
        )

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
        for name, measure in self.results.items():
            numbers |= {
                f"eval/{label}/{name}": measure.mean,
                f"eval/{label}/{name}/base": measure.base,
                f"eval/{label}/{name}/difference": measure.difference,
                f"eval/{label}/{name}/ci95": measure.ci95,
            }
        return {name: number for name, number in numbers.items() if number is not None}


@dataclass(frozen=True)
class BestVersion:
    """The version with the highest evaluation."""

    version: int
    name: str
    """Name of its folder in `versions/`."""
    result: PairedResult
    """Its result in new situations, free of the bias of choosing the best."""


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
    results: MatchResults | None = None,
    progress: OnProgress = ignore_progress,
) -> PairedResult:
    """Play `games` situations twice, with `version` and with the base in the trained seats, against `opponents`.

    Situations are like those in training, and the same for the same `label`. `score` returns a seat's score of a match,
    by default the game's own; `results` its further numbers.
    """
    plans = plan_evaluation(config, spec, label, games, opponents)
    matches: list[tuple[GroupPlan, str, str]] = []
    for plan in plans:
        name = f"{config.run.name}-{plan.id}-v{version:06d}"
        matches.append((plan, f"{name}-own", f"{name}-base"))
    groups = [
        Group(plan, number, [episode_id], record=False)
        for plan, *ids in matches
        for number, episode_id in zip((version, 0), ids, strict=True)
    ]
    scores = player.play_groups(groups, progress)
    score = score or (lambda episode_id, seat: scores[episode_id][seat])
    ours = [fmean(score(own, seat) for seat in plan.trained_seats) for plan, own, _ in matches]
    bases = [fmean(score(base, seat) for seat in plan.trained_seats) for plan, _, base in matches]
    elo = elo_interval([(_above(scores[own], plan), _above(scores[base], plan)) for plan, own, base in matches])
    measures = {} if results is None else _measures(matches, results)
    return PairedResult.of(list(zip(ours, bases, strict=True)), elo, measures)


def _measures(pairs: Iterable[tuple[GroupPlan, str, str]], results: MatchResults) -> dict[str, PairedMeasure]:
    """Return the game's numbers of the trained seats that have them in both episodes of a situation."""
    values: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for plan, *episodes in pairs:
        for seat in plan.trained_seats:
            own, base = (results(episode_id, seat) for episode_id in episodes)
            for name in own.keys() & base.keys():
                values[name].append((own[name], base[name]))
    return {name: PairedMeasure.of(values[name]) for name in sorted(values)}


def _above(scores: Mapping[SeatId, float], plan: GroupPlan) -> float:
    """Return the share of the other seats that the trained seats outscore; an equal score counts half."""
    others = [score for seat, score in scores.items() if seat not in plan.trained_seats]
    return fmean(
        (scores[seat] > other) + (scores[seat] == other) / 2 for seat in plan.trained_seats for other in others
    )
