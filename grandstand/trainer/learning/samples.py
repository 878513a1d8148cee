"""Make the samples of a training step, with advantages and metrics, from recorded episodes. No tensors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, pstdev

from grandstand.games.spec import GameSpec
from grandstand.play.ratings.table import MIDDLE
from grandstand.spectator.replay import Episode
from grandstand.trainer.config.league_settings import BASE, PAST
from grandstand.trainer.config.objective_settings import (
    EXPECTED_SCORE,
    OPPONENT_FEATURES,
    OPPONENT_RATING,
    POLICY,
    RewardSettings,
    resolve,
)
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.league.matchmaking import category_of
from grandstand.trainer.league.roles import PeerRoles, run_of
from grandstand.trainer.learning.advantages import advantages, peer_sets
from grandstand.trainer.learning.rewards import (
    LEAST_ELO,
    MOST_ELO,
    EloRatings,
    contributions,
    judge,
    returns,
    totals,
    variance_shares,
)
from grandstand.trainer.model.batch import TrainingSample
from grandstand.trainer.rollout.trajectories import (
    PolicyDecision,
    Trajectory,
    TrajectoryGroup,
    game_events,
    trajectories,
)


@dataclass(frozen=True)
class Batch:
    """The samples of one step. `returns` and `advantages` are by group, trajectory and decision."""

    groups: Sequence[TrajectoryGroup]
    returns: Sequence[Sequence[Sequence[float]]]
    advantages: Sequence[Sequence[Sequence[float | None]]]
    samples: Sequence[TrainingSample]
    metrics: Mapping[str, float]


def make_batch(
    config: TrainConfig,
    spec: GameSpec,
    episodes: Mapping[str, Sequence[Episode]],
    version: int,
    ratings: Mapping[str, float] | None = None,
    since: int = 0,
    peers: PeerRoles | None = None,
) -> Batch:
    """Make the samples of a step at which the policy is at `version`; `episodes` are each group's siblings, by its id.

    `ratings` are the league's when the matches began, by player; the policy's own under POLICY. `peers` are the
    versions of other runs with the roles of these.

    Left out, and counted: episodes that broke off, trajectories of versions before `since`, at which the policy began
    anew, trajectories more than `max_staleness` versions old, choices that the policy did not make, and the samples
    that `advantages` skips.
    """
    training = spec.training
    settings = resolve(config.reward, training.rewards)
    oldest = max(since, version - config.rollout.max_staleness)
    ratings, peers = ratings or {}, peers or {}
    groups, counts = _groups(config, spec, episodes, oldest, ratings, peers)
    if OPPONENT_FEATURES & config.advantage.strata.keys():
        groups = [_with_opponents(group, ratings) for group in groups]
    group_returns = [[returns(trajectory, settings) for trajectory in group.trajectories] for group in groups]
    result = advantages(groups, group_returns, config.advantage, settings.mode, settings.gamma)
    samples = [
        _sample(decision, value)
        for group, by_trajectory in zip(groups, result.values, strict=True)
        for trajectory, by_decision in zip(group.trajectories, by_trajectory, strict=True)
        for decision, value in zip(trajectory.decisions, by_decision, strict=True)
        if value is not None
    ]
    everyone = [trajectory for group in groups for trajectory in group.trajectories]
    credited = [parts for trajectory in everyone for parts in contributions(trajectory, settings)]
    compared = peer_sets(groups, config.advantage, settings.mode)
    rewards = [sum(totals(trajectory, settings).values()) for trajectory in everyone if trajectory.decisions]
    metrics = {
        **result.metrics,
        **counts,
        **variance_shares(credited, training.rewards.components, compared),
        **_staleness(samples, version),
        **_rewards(rewards),
        **_play(everyone, config.run.name, peers),
    }
    return Batch(groups, group_returns, result.values, samples, metrics)


def _staleness(samples: Sequence[TrainingSample], version: int) -> dict[str, float]:
    """Return the mean number of versions by which the samples are behind the one that learns from them."""
    return {"buffer/staleness": fmean(version - sample.version for sample in samples)} if samples else {}


def _sample(decision: PolicyDecision, advantage: float) -> TrainingSample:
    return TrainingSample(
        prompt=tuple(decision.prompt),
        completion=decision.completion,
        logprobs=decision.logprobs,
        allowed=decision.allowed,
        temperature=decision.temperature,
        advantage=advantage,
        version=decision.version,
    )


def _groups(
    config: TrainConfig,
    spec: GameSpec,
    episodes: Mapping[str, Sequence[Episode]],
    oldest: int,
    ratings: Mapping[str, float],
    peers: PeerRoles,
) -> tuple[list[TrajectoryGroup], dict[str, float]]:
    """Return the judged trajectories, one group for each fork and seat, and counts of those left out."""
    rewards = spec.training.rewards
    settings = resolve(config.reward, rewards)
    counted = ("rollout/straggler_count", "rollout/failed_count", "rollout/masked_turns", "buffer/dropped_stale")
    counts = {**dict.fromkeys(counted, 0.0), "buffer/consumed": float(sum(map(len, episodes.values())))}
    groups, own = [], 0
    for group_id, siblings in episodes.items():
        by_seat: dict[str, list[Trajectory]] = defaultdict(list)
        for episode in siblings:
            status = episode.events[-1].data["status"]
            if status not in ("finished", "stopped"):
                counts["rollout/straggler_count" if status == "interrupted" else "rollout/failed_count"] += 1
                continue
            events = game_events(episode, spec.reward_events)
            for trajectory in trajectories(episode, config.run.name):
                counts["rollout/masked_turns"] += trajectory.masked
                entries = rewards.ledger(events, trajectory.seat, settings.settings)
                trajectory = replace(trajectory, results=rewards.results(events, trajectory.seat))
                elo = _ratings(trajectory, settings, ratings, peers)
                judged = judge(trajectory, entries, rewards.components, elo)
                if any(decision.version < oldest for decision in judged.decisions):
                    counts["buffer/dropped_stale"] += 1
                elif judged.decisions:
                    by_seat[trajectory.seat].append(judged)
                own += len(trajectory.decisions)
        groups += [TrajectoryGroup(f"{group_id}/{seat}", members) for seat, members in sorted(by_seat.items())]
    return groups, counts | _shares(counts, own)


def _shares(counts: Mapping[str, float], own: int) -> dict[str, float]:
    """Return the shares of decisions that the policy made itself, of which there are `own`, and of failed matches."""
    shares = {}
    if decisions := own + counts["rollout/masked_turns"]:
        shares["rollout/valid_share"] = own / decisions
    if matches := counts["buffer/consumed"]:
        shares["rollout/failed_share"] = (counts["rollout/failed_count"] + counts["rollout/straggler_count"]) / matches
    return shares


def _ratings(
    trajectory: Trajectory, settings: RewardSettings, league: Mapping[str, float], peers: PeerRoles
) -> EloRatings | None:
    """Return the ratings of the policy and of its opponents, by their names in the match; None without elo_scale."""
    if not settings.elo_scale:
        return None
    policy = trajectory.policy
    if settings.ratings == "league":
        return _league_ratings(trajectory, league)
    opponents = {name: settings.ratings[_label(name, policy, peers)] for name in trajectory.opponents.values()}
    return EloRatings({policy: settings.ratings[POLICY]} | opponents)


def _league_ratings(trajectory: Trajectory, league: Mapping[str, float]) -> EloRatings:
    """Return the league's ratings of the policy and its opponents.

    A version of the run without a rating has the policy's, any other player the middle one.
    """
    policy, own = trajectory.policy, league.get(POLICY, MIDDLE)
    unrated = {name: own if run_of(name) == policy else MIDDLE for name in trajectory.opponents.values()}
    points = {**unrated, **league, policy: own}
    return EloRatings({name: min(max(rating, LEAST_ELO), MOST_ELO) for name, rating in points.items()})


def _with_opponents(group: TrajectoryGroup, league: Mapping[str, float]) -> TrajectoryGroup:
    """Return the group with OPPONENT_FEATURES, computed from the opponents and their ratings before the group was
    played."""
    return replace(group, trajectories=[_with_strength(trajectory, league) for trajectory in group.trajectories])


def _with_strength(trajectory: Trajectory, league: Mapping[str, float]) -> Trajectory:
    ratings, opponents = _league_ratings(trajectory, league), list(trajectory.opponents.values())
    strength = {
        OPPONENT_RATING: fmean(ratings.points[name] for name in opponents),
        EXPECTED_SCORE: fmean(ratings.expected(trajectory.policy, name) for name in opponents),
    }
    decisions = [replace(decision, features={**decision.features, **strength}) for decision in trajectory.decisions]
    return replace(trajectory, decisions=decisions)


def _label(name: str, run: str, peers: PeerRoles) -> str:
    """Return an opponent's name in the settings: a bot's own name, or the category of a version of a policy."""
    policy, _, version = name.rpartition("@v")
    if not policy:
        return name
    if policy != run:
        return category_of(peers.get(name, "main"))
    return PAST if int(version) else BASE


def _rewards(rewards: Sequence[float]) -> dict[str, float]:
    if not rewards:
        return {}
    return {"benchmark/reward_mean": fmean(rewards), "benchmark/reward_std": pstdev(rewards)}


def _play(everyone: Sequence[Trajectory], run: str, peers: PeerRoles) -> dict[str, float]:
    """Return metrics of the matches."""
    if not everyone:
        return {}
    metrics = {
        "benchmark/trajectories": float(len(everyone)),
        "game/turns_mean": fmean(len(trajectory.decisions) for trajectory in everyone),
        "game/score_mean": fmean(trajectory.scores.get(trajectory.seat, 0.0) for trajectory in everyone),
    }
    for name, score in _by_opponent(everyone, run, peers).items():
        metrics[f"opponent/{name}/score_mean"] = fmean(score)
        metrics[f"opponent/{name}/game_count"] = float(len(score))
    finals = sorted({name for trajectory in everyone for name in trajectory.final})
    decisions = [trajectory.decisions for trajectory in everyone]
    steps = sorted({name for of_seat in decisions for decision in of_seat for name in decision.rewards})
    results = [trajectory.results for trajectory in everyone]
    for name in sorted({name for of_seat in results for name in of_seat}):
        metrics[f"result/{name}"] = fmean(of_seat[name] for of_seat in results if name in of_seat)
    for name in finals:
        metrics[f"game/{name}"] = fmean(trajectory.final.get(name, 0.0) for trajectory in everyone)
    for name in steps:
        metrics[f"game/{name}"] = fmean(
            sum(decision.rewards.get(name, 0.0) for decision in of_seat) for of_seat in decisions
        )
    return metrics


def _by_opponent(everyone: Iterable[Trajectory], run: str, peers: PeerRoles) -> dict[str, list[float]]:
    """Return the seat's scores in the matches with each opponent, labelled as in the settings."""
    scores: dict[str, list[float]] = defaultdict(list)
    for trajectory in everyone:
        for name in sorted({_label(name, run, peers) for name in trajectory.opponents.values()}):
            scores[name].append(trajectory.scores.get(trajectory.seat, 0.0))
    return scores
