"""Steps 2 to 6 of a training step: recorded episodes in, samples with advantages and measurements out. No tensors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from grandstand.games.spec import GameSpec
from grandstand.spectator.replay import Episode
from grandstand.trainer.advantages import advantages, peer_sets
from grandstand.trainer.batch import TrainingSample
from grandstand.trainer.codec import training_of
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.matchmaking import BASE, PAST
from grandstand.trainer.rewards import (
    POLICY,
    EloRatings,
    RewardSettings,
    contributions,
    judge,
    resolve,
    returns,
    totals,
    variance_shares,
)
from grandstand.trainer.trajectories import Trajectory, TrajectoryGroup, Turn, game_events, trajectories


@dataclass(frozen=True)
class Batch:
    """What one step learns from. `returns` and `advantages` are by group, trajectory and turn."""

    groups: Sequence[TrajectoryGroup]
    returns: Sequence[Sequence[Sequence[float]]]
    advantages: Sequence[Sequence[Sequence[float | None]]]
    samples: Sequence[TrainingSample]
    metrics: Mapping[str, float]


def make_batch(config: TrainConfig, spec: GameSpec, episodes: Mapping[str, Sequence[Episode]], version: int) -> Batch:
    """The samples of a step at which the policy is at `version`. `episodes` are the siblings of each group, by its id.

    Left out, and counted: episodes that broke off, choices that are more than `max_staleness` versions old, choices
    that were not the policy's, and all that `advantages` leaves out.
    """
    training = training_of(spec)
    settings = resolve(config.reward, training.rewards)
    groups, counts = _groups(config, spec, episodes, version)
    paid = [[returns(one, settings) for one in group.trajectories] for group in groups]
    found = advantages(groups, paid, config.advantage, settings.mode)
    samples = [
        _sample(turn, value)
        for group, by_trajectory in zip(groups, found.values, strict=True)
        for one, by_turn in zip(group.trajectories, by_trajectory, strict=True)
        for turn, value in zip(one.turns, by_turn, strict=True)
        if value is not None
    ]
    everyone = [one for group in groups for one in group.trajectories]
    credited = [parts for one in everyone for parts in contributions(one, settings)]
    peers = peer_sets(groups, config.advantage, settings.mode)
    earned = [sum(totals(one, settings).values()) for one in everyone if one.turns]
    metrics = {
        **found.metrics,
        **counts,
        **variance_shares(credited, training.rewards.components, peers),
        **_rewards(earned),
        **_play(everyone, config),
    }
    return Batch(groups, paid, found.values, samples, metrics)


def _sample(turn: Turn, advantage: float) -> TrainingSample:
    return TrainingSample(
        prompt=tuple(turn.prompt),
        completion=turn.completion,
        logprobs=turn.logprobs,
        allowed=turn.allowed,
        temperature=turn.temperature,
        advantage=advantage,
        version=turn.version,
    )


def _groups(
    config: TrainConfig, spec: GameSpec, episodes: Mapping[str, Sequence[Episode]], version: int
) -> tuple[list[TrajectoryGroup], dict[str, float]]:
    """The judged trajectories, one group for each fork and seat, and what was left out."""
    rewards = training_of(spec).rewards
    settings = resolve(config.reward, rewards)
    counted = ("rollout/straggler_count", "rollout/failed_count", "rollout/masked_turns", "buffer/dropped_stale")
    counts = {**dict.fromkeys(counted, 0.0), "buffer/consumed": float(sum(map(len, episodes.values())))}
    groups = []
    for group_id, siblings in episodes.items():
        by_seat: dict[str, list[Trajectory]] = defaultdict(list)
        for episode in siblings:
            status = episode.events[-1].data["status"]
            if status not in ("finished", "stopped"):
                counts["rollout/straggler_count" if status == "interrupted" else "rollout/failed_count"] += 1
                continue
            told = game_events(episode, spec)
            for one in trajectories(episode, config.run.name):
                counts["rollout/masked_turns"] += one.masked
                entries = rewards.ledger(told, one.seat, settings.settings)
                judged, _ = judge(one, entries, rewards.components, _ratings(one, settings))
                if any(turn.version < version - config.rollout.max_staleness for turn in judged.turns):
                    counts["buffer/dropped_stale"] += 1
                elif judged.turns:
                    by_seat[one.seat].append(judged)
        groups += [TrajectoryGroup(f"{group_id}/{seat}", found) for seat, found in sorted(by_seat.items())]
    return groups, counts


def _ratings(one: Trajectory, settings: RewardSettings) -> EloRatings | None:
    """What the settings say of the policy and of who sits in the other seats, by their names in the match."""
    if not settings.elo_scale:
        return None
    known = {one.policy: settings.ratings[POLICY]}
    return EloRatings(known | {name: settings.ratings[_label(name, one.policy)] for name in one.opponents.values()})


def _label(name: str, run: str) -> str:
    """What an opponent is called in the settings: a bot by its name, a version of the policy by what it is."""
    policy, _, version = name.rpartition("@v")
    return name if policy != run else BASE if int(version) == 0 else PAST


def _rewards(earned: Sequence[float]) -> dict[str, float]:
    if not earned:
        return {}
    return {"benchmark/reward_mean": fmean(earned), "benchmark/reward_std": pstdev(earned)}


def _play(everyone: Sequence[Trajectory], config: TrainConfig) -> dict[str, float]:
    """How the matches themselves went."""
    if not everyone:
        return {}
    metrics = {
        "benchmark/trajectories": float(len(everyone)),
        "game/turns_mean": fmean(len(one.turns) for one in everyone),
        "game/score_mean": fmean(one.scores.get(one.seat, 0.0) for one in everyone),
    }
    for name, score in _by_opponent(everyone, config.run.name).items():
        metrics[f"opponent/{name}/score_mean"] = fmean(score)
        metrics[f"opponent/{name}/game_count"] = float(len(score))
    finals = sorted({name for one in everyone for name in one.final})
    steps = sorted({name for one in everyone for turn in one.turns for name in turn.rewards})
    for name in finals:
        metrics[f"game/{name}"] = fmean(one.final.get(name, 0.0) for one in everyone)
    for name in steps:
        metrics[f"game/{name}"] = fmean(sum(turn.rewards.get(name, 0.0) for turn in one.turns) for one in everyone)
    return metrics


def _by_opponent(everyone: Iterable[Trajectory], run: str) -> dict[str, list[float]]:
    """The seat's score in the matches with each opponent; versions of the policy go by whether they are the first."""
    found: dict[str, list[float]] = defaultdict(list)
    for one in everyone:
        for name in sorted({_label(name, run) for name in one.opponents.values()}):
            found[name].append(one.scores.get(one.seat, 0.0))
    return found
