"""From what a game's events brought a seat to what each of its turns is credited with. No tensors."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import fmean
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from grandstand.games.training import Component, Entry, Rewards
from grandstand.trainer.trajectories import Trajectory

POLICY = "policy"
"""What the policy that is trained is called among the ratings."""
ELO = "elo"
"""The final component that judges a result by what the ratings foretold: score minus expected score, in -1..1."""
_NOT_THE_GAMES = {ELO, "step", "final"}
"""Names that a game's component cannot have: metrics use them."""
_NOISE = 1e-20
"""Variance below this part of the mean square is rounding."""
_LEAST_ELO, _MOST_ELO = 100.0, 5000.0


class RewardSettings(BaseModel):
    """What is worth how much, and which turn gets it."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    mode: Literal["dense", "sparse"] = Field(
        default="dense",
        description="dense: a turn is credited with what came after it, discounted; sparse: every turn with the "
        "sum of the whole trajectory.",
    )
    gamma: float = Field(
        default=1.0,
        ge=0,
        le=1,
        description="Discount per turn of what comes later, in dense mode; 0 credits a turn only with what came until "
        "the next one, and the last also with the final components.",
    )
    weights: Mapping[str, float] = Field(
        default_factory=dict, description="Component of the game -> what one of its units is worth; others count 0."
    )
    settings: Mapping[str, float] = Field(
        default_factory=dict, description="Numbers that the game's components depend on, where not its defaults."
    )
    elo_scale: float = Field(
        default=0.0,
        ge=0,
        description="What a whole score more than the ratings foretold is worth, as one more final component; 0 for "
        "none. Opponents that are the same in all siblings foretell the same, which a group's baseline cancels.",
    )

    ratings: Mapping[str, float] = Field(
        default_factory=dict,
        description="For elo_scale: ratings in Elo points of `policy`, of `base` and `past`, and of bots by name.",
    )

    @property
    def worth(self) -> dict[str, float]:
        """Component -> weight, for those that count."""
        worth = {**self.weights, ELO: self.elo_scale}
        return {name: weight for name, weight in worth.items() if weight}


def resolve(settings: RewardSettings, rewards: Rewards) -> RewardSettings:
    """The settings with the game's defaults filled in. Raises ValueError naming what the game does not know, and what
    it does."""
    for field, given, known in (
        ("weights", settings.weights, rewards.components),
        ("settings", settings.settings, rewards.settings),
    ):
        if unknown := [name for name in given if name not in known]:
            raise ValueError(f"reward.{field}: {', '.join(unknown)} unknown; there are {', '.join(known)}")
    if clash := _NOT_THE_GAMES & set(rewards.components):
        raise ValueError(f"a game's component cannot be called {', '.join(sorted(clash))}: rename it")
    if not settings.worth:
        raise ValueError(f"reward.weights: nothing counts; give a weight to one of {', '.join(rewards.components)}")
    return settings.model_copy(update={"settings": {**rewards.settings, **settings.settings}})


@dataclass(frozen=True)
class EloRatings:
    """Player's name -> rating in Elo points: who is 400 points better has ten times the odds, 1000 to 1500 is usual.

    Raises ValueError for numbers that are on another scale (a skill of 25, log-odds around 0): with those everybody
    would be expected to draw with everybody, silently.

    >>> EloRatings({"policy": 1200, "bot": 1000}).expected("policy", "bot")
    0.7597469266479578
    """

    points: Mapping[str, float]

    def __post_init__(self) -> None:
        for name, points in self.points.items():
            if not _LEAST_ELO <= points <= _MOST_ELO:
                raise ValueError(
                    f"the rating of {name}, {points:g}, is not in Elo points ({_LEAST_ELO:g} to {_MOST_ELO:g}): "
                    "convert it first, so that 400 points are odds of ten to one"
                )

    def expected(self, name: str, opponent: str) -> float:
        """The logistic expectation of `name`'s score against `opponent`, in 0..1 with 0.5 for a draw."""
        return float(1 / (1 + 10 ** ((self._of(opponent) - self._of(name)) / 400)))

    def _of(self, name: str) -> float:
        if name not in self.points:
            raise ValueError(f"no rating of {name}; there are {', '.join(self.points)}")
        return self.points[name]


