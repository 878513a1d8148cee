"""Compute the return of each decision from the reward entries of a game's events. No tensors."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean

from grandstand.games.training import Component, Entry
from grandstand.trainer.config.objective_settings import ELO, RewardSettings
from grandstand.trainer.rollout.trajectories import Trajectory

_NOISE = 1e-20
"""Variance below this share of the mean square counts as rounding error."""
LEAST_ELO, MOST_ELO = 100.0, 5000.0
"""Range of the ratings that expected scores are computed from."""


@dataclass(frozen=True)
class EloRatings:
    """Elo ratings by player's name: 400 points more are odds of ten to one; 1000 to 1500 is usual.

    Raises ValueError for numbers on another scale (a skill of 25, log-odds around 0), for which every expected score
    would silently be a draw.

    >>> EloRatings({"policy": 1200, "bot": 1000}).expected("policy", "bot")
    0.7597469266479578
    """

    points: Mapping[str, float]

    def __post_init__(self) -> None:
        for name, points in self.points.items():
            if not LEAST_ELO <= points <= MOST_ELO:
                raise ValueError(
                    f"the rating of {name}, {points:g}, is not in Elo points ({LEAST_ELO:g} to {MOST_ELO:g}): "
                    "convert it first, so that 400 points are odds of ten to one"
                )

    def expected(self, name: str, opponent: str) -> float:
        """Return the logistic expectation of `name`'s score against `opponent`, in 0..1 with 0.5 for a draw."""
        return float(1 / (1 + 10 ** ((self._of(opponent) - self._of(name)) / 400)))

    def _of(self, name: str) -> float:
        if name not in self.points:
            raise ValueError(f"no rating of {name}; there are {', '.join(self.points)}")
        return self.points[name]


def surprise(trajectory: Trajectory, ratings: EloRatings) -> float:
    """Return the actual minus the expected score, averaged over the opponents, in -1..1.

    A higher score than an opponent's counts 1, an equal one 0.5. Raises ValueError if a player has no rating.
    """
    if not trajectory.opponents:
        raise ValueError(f"{trajectory.seat} in {trajectory.episode_id} has no opponents to be rated against")
    own = trajectory.scores[trajectory.seat]
    actual = fmean(
        (own > trajectory.scores[seat]) + (own == trajectory.scores[seat]) / 2 for seat in trajectory.opponents
    )
    return actual - fmean(ratings.expected(trajectory.policy, name) for name in trajectory.opponents.values())


def judge(
    trajectory: Trajectory,
    entries: Iterable[Entry],
    components: Mapping[str, Component],
    ratings: EloRatings | None = None,
) -> Trajectory:
    """Return the trajectory with its rewards.

    An entry from one decision's event until the next one's is credited to that decision, whatever choices of other
    seats (or of a stand-in for this policy) lie between; entries before the first decision are dropped. Final
    components go to the trajectory. Every component is present, with 0 where it has no entry. With `ratings`, `final`
    also has ELO. Raises ValueError for a component that the game did not declare.
    """
    numbers = [decision.seq for decision in trajectory.decisions]
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        raise ValueError(f"the decisions of {trajectory.seat} in {trajectory.episode_id} are not in order: {numbers}")
    final = {name: 0.0 for name, component in components.items() if component.final}
    steps = [dict.fromkeys((name for name in components if name not in final), 0.0) for _ in numbers]
    for entry in entries:
        if entry.component not in components:
            raise ValueError(f"the ledger has {entry.component}, which is none of {', '.join(components)}")
        if entry.component in final:
            final[entry.component] += entry.amount
        elif started := bisect_right(numbers, entry.seq):
            steps[started - 1][entry.component] += entry.amount
    if ratings is not None:
        final[ELO] = surprise(trajectory, ratings)
    judged = [replace(decision, rewards=rewards) for decision, rewards in zip(trajectory.decisions, steps, strict=True)]
    return replace(trajectory, decisions=judged, final=final)


def totals(trajectory: Trajectory, settings: RewardSettings) -> dict[str, float]:
    """Return the weighted, undiscounted sum of each component that counts, over the whole judged trajectory."""
    stepwise = {name: sum(decision.rewards[name] for decision in trajectory.decisions) for name in _steps(trajectory)}
    judged = {**stepwise, **trajectory.final}
    missing = [name for name in settings.worth if name not in judged]
    if trajectory.decisions and missing:
        remedy = "judge with ratings" if missing == [ELO] else f"judged are {', '.join(judged)}"
        raise ValueError(f"{', '.join(missing)} has a weight but was never judged; {remedy}")
    return {name: weight * judged.get(name, 0.0) for name, weight in settings.worth.items()}


def contributions(trajectory: Trajectory, settings: RewardSettings) -> list[dict[str, float]]:
    """Return the weighted components of each decision's return; their sum is the return.

    dense: decision i gets the sum over k >= i of gamma^(k-i) times the rewards of decision k, and gamma^(last-i) times
    the final components, which are credited with the last decision. sparse: `totals`, for every decision.
    """
    whole = totals(trajectory, settings)
    if settings.mode == "sparse":
        return [dict(whole) for _ in trajectory.decisions]
    steps, credited = _steps(trajectory), []
    later, discount = {name: 0.0 if name in steps else amount for name, amount in whole.items()}, 1.0
    for decision in reversed(trajectory.decisions):
        later = {
            name: settings.worth[name] * decision.rewards.get(name, 0.0) + discount * amount
            for name, amount in later.items()
        }
        credited.append(later)
        discount = settings.gamma
    return credited[::-1]


def returns(trajectory: Trajectory, settings: RewardSettings) -> list[float]:
    """Return each decision's return: the sum of its `contributions`."""
    return [sum(parts.values()) for parts in contributions(trajectory, settings)]


def variance_shares(
    credited: Sequence[Mapping[str, float]],
    components: Mapping[str, Component],
    peers: Sequence[Hashable] | None = None,
) -> dict[str, float]:
    """Return each component's share of the variance of the decisions' returns: cov(component, sum) / var(sum).

    `credited` are the `contributions` of many decisions. The shares sum to 1; a share is negative where the component
    offsets others. With `peers` (see `advantages.peer_sets`; decisions of one set are compared with each other) only
    differences within the sets count, because only these are learned from. So the shares reveal a reward whose step
    part only tells starting positions apart, while its final part alone tells decisions apart.

    Metrics `reward/<component>_share`, `reward/step_share`, `reward/final_share`; none if the sum does not vary.
    """
    import numpy as np  # settings import this module, and are read by commands that compute nothing

    names = sorted({name for parts in credited for name in parts})
    table = np.array([[parts.get(name, 0.0) for name in names] for parts in credited]).reshape(
        len(credited), len(names)
    )
    size = float((table**2).sum())
    members: dict[Hashable, list[int]] = {}
    for row, key in enumerate([None] * len(credited) if peers is None else peers):
        members.setdefault(key, []).append(row)
    for rows in members.values():
        table[rows] -= table[rows].mean(axis=0)
    whole = table.sum(axis=1)
    spread = float(whole @ whole)
    if spread <= _NOISE * size:
        return {}
    shares = {name: float(table[:, column] @ whole) / spread for column, name in enumerate(names)}
    final = sum(share for name, share in shares.items() if name == ELO or components[name].final)
    named = {f"reward/{name}_share": share for name, share in shares.items()}
    return {**named, "reward/step_share": sum(shares.values()) - final, "reward/final_share": final}


def _steps(trajectory: Trajectory) -> Sequence[str]:
    return list(trajectory.decisions[0].rewards) if trajectory.decisions else []
