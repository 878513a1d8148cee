"""Extract trajectories from a recorded episode: decisions with their tokens as sampled, grouped by seat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grandstand.events import EpisodeCreated, TurnRecorded
from grandstand.games.base import SeatId
from grandstand.models import flat
from grandstand.spectator.replay import Episode


@dataclass(frozen=True)
class PolicyDecision:
    """One decision of a policy, as recorded. `seq` is the number of its TurnRecorded event.

    `index` is the turn of the match. `rewards[name]` is the unweighted sum of component `name` from this decision until
    the seat's next one; `final` components belong to the trajectory.
    """

    seq: int
    index: int
    version: int
    temperature: float
    prompt: Sequence[int]
    completion: Sequence[int]
    logprobs: Sequence[float]
    allowed: Sequence[Sequence[int]]
    features: Mapping[str, float]
    rewards: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Trajectory:
    """All decisions of one seat in one episode.

    `masked` counts the choices that the policy did not make (a human, a fallback, a repaired reply, a fault). They are
    left out of `decisions`, and nothing is learned from them.
    """

    episode_id: str
    seat: SeatId
    policy: str
    opponents: Mapping[SeatId, str]
    decisions: Sequence[PolicyDecision]
    final: Mapping[str, float]
    scores: Mapping[SeatId, float]
    masked: int = 0
    results: Mapping[str, float] = field(default_factory=dict)
    """The game's numbers about the seat where play stopped, which are reported and not learned from."""


@dataclass(frozen=True)
class TrajectoryGroup:
    """Sibling trajectories: forks of one state, with the same seat and match seed. `id` is `step/group/seat`."""

    id: str
    trajectories: Sequence[Trajectory]


def game_events(episode: Episode, kinds: Collection[str]) -> list[tuple[int, str, Mapping[str, Any]]]:
    """Return the events of these types in the record as (seq, type, data): `GameSpec.reward_events`."""
    return [(event.seq, event.type, event.data) for event in flat(episode.events) if event.type in kinds]


def trajectories(episode: Episode, policy: str) -> list[Trajectory]:
    """Return one trajectory for each seat of the episode whose decisions by `policy` were recorded for training.

    Rewards are not filled in. A recorded decision counts only if its seat's next action is the one that the policy
    chose: after a fault, or an action by another player, it is masked.
    """
    created = EpisodeCreated.model_validate(episode.events[0].data)
    decisions: dict[SeatId, list[PolicyDecision]] = {}
    masked: dict[SeatId, int] = {}
    pending: dict[SeatId, PolicyDecision] = {}
    scores: Mapping[SeatId, float] = {}
    for event in flat(episode.events):
        seat = event.data.get("seat")
        if event.type == "TurnRecorded" and event.data["policy"] == policy:
            decisions.setdefault(event.data["seat"], [])
            pending[event.data["seat"]] = _decision(event.seq, TurnRecorded.model_construct(**event.data))
        elif event.type == "ActionChosen" and seat is not None:
            decision = pending.pop(seat, None)
            if decision is not None and event.data["source"] == "policy":
                decisions[seat].append(decision)
            elif decision is not None or event.data["source"] in ("human", "fallback", "repair", "remote"):
                masked[seat] = masked.get(seat, 0) + 1
        elif event.type in ("TurnStarted", "EpisodeEnded"):
            outcome = event.data.get("outcome")
            scores = event.data.get("scores") or (outcome and outcome["scores"]) or scores
    seated = {info.seat: info.player for info in created.seats}
    return [
        Trajectory(
            episode_id=episode.episode_id,
            seat=seat,
            policy=policy,
            opponents={other: name for other, name in seated.items() if other != seat},
            decisions=of_seat,
            final={},
            scores=scores,
            masked=masked.get(seat, 0),
        )
        for seat, of_seat in decisions.items()
    ]


def _decision(seq: int, recorded: TurnRecorded) -> PolicyDecision:
    return PolicyDecision(
        seq=seq,
        index=recorded.index,
        version=recorded.version,
        temperature=recorded.temperature,
        prompt=recorded.prompt,
        completion=recorded.completion,
        logprobs=recorded.logprobs,
        allowed=recorded.allowed,
        features=recorded.features,
    )