def surprise(trajectory: Trajectory, ratings: EloRatings) -> float:
    """Actual minus expected score, averaged over the opponents: in -1..1, 0 where all went as foretold.

    To have a higher score than an opponent counts 1, the same 0.5. Raises ValueError where somebody has no rating.
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
) -> tuple[Trajectory, int]:
    """The trajectory with its rewards, and how many entries were dropped because they came before its first turn.

    What comes due from one turn's number until the next one's was brought by that turn, whatever choices of others
    (or of a stand-in for this policy) lie between. Final components go to the trajectory. Every component is there,
    those that brought nothing as 0. With `ratings`, `final` has ELO too. Raises ValueError for a component that the
    game did not declare.
    """
    numbers = [turn.seq for turn in trajectory.turns]
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        raise ValueError(f"the turns of {trajectory.seat} in {trajectory.episode_id} are not in order: {numbers}")
    final = {name: 0.0 for name, component in components.items() if component.final}
    steps = [dict.fromkeys((name for name in components if name not in final), 0.0) for _ in numbers]
    dropped = 0
    for entry in entries:
        if entry.component not in components:
            raise ValueError(f"the ledger has {entry.component}, which is none of {', '.join(components)}")
        if entry.component in final:
            final[entry.component] += entry.amount
        elif begun := bisect_right(numbers, entry.seq):
            steps[begun - 1][entry.component] += entry.amount
        else:
            dropped += 1
    if ratings is not None:
        final[ELO] = surprise(trajectory, ratings)
    judged = [replace(turn, rewards=brought) for turn, brought in zip(trajectory.turns, steps, strict=True)]
    return replace(trajectory, turns=judged, final=final), dropped


def totals(trajectory: Trajectory, settings: RewardSettings) -> dict[str, float]:
    """What each component that counts brought over the whole judged trajectory, weighted, not discounted."""
    brought = {name: sum(turn.rewards[name] for turn in trajectory.turns) for name in _steps(trajectory)}
    judged = {**brought, **trajectory.final}
    missing = [name for name in settings.worth if name not in judged]
    if trajectory.turns and missing:
        remedy = "judge with ratings" if missing == [ELO] else f"judged are {', '.join(judged)}"
        raise ValueError(f"{', '.join(missing)} has a weight and was never judged; {remedy}")
    return {name: weight * judged.get(name, 0.0) for name, weight in settings.worth.items()}


def contributions(trajectory: Trajectory, settings: RewardSettings) -> list[dict[str, float]]:
    """Each turn's return, component by component (weighted); a turn's return is the sum.

    dense: turn i gets sum over k >= i of gamma^(k-i) times what turn k brought, and gamma^(last-i) times the final
    components, which come due with what the last turn brought. sparse: `totals`, for every turn.
    """
    whole = totals(trajectory, settings)
    if settings.mode == "sparse":
        return [dict(whole) for _ in trajectory.turns]
    steps, credited = _steps(trajectory), []
    later, discount = {name: 0.0 if name in steps else amount for name, amount in whole.items()}, 1.0
    for turn in reversed(trajectory.turns):
        later = {
            name: settings.worth[name] * turn.rewards.get(name, 0.0) + discount * amount
            for name, amount in later.items()
        }
        credited.append(later)
        discount = settings.gamma
    return credited[::-1]


def returns(trajectory: Trajectory, settings: RewardSettings) -> list[float]:
    """What each turn is credited with: the sums of `contributions`."""
    return [sum(parts.values()) for parts in contributions(trajectory, settings)]


def variance_shares(
    credited: Sequence[Mapping[str, float]],
    components: Mapping[str, Component],
    peers: Sequence[Hashable] | None = None,
) -> dict[str, float]:
    """Each component's share of the variance of what turns are credited with: cov(component, sum) / var(sum).

    `credited` are `contributions` of many turns. The shares sum to 1; one may be negative, where the component evens
    out others. With `peers` (see `advantages.peer_sets`; turns of one set are compared with each other) only
    differences within the sets count, which are what is learned from: a reward whose step part tells starting
    positions apart and whose final part tells the answers apart is the outcome in disguise, and this shows it.

    Metrics `reward/<component>_share`, `reward/step_share`, `reward/final_share`; none where the sum does not vary.
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
    return list(trajectory.turns[0].rewards) if trajectory.turns else []
