"""Compute advantages: the return of each decision compared with its peers'. No tensors.

A decision's advantage is its return minus a baseline, which must not depend on the decision's own action, or the
gradient is biased. So peers come from other episodes, and they are selected by what precedes the decision (group, seat,
time, features), never by its consequences. `group`, as in GRPO, includes the decision itself among n peers: its
gradient is 1 - 1/n of that of `leave_one_out`, and as unbiased.

Peers are compared per *unit*, one for each episode. With sparse rewards a decision's return is the trajectory's, and
peers are trajectories. With dense rewards it is the sum after the decision, and peers are decisions at the same time
(`PolicyDecision.index`, counted from where the group begins). Siblings share the state at their first decision only.
Later their states differ: the baseline is still unbiased, since siblings draw independently, but removes less of the
variance; `stratified` compares similar positions instead.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import fmean, pstdev
from typing import NamedTuple

from grandstand.trainer.config.objective_settings import FEWEST_PEERS, AdvantageSettings, CreditMode
from grandstand.trainer.learning.credit import generalized
from grandstand.trainer.rollout.trajectories import TrajectoryGroup

LEAST_SPREAD = 1e-6
"""Returns with at most this standard deviation count as equal: dividing by it would enlarge mere rounding."""


@dataclass(frozen=True)
class Advantages:
    """Advantages as `values[group][trajectory][decision]`, and their metrics.

    A decision without peers to compare with has None, and is not a training sample. `metrics` are
    `advantage/*` (over the training samples) and `processing/*`.
    """

    values: Sequence[Sequence[Sequence[float | None]]]
    metrics: Mapping[str, float]


class PeerSet(NamedTuple):
    """The key that decisions share if they are compared with each other."""

    scope: str
    stratum: tuple[int, ...]
    time: int


class _Sample(NamedTuple):
    peers: PeerSet
    episode: str
    value: float


def stratum(features: Mapping[str, float], strata: Mapping[str, Sequence[float]]) -> tuple[int, ...]:
    """Return, for each feature of `strata`, the number of thresholds that the position is above.

    Raises ValueError naming a feature that the game does not have.

    >>> stratum({"centers": 4, "year": 1901}, {"centers": (3, 5), "year": (1902, 1905)})
    (1, 0)
    """
    for name in strata:
        if name not in features:
            raise ValueError(f"advantage.strata: {name} unknown; the game's features are {', '.join(features)}")
    return tuple(bisect_left(thresholds, features[name]) for name, thresholds in strata.items())


def peer_sets(groups: Sequence[TrajectoryGroup], settings: AdvantageSettings, mode: CreditMode) -> list[PeerSet]:
    """Return the peers of every decision, trajectory by trajectory, group by group."""
    sets = []
    for group in groups:
        begin = min(
            (decision.index for trajectory in group.trajectories for decision in trajectory.decisions), default=0
        )
        for trajectory in group.trajectories:
            scope = group.id if settings.baseline in ("group", "leave_one_out") else trajectory.seat
            sets += [
                PeerSet(
                    scope, stratum(decision.features, settings.strata), decision.index - begin if mode == "dense" else 0
                )
                for decision in trajectory.decisions
            ]
    return sets


def advantages(
    groups: Sequence[TrajectoryGroup],
    returns: Sequence[Sequence[Sequence[float]]],
    settings: AdvantageSettings,
    mode: CreditMode,
    gamma: float = 1.0,
) -> Advantages:
    """Return the advantages of all decisions of a batch.

    `returns[group][trajectory][decision]` are those of `rewards.py`, made in the same `mode` and with `gamma`.
    Raises ValueError if they do not fit the groups, or are not finite.
    """
    samples = _samples(groups, returns, peer_sets(groups, settings, mode))
    units = _units(samples)
    single = {peers for peers, unit in units.items() if len(unit) < FEWEST_PEERS}
    still = {p for p, unit in units.items() if p not in single and pstdev(unit.values()) <= LEAST_SPREAD}
    compared = {peers: unit for peers, unit in units.items() if peers not in single | still}
    scales = _scales(compared) if settings.normalize == "group" else {}
    differences = [
        sample.value - _baseline(compared[sample.peers], sample.episode, settings) if sample.peers in compared else None
        for sample in samples
    ]
    if settings.gae_lambda < 1:
        lengths = [len(trajectory.decisions) for group in groups for trajectory in group.trajectories]
        trajectories = [
            differences[end - length : end] for length, end in zip(lengths, accumulate(lengths), strict=True)
        ]
        differences = [value for of in trajectories for value in generalized(of, gamma, settings.gae_lambda)]
    raw = [
        None if difference is None else difference / scales.get(_timeless(sample.peers), 1)
        for sample, difference in zip(samples, differences, strict=True)
    ]
    values, clipped = _finished(raw, settings)
    metrics = _metrics(values, clipped, len(single), len(still))
    following = iter(values)
    nested = [[[next(following) for _ in t.decisions] for t in group.trajectories] for group in groups]
    return Advantages(nested, metrics)


def _samples(
    groups: Sequence[TrajectoryGroup], returns: Sequence[Sequence[Sequence[float]]], sets: Sequence[PeerSet]
) -> list[_Sample]:
    numbered = (
        (trajectory.episode_id, value)
        for group, of_group in zip(groups, returns, strict=True)
        for trajectory, of_trajectory in zip(group.trajectories, of_group, strict=True)
        for _, value in zip(trajectory.decisions, of_trajectory, strict=True)
    )
    samples = [_Sample(peers, *rest) for peers, rest in zip(sets, numbered, strict=True)]
    for sample in samples:
        if not math.isfinite(sample.value):
            raise ValueError(f"a return in {sample.episode} is {sample.value}: a reward there is broken")
    return samples


def _units(samples: Sequence[_Sample]) -> dict[PeerSet, dict[str, float]]:
    """Return peers -> episode -> mean return, so that an episode with many decisions counts no more than another."""
    values: dict[PeerSet, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for peers, episode, value in samples:
        values[peers][episode].append(value)
    return {peers: {episode: fmean(of) for episode, of in unit.items()} for peers, unit in values.items()}


def _baseline(unit: Mapping[str, float], episode: str, settings: AdvantageSettings) -> float:
    if settings.baseline == "group":
        return fmean(unit.values())
    return fmean(value for name, value in unit.items() if name != episode)


def _timeless(peers: PeerSet) -> Hashable:
    return peers.scope, peers.stratum


def _scales(units: Mapping[PeerSet, Mapping[str, float]]) -> dict[Hashable, float]:
    """Return the population standard deviation about the peers' means, pooled over time.

    All of a group's decisions share one scale. A scale for each time would inflate the last decisions, after which
    little can differ.
    """
    about: dict[Hashable, list[float]] = defaultdict(list)
    for peers, unit in units.items():
        mean = fmean(unit.values())
        about[_timeless(peers)] += [(value - mean) ** 2 for value in unit.values()]
    return {scale: math.sqrt(fmean(squares)) for scale, squares in about.items()}


def _finished(raw: Sequence[float | None], settings: AdvantageSettings) -> tuple[list[float | None], int]:
    """Return the values, normalized over the batch and then clipped, and the number of clipped values."""
    values = [value for value in raw if value is not None]
    centre, scale = 0.0, 1.0
    if settings.batch_normalize and values and (spread := pstdev(values)) > LEAST_SPREAD:
        centre, scale = fmean(values), spread
    scaled = [None if value is None else (value - centre) / scale for value in raw]
    clipped = sum(value is not None and abs(value) > settings.clip for value in scaled)
    return [v if v is None else min(max(v, -settings.clip), settings.clip) for v in scaled], clipped


def _metrics(values: Sequence[float | None], clipped: int, single: int, still: int) -> dict[str, float]:
    used = [value for value in values if value is not None]
    skipped = len(values) - len(used)
    metrics: dict[str, float] = {
        "advantage/clipped_count": clipped,
        "processing/skipped_single_sample": single,
        "processing/skipped_zero_variance": still,
        "processing/total_samples_skipped": skipped,
        "processing/skip_rate": skipped / len(values) if values else 0.0,
        "processing/effective_batch_size": len(used),
    }
    if used:
        metrics |= {
            "advantage/mean": fmean(used),
            "advantage/std": pstdev(used),
            "advantage/min": min(used),
            "advantage/max": max(used),
        }
    return metrics
